import CoreDataGraph
import CoreDataSchema
import Testing

@Suite("Delete propagation")
struct DeletePropagationTests {
    /// Dept.employees ↔ Emp.dept with a rule on each side, Emp.badge → Badge without inverse.
    private func company(dept: DeleteRule, emp: DeleteRule = .nullify, badge: DeleteRule = .nullify) throws -> ResolvedModel {
        try GraphModels.make {
            $0.entity("Dept", [GraphModels.relationship("employees", to: "Emp", inverse: "dept", many: true, rule: dept)])
            $0.entity("Emp", [
                GraphModels.relationship("dept", to: "Dept", inverse: "employees", rule: emp),
                GraphModels.relationship("badge", to: "Badge", rule: badge),
            ])
            $0.entity("Badge")
        }
    }

    private struct Staff {
        let model: ResolvedModel
        let dept: RowKey, employees: [RowKey], badge: RowKey
        var relations = Relations()

        init(_ model: ResolvedModel) throws {
            self.model = model
            dept = try model.key("Dept", 1)
            employees = try (1...3).map { try model.key("Emp", $0) }
            badge = try model.key("Badge", 1)
            relations.link(dept, try model.slot("Dept", "employees"), employees)
            for employee in employees { relations.link(employee, try model.slot("Emp", "dept"), [dept]) }
            relations.link(employees[0], try model.slot("Emp", "badge"), [badge])
        }

        func plan(_ roots: [RowKey], already: Set<RowKey> = []) -> DeletionPlan {
            DeletePropagation.plan(
                deleting: roots, model: model, isAlreadyDeleted: already.contains, related: relations.related)
        }
    }

    @Test("DR01: nullify clears each survivor's reference and deletes nobody else")
    func nullify() throws {
        let staff = try Staff(company(dept: .nullify))
        let plan = staff.plan([staff.dept])
        let slot = try staff.model.slot("Emp", "dept")
        #expect(plan.deletions == [staff.dept])
        #expect(plan.nullifications == staff.employees.map { Nullification(owner: $0, slot: slot, removing: staff.dept) })
        #expect(plan.denials.isEmpty)
    }

    @Test("Deleting a to-many's member removes it from the owner's to-many")
    func nullifyToMany() throws {
        let staff = try Staff(company(dept: .nullify))
        let plan = staff.plan([staff.employees[1]])
        #expect(plan.nullifications == [
            Nullification(owner: staff.dept, slot: try staff.model.slot("Dept", "employees"), removing: staff.employees[1]),
        ])
    }

    @Test("DR02: cascade deletes the members and nullifies nothing on rows that go too")
    func cascade() throws {
        let staff = try Staff(company(dept: .cascade))
        let plan = staff.plan([staff.dept])
        #expect(plan.deletions == [staff.dept] + staff.employees)
        #expect(plan.nullifications.isEmpty)
    }

    @Test("A reference is not cleared on a row that was deleted earlier")
    func alreadyDeletedSurvivor() throws {
        let staff = try Staff(company(dept: .nullify))
        let plan = staff.plan([staff.dept], already: [staff.employees[0]])
        #expect(plan.nullifications.map(\.owner) == Array(staff.employees.dropFirst()))
    }

    @Test("Cascade does not list a row that was deleted earlier")
    func alreadyDeletedMember() throws {
        let staff = try Staff(company(dept: .cascade))
        #expect(staff.plan([staff.dept], already: [staff.employees[1]]).deletions == [staff.dept, staff.employees[0], staff.employees[2]])
    }

    @Test("A root counts although it is marked deleted, and only once")
    func rootsAreFollowed() throws {
        let staff = try Staff(company(dept: .cascade))
        let plan = staff.plan([staff.dept, staff.employees[2], staff.dept], already: [staff.dept, staff.employees[2]])
        #expect(plan.deletions == [staff.dept, staff.employees[2], staff.employees[0], staff.employees[1]])
    }

    @Test("DR12: a to-one cascade deletes the owner, whose own rule then meets the other members")
    func toOneCascade() throws {
        let staff = try Staff(company(dept: .nullify, emp: .cascade))
        let plan = staff.plan([staff.employees[0]])
        #expect(plan.deletions == [staff.employees[0], staff.dept])
        #expect(plan.nullifications.map(\.owner) == [staff.employees[1], staff.employees[2]])
        let all = try Staff(company(dept: .cascade, emp: .cascade)).plan([staff.employees[0]])
        #expect(Set(all.deletions) == Set(staff.employees + [staff.dept]))
    }

    @Test("DR03: cascade goes down every level")
    func levels() throws {
        let model = try GraphModels.make {
            $0.entity("A", [GraphModels.relationship("bs", to: "B", inverse: "a", many: true, rule: .cascade)])
            $0.entity("B", [
                GraphModels.relationship("a", to: "A", inverse: "bs"),
                GraphModels.relationship("cs", to: "C", inverse: "b", many: true, rule: .cascade),
            ])
            $0.entity("C", [GraphModels.relationship("b", to: "B", inverse: "cs")])
        }
        var relations = Relations()
        let a = try model.key("A", 1), bs = try (1...2).map { try model.key("B", $0) }, cs = try (1...4).map { try model.key("C", $0) }
        relations.link(a, try model.slot("A", "bs"), bs)
        for (index, b) in bs.enumerated() {
            relations.link(b, try model.slot("B", "a"), [a])
            relations.link(b, try model.slot("B", "cs"), Array(cs[index * 2..<index * 2 + 2]))
        }
        let plan = DeletePropagation.plan(deleting: [a], model: model, isAlreadyDeleted: { _ in false }, related: relations.related)
        #expect(plan.deletions == [a] + bs + cs)
        #expect(plan.nullifications.isEmpty)
    }

    @Test("DR04: a cascade cycle ends, each row named once")
    func cycle() throws {
        let model = try GraphModels.make {
            $0.entity("A", [GraphModels.relationship("b", to: "B", inverse: "a", rule: .cascade)])
            $0.entity("B", [GraphModels.relationship("a", to: "A", inverse: "b", rule: .cascade)])
        }
        let a = try model.key("A", 1), b = try model.key("B", 1)
        var relations = Relations()
        relations.link(a, try model.slot("A", "b"), [b])
        relations.link(b, try model.slot("B", "a"), [a])
        let plan = DeletePropagation.plan(deleting: [a], model: model, isAlreadyDeleted: { _ in false }, related: relations.related)
        #expect(plan.deletions == [a, b])
        #expect(plan.nullifications.isEmpty)
    }

    @Test("DR05, DR06: deny holds while a member lives, not when all go too")
    func deny() throws {
        let staff = try Staff(company(dept: .deny))
        let slot = try staff.model.slot("Dept", "employees")
        #expect(staff.plan([staff.dept]).denials == [DeletionDenial(owner: staff.dept, slot: slot)])
        #expect(staff.plan([staff.dept] + staff.employees).denials.isEmpty)
        #expect(staff.plan([staff.dept], already: Set(staff.employees)).denials.isEmpty)
        #expect(DeletePropagation.denials(
            for: staff.dept, model: staff.model, isDeleted: { _ in false }, related: staff.relations.related) == [slot])
        #expect(DeletePropagation.denials(
            for: staff.dept, model: staff.model, isDeleted: { $0 != staff.employees[0] }, related: staff.relations.related) == [slot])
        #expect(DeletePropagation.denials(
            for: staff.dept, model: staff.model, isDeleted: { _ in true }, related: staff.relations.related).isEmpty)
        #expect(staff.plan([staff.dept]).nullifications.isEmpty)
    }

    @Test("DR07: deny on a cascaded row denies the whole")
    func denyBelowCascade() throws {
        let model = try GraphModels.make {
            $0.entity("A", [GraphModels.relationship("b", to: "B", rule: .cascade)])
            $0.entity("B", [GraphModels.relationship("c", to: "C", rule: .deny)])
            $0.entity("C")
        }
        let a = try model.key("A", 1), b = try model.key("B", 1), c = try model.key("C", 1)
        var relations = Relations()
        relations.link(a, try model.slot("A", "b"), [b])
        relations.link(b, try model.slot("B", "c"), [c])
        let plan = DeletePropagation.plan(deleting: [a], model: model, isAlreadyDeleted: { _ in false }, related: relations.related)
        #expect(plan.deletions == [a, b])
        #expect(plan.denials == [DeletionDenial(owner: b, slot: try model.slot("B", "c"))])
    }

    @Test("DR09: no action touches nobody and does not even ask for the members")
    func noAction() throws {
        let staff = try Staff(company(dept: .noAction))
        var asked: [Int] = []
        let plan = DeletePropagation.plan(
            deleting: [staff.dept], model: staff.model, isAlreadyDeleted: { _ in false },
            related: { key, slot in
                asked.append(slot)
                return staff.relations.related(key, slot)
            })
        #expect(plan.deletions == [staff.dept])
        #expect(plan.nullifications.isEmpty && plan.denials.isEmpty && asked.isEmpty)
    }

    @Test("Without inverse: nullify does nothing, cascade still deletes")
    func withoutInverse() throws {
        let nullify = try Staff(company(dept: .nullify))
        #expect(nullify.plan([nullify.employees[0]]).nullifications.map(\.owner) == [nullify.dept])
        let cascade = try Staff(company(dept: .nullify, badge: .cascade))
        #expect(cascade.plan([cascade.employees[0]]).deletions == [cascade.employees[0], cascade.badge])
    }

    @Test("Rules inherited from a superentity apply to a subentity's rows")
    func inheritedRule() throws {
        let model = try GraphModels.make {
            $0.entity("Owner", [GraphModels.relationship("pets", to: "Pet", inverse: "owner", many: true, rule: .cascade)])
            $0.entity("Manager", parent: "Owner", [GraphModels.relationship("car", to: "Pet", rule: .noAction)])
            $0.entity("Pet", [GraphModels.relationship("owner", to: "Owner", inverse: "pets")])
            $0.entity("Dog", parent: "Pet")
        }
        let manager = try model.key("Manager", 1), dog = try model.key("Dog", 1)
        var relations = Relations()
        relations.link(manager, try model.slot("Manager", "pets"), [dog])
        relations.link(dog, try model.slot("Dog", "owner"), [manager])
        let plan = DeletePropagation.plan(deleting: [manager], model: model, isAlreadyDeleted: { _ in false }, related: relations.related)
        #expect(plan.deletions == [manager, dog])
        let other = DeletePropagation.plan(deleting: [dog], model: model, isAlreadyDeleted: { _ in false }, related: relations.related)
        #expect(other.nullifications == [Nullification(owner: manager, slot: try model.slot("Owner", "pets"), removing: dog)])
    }

    @Test("What related throws comes out")
    func passesErrorsOn() throws {
        struct Broken: Error {}
        let staff = try Staff(company(dept: .cascade))
        #expect(throws: Broken.self) {
            try DeletePropagation.plan(
                deleting: [staff.dept], model: staff.model, isAlreadyDeleted: { _ in false }, related: { _, _ in throw Broken() })
        }
    }
}

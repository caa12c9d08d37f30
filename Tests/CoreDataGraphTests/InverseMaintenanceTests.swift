import CoreDataGraph
import CoreDataSchema
import Testing

@Suite("Inverse maintenance")
struct InverseMaintenanceTests {
    private let model: ResolvedModel
    private let people: [RowKey]
    private let depts: [RowKey]
    private let tags: [RowKey]

    init() throws {
        model = try GraphModels.make {
            $0.entity("Base", [GraphModels.relationship("dept", to: "Dept", inverse: "members", many: false)])
            $0.entity("Person", parent: "Base", [
                GraphModels.relationship("partner", to: "Person", inverse: "partner"),
                GraphModels.relationship("friends", to: "Person", inverse: "friends", many: true),
                GraphModels.relationship("passport", to: "Passport", inverse: "holder"),
                GraphModels.relationship("tags", to: "Tag", inverse: "people", many: true),
                GraphModels.relationship("home", to: "Dept"),
            ])
            $0.entity("Passport", [GraphModels.relationship("holder", to: "Person", inverse: "passport")])
            $0.entity("Dept", [GraphModels.relationship("members", to: "Base", inverse: "dept", many: true)])
            $0.entity("Tag", [GraphModels.relationship("people", to: "Person", inverse: "tags", many: true, ordered: true)])
        }
        people = try [model.key("Person", 1), model.key("Person", 2), model.key("Person", 3)]
        depts = try [model.key("Dept", 1), model.key("Dept", 2)]
        tags = try [model.key("Tag", 1), model.key("Tag", 2), model.key("Tag", 3)]
    }

    private func plan(
        _ entity: String, _ name: String, _ owner: RowKey, removing: [RowKey] = [], adding: [RowKey] = [],
        current: [RowKey: RowKey] = [:]
    ) throws -> [RelationshipEdit] {
        InverseMaintenance.plan(
            owner: owner, relationship: try model.property(entity, name), removing: removing, adding: adding, model: model,
            current: { key, _ in current[key] })
    }

    private func edit(_ object: RowKey, _ entity: String, _ name: String, _ change: RelationshipEdit.Change) throws -> RelationshipEdit {
        RelationshipEdit(object: object, slot: try model.slot(entity, name), change: change)
    }

    @Test("RE01, RE03: setting a to-one moves the object from the old owner's to-many to the new one's")
    func toOneMoves() throws {
        #expect(try plan("Person", "dept", people[0], removing: [depts[0]], adding: [depts[1]]) == [
            edit(depts[0], "Dept", "members", .remove(people[0])), edit(depts[1], "Dept", "members", .add(people[0])),
        ])
    }

    @Test("RE02, RE04: changing a to-many sets and clears the members' to-ones")
    func toManyChanges() throws {
        let edits = try plan(
            "Dept", "members", depts[0], removing: [people[0], people[1]], adding: [people[1], people[2]],
            current: [people[0]: depts[0], people[1]: depts[0]])
        #expect(edits == [
            try edit(people[0], "Person", "dept", .set(nil)), try edit(people[2], "Person", "dept", .set(depts[0])),
        ])
    }

    @Test("A member that comes from another owner leaves that owner's to-many")
    func toManyTakesFromAnother() throws {
        let edits = try plan("Dept", "members", depts[0], adding: [people[0]], current: [people[0]: depts[1]])
        #expect(edits == [
            try edit(depts[1], "Dept", "members", .remove(people[0])), try edit(people[0], "Person", "dept", .set(depts[0])),
        ])
    }

    @Test("A member whose to-one says so already, or says otherwise, is left alone")
    func toManyNothingToDo() throws {
        #expect(try plan("Dept", "members", depts[0], adding: [people[0]], current: [people[0]: depts[0]]).isEmpty)
        #expect(try plan("Dept", "members", depts[0], removing: [people[0]], current: [people[0]: depts[1]]).isEmpty)
    }

    @Test("RE05: one-to-one: the partner's former partner loses it")
    func oneToOne() throws {
        let passports = try [model.key("Passport", 1), model.key("Passport", 2)]
        let edits = try plan(
            "Person", "passport", people[1], removing: [passports[1]], adding: [passports[0]],
            current: [passports[0]: people[0], people[0]: passports[0], passports[1]: people[1]])
        #expect(edits == [
            try edit(passports[1], "Passport", "holder", .set(nil)),
            try edit(people[0], "Person", "passport", .set(nil)),
            try edit(passports[0], "Passport", "holder", .set(people[1])),
        ])
    }

    @Test("Many-to-many: members gain and lose the owner")
    func manyToMany() throws {
        #expect(try plan("Person", "tags", people[0], removing: [tags[0]], adding: [tags[1], tags[2], tags[1]]) == [
            edit(tags[0], "Tag", "people", .remove(people[0])),
            edit(tags[1], "Tag", "people", .add(people[0])), edit(tags[2], "Tag", "people", .add(people[0])),
        ])
    }

    @Test("A to-one that is its own inverse: four people re-pair")
    func selfInverseToOne() throws {
        let fourth = try model.key("Person", 4)
        let edits = try plan(
            "Person", "partner", people[0], removing: [people[1]], adding: [people[2]],
            current: [people[1]: people[0], people[2]: fourth, fourth: people[2], people[0]: people[2]])
        #expect(edits == [
            try edit(people[1], "Person", "partner", .set(nil)),
            try edit(fourth, "Person", "partner", .set(nil)),
            try edit(people[2], "Person", "partner", .set(people[0])),
        ])
    }

    @Test("An object related to itself by a self-inverse is the owner's own side")
    func selfInverseToSelf() throws {
        #expect(try plan("Person", "partner", people[0], removing: [people[1]], adding: [people[0]], current: [people[1]: people[0]]) == [
            edit(people[1], "Person", "partner", .set(nil)),
        ])
        #expect(try plan("Person", "friends", people[0], adding: [people[0], people[1]]) == [
            edit(people[1], "Person", "friends", .add(people[0])),
        ])
    }

    @Test("No inverse, no edits")
    func withoutInverse() throws {
        #expect(try plan("Person", "home", people[0], removing: [depts[0]], adding: [depts[1]]).isEmpty)
    }

    @Test("An inverse declared on a superentity is edited at its slot in the subentity")
    func inheritedInverse() throws {
        let edits = try plan("Dept", "members", depts[0], adding: [people[0]])
        #expect(edits == [RelationshipEdit(object: people[0], slot: try model.slot("Base", "dept"), change: .set(depts[0]))])
        #expect(try model.slot("Base", "dept") == model.slot("Person", "dept"))
    }
}

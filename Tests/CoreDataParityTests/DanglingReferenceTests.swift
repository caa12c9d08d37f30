import CoreData
import Testing

/// One context deletes what another one's unsaved to-one refers to.
@Suite("References to rows deleted meanwhile")
struct DanglingReferenceTests {
    private static let policies: [NSMergePolicyType] = [
        .errorMergePolicyType, .mergeByPropertyObjectTrumpMergePolicyType, .mergeByPropertyStoreTrumpMergePolicyType,
        .overwriteMergePolicyType, .rollbackMergePolicyType,
    ]

    @Test("The store keeps no reference to a row that is gone", arguments: policies, [false, true])
    func race(policy: NSMergePolicyType, inserts: Bool) throws {
        for kind in StoreKind.allCases {
            for elsewhere in kind == .sqlite ? [false, true] : [false] {
                let stack = try Stack(Models.office(), kind)
                try stack.seed { context in
                    context.make("Department", ["name": "Sales"])
                    context.make("Employee", ["name": "Alice"])
                }
                try stack.run { context in
                    context.mergePolicy = NSMergePolicy(merge: policy)
                    let sales = try context.only("Department")
                    stack.held = [sales]
                    let alice = inserts ? context.make("Employee", ["name": "Bob"]) : try context.only("Employee")
                    alice.setValue(sales, forKey: "dept")
                }
                try (elsewhere ? stack.reopened() : stack).seed { $0.delete(try $0.only("Department")) }
                try stack.run { context in
                    do { try context.save() } catch { context.rollback() }
                    #expect(!context.hasChanges)
                }
                try stack.reopened().run { context in
                    for employee in try context.all("Employee") {
                        let hasKey = try context.count(for: context.request("Employee", NSPredicate(format: "self == %@ AND dept != nil", employee))) == 1
                        #expect(hasKey == (employee.one("dept")?.text("name") != nil), "\(kind) \(elsewhere) \(policy.rawValue)")
                    }
                }
            }
        }
    }
}

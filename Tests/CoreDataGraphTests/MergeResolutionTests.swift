import CoreDataGraph
import CoreDataSchema
import CoreDataStorage
import Testing

@Suite("Merge resolution")
struct MergeResolutionTests {
    private let layout: RowLayout
    private let key = RowKey(primaryKey: 1, entity: 0, store: 1)
    private let name: Int, salary: Int, note: Int

    init() throws {
        var note = AttributeSchema(name: "scratch", type: .string)
        note.isTransient = true
        let model = try GraphModels.make { schema in
            schema.entity("R", attributes: [AttributeSchema(name: "name", type: .string), AttributeSchema(name: "salary", type: .integer64), note])
        }
        layout = RowLayout(model.entities[0], in: model)
        name = try model.slot("R", "name")
        salary = try model.slot("R", "salary")
        self.note = try model.slot("R", "scratch")
    }

    private func values(_ text: String, _ number: Int64, note: String? = nil) -> ContiguousArray<AttributeValue> {
        var values = ContiguousArray(repeating: AttributeValue.null, count: 3)
        values[name] = .string(text)
        values[salary] = .integer(number)
        values[self.note] = note.map(AttributeValue.string) ?? .null
        return values
    }

    private func row(_ text: String, _ number: Int64, version: Int64) -> RowBlock {
        RowBlock.make(layout: layout, key: key, version: version, values: values(text, number))
    }

    private func slots(_ slots: Int...) -> SlotSet {
        var set = SlotSet()
        for slot in slots { set.insert(slot) }
        return set
    }

    private func resolve(
        _ policy: MergePolicyKind, local: (String, Int64), changed: SlotSet, stored: (String, Int64), hasBase: Bool = true
    ) -> MergedRow? {
        MergeResolution.resolve(
            policy: policy, base: hasBase ? row("Alice", 10, version: 1) : nil, local: values(local.0, local.1, note: "mine"),
            changed: changed, stored: row(stored.0, stored.1, version: 5))
    }

    @Test("ME02: the error policy settles nothing")
    func error() { #expect(resolve(.error, local: ("C2", 10), changed: slots(name), stored: ("C1", 10)) == nil) }

    @Test("ME03: store trump: the store wins where both changed, other edits stay")
    func storeTrump() throws {
        let merged = try #require(resolve(.storeTrump, local: ("C2", 99), changed: slots(name, salary), stored: ("C1", 10)))
        #expect(merged.values == values("C1", 99, note: "mine"))
        #expect(merged.changedSlots == slots(salary))
        #expect(merged.baseVersion == 5)
    }

    @Test("Store trump brings in what only the store changed")
    func storeTrumpUntouched() throws {
        let merged = try #require(resolve(.storeTrump, local: ("C2", 10), changed: slots(name), stored: ("Alice", 50)))
        #expect(merged.values == values("C2", 50, note: "mine"))
        #expect(merged.changedSlots == slots(name))
    }

    @Test("Store trump without a snapshot: every edit conflicts")
    func storeTrumpNoBase() throws {
        let merged = try #require(resolve(.storeTrump, local: ("C2", 99), changed: slots(name, salary), stored: ("C1", 10), hasBase: false))
        #expect(merged.values == values("C1", 10, note: "mine"))
        #expect(merged.changedSlots.isEmpty)
    }

    @Test("ME04: object trump: edits win, the rest comes from the store")
    func objectTrump() throws {
        let merged = try #require(resolve(.objectTrump, local: ("C2", 10), changed: slots(name), stored: ("C1", 50)))
        #expect(merged.values == values("C2", 50, note: "mine"))
        #expect(merged.changedSlots == slots(name))
    }

    @Test("ME05: overwrite writes the whole object, stale values too")
    func overwrite() throws {
        let merged = try #require(resolve(.overwrite, local: ("C2", 10), changed: slots(name), stored: ("C1", 77)))
        #expect(merged.values == values("C2", 10, note: "mine"))
        #expect(merged.changedSlots == slots(name, salary))
    }

    @Test("ME06: rollback shows the store's row and writes nothing")
    func rollback() throws {
        let merged = try #require(resolve(.rollback, local: ("C2", 99), changed: slots(name, salary), stored: ("C1", 50)))
        #expect(merged.values == values("C1", 50, note: "mine"))
        #expect(merged.changedSlots.isEmpty)
        #expect(merged.baseVersion == 5)
    }

    @Test("DD03: an edit from one Unicode form to another is an edit")
    func literalStrings() throws {
        let merged = try #require(resolve(.objectTrump, local: ("e\u{301}", 10), changed: slots(name), stored: ("\u{e9}", 10)))
        #expect(merged.changedSlots == slots(name))
    }
}

import CoreDataPredicate
import CoreDataSchema
import CoreDataStorage
import CoreDataTestSupport
import Foundation
import Synchronization
import Testing

@Suite("The in-memory store")
struct InMemoryRowStoreTests {
    @Test("conforms", arguments: StoreConformance.cases)
    func conformance(conformanceCase: ConformanceCase) {
        #expect(StoreConformance.failures(of: conformanceCase) { InMemoryRowStore(model: $0, number: 3) } == [])
    }

    @Test("Objects of transformable attributes stay the objects they are (DD05)")
    func objects() throws {
        let run = try ConformanceRun { InMemoryRowStore(model: $0, number: 1) }
        let object = OpaqueObject(NSMutableString("kept"))
        let made = try run.insert("Everything", ["transformable": .object(object)])
        guard case .object(let found)? = try run.reread(made.key).map({ try run.value($0, "transformable") }) else {
            Issue.record("no object")
            return
        }
        let isSame = found.value === object.value
        #expect(isSame)
    }

    @Test("Composites are kept and their elements answer predicates and sorts")
    func composites() throws {
        var schema = ModelSchema()
        schema.composites = [CompositeSchema(name: "Address", elements: [.optional("city", .string), .optional("number", .integer32)])]
        var address = AttributeSchema.optional("address", .composite)
        address.compositeName = "Address"
        schema.add("E", attributes: [address])
        let model = try ResolvedModel(schema), store = InMemoryRowStore(model: model, number: 1)
        var batch = ChangeBatch()
        batch.inserted = ["Rome", "Bonn", "Oslo"].enumerated().map { index, city in
            InsertedRow(key: RowKey(primaryKey: -1 - Int64(index), entity: 0), values: [.composite(["city": .string(city), "number": .integer(Int64(index))])])
        }
        _ = try store.commit(batch)
        var plan = FetchPlan(entity: 0)
        plan.predicate = try PredicateFormat.parse("address.city != 'Oslo' AND address.number >= 0")
        plan.sort = [SortTerm(keyPath: ["address", "city"], isAscending: true)]
        guard case .rows(let rows) = try store.fetch(plan) else { return }
        #expect(rows.map { $0.value(0) } == [.composite(["city": .string("Bonn"), "number": .integer(1)]), .composite(["city": .string("Rome"), "number": .integer(0)])])
    }

    @Test("A bad batch is refused with its reason and changes nothing")
    func badBatches() throws {
        let run = try ConformanceRun { InMemoryRowStore(model: $0, number: 1) }
        let tag = try run.insert("Tag", [:])
        var short = ChangeBatch()
        short.inserted = [try run.row("Tag", [:]), InsertedRow(key: try run.temporaryKey("Tag"), values: [.null])]
        #expect(throws: StoreError.self) { try run.store.commit(short) }
        var taken = ChangeBatch()
        taken.inserted = [try run.row("Tag", key: tag.key, [:])]
        #expect(throws: StoreError.self) { try run.store.commit(taken) }
        var foreign = ChangeBatch()
        foreign.inserted = [try run.row("Tag", key: RowKey(primaryKey: 99, entity: tag.key.entity), [:])]
        #expect(throws: StoreError.self) { try run.store.commit(foreign) }
        var slot = ChangeBatch()
        slot.links = [LinkChange(owner: tag.key, relationship: PropertyReference(entity: Int(tag.key.entity), slot: 0), added: [tag.key], removed: [])]
        #expect(throws: StoreError.self) { try run.store.commit(slot) }
        #expect(try run.rows(run.plan("Tag")).map(\.key) == [tag.key])
    }

    @Test("Threads that count up one row, retrying on conflicts, lose no count; readers see whole rows")
    func concurrency() throws {
        let run = try ConformanceRun { InMemoryRowStore(model: $0, number: 1) }
        let store = run.store, row = try run.insert("Tag", ["code": .integer(0), "weight": .integer(0)])
        let code = try run.property("Tag", "code").slot, weight = try run.property("Tag", "weight").slot
        let plan = try run.plan("Tag", "code == weight")
        let torn = AtomicCounter(), failed = AtomicCounter()
        DispatchQueue.concurrentPerform(iterations: 4) { _ in
            for _ in 0..<100 {
                while true {
                    guard let current = try? store.rows(for: [row.key], staleAfter: 0).first else { return failed.add() }
                    var values = current.values, changed = SlotSet()
                    for slot in [code, weight] {
                        values[slot] = .integer(current.integer(slot) + 1)
                        changed.insert(slot)
                    }
                    var batch = ChangeBatch()
                    batch.updated = [UpdatedRow(key: row.key, expectedVersion: current.version, changedSlots: changed, values: values)]
                    if case .committed? = try? store.commit(batch) { break }
                }
                if case .rows(let rows)? = try? store.fetch(plan), rows.count == 1 { continue }
                torn.add()
            }
        }
        #expect(torn.value == 0)
        #expect(failed.value == 0)
        let last = try #require(try store.rows(for: [row.key], staleAfter: 0).first)
        #expect(last.integer(code) == 400)
        #expect(last.version == 401)
        #expect(store.rowCache.row(for: row.key)?.version == 401)
    }

    @Test("The counting store counts round trips and passes everything on")
    func counting() throws {
        let counting = CountingRowStore(InMemoryRowStore(model: try ConformanceModel.make(), number: 1))
        let run = try ConformanceRun { _ in counting }
        let counts = try counting.counting {
            let tag = try run.insert("Tag", [:])
            _ = try run.rows(run.plan("Tag"))
            _ = try run.reread(tag.key)
            _ = try run.related(tag.key, "people")
            _ = try counting.reserveKeys(entity: Int(tag.key.entity), count: 1)
        }
        #expect(counts.commits == 1 && counts.fetches == 1 && counts.rowReads == 1 && counts.relatedReads == 1 && counts.reservations == 1)
        #expect(counts.reads == 3 && counts.all == 5)
    }
}

/// Counts from many threads.
private final class AtomicCounter: Sendable {
    private let count = Mutex(0)

    var value: Int { count.withLock { $0 } }
    func add() { count.withLock { $0 += 1 } }
}

@Suite("The conformance suite")
struct StoreConformanceTests {
    /// Breaks one promise of the contract.
    private final class FaultyRowStore: RowStore {
        enum Fault: CaseIterable { case losesRows, forgetsOrder, ignoresConflicts, losesLinks }

        let store: InMemoryRowStore
        let fault: Fault

        init(_ store: InMemoryRowStore, _ fault: Fault) {
            self.store = store
            self.fault = fault
        }

        var model: ResolvedModel { store.model }
        var number: Int32 { store.number }
        var rowCache: RowCache { store.rowCache }
        var metadata: StoreMetadata { store.metadata }
        func setMetadata(_ metadata: StoreMetadata) { store.setMetadata(metadata) }
        func rows(for keys: [RowKey], staleAfter: Double) throws -> [RowBlock] { try store.rows(for: keys, staleAfter: staleAfter) }
        func reserveKeys(entity: Int, count: Int) throws -> [RowKey] { try store.reserveKeys(entity: entity, count: count) }
        func insertBatch(_ plan: BatchInsertPlan, from source: any BatchRowSource) throws -> BatchReceipt {
            try store.insertBatch(plan, from: source)
        }
        func updateBatch(_ plan: BatchUpdatePlan) throws -> BatchReceipt { try store.updateBatch(plan) }
        func deleteBatch(_ plan: BatchDeletePlan) throws -> BatchReceipt { try store.deleteBatch(plan) }
        func close() throws { try store.close() }

        func fetch(_ plan: FetchPlan) throws -> FetchOutcome {
            guard case .rows(let rows) = try store.fetch(plan), fault == .losesRows else { return try store.fetch(plan) }
            return .rows(Array(rows.dropLast()))
        }

        func relatedKeys(of owners: [RowKey], through relationship: PropertyReference) throws -> [[RowKey]] {
            let keys = try store.relatedKeys(of: owners, through: relationship)
            return fault == .forgetsOrder ? keys.map { $0.sorted { $0.primaryKey < $1.primaryKey } } : keys
        }

        func commit(_ batch: ChangeBatch) throws -> CommitOutcome {
            var batch = batch
            if fault == .ignoresConflicts { for index in batch.updated.indices { batch.updated[index].overridesConflicts = true } }
            if fault == .losesLinks { batch.links = [] }
            return try store.commit(batch)
        }
    }

    @Test("finds a store that breaks a promise", arguments: [
        (.losesRows, "SO01"), (.forgetsOrder, "RE12"), (.ignoresConflicts, "An update on an old version"), (.losesLinks, "RE07"),
    ] as [(FaultyRowStore.Fault, String)])
    private func findsFaults(fault: FaultyRowStore.Fault, name: String) {
        let failing = StoreConformance.cases.filter { conformanceCase in
            !StoreConformance.failures(of: conformanceCase) { FaultyRowStore(InMemoryRowStore(model: $0, number: 1), fault) }.isEmpty
        }
        #expect(failing.contains { $0.description.hasPrefix(name) })
        #expect(failing.count < StoreConformance.cases.count)
    }

    @Test("No two cases have one name")
    func names() { #expect(Set(StoreConformance.cases.map(\.description)).count == StoreConformance.cases.count) }
}

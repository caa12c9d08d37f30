import CoreDataSchema
import CoreDataStorage
import CoreDataTestSupport
import Testing

@Suite("Row cache")
struct RowCacheTests {
    private let model: ResolvedModel
    private let cache: RowCache
    private let tag: Int32

    init() throws {
        model = try ConformanceModel.make()
        cache = RowCache(model: model)
        tag = Int32(try #require(model.entity(named: "Tag")).index)
    }

    private func row(_ primaryKey: Int64, version: Int64 = 1, entity: Int32? = nil) -> RowBlock {
        let entity = model.entities[Int(entity ?? tag)]
        return RowBlock.make(
            layout: RowLayout(entity, in: model), key: RowKey(primaryKey: primaryKey, entity: Int32(entity.index), store: 1), version: version,
            values: ContiguousArray(repeating: .null, count: entity.properties.count))
    }

    @Test("The last adopted row of a key is the one found")
    func adopts() {
        cache.adopt([row(1), row(2)])
        cache.adopt([row(1, version: 2)])
        #expect(cache.row(for: RowKey(primaryKey: 1, entity: tag))?.version == 2)
        #expect(cache.row(for: RowKey(primaryKey: 2, entity: tag))?.version == 1)
        #expect(cache.rows(for: [3, 2].map { RowKey(primaryKey: $0, entity: tag) }).map { $0?.version } == [nil, 1])
    }

    @Test("Entities of one root share keys, other roots do not")
    func roots() throws {
        let manager = Int32(try #require(model.entity(named: "Manager")).index), party = Int32(try #require(model.entity(named: "Party")).index)
        cache.adopt([row(1, entity: manager)])
        #expect(cache.row(for: RowKey(primaryKey: 1, entity: party))?.key.entity == manager)
        #expect(cache.row(for: RowKey(primaryKey: 1, entity: tag)) == nil)
    }

    @Test("The generation moves when a row is replaced by another version or removed, not when rows join or are read again")
    func generations() throws {
        let start = cache.generation
        let first = row(1)
        cache.adopt([first])
        #expect(cache.generation == start)
        #expect(first.generation == start)
        cache.adopt([row(1)])
        #expect(cache.generation == start)
        let second = row(1, version: 2)
        cache.adopt([second])
        #expect(cache.generation > start)
        #expect(second.generation == cache.generation)
        let before = cache.generation
        cache.remove([second.key])
        #expect(cache.generation > before)
        #expect(cache.row(for: second.key) == nil)
    }

    @Test("Sweeping drops the rows nobody else holds and keeps the others")
    func sweeps() {
        let held = (1...100).map { row($0 * 50) }
        cache.adopt(held)
        for start in stride(from: Int64(0), to: 20_000, by: 1_000) {
            cache.adopt((start + 1...start + 1_000).filter { $0 % 50 != 0 }.map { row($0) })
        }
        #expect(held.allSatisfy { cache.row(for: $0.key)?.isIdentical(to: $0) == true })
        let alive = cache.rows(for: (1...20_000).map { RowKey(primaryKey: $0, entity: tag) }).count { $0 != nil }
        #expect(alive < 10_000)
        #expect(alive >= 100)
    }

    @Test("removeAll forgets everything")
    func removesAll() {
        cache.adopt([row(1)])
        cache.removeAll()
        #expect(cache.row(for: RowKey(primaryKey: 1, entity: tag)) == nil)
    }
}

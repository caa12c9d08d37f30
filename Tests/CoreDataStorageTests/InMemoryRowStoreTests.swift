import CoreDataPredicate
import CoreDataSchema
import CoreDataStorage
import CoreDataTestSupport
import Testing

@Suite("The in-memory store")
struct InMemoryRowStoreTests {
    @Test("conforms", arguments: StoreConformance.cases)
    func conformance(conformanceCase: ConformanceCase) {
        #expect(StoreConformance.failures(of: conformanceCase) { InMemoryRowStore(model: $0, number: 3) } == [])
    }
}

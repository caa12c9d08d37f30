import CoreDataPredicate
import CoreDataSchema
import CoreDataStorage
import CoreDataTestSupport
import Testing

@testable import CoreDataSQLStorage

@Suite("The SQLite store")
struct ConformanceTests {
    @Test("conforms", arguments: StoreConformance.cases)
    func conformance(conformanceCase: ConformanceCase) throws {
        let folder = try TemporaryFolder()
        let failures = StoreConformance.failures(of: conformanceCase) { model in
            try SQLiteRowStore.open(folder.file("Staff.sqlite"), model: model, number: 3)
        }
        #expect(failures == [])
    }
}

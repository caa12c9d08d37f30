import CoreData
import Testing

@Suite("Store descriptions")
struct StoreDescriptionTests {
    @Test("A new description is a SQLite store, migrated by inference")
    func defaults() {
        let description = NSPersistentStoreDescription(url: URL(fileURLWithPath: "/tmp/a.sqlite"))
        #expect(description.type == NSSQLiteStoreType && description.configuration == nil && !description.isReadOnly)
        #expect(description.shouldMigrateStoreAutomatically && description.shouldInferMappingModelAutomatically)
        #expect(!description.shouldAddStoreAsynchronously && description.timeout == 240 && description.sqlitePragmas.isEmpty)
        #expect(description.options[NSMigratePersistentStoresAutomaticallyOption] as? Bool == true)
        #expect(NSPersistentStoreDescription().url?.path == "/dev/null")
    }

    @Test("Flags, pragmas and options are the options the store gets")
    func options() {
        let description = NSPersistentStoreDescription()
        description.isReadOnly = true
        description.timeout = 3
        description.shouldMigrateStoreAutomatically = false
        description.setValue(NSString("DELETE"), forPragmaNamed: "journal_mode")
        description.setOption(NSNumber(value: true), forKey: NSPersistentHistoryTrackingKey)
        #expect(description.options[NSReadOnlyPersistentStoreOption] as? Bool == true)
        #expect(description.options[NSPersistentStoreTimeoutOption] as? Double == 3)
        #expect(description.options[NSMigratePersistentStoresAutomaticallyOption] as? Bool == false)
        #expect(description.options[NSPersistentHistoryTrackingKey] as? Bool == true)
        #expect(description.sqlitePragmas["journal_mode"] == NSString("DELETE"))
        #expect((description.options[NSSQLitePragmasOption] as? [String: String])?["journal_mode"] == "DELETE")
        description.setValue(nil, forPragmaNamed: "journal_mode")
        description.setOption(nil, forKey: NSPersistentHistoryTrackingKey)
        #expect(description.options[NSSQLitePragmasOption] == nil && description.options[NSPersistentHistoryTrackingKey] == nil)
    }

    @Test("A copy is equal and changes apart")
    func copying() throws {
        let description = NSPersistentStoreDescription(url: URL(fileURLWithPath: "/tmp/a.sqlite"))
        description.configuration = "Cloud"
        description.type = NSInMemoryStoreType
        let copy = try #require(description.copy() as? NSPersistentStoreDescription)
        #expect(copy == description)
        copy.isReadOnly = true
        #expect(copy != description && !description.isReadOnly)
    }
}

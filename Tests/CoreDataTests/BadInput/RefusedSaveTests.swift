import CoreData
import SQLiteDriver
import Testing

@Suite("Bad input: saves that the file refuses")
struct RefusedSaveTests {
    @Test("A file locked by somebody else: the save throws 134090, changes stay pending, a later save succeeds")
    func locked() throws {
        let folder = try WatchedFolder()
        let url = folder.file("Staff.sqlite")
        let store = try CompanyStore(url, options: [NSPersistentStoreTimeoutOption: NSNumber(value: 0.2)])
        let other = try SQLiteConnection(path: url.path, access: .readWrite)
        defer { other.close() }
        let context = store.context()
        try context.performAndWait {
            let employee = context.hire("Ada")
            try other.execute("BEGIN IMMEDIATE")
            let started = Date()
            let error = try cocoaError { try context.save() }
            #expect(Date().timeIntervalSince(started) < 5, "the option's timeout, not the default one")
            #expect(error.code == NSPersistentStoreTimeoutError)
            expect(error, says: [url.path, "locked", "again"])
            #expect(context.hasChanges && employee.isInserted && employee.objectID.isTemporaryID)
            #expect(employee.value(forKey: "name") as? String == "Ada")
            try other.execute("ROLLBACK")
            try context.save()
            #expect(!context.hasChanges && !employee.objectID.isTemporaryID)
        }
        #expect(try store.names() == ["Ada"])
    }

    @Test("A file that cannot grow: the save throws 640, the rows before it stay, a smaller save succeeds")
    func full() throws {
        let folder = try WatchedFolder()
        let url = folder.file("Staff.sqlite")
        try CompanyStore.write(["Ada"], to: url)
        let store = try CompanyStore(url, options: [NSSQLitePragmasOption: ["max_page_count": "40"]])
        let context = store.context()
        try context.performAndWait {
            let employee = context.hire(String(repeating: "B", count: 1_000_000))
            let error = try cocoaError { try context.save() }
            #expect(error.code == CocoaError.Code.fileWriteOutOfSpace.rawValue)
            expect(error, says: [url.path, "disk", "again"])
            #expect(context.hasChanges && employee.isInserted && employee.objectID.isTemporaryID)
            #expect(try store.names() == ["Ada"])
            employee.setValue("Bob", forKey: "name")
            try context.save()
        }
        #expect(try store.names() == ["Ada", "Bob"])
    }
}

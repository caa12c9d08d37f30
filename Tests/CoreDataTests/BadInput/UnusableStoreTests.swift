import CoreData
import SQLiteDriver
import Testing

@Suite("Bad input: store files")
struct UnusableStoreTests {
    private func open(_ url: URL, options: [AnyHashable: Any] = [:]) throws { _ = try CompanyStore(url, options: options) }

    @Test("A file that is not SQLite is refused and left alone", arguments: [3, 512, 4096, 50_000])
    func notSQLite(size: Int) throws {
        let folder = try WatchedFolder()
        let url = try folder.write(String(repeating: "x", count: size), to: "Staff.sqlite")
        let error = try folder.refusal { try open(url) }
        #expect(error.code == CocoaError.Code.fileReadCorruptFile.rawValue)
        expect(error, says: [url.path, "not a SQLite database", "left as it is", "backup"])
        _ = try folder.refusal { _ = try NSPersistentStoreCoordinator.metadataForPersistentStore(ofType: NSSQLiteStoreType, at: url) }
    }

    @Test("A database that is not Core Data's is refused and left alone", arguments: ["DELETE", "WAL"])
    func notCoreData(mode: String) throws {
        let folder = try WatchedFolder()
        let url = folder.file("notes.sqlite")
        let connection = try SQLiteConnection(path: url.path, access: .create)
        try connection.execute("PRAGMA journal_mode=\(mode); CREATE TABLE notes (text); INSERT INTO notes VALUES ('mine')")
        connection.close()
        let error = try folder.refusal { try open(url) }
        #expect(error.code == CocoaError.Code.fileReadCorruptFile.rawValue)
        expect(error, says: [url.path, "not a Core Data store", "Z_METADATA", "left as it is", "another file"])
    }

    @Test("A store of another model is 134100 with both lists of hashes, naming the entities that differ and what to do")
    func otherModel() throws {
        let folder = try WatchedFolder()
        let url = folder.file("Staff.sqlite")
        try CompanyStore.write(["Ada"], to: url)
        let model = CompanyModel.make()
        let employee = try #require(model.entitiesByName["Employee"])
        employee.properties.append(CompanyModel.attribute("badge", .stringAttributeType))
        let office = NSEntityDescription()
        office.name = "Office"
        model.entities.append(office)
        let error = try folder.refusal { _ = try CompanyStore(url, model: model) }
        #expect(error.code == 134100)
        expect(error, says: [url.path, "Employee", "Employee: changed", "Office: in the model", "Open it with that model", "left as it is"])
        #expect(!error.localizedDescription.contains("Department"), "it is the same in both")
        let metadata = try #require(error.userInfo["metadata"] as? [String: Any])
        let stored = try #require(metadata[NSStoreModelVersionHashesKey] as? [String: Data])
        #expect(stored == CompanyModel.make().entityVersionHashesByName)
        #expect(error.userInfo["modelVersionHashes"] as? [String: Data] == model.entityVersionHashesByName)
        let reason = try #require(error.userInfo["reason"] as? String)
        #expect(error.localizedDescription.hasPrefix(String(reason.dropLast())))
        #expect("\(error)".components(separatedBy: "Open it with that model").count == 2, "the advice comes once")
        #expect(try CompanyStore(url).names() == ["Ada"], "the right model still opens it")
    }

    @Test("A folder in its place, a file for a folder and a missing folder are refused, and nothing is made")
    func places() throws {
        let folder = try WatchedFolder()
        try folder.write("x", to: "Staff.sqlite/kept.txt")
        try folder.write("x", to: "file")
        expect(try folder.refusal { try open(folder.file("Staff.sqlite")) }, says: ["Staff.sqlite", "folder of that name", "another"])
        expect(try folder.refusal { try open(folder.file("none/at/all/Staff.sqlite")) }, says: ["none/at/all", "does not exist", "Create it"])
        expect(try folder.refusal { try open(folder.file("file/Staff.sqlite")) }, says: ["/file”", "not a folder"])
    }

    @Test("A store without a URL, with a web URL, of an unknown type or configuration is refused")
    func requests() throws {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: CompanyModel.make())
        func refused(_ type: String, _ url: URL?, _ configuration: String? = nil) throws -> NSError {
            try cocoaError { try coordinator.addPersistentStore(ofType: type, configurationName: configuration, at: url) }
        }
        expect(try refused(NSSQLiteStoreType, nil), says: ["URL"])
        expect(try refused(NSSQLiteStoreType, URL(string: "https://example.org/a.sqlite")), says: ["https://example.org/a.sqlite", "file URL"])
        #expect(try refused("Cloud", nil).code == 134000)
        expect(try refused(NSInMemoryStoreType, nil, "Web"), says: ["Web"])
        #expect(coordinator.persistentStores.isEmpty)
    }

    @Test("A read-only file that is not there is refused and not made; one that is there refuses to save")
    func readOnlyOption() throws {
        let folder = try WatchedFolder()
        let url = folder.file("Staff.sqlite")
        let options: [AnyHashable: Any] = [NSReadOnlyPersistentStoreOption: true]
        expect(try folder.refusal { try open(url, options: options) }, says: [url.path, "no such file"])
        try CompanyStore.write(["Ada"], to: url)
        let before = try Data(contentsOf: url)
        let store = try CompanyStore(url, options: options)
        let context = store.context()
        try context.performAndWait {
            context.hire("Bob")
            expect(try cocoaError { try context.save() }, says: [url.path, "reading only"])
            #expect(context.hasChanges)
        }
        try store.close()
        #expect(try Data(contentsOf: url) == before)
    }

    @Test("Files and folders without permission are refused with what to change; a read-only option still reads")
    func permissions() async {
        // In a process of its own, which gives up root's power to write everywhere.
        await #expect(processExitsWith: .success) {
            if getuid() == 0 { try #require(setuid(65534) == 0) }
            let folder = try WatchedFolder()
            func allow(_ mode: Int, _ path: String) throws {
                try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: folder.file(path).path)
            }
            try folder.write("x", to: "closed/other.txt")
            let url = folder.file("closed/Staff.sqlite")
            try CompanyStore.write(["Ada"], to: folder.file("closed/Old.sqlite"))
            try CompanyStore.write(["Ada"], to: folder.file("locked.sqlite"))
            try CompanyStore.write(["Ada"], to: folder.file("hidden.sqlite"))
            try allow(0o444, "locked.sqlite")
            try allow(0o000, "hidden.sqlite")
            try allow(0o555, "closed")
            defer { try? allow(0o755, "closed") }

            let new = try folder.refusal { _ = try CompanyStore(url) }
            #expect(new.code == CocoaError.Code.fileWriteNoPermission.rawValue)
            expect(new, says: [url.path, "/closed”", "permission"])
            let old = try folder.refusal { _ = try CompanyStore(folder.file("closed/Old.sqlite")) }
            #expect(old.code == CocoaError.Code.fileWriteNoPermission.rawValue)
            expect(old, says: ["Old.sqlite", "/closed”", "permission", "reading only"])
            expect(try folder.refusal { _ = try CompanyStore(folder.file("locked.sqlite")) }, says: ["locked.sqlite", "not writable", "permission"])
            let hidden = try folder.refusal { _ = try CompanyStore(folder.file("hidden.sqlite")) }
            #expect(hidden.code == CocoaError.Code.fileReadNoPermission.rawValue)
            expect(hidden, says: ["hidden.sqlite", "permission"])
            let reader = try CompanyStore(folder.file("closed/Old.sqlite"), options: [NSReadOnlyPersistentStoreOption: true])
            #expect(try reader.names() == ["Ada"])
            try reader.close()
        }
    }

    @Test("A folder that takes no files even from root is refused with its name")
    func unwritableFileSystem() throws {
        let url = URL(fileURLWithPath: "/proc/bad-input.sqlite")
        let error = try cocoaError { try open(url) }
        expect(error, says: [url.path, "“/proc”"])
    }
}

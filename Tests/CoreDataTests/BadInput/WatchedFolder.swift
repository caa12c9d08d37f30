import CoreData
import SQLiteDriver
import Testing

/// A temporary folder that can say what is in it, letter by letter; it goes with the object.
final class WatchedFolder: Sendable {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appendingPathComponent("bad-input-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    func file(_ name: String) -> URL { url.appendingPathComponent(name) }

    @discardableResult
    func write(_ text: String, to name: String) throws -> URL {
        let file = file(name)
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file)
        return file
    }

    /// Every path below the folder with its bytes; nil for folders.
    func contents() throws -> [String: Data?] {
        var result: [String: Data?] = [:]
        for path in try FileManager.default.subpathsOfDirectory(atPath: url.path) {
            result[path] = .some(FileManager.default.contents(atPath: file(path).path))
        }
        return result
    }

    /// The Cocoa error the body throws; nothing in the folder may change meanwhile.
    func refusal(_ location: SourceLocation = #_sourceLocation, of body: () throws -> Void) throws -> NSError {
        let before = try contents()
        let error = try cocoaError(location, of: body)
        #expect(try contents() == before, "nothing is created or changed on disk", sourceLocation: location)
        return error
    }
}

/// The error in `NSCocoaErrorDomain` that the body throws; anything else is an issue.
func cocoaError(_ location: SourceLocation = #_sourceLocation, of body: () throws -> Void) throws -> NSError {
    var thrown: NSError?
    do { try body() } catch { thrown = error as NSError }
    let error = try #require(thrown, "nothing was thrown", sourceLocation: location)
    #expect(error.domain == NSCocoaErrorDomain, "\(error)", sourceLocation: location)
    return error
}

/// Whether each part stands in the text a person reads.
func expect(_ error: NSError, says parts: [String], _ location: SourceLocation = #_sourceLocation) {
    for part in parts {
        #expect(error.localizedDescription.contains(part), "“\(part)” is missing in: \(error.localizedDescription)", sourceLocation: location)
    }
}

/// A company's store at a URL, through what any program calls.
struct CompanyStore {
    let coordinator: NSPersistentStoreCoordinator

    init(_ url: URL, model: NSManagedObjectModel = CompanyModel.make(), options: [AnyHashable: Any] = [:]) throws {
        coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        try coordinator.addPersistentStore(ofType: NSSQLiteStoreType, configurationName: nil, at: url, options: options)
    }

    func context() -> NSManagedObjectContext {
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        return context
    }

    func close() throws {
        for store in coordinator.persistentStores { try coordinator.remove(store) }
    }

    func names() throws -> [String] {
        let context = context()
        return try context.performAndWait { try context.employeeNames() }
    }

    /// Makes a store with one employee for each name, and closes it.
    static func write(_ names: [String], to url: URL) throws {
        let store = try CompanyStore(url)
        let context = store.context()
        try context.performAndWait {
            for name in names { context.hire(name) }
            try context.save()
        }
        try store.close()
    }
}

extension NSManagedObjectContext {
    @discardableResult
    func hire(_ name: String) -> NSManagedObject {
        let employee = NSEntityDescription.insertNewObject(forEntityName: "Employee", into: self)
        employee.setValue(name, forKey: "name")
        return employee
    }

    func employeeNames() throws -> [String] {
        try fetch(NSFetchRequest<NSManagedObject>(entityName: "Employee")).compactMap { $0.value(forKey: "name") as? String }.sorted()
    }
}

import CoreData
import Testing

extension NSManagedObjectContext {
    /// A new object with values.
    @discardableResult
    func make(_ entity: String, _ values: [String: Any] = [:]) -> NSManagedObject {
        let object = NSEntityDescription.insertNewObject(forEntityName: entity, into: self)
        for (key, value) in values { object.setValue(value, forKey: key) }
        return object
    }

    func request(_ entity: String, _ predicate: NSPredicate? = nil, by sort: String...) -> NSFetchRequest<NSManagedObject> {
        let request = NSFetchRequest<NSManagedObject>(entityName: entity)
        request.predicate = predicate
        request.sortDescriptors = sort.map { NSSortDescriptor(key: $0, ascending: true) }
        return request
    }

    func all(_ entity: String, _ predicate: NSPredicate? = nil, by sort: String = "name") throws -> [NSManagedObject] {
        try fetch(request(entity, predicate, by: sort))
    }

    /// The names of the objects found, sorted.
    func names(_ entity: String, _ predicate: NSPredicate? = nil) throws -> [String] {
        try fetch(request(entity, predicate)).map { $0.text("name") ?? "nil" }.sorted()
    }

    /// The object of a name.
    func named(_ name: String, _ entity: String, _ location: SourceLocation = #_sourceLocation) throws -> NSManagedObject {
        let found = try fetch(request(entity)).filter { $0.text("name") == name }
        return try #require(found.first, "no \(entity) is called \(name)", sourceLocation: location)
    }

    /// The one object of an entity.
    func only(_ entity: String, _ location: SourceLocation = #_sourceLocation) throws -> NSManagedObject {
        let found = try fetch(request(entity))
        #expect(found.count == 1, sourceLocation: location)
        return try #require(found.first, sourceLocation: location)
    }

    func count(_ entity: String) throws -> Int { try count(for: request(entity)) }
}

extension NSManagedObject {
    func text(_ key: String) -> String? { value(forKey: key) as? String }
    func number(_ key: String) -> Int? { (value(forKey: key) as? NSNumber)?.intValue }
    func one(_ key: String) -> NSManagedObject? { value(forKey: key) as? NSManagedObject }

    func many(_ key: String) -> Set<NSManagedObject> {
        switch value(forKey: key) {
        case let set as NSOrderedSet: Set(set.array.compactMap { $0 as? NSManagedObject })
        case let set as NSSet: Set(set.allObjects.compactMap { $0 as? NSManagedObject })
        default: []
        }
    }

    /// One text of each object of a to-many, sorted.
    func texts(_ key: String, _ attribute: String) -> [String] { many(key).compactMap { $0.text(attribute) }.sorted() }

    /// One text of each object of an ordered to-many, in its order.
    func ordered(_ key: String, _ attribute: String) -> [String] {
        (value(forKey: key) as? NSOrderedSet)?.array.compactMap { ($0 as? NSManagedObject)?.text(attribute) } ?? []
    }
}

/// The error a body throws, caught as existing code does; not throwing is an issue, and so is an error it would miss.
func failure(_ location: SourceLocation = #_sourceLocation, of body: () throws -> Void) throws -> NSError {
    do {
        try body()
    } catch let error as NSError {
        return error
    } catch {
        return try #require(nil as NSError?, "\(type(of: error)) is not caught as an NSError", sourceLocation: location)
    }
    return try #require(nil as NSError?, "nothing was thrown", sourceLocation: location)
}

extension NSError {
    /// The errors gathered in a 1560, or the error itself.
    var details: [NSError] { userInfo[NSDetailedErrorsKey] as? [NSError] ?? [self] }
    var key: String? { userInfo[NSValidationKeyErrorKey] as? String }
    var object: NSManagedObject? { userInfo[NSValidationObjectErrorKey] as? NSManagedObject }
    var isCocoa: Bool { domain == NSCocoaErrorDomain }
}

/// Keeps a context's notifications of one name, posted on whatever thread.
///
/// Unchecked Sendable: the list is used under the lock only.
final class Recorder: @unchecked Sendable {
    private let lock = NSLock()
    private var list: [Notification] = []
    private var token: (any NSObjectProtocol)?

    init(_ name: Notification.Name, of context: NSManagedObjectContext) {
        token = NotificationCenter.default.addObserver(forName: name, object: context, queue: nil) { [weak self] note in
            self?.add(note)
        }
    }

    deinit { if let token { NotificationCenter.default.removeObserver(token) } }

    private func add(_ note: Notification) { lock.withLock { list.append(note) } }

    var notes: [Notification] { lock.withLock { list } }
    func clear() { lock.withLock { list = [] } }

    /// The objects under a key of all notes so far.
    func objects(_ key: String) -> Set<NSManagedObject> {
        Set(notes.flatMap { $0.objects(key) })
    }
}

extension Notification {
    func objects(_ key: String) -> Set<NSManagedObject> {
        switch userInfo?[key] {
        case let set as Set<NSManagedObject>: set
        case let set as NSSet: Set(set.allObjects.compactMap { $0 as? NSManagedObject })
        default: []
        }
    }

    func objectIDs(_ key: NSManagedObjectContext.NotificationKey) -> Set<NSManagedObjectID> {
        switch userInfo?[key.rawValue] {
        case let set as Set<NSManagedObjectID>: set
        case let set as NSSet: Set(set.allObjects.compactMap { $0 as? NSManagedObjectID })
        default: []
        }
    }
}

/// Asks again for at most two seconds.
func eventually(_ condition: () throws -> Bool) rethrows -> Bool {
    for _ in 0..<200 {
        if try condition() { return true }
        Thread.sleep(forTimeInterval: 0.01)
    }
    return try condition()
}

extension Optional<ExitTest.Result> {
    /// Whether the program of an exit test ended with this exception's name; an error thrown before does not count.
    func raised(_ exception: String) -> Bool {
        String(decoding: self?.standardErrorContent ?? [], as: UTF8.self).contains(exception)
    }
}

/// What NLCoreData itself refuses to do. Errors of Core Data pass through as they are.
///
/// Bridges to an `NSError` in the domain "NLCoreDataErrorDomain" with the text of `description` and a code for each case.
public enum NLCoreDataError: Error, Equatable, Sendable {
    /// No model of that name is in the main bundle, the resource bundles or the bundle that was named.
    case modelNotFound(name: String, searched: [String])
    /// The file is there, but is no model.
    case modelUnreadable(path: String, reason: String)
    /// The folder of the store cannot be made.
    case folderUnavailable(path: String, reason: String)
    /// A setting was changed after what depends on it had been made; it counts from the next `resetDatabase()`.
    case configuredTooLate(setting: String)

    /// The context's model has no entity for the class.
    case unknownEntity(className: String, known: [String])
    /// The context's model has several entities for the class.
    case ambiguousEntity(className: String, candidates: [String])
    /// An abstract entity has no objects of its own.
    case abstractEntity(name: String, subentities: [String])
    /// A deletion was given a predicate that is nil.
    case nilPredicate(className: String)
    /// The index or range starts before the first object.
    case negativeIndex(Int)
    /// The object ID is one of another class's object.
    case wrongClass(expected: String, found: String)
    /// The attribute cannot hold the value.
    case unacceptableValue(entity: String, attribute: String, value: String)
    /// The entity has no such attribute.
    case unknownAttribute(entity: String, attribute: String)
    /// The object belongs to no context any more.
    case detachedObject(className: String)
    /// Live results of the entity were asked for in no order, and it has no attribute to put them in one.
    case nothingToSortBy(entity: String)

    /// The file to start from is not there.
    case seedMissing(path: String)
    /// There is a store already; it is not overwritten.
    case storeExists(path: String)
    /// The store was opened already: too late to start from another file.
    case storeInUse(path: String)
    /// Stores of the type are not files.
    case storeWithoutFile(type: String)

    /// The context was to be merged with itself.
    case sameContext
    /// Nobody on that thread takes the work: it runs no run loop (the main thread: nobody drains the main queue).
    case threadDoesNotAnswer(name: String, seconds: Double)
}

#if !canImport(Darwin)
/// `catch let error as NSError` finds them here too.
extension NLCoreDataError: _NSErrorBridging {}
#endif

extension NLCoreDataError: LocalizedError, CustomNSError, CustomStringConvertible {
    public static var errorDomain: String { "NLCoreDataErrorDomain" }
    public var errorCode: Int {
        switch self {
        case .modelNotFound: 1
        case .modelUnreadable: 2
        case .folderUnavailable: 3
        case .configuredTooLate: 4
        case .unknownEntity: 10
        case .ambiguousEntity: 11
        case .abstractEntity: 12
        case .nilPredicate: 13
        case .negativeIndex: 14
        case .wrongClass: 15
        case .unacceptableValue: 16
        case .unknownAttribute: 17
        case .detachedObject: 18
        case .nothingToSortBy: 19
        case .seedMissing: 30
        case .storeExists: 31
        case .storeInUse: 32
        case .storeWithoutFile: 33
        case .sameContext: 40
        case .threadDoesNotAnswer: 41
        }
    }
    public var errorUserInfo: [String: Any] { [NSLocalizedDescriptionKey: description] }
    public var errorDescription: String? { description }

    public var description: String {
        switch self {
        case .modelNotFound, .modelUnreadable, .folderUnavailable, .configuredTooLate: setUpText
        case .seedMissing, .storeExists, .storeInUse, .storeWithoutFile: fileText
        case .sameContext:
            "A context cannot be merged with itself: the receiver is that thread’s context already, and saving it is enough."
        case .threadDoesNotAnswer(let name, let seconds):
            "The \(name) did not take the work within \(seconds) s, so nothing was saved. It must run its run loop (the main "
                + "thread: RunLoop.main.run(), dispatchMain() or an async main) and must not be waiting for this thread. A thread "
                + "other than the main one must also have called contextForThread() once, after it began."
        default: objectText
        }
    }

    private var setUpText: String {
        switch self {
        case .modelNotFound(let name, let searched):
            "There is no model “\(name)” (\(name).momd, .mom, .xcdatamodeld or .xcdatamodel). Looked in: "
                + searched.joined(separator: ", ") + ". Set modelName to the model’s name before first use, declare the model as a "
                + "resource of its target (.copy(\"\(name).xcdatamodeld\")), or set modelBundle to the bundle it is in."
        case .modelUnreadable(let path, let reason): "The model at \(path) cannot be read: \(reason)"
        case .folderUnavailable(let path, let reason):
            "The folder for the store, \(path), cannot be made: \(reason). Set storeURL to a file in a folder you may write to."
        case .configuredTooLate(let setting):
            "\(setting) was set after the store had been opened. It counts from the next resetDatabase(); set it before first use."
        default: ""
        }
    }

    private var fileText: String {
        switch self {
        case .seedMissing(let path): "There is no file at \(path) to start from."
        case .storeExists(let path):
            "There is a store at \(path) already, and a pre-seeded file does not overwrite it. Ask storeExists first, or call "
                + "resetDatabase() to start over."
        case .storeInUse(let path):
            "The store at \(path) is open already. Name the pre-seeded file before the first use of Core Data."
        case .storeWithoutFile(let type): "Stores of the type \(type) are not files, so there is nothing to copy."
        default: ""
        }
    }

    private var objectText: String {
        switch self {
        case .unknownEntity(let name, let known):
            "The context’s model has no entity for the class \(name). "
                + (known.isEmpty ? "It has no entities at all." : "Its entities are: \(known.joined(separator: ", ")).")
                + " Name the class in the model, or let it conform to EntityNaming."
        case .ambiguousEntity(let name, let candidates):
            "Several entities of the context’s model are of the class \(name): \(candidates.joined(separator: ", ")). Let the class "
                + "conform to EntityNaming, or use a subclass for each."
        case .abstractEntity(let name, let subentities):
            "The entity \(name) is abstract: insert an object of one of its subentities (\(subentities.joined(separator: ", ")))."
        case .nilPredicate(let name):
            "The predicate is nil, and that does not delete every \(name): write \(name).delete(in: context) for that."
        case .negativeIndex(let index): "There is no object at \(index): the first is at 0."
        case .wrongClass(let expected, let found): "The object ID is not one of \(expected) but of \(found)."
        case .unacceptableValue(let entity, let attribute, let value): "\(entity).\(attribute) cannot hold \(value)."
        case .unknownAttribute(let entity, let attribute): "The entity \(entity) has no attribute “\(attribute)”."
        case .nothingToSortBy(let entity):
            "The entity \(entity) has no attribute that a store can sort by, which updates need: sort by a key path to another entity’s."
        case .detachedObject(let name): "The \(name) belongs to no context: it was deleted and saved, or its context is gone."
        default: ""
        }
    }
}

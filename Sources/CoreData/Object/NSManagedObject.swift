import CoreDataPredicate
import CoreDataSchema
import CoreDataStorage

/// A record of a store, or one that will become it: an instance of an entity, living in one context.
///
/// Use it only on its context's queue. Class bodies hold state and the hooks subclasses override; the work is in the
/// `NSManagedObject+…` files.
open class NSManagedObject: NSObject {
    package final let runtime: EntityRuntime
    // Unchecked exclusivity: only the context's queue touches these, each access is over before the next begins (no inout
    // access spans a call out), and the checks cost a fifth of an insert.
    /// nil while detached: never inserted, or deleted and saved, or rolled back.
    @exclusivity(unchecked) package final var anchor: ContextAnchor?
    @exclusivity(unchecked) package final var key: RowKey
    /// Number of the store a new object was assigned to; 0 while none was chosen.
    @exclusivity(unchecked) package final var assignedStore: Int32 = 0
    @exclusivity(unchecked) package final var state: ObjectState = .unborn
    /// The last known row; of a fault, the row it will show when it fires.
    @exclusivity(unchecked) package final var row: RowBlock?
    @exclusivity(unchecked) package final var edits: EditBuffer?
    /// To-many relationships by slot, once touched.
    @exclusivity(unchecked) package final var toMany: [Int: ToManyState]?
    @exclusivity(unchecked) package final var cachedID: NSManagedObjectID?

    /// Creates an object of the entity and, when a context is given, inserts it there (on the context's queue).
    ///
    /// With nil the object is detached: its defaults can be edited, and `NSManagedObjectContext.insert(_:)` adopts it.
    public required init(entity: NSEntityDescription, insertInto context: NSManagedObjectContext?) {
        runtime = EntityRuntime.of(entity)
        key = RowKey(primaryKey: 0, entity: Int32(truncatingIfNeeded: runtime.index))
        super.init()
        context?.insert(self)
    }

    // MARK: Hooks

    /// Called once when the object is first inserted into a context; set initial values here. Redo does not call it again.
    open func awakeFromInsert() {}
    /// Called after the object's fault fired. Changes made through its own setters do not count as edits (LC03).
    open func awakeFromFetch() {}
    /// Called after undo, refresh or merge changed the object behind its back.
    open func awake(fromSnapshotEvents flags: NSSnapshotEventType) {}
    /// Called before the object's changes are written; may change persistent properties, and is then called again.
    open func willSave() {}
    /// Called after the save that wrote (or deleted) the object.
    open func didSave() {}
    open func willTurnIntoFault() {}
    open func didTurnIntoFault() {}
    /// Called at once by `NSManagedObjectContext.delete(_:)`, before any relationship is torn down.
    open func prepareForDeletion() {}

    /// Throws when the object may not be inserted as it is; all failures are collected (1560 when more than one).
    open func validateForInsert() throws { try validateProperties() }
    /// Throws when the object may not be updated as it is; all failures are collected (1560 when more than one).
    open func validateForUpdate() throws { try validateProperties() }
    /// Throws 1600 when a deny rule forbids the deletion.
    open func validateForDelete() throws { try validateDenyRules() }
    /// Checks one value against its property's rules, without setting it.
    open func validateValue(_ value: AutoreleasingUnsafeMutablePointer<AnyObject?>, forKey key: String) throws {
        try validate(value.pointee, forKey: key)
    }

    open func willChangeValue(forKey key: String) { noteWillChange(key) }
    open func didChangeValue(forKey key: String) { noteDidChange(key) }
    /// Fires the fault when the value is not loaded. Without a key: any property.
    open func willAccessValue(forKey key: String?) { if state.contains(.fault) { fire() } }
    open func didAccessValue(forKey key: String?) {}

    // `value(forKey:)` and its kin can be overridden, so they stand in the class body.

    /// The value of a property as an object (numbers as `NSNumber`, to-many as `NSSet`/`NSOrderedSet`), nil when unset.
    open func value(forKey key: String) -> Any? { modeledValue(forKey: key) }
    /// Sets a property; a value of the wrong type stops the program, as Apple's exception does (LC27).
    open func setValue(_ value: Any?, forKey key: String) { setModeledValue(value, forKey: key) }
    open func value(forUndefinedKey key: String) -> Any? {
        if let probe = anchor?.context?.undefinedKeys {
            probe.note(key, runtime.name)
            return nil
        }
        raise(.unknownKey, "the entity \(runtime.name) is not key value coding-compliant for the key “\(key)”.")
    }
    open func setValue(_ value: Any?, forUndefinedKey key: String) {
        raise(.unknownKey, "the entity \(runtime.name) is not key value coding-compliant for the key “\(key)”.")
    }

    // MARK: What generated classes say of themselves

    /// Name of each slot the class was generated with.
    open class var _propertyNames: [String] { [] }
    /// Names of the generated properties by key path.
    open class var _keyPathNames: [AnyKeyPath: String] { [:] }

    /// The entity of this class in the model last loaded that has it (see `init(context:)` for the context's own).
    open class func entity() -> NSEntityDescription {
        guard let entity = ModelRegistry.entity(for: self) else {
            raise(.generic, "No loaded model has an entity for the class \(self). Load the model (for example through "
                + "NSPersistentContainer) before asking for the entity.")
        }
        return entity
    }

    /// A request for all objects of the class's entity.
    @_disfavoredOverload
    open class func fetchRequest() -> NSFetchRequest<NSFetchRequestResult> {
        let request = NSFetchRequest<NSFetchRequestResult>()
        request.entity = entity()
        return request
    }

    open override var description: String { summary }
    open override var debugDescription: String { summary }
}

/// What `&value` passes to `validateValue(_:forKey:)`; the pointer is valid during the call.
public typealias AutoreleasingUnsafeMutablePointer = UnsafeMutablePointer

/// Why `awake(fromSnapshotEvents:)` was called.
public struct NSSnapshotEventType: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }

    public static let undoInsertion = NSSnapshotEventType(rawValue: 1 << 1)
    public static let undoDeletion = NSSnapshotEventType(rawValue: 1 << 2)
    public static let undoUpdate = NSSnapshotEventType(rawValue: 1 << 3)
    public static let rollback = NSSnapshotEventType(rawValue: 1 << 4)
    public static let refresh = NSSnapshotEventType(rawValue: 1 << 5)
    public static let mergePolicy = NSSnapshotEventType(rawValue: 1 << 6)
}

/// Gives every class `init(context:)`, on metatypes of subclasses too.
public protocol _ContextInitializable: NSManagedObject {}

extension NSManagedObject: _ContextInitializable {}

extension _ContextInitializable {
    /// Creates an object of the class's entity in the context's model and inserts it there.
    public init(context: NSManagedObjectContext) {
        self.init(entity: context.entityDescription(for: Self.self), insertInto: context)
    }
}

/// Typed predicates and sort descriptors find a property's name here.
extension NSManagedObject: _KeyPathNaming {}

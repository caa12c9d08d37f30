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
    @exclusivity(unchecked) package final var edits: EditBuffer? {
        willSet { edits?.leaveIndex() }
    }
    /// To-many relationships by slot, once touched.
    @exclusivity(unchecked) package final var toMany: [Int: ToManyState]?
    @exclusivity(unchecked) package final var cachedID: NSManagedObjectID?

    /// Creates an object of the entity and, when a context is given, inserts it there (on the context's queue).
    ///
    /// With nil the object is detached: its defaults can be edited, and `NSManagedObjectContext.insert(_:)` adopts it.
    /// Of whichever class the entity names, as long as that class adds no stored properties to the one that is called.
    public required init(entity: NSEntityDescription, insertInto context: NSManagedObjectContext?) {
        runtime = EntityRuntime.of(entity)
        key = RowKey(primaryKey: 0, entity: Int32(truncatingIfNeeded: runtime.index))
        super.init()
        if type(of: self) != runtime.objectClass { adoptEntityClass() }
        context?.insert(self, isNew: true)
    }

    deinit { if state.contains(.observed) { ObservationTable.forget(ObjectIdentifier(self)) } }

    // MARK: State. Apple's documentation asks not to override these; code that does compiles

    // The engine itself asks `state`, `key` and `runtime`.

    open var isFault: Bool { state.contains(.fault) }

    open var isInserted: Bool {
        checkQueue()
        return state.contains(.inserted)
    }

    open var isUpdated: Bool {
        checkQueue()
        return state.contains(.updated) && state.isDisjoint(with: [.inserted, .deleted])
    }

    /// true from `delete(_:)` until the save that carries it out (LC11).
    open var isDeleted: Bool {
        checkQueue()
        return state.contains(.deleted)
    }

    open var hasChanges: Bool {
        checkQueue()
        return !state.isDisjoint(with: [.inserted, .updated, .deleted])
    }

    /// Whether a save would write something: transient changes and edits back to the stored value do not count.
    open var hasPersistentChangedValues: Bool {
        checkQueue()
        return changedSlots().contains { !runtime.resolved.properties[$0].isTransient }
    }

    /// 0 for a loaded object; not 0 for a fault.
    open var faultingState: Int { state.contains(.fault) ? 1 : 0 }

    /// nil when detached, when the context is gone, or after a saved deletion (LC12). On any thread.
    open var managedObjectContext: NSManagedObjectContext? { livingContext }

    /// On any thread.
    open var entity: NSEntityDescription { runtime.entity }

    /// Temporary until the first save, then permanent; does not fire a fault. On any thread.
    open var objectID: NSManagedObjectID { identifier }

    // MARK: Changes, relationships, primitive access; the work is done in the files of each aspect

    /// Persistent properties changed since the last fetch or save, with their new values; nil comes out as `NSNull`.
    open func changedValues() -> [String: Any] { newValues() }

    /// Values of persistent properties as last fetched or saved; nil for all of them. A relationship that is not loaded is asked of
    /// the store and stays so. Empty for an object never saved.
    open func committedValues(forKeys keys: [String]?) -> [String: Any] { snapshotValues(keys) }

    /// Persistent properties changed in the current event with their values *before* it, as Apple's gives them (its page can be read
    /// otherwise); the new values are the object's own. In an observer of the did-change note: of the event it announces.
    ///
    /// nil comes out as `NSNull`, a to-many as a set or an ordered set of the members it had. Empty between events.
    open func changedValuesForCurrentEvent() -> [String: Any] { valuesBeforeEvent() }

    /// Whether the relationship's members are not loaded yet. A to-one is a fault while its object is.
    open func hasFault(forRelationshipNamed name: String) -> Bool { isUnloaded(relationshipNamed: name) }

    /// IDs of a relationship's objects, without making the objects and without firing this one or its relationship: what is not
    /// loaded is asked of the store, each time.
    open func objectIDs(forRelationshipNamed name: String) -> [NSManagedObjectID] { unfiredIDs(ofRelationshipNamed: name) }

    /// The stored value without accessors and hooks. A to-many comes as a mutable set, ordered or not, that changes this side
    /// alone. Of a fault nil: `willAccessValue(forKey:)` fires it.
    open func primitiveValue(forKey key: String) -> Any? { storedObject(forKey: key) }

    /// Sets without making the object dirty and without keeping the inverse: pair it with `willChangeValue(forKey:)` and
    /// `didChangeValue(forKey:)`, which do. A save of the object, in whose `willSave()` this may stand, writes the value.
    open func setPrimitiveValue(_ value: Any?, forKey key: String) { setStoredObject(value, forKey: key) }

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
    /// Checks one value against its property's rules, without setting it. Subclasses add rules of their own here:
    /// `validateForInsert()` and `validateForUpdate()` call it for every property.
    open func validateValue(_ value: AutoreleasingUnsafeMutablePointer<AnyObject?>, forKey key: String) throws {
        try validate(value.pointee, forKey: key)
    }

    /// Announces a change made by primitive access: the object counts as changed from here on, and undo goes back to here.
    open func willChangeValue(forKey key: String) { beginChange(forKey: key, .setting) }
    /// Ends a change: a relationship's inverse is kept, and observers are told.
    open func didChangeValue(forKey key: String) { endChange(forKey: key) }
    /// Announces that a to-many relationship is about to gain or lose these objects.
    open func willChangeValue(forKey inKey: String, withSetMutation inMutationKind: NSKeyValueSetMutationKind, using inObjects: Set<AnyHashable>) {
        beginChange(forKey: inKey, .members(inMutationKind, Set(inObjects.compactMap { $0.base as? NSManagedObject })))
    }
    open func didChangeValue(forKey inKey: String, withSetMutation inMutationKind: NSKeyValueSetMutationKind, using inObjects: Set<AnyHashable>) {
        endChange(forKey: inKey)
    }
    /// Announces that an ordered to-many relationship is about to change at these places.
    open func willChange(_ changeKind: NSKeyValueChange, valuesAt indexes: IndexSet, forKey key: String) {
        beginChange(forKey: key, changeKind == .setting ? .setting : .indexed(changeKind, indexes))
    }
    open func didChange(_ changeKind: NSKeyValueChange, valuesAt indexes: IndexSet, forKey key: String) { endChange(forKey: key) }

    /// Called for each change this object observes (`addObserver(_:forKeyPath:options:context:)`). To be overridden: a note that
    /// comes here stops the program, as at Apple's.
    open func observeValue(
        forKeyPath keyPath: String?, of object: Any?, change: [NSKeyValueChangeKey: Any]?, context: UnsafeMutableRawPointer?
    ) {
        raise(.internalInconsistency, "\(self): a note of the key path “\(keyPath ?? "")” was received but not handled. Override "
            + "observeValue(forKeyPath:of:change:context:).")
    }
    /// false for the model's properties, whose own accessors tell; true for all others, which key-value coding tells of.
    open class func automaticallyNotifiesObservers(forKey key: String) -> Bool { !isModeled(key) }
    /// Key paths whose values the property's value is made of: its observers are told of their changes too.
    open class func keyPathsForValuesAffectingValue(forKey key: String) -> Set<String> { [] }
    /// Whether announced changes of properties the model does not have leave the object clean.
    open class var contextShouldIgnoreUnmodeledPropertyChanges: Bool { true }
    /// Fires the fault when the value is not loaded. Without a key: any property.
    open func willAccessValue(forKey key: String?) {
        checkQueue()
        if state.contains(.fault) { fire() }
    }
    open func didAccessValue(forKey key: String?) { checkQueue() }

    // `value(forKey:)` and its kin can be overridden, so they stand in the class body.

    /// The value of a property as an object (numbers as `NSNumber`, to-many as `NSSet`/`NSOrderedSet`), nil when unset.
    open func value(forKey key: String) -> Any? { codedValue(forKey: key) }
    /// Sets a property; a value of the wrong type stops the program, as Apple's exception does (LC27). A number that is too large or
    /// too small for the attribute is kept until the save, whose validation refuses it (1610, 1620).
    open func setValue(_ value: Any?, forKey key: String) { setCodedValue(value, forKey: key) }
    /// Reads along a dotted path, collection operators included (`employees.@avg.salary`). Behind a to-many the values come in a
    /// set, behind an ordered one in an ordered set; nil when an object on the way is nil.
    open func value(forKeyPath keyPath: String) -> Any? { KeyPathCoding.value(of: self, along: keyPath) }
    /// Sets the last key of a path on the object the rest leads to, if there is one.
    open func setValue(_ value: Any?, forKeyPath keyPath: String) { KeyPathCoding.set(value, of: self, along: keyPath) }
    /// Sets several properties; `NSNull` stands for nil.
    open func setValuesForKeys(_ keyedValues: [String: Any]) {
        for (key, value) in keyedValues { setValue(value is NSNull ? nil : value, forKey: key) }
    }
    /// Several properties' values; `NSNull` stands for nil.
    open func dictionaryWithValues(forKeys keys: [String]) -> [String: Any] {
        var result: [String: Any] = [:]
        for key in keys { result[key] = value(forKey: key) ?? NSNull() }
        return result
    }
    /// A set that stands for a to-many relationship: what is added to or removed from it is to the relationship, inverses
    /// included. Casting it to a Swift set gives the members it had when it was asked for.
    ///
    /// A key that is no unordered to-many stops the program (RE11).
    open func mutableSetValue(forKey key: String) -> NSMutableSet { liveSet(key) }
    /// An ordered set that stands for an ordered to-many relationship, as `mutableSetValue(forKey:)` does for others.
    open func mutableOrderedSetValue(forKey key: String) -> NSMutableOrderedSet { liveOrderedSet(key) }
    open func mutableSetValue(forKeyPath keyPath: String) -> NSMutableSet {
        owner(of: keyPath).mutableSetValue(forKey: lastKey(of: keyPath))
    }
    open func mutableOrderedSetValue(forKeyPath keyPath: String) -> NSMutableOrderedSet {
        owner(of: keyPath).mutableOrderedSetValue(forKey: lastKey(of: keyPath))
    }
    /// Checks a value for the last key of a path on the object the rest leads to, if there is one.
    open func validateValue(_ ioValue: AutoreleasingUnsafeMutablePointer<AnyObject?>, forKeyPath inKeyPath: String) throws {
        guard let dot = inKeyPath.lastIndex(of: ".") else { return try validateValue(ioValue, forKey: inKeyPath) }
        let owner = value(forKeyPath: String(inKeyPath[..<dot])) as? NSManagedObject
        try owner?.validateValue(ioValue, forKey: String(inKeyPath[inKeyPath.index(after: dot)...]))
    }
    /// Called when key-value coding is to set a property whose accessor cannot take nil. The model's properties become nil.
    open func setNilValueForKey(_ key: String) { setNilModeledValue(forKey: key) }
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

    /// The class as generated: key-value coding reads its slots directly. A subclass has other accessors, perhaps.
    open class var _generatedClass: NSManagedObject.Type? { nil }
    /// Name of each slot the class was generated with.
    open class var _propertyNames: [String] { [] }
    /// Names of the generated properties by key path. A subclass that adds properties of its own to the table makes them known
    /// to key-value coding and observing; key-value coding uses its accessors, overridden ones too (FA18).
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

    /// By identity, as equality is.
    open override var hash: Int { Int(bitPattern: Unmanaged.passUnretained(self).toOpaque()) >> 4 }
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
    /// A request for all objects of the class's entity, of the class's type: what generic code would cast the other one to.
    ///
    /// Apple's is found by a cast alone (`T.fetchRequest() as! NSFetchRequest<T>`), which without Objective-C cannot succeed.
    public static func fetchRequest() -> NSFetchRequest<Self> {
        let request = NSFetchRequest<Self>()
        request.entity = Self.entity()
        return request
    }

    /// Creates an object of the class's entity in the context's model and inserts it there.
    public init(context: NSManagedObjectContext) {
        self.init(entity: context.entityDescription(for: Self.self), insertInto: context)
    }
}

/// Typed predicates and sort descriptors find a property's name here.
extension NSManagedObject: _KeyPathNaming {
    public static func _name(reading path: AnyKeyPath) -> String? { KeyPathProbe.name(of: path) }
}

import CoreDataGraph
import CoreDataStorage

/// Objects that would share a value that must be unique: several of one save, or one of them and a stored one.
open class NSConstraintConflict: NSObject {
    open private(set) var constraint: [String]
    /// What the conflicting objects had when the conflict was found.
    open private(set) var constraintValues: [String: Any]
    /// The stored object that has the values already; nil when unsaved changes collide among themselves.
    open private(set) var databaseObject: NSManagedObject?
    open private(set) var databaseSnapshot: [String: Any]?
    /// One object beside a `databaseObject`, or several that collide.
    open private(set) var conflictingObjects: [NSManagedObject]
    /// The conflicting objects as last fetched or, when new, as they stand.
    open private(set) var conflictingSnapshots: [[AnyHashable: Any]]
    /// Slots of the constraint; nil in a conflict made by hand, which there is nothing to settle of.
    private let slots: [Int]?
    private(set) var isSettled = false

    public convenience init(
        constraint: [String], database: NSManagedObject?, databaseSnapshot: [String: Any]?,
        conflictingObjects: [NSManagedObject], conflictingSnapshots: [Any]
    ) {
        self.init(
            constraint, slots: nil, database: database, databaseSnapshot: databaseSnapshot, objects: conflictingObjects,
            snapshots: conflictingSnapshots.compactMap { $0 as? [AnyHashable: Any] })
    }

    private init(
        _ constraint: [String], slots: [Int]?, database: NSManagedObject?, databaseSnapshot: [String: Any]?,
        objects: [NSManagedObject], snapshots: [[AnyHashable: Any]]
    ) {
        self.constraint = constraint
        self.slots = slots
        databaseObject = database
        self.databaseSnapshot = databaseSnapshot
        conflictingObjects = objects
        conflictingSnapshots = snapshots
        constraintValues = objects.first.map { object in
            Dictionary(uniqueKeysWithValues: constraint.map { ($0, object.value(forKey: $0) ?? NSNull()) })
        } ?? [:]
        super.init()
    }

    /// A store's conflict among `objects`, and with `stored` when that is not nil.
    convenience init(_ conflict: ConstraintConflict, objects: [NSManagedObject], stored: NSManagedObject?) {
        let properties = objects.first?.runtime.resolved.properties ?? []
        self.init(
            conflict.constraint.filter(properties.indices.contains).map { properties[$0].name }, slots: conflict.constraint,
            database: stored, databaseSnapshot: stored.flatMap { object in conflict.stored.map { ConflictErrors.snapshot($0, of: object) } },
            objects: objects,
            snapshots: objects.map { object in
                object.row.map { ConflictErrors.snapshot($0, of: object) } ?? ConflictErrors.snapshot(object)
            })
    }

    /// Carries a policy's decision out in the objects.
    func settle(as kind: MergePolicyKind) {
        guard !isSettled, let slots, let context = conflictingObjects.first?.managedObjectContext else { return }
        isSettled = true
        ConstraintSettlement(slots: slots, context: context).apply(kind, to: conflictingObjects, stored: databaseObject)
    }

    open override var description: String {
        "NSConstraintConflict on (\(constraint.map { "\($0) = \(text(of: constraintValues[$0]))" }.joined(separator: ", "))): database object "
            + "\(databaseObject?.objectID.uriRepresentation().absoluteString ?? "none"), conflicting objects "
            + conflictingObjects.map { $0.objectID.uriRepresentation().absoluteString }.joined(separator: ", ")
    }

    private func text(of value: Any?) -> String {
        guard let value, !(value is NSNull) else { return "nil" }
        let text = (value as? NSManagedObject)?.objectID.uriRepresentation().absoluteString ?? "\(value)"
        let short = text.count > 80 ? text.prefix(80) + "…" : text[...]
        return value is String ? "“\(short)”" : String(short)
    }
}

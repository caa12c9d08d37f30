import CoreDataGraph

/// What wins when a save meets changes made meanwhile.
public enum NSMergePolicyType: UInt, Sendable {
    case errorMergePolicyType = 0
    case mergeByPropertyStoreTrumpMergePolicyType = 1
    case mergeByPropertyObjectTrumpMergePolicyType = 2
    case overwriteMergePolicyType = 3
    case rollbackMergePolicyType = 4
}

/// Settles the conflicts of a save; subclass it and override the `resolve` methods to settle them yourself.
///
/// Unchecked Sendable: immutable; subclasses must be too.
open class NSMergePolicy: NSObject, @unchecked Sendable {
    public let mergeType: NSMergePolicyType

    public init(merge type: NSMergePolicyType) {
        mergeType = type
        super.init()
    }

    /// The save fails with 133020 or 133021.
    public class var error: NSMergePolicy { NSErrorMergePolicy }
    /// By property; the store's value where both sides changed it (ME03).
    public class var mergeByPropertyStoreTrump: NSMergePolicy { NSMergeByPropertyStoreTrumpMergePolicy }
    /// By property; the object's value where both sides changed it (ME04).
    public class var mergeByPropertyObjectTrump: NSMergePolicy { NSMergeByPropertyObjectTrumpMergePolicy }
    /// The whole object as it stands in memory (ME05).
    public class var overwrite: NSMergePolicy { NSOverwriteMergePolicy }
    /// The whole row as it stands in the store (ME06).
    public class var rollback: NSMergePolicy { NSRollbackMergePolicy }

    /// Settles any conflicts; an override that wants the standard work calls super.
    open func resolve(mergeConflicts list: [Any]) throws {
        try resolve(optimisticLockingConflicts: list.compactMap { $0 as? NSMergeConflict })
        try resolve(constraintConflicts: list.compactMap { $0 as? NSConstraintConflict })
    }

    /// Settles rows that changed under an edit. Throws 133020 under the error policy.
    open func resolve(optimisticLockingConflicts list: [NSMergeConflict]) throws {
        guard !list.isEmpty else { return }
        if mergeType == .errorMergePolicyType { throw ConflictErrors.merge(list) }
        for conflict in list { conflict.resolution = MergePolicyKind(rawValue: mergeType.rawValue) }
    }

    /// Settles objects that break a uniqueness constraint. Throws 133021 under the error policy.
    open func resolve(constraintConflicts list: [NSConstraintConflict]) throws {
        guard !list.isEmpty else { return }
        if mergeType == .errorMergePolicyType { throw ConflictErrors.constraint(list) }
        for conflict in list { conflict.resolution = MergePolicyKind(rawValue: mergeType.rawValue) }
    }

    var kind: MergePolicyKind { MergePolicyKind(rawValue: mergeType.rawValue) ?? .error }
}

public let NSErrorMergePolicy = NSMergePolicy(merge: .errorMergePolicyType)
public let NSMergeByPropertyStoreTrumpMergePolicy = NSMergePolicy(merge: .mergeByPropertyStoreTrumpMergePolicyType)
public let NSMergeByPropertyObjectTrumpMergePolicy = NSMergePolicy(merge: .mergeByPropertyObjectTrumpMergePolicyType)
public let NSOverwriteMergePolicy = NSMergePolicy(merge: .overwriteMergePolicyType)
public let NSRollbackMergePolicy = NSMergePolicy(merge: .rollbackMergePolicyType)

/// One row that changed in the store under an edit.
open class NSMergeConflict: NSObject {
    public let sourceObject: NSManagedObject
    /// What the edit started from; nil for a conflict between the row cache and the store (ME13).
    public let objectSnapshot: [String: Any]?
    /// What the row cache has.
    public let cachedSnapshot: [String: Any]?
    /// What the store has; nil for a conflict between the object and the row cache.
    public let persistedSnapshot: [String: Any]?
    /// 0 when the row was deleted (ME10).
    public let newVersionNumber: Int
    public let oldVersionNumber: Int
    var resolution: MergePolicyKind?

    public init(
        source: NSManagedObject, newVersion: Int, oldVersion: Int, cachedSnapshot: [String: Any]?, persistedSnapshot: [String: Any]?
    ) {
        sourceObject = source
        newVersionNumber = newVersion
        oldVersionNumber = oldVersion
        objectSnapshot = persistedSnapshot == nil ? source.row.map { ConflictErrors.snapshot($0, of: source) } : nil
        self.cachedSnapshot = cachedSnapshot
        self.persistedSnapshot = persistedSnapshot
        super.init()
    }

    open override var description: String {
        "NSMergeConflict for \(sourceObject.objectID.uriRepresentation()) with newVersion = "
            + (newVersionNumber == 0 ? "<deleted>" : "\(newVersionNumber)") + " and oldVersion = \(oldVersionNumber)"
    }
}

/// Objects that would share a value that must be unique.
open class NSConstraintConflict: NSObject {
    public let constraint: [String]
    public let constraintValues: [String: Any]
    /// The stored object that has the values already; nil when only unsaved objects collide.
    public let databaseObject: NSManagedObject?
    public let databaseSnapshot: [String: Any]?
    public let conflictingObjects: [NSManagedObject]
    public let conflictingSnapshots: [[AnyHashable: Any]]
    var resolution: MergePolicyKind?

    public init(
        constraint: [String], database: NSManagedObject?, databaseSnapshot: [String: Any]?,
        conflictingObjects: [NSManagedObject], conflictingSnapshots: [Any]
    ) {
        self.constraint = constraint
        databaseObject = database
        self.databaseSnapshot = databaseSnapshot
        self.conflictingObjects = conflictingObjects
        self.conflictingSnapshots = conflictingSnapshots.compactMap { $0 as? [AnyHashable: Any] }
        constraintValues = conflictingObjects.first.map { object in
            Dictionary(uniqueKeysWithValues: constraint.map { ($0, object.value(forKey: $0) ?? NSNull()) })
        } ?? [:]
        super.init()
    }

    open override var description: String {
        "NSConstraintConflict on (\(constraint.joined(separator: ", "))): database object "
            + "\(databaseObject?.objectID.uriRepresentation().absoluteString ?? "none"), conflicting objects "
            + conflictingObjects.map { $0.objectID.uriRepresentation().absoluteString }.joined(separator: ", ")
    }
}

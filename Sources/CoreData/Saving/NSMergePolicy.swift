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
    private let type: NSMergePolicyType
    open var mergeType: NSMergePolicyType { type }

    public init(merge type: NSMergePolicyType) {
        self.type = type
        super.init()
    }

    /// The save fails with 133020 or 133021.
    open class var error: NSMergePolicy { NSErrorMergePolicy }
    /// By property; the store's value where both sides changed it (ME03).
    open class var mergeByPropertyStoreTrump: NSMergePolicy { NSMergeByPropertyStoreTrumpMergePolicy }
    /// By property; the object's value where both sides changed it (ME04).
    open class var mergeByPropertyObjectTrump: NSMergePolicy { NSMergeByPropertyObjectTrumpMergePolicy }
    /// The whole object as it stands in memory (ME05).
    open class var overwrite: NSMergePolicy { NSOverwriteMergePolicy }
    /// The whole row as it stands in the store (ME06).
    open class var rollback: NSMergePolicy { NSRollbackMergePolicy }

    /// Settles any conflicts: first rows that moved, then values that must be unique. A save calls this one; an override that
    /// wants the standard work calls super.
    open func resolve(mergeConflicts list: [Any]) throws {
        let moved = list.compactMap { $0 as? NSMergeConflict }
        if !moved.isEmpty { try resolve(optimisticLockingConflicts: moved) }
        let constraints = list.compactMap { $0 as? NSConstraintConflict }
        if !constraints.isEmpty { try resolve(constraintConflicts: constraints) }
    }

    /// Settles rows that changed under an edit, in the objects themselves: what an override sets before calling super is an
    /// edit like others, what it sets afterwards stands. Throws 133020 under the error policy.
    open func resolve(optimisticLockingConflicts list: [NSMergeConflict]) throws {
        guard !list.isEmpty else { return }
        guard mergeType != .errorMergePolicyType else { throw ConflictErrors.merge(list) }
        for conflict in list { conflict.settle(as: kind) }
    }

    /// Settles objects that break a uniqueness constraint, in the objects themselves. Throws 133021 under the error policy.
    open func resolve(constraintConflicts list: [NSConstraintConflict]) throws {
        guard !list.isEmpty else { return }
        guard mergeType != .errorMergePolicyType else { throw ConflictErrors.constraint(list) }
        for conflict in list { conflict.settle(as: kind) }
    }

    private var kind: MergePolicyKind { MergePolicyKind(rawValue: mergeType.rawValue) ?? .error }
}

public let NSErrorMergePolicy = NSMergePolicy(merge: .errorMergePolicyType)
public let NSMergeByPropertyStoreTrumpMergePolicy = NSMergePolicy(merge: .mergeByPropertyStoreTrumpMergePolicyType)
public let NSMergeByPropertyObjectTrumpMergePolicy = NSMergePolicy(merge: .mergeByPropertyObjectTrumpMergePolicyType)
public let NSOverwriteMergePolicy = NSMergePolicy(merge: .overwriteMergePolicyType)
public let NSRollbackMergePolicy = NSMergePolicy(merge: .rollbackMergePolicyType)

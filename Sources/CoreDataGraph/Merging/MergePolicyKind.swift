/// What wins when a row changed under an edit. Raw values are Apple's `NSMergePolicyType`.
package enum MergePolicyKind: UInt, Sendable {
    /// Nothing is resolved: the save fails.
    case error = 0
    /// By property; the store's value where both sides changed it.
    case storeTrump
    /// By property; the object's value where both sides changed it.
    case objectTrump
    /// The whole object as it stands in memory.
    case overwrite
    /// The whole row as it stands in the store.
    case rollback
}

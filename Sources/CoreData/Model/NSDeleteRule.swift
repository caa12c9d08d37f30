import CoreDataSchema
import Foundation

/// What deleting an object does to the objects at the other end of a relationship.
public enum NSDeleteRule: UInt, Sendable {
    /// Nothing: the other end may be left with a reference to a row that is gone.
    case noActionDeleteRule = 0
    /// The inverse at the other end is set to nil or loses the object.
    case nullifyDeleteRule
    /// The objects at the other end are deleted too.
    case cascadeDeleteRule
    /// The delete fails, when saved, while there are objects at the other end.
    case denyDeleteRule
}

extension NSDeleteRule {
    init(_ rule: DeleteRule) { self = NSDeleteRule(rawValue: UInt(rule.rawValue)) ?? .nullifyDeleteRule }

    var schemaRule: DeleteRule { DeleteRule(rawValue: Int(rawValue)) ?? .nullify }
}

import Foundation

/// What a fetch can give: managed objects, object IDs, dictionaries (`NSDictionary`) or a count (`NSNumber`).
///
/// Apple's is an Objective-C protocol, which conforms to itself, so that `NSFetchRequest<NSFetchRequestResult>` is a type.
/// Of Swift's own protocols only those without a witness table do. `as?` and `is` cannot ask for one of those: use `as`,
/// `as!`, or ask for the class.
@_marker public protocol NSFetchRequestResult: AnyObject {}

extension NSManagedObject: NSFetchRequestResult {}
extension NSManagedObjectID: NSFetchRequestResult {}
extension NSDictionary: NSFetchRequestResult {}
extension NSNumber: NSFetchRequestResult {}

/// What a fetch gives for each row.
public struct NSFetchRequestResultType: OptionSet, Hashable, Sendable {
    public let rawValue: UInt

    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// Managed objects.
    public static let managedObjectResultType = NSFetchRequestResultType([])
    /// Object IDs.
    public static let managedObjectIDResultType = NSFetchRequestResultType(rawValue: 1)
    /// Dictionaries of `propertiesToFetch`, as stored: unsaved changes are not in them.
    public static let dictionaryResultType = NSFetchRequestResultType(rawValue: 2)
    /// One number.
    public static let countResultType = NSFetchRequestResultType(rawValue: 4)
}

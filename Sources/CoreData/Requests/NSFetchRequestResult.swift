import Foundation

/// What a fetch can give: managed objects, object IDs, dictionaries (`NSDictionary`) or a count (`NSNumber`).
///
/// A protocol at Apple's. In Swift without Objective-C no protocol conforms to itself, so that
/// `NSFetchRequest<NSFetchRequestResult>`, which much code writes, would not compile; `AnyObject` does all that code asks.
public typealias NSFetchRequestResult = AnyObject

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

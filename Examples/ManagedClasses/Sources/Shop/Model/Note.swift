import CoreData
import Foundation

/// Types of Foundation's where Swift has its own, and values wider and narrower than the model's.
public class Note: NSManagedObject {
    public enum Colour: String {
        case red, green = "grün"
    }

    @NSManaged public var blob: NSData?
    @NSManaged public var code: NSUUID?
    @NSManaged public var colour: Colour?
    @NSManaged public var count: Int
    @NSManaged public var facts: [String: Any]
    @NSManaged public var link: NSURL?
    @NSManaged public var list: NSArray?
    @NSManaged public var placed: NSDate?
    @NSManaged public var small: Int64
    @NSManaged public var text: NSString?
    @NSManaged public var thing: NSObject?
    @NSManaged public var next: Note!
    @NSManaged public var previous: [Note]
    @NSManaged public var primitivePlaced: Date?

    @NSManaged public func addPreviousObject(_ value: Note)
    @NSManaged public func removeFromPrevious(_ values: [Note])
}

import CoreData
import Foundation

#if canImport(ObjectiveC)
@objc(Customer)
#endif
public class Customer: NSManagedObject {
    /// What Core Data keeps as the number of a case.
    public enum Kind: Int16 {
        case person, firm = 5, school
    }

    public override func awakeFromInsert() {
        super.awakeFromInsert()
        primitiveJoined = Date(timeIntervalSinceReferenceDate: 0)
    }

    /// Goes through the primitive accessors, as handwritten classes do.
    public var shoutedName: String {
        get {
            willAccessValue(forKey: "name")
            defer { didAccessValue(forKey: "name") }
            return primitiveName?.uppercased() ?? ""
        }
        set {
            willChangeValue(forKey: "name")
            primitiveName = newValue.lowercased()
            didChangeValue(forKey: "name")
        }
    }

    @NSManaged private var primitiveName: String?
    @NSManaged private var primitiveJoined: Date?
}

#if canImport(ObjectiveC)
@objc(Member)
#endif
public final class Member: Customer {
    @NSManaged public internal(set) var card: String
}

#if canImport(ObjectiveC)
@objc(Order)
#endif
public class Order: NSManagedObject {}

/// Known to this module alone.
class Tag: NSManagedObject {
    @NSManaged var label: String
    @NSManaged var customers: Set<Customer>
}

import CoreData
import Foundation

extension Customer {
    @nonobjc public class func fetchRequest() -> NSFetchRequest<Customer> {
        return NSFetchRequest<Customer>(entityName: "Customer")
    }

    @NSManaged public var active: Bool
    @NSManaged public var age: Int16
    @NSManaged public var balance: NSDecimalNumber?
    @NSManaged public var credit: NSNumber?
    @NSManaged public var identifier: UUID?
    @NSManaged public var joined: Date?
    @NSManaged public var kind: Kind
    @NSManaged public var name: String
    @NSManaged public var nicknames: [String]?
    @NSManaged public var photo: Data?
    @NSManaged public var points: Int64
    @NSManaged public var rating: Double
    @NSManaged public var seen: TimeInterval
    @NSManaged public var site: URL?
    @NSManaged public var weight: Float
    @NSManaged public var orders: NSOrderedSet?
    @NSManaged public var referrer: Customer?
    @NSManaged public var referred: NSSet?
    @NSManaged var tags: Set<Tag>
}

// MARK: Generated accessors for orders
extension Customer {
    #if canImport(ObjectiveC)
    @objc(insertObject:inOrdersAtIndex:)
    #endif
    @NSManaged public func insertIntoOrders(_ value: Order, at idx: Int)
    @NSManaged public func removeFromOrders(at idx: Int)
    @NSManaged public func insertIntoOrders(_ values: [Order], at indexes: NSIndexSet)
    @NSManaged public func removeFromOrders(at indexes: NSIndexSet)
    @NSManaged public func replaceOrders(at idx: Int, with value: Order)
    @NSManaged public func replaceOrders(at indexes: NSIndexSet, with values: [Order])
    @NSManaged public func addToOrders(_ value: Order)
    @NSManaged public func removeFromOrders(_ value: Order)
    @NSManaged public func addToOrders(_ values: NSOrderedSet)
    @NSManaged public func removeFromOrders(_ values: NSOrderedSet)
}

// MARK: Generated accessors for referred
extension Customer {
    @NSManaged public func addToReferred(_ value: Customer)
    @NSManaged public func removeFromReferred(_ value: Customer)
    @NSManaged public func addToReferred(_ values: NSSet)
    @NSManaged public func removeFromReferred(_ values: NSSet)
}

// MARK: Generated accessors for tags
extension Customer {
    @NSManaged func addToTags(_ value: Tag)
    @NSManaged func removeFromTags(_ values: Set<Tag>)
}

extension Customer: Identifiable {}

extension Order {
    @NSManaged public var number: Int32
    @NSManaged public var total: Decimal
    @NSManaged public var customer: Customer?
}

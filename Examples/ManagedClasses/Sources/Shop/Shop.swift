import CoreData
import Foundation

/// The shop's records.
public enum Shop {
    /// A container with the shop's model; its store is in memory.
    public static func container() throws -> NSPersistentContainer {
        guard let url = Bundle.module.url(forResource: "Shop", withExtension: "xcdatamodeld"), let model = NSManagedObjectModel(contentsOf: url) else {
            throw CocoaError(.fileReadNoSuchFile)
        }
        let container = NSPersistentContainer(name: "Shop", managedObjectModel: model)
        container.persistentStoreDescriptions.first?.type = NSInMemoryStoreType
        var failure: (any Error)?
        container.loadPersistentStores { _, error in failure = error }
        if let failure { throw failure }
        return container
    }

    /// Labels the customer; tags are known here alone.
    public static func label(_ customer: Customer, _ labels: String...) {
        guard let context = customer.managedObjectContext else { return }
        for label in labels {
            let tag = Tag(context: context)
            tag.label = label
            customer.addToTags(tag)
        }
    }

    public static func labels(of customer: Customer) -> [String] { customer.tags.map(\.label).sorted() }

    public static func removeLabel(_ label: String, of customer: Customer) {
        customer.removeFromTags(customer.tags.filter { $0.label == label })
    }

    /// Everyone with the label, found by the tag's own set.
    public static func customers(labelled label: String, in context: NSManagedObjectContext) throws -> [Customer] {
        let request = NSFetchRequest<Tag>(entityName: "Tag")
        request.predicate = NSPredicate(format: "label == %@", label)
        return try context.fetch(request).flatMap(\.customers).sorted { $0.name < $1.name }
    }
}

import CoreData
import Foundation

/// The main queue's context over an in-memory store of the golden model, which is the target's resource.
final class Store {
    let container: NSPersistentContainer

    struct Failure: Error { var text: String }

    init() throws {
        guard let url = Bundle.module.url(forResource: "Golden", withExtension: "xcdatamodeld"),
              let model = NSManagedObjectModel(contentsOf: url)
        else { throw Failure(text: "the golden model is not among the resources") }
        container = NSPersistentContainer(name: "Golden", managedObjectModel: model)
        let description = NSPersistentStoreDescription()
        description.type = NSInMemoryStoreType
        container.persistentStoreDescriptions = [description]
        var failure: (any Error)?
        container.loadPersistentStores { failure = $1 }
        if let failure { throw failure }
    }

    var context: NSManagedObjectContext { container.viewContext }

    func insert<T: NSManagedObject>(_ type: T.Type) throws -> T { T(context: context) }
}

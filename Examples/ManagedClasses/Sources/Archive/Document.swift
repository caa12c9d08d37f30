import CoreData
import Foundation

/// The program's own class: the model says Category/Extension, so its properties are written while the target is built.
public class Document: NSManagedObject {
    public override func awakeFromInsert() {
        super.awakeFromInsert()
        id = UUID()
    }

    public var isLong: Bool { pages > 100 }
}

public class Letter: Document {
    public override var isLong: Bool { pages > 2 }
}

/// The archive's records; the model is in the program, which needs no file beside it.
public enum Archive {
    public static func container() throws -> NSPersistentContainer {
        let container = NSPersistentContainer(name: "Archive", managedObjectModel: .archiveModel)
        container.persistentStoreDescriptions.first?.type = NSInMemoryStoreType
        var failure: (any Error)?
        container.loadPersistentStores { _, error in failure = error }
        if let failure { throw failure }
        return container
    }
}

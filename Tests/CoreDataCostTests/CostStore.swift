import CoreData
import Foundation

/// A SQLite store in a folder of its own, gone when nobody needs it.
final class CostStore {
    let context: NSManagedObjectContext
    private let coordinator: NSPersistentStoreCoordinator
    private let folder: URL

    struct Failure: Error { let text: String }

    private static let model = Result { () throws -> NSManagedObjectModel in
        guard let url = Bundle.module.url(forResource: "Cost", withExtension: "xcdatamodeld"),
            let model = NSManagedObjectModel(contentsOf: url)
        else { throw Failure(text: "the model is not among the resources") }
        return model
    }

    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("Cost-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        coordinator = try Self.open(folder)
        context = Self.context(of: coordinator)
    }

    private static func open(_ folder: URL) throws -> NSPersistentStoreCoordinator {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: try model.get())
        try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: folder.appendingPathComponent("Cost.sqlite"), options: nil)
        return coordinator
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    func makeContext() -> NSManagedObjectContext { Self.context(of: coordinator) }

    private static func context(of coordinator: NSPersistentStoreCoordinator) -> NSManagedObjectContext {
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        return context
    }

    /// Wares, each ten of one keeper, saved through another coordinator: this one has read nothing yet.
    func fill(_ rows: Int) throws {
        let context = Self.context(of: try Self.open(folder))
        try context.performAndWait {
            var keeper: Keeper?
            for row in 0..<rows {
                if row.isMultiple(of: 10) {
                    keeper = Keeper(context: context)
                    keeper?.name = "Keeper of a number of wares \(row / 10)"
                }
                Self.insert(row, context).keeper = keeper
            }
            try context.save()
        }
    }

    @discardableResult
    static func insert(_ row: Int, _ context: NSManagedObjectContext) -> Ware {
        let ware = Ware(context: context)
        ware.count = Int64(row)
        ware.rank = Int32(row % 10)
        ware.size = 7
        ware.created = Date(timeIntervalSinceReferenceDate: Double(row) + 0.25)
        ware.height = 1.5
        ware.weight = 2.5
        // Longer than a string keeps in place.
        ware.city = "A city with a name that is long"
        ware.name = "Name of the ware number \(1_000_000 + row)"
        ware.note = "A note that is a little longer still"
        return ware
    }

    func wares(prefetching paths: [String] = []) throws -> [Ware] {
        let request = NSFetchRequest<Ware>(entityName: "Ware")
        if !paths.isEmpty { request.relationshipKeyPathsForPrefetching = paths }
        return try context.fetch(request)
    }
}

import CoreData
import Foundation
import Testing

/// Generic code over managed classes, as repositories and data sources have it.
@Suite("API surface: requests of generic code")
struct RequestCastSurfaceTests {
    // Where the type is asked for by a cast, as in `T.fetchRequest() as! NSFetchRequest<T>`, the compiler warns here that there is
    // nothing to cast: what counts is which of the two it takes when nothing but the cast says.
    private func fetch<T: NSManagedObject>(_ type: T.Type, in context: NSManagedObjectContext) throws -> [T] {
        let request = T.fetchRequest()
        request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
        return try context.fetch(request)
    }

    private func count<T: NSManagedObject>(_ type: T.Type, in context: NSManagedObjectContext) throws -> Int {
        let request = T.fetchRequest()
        request.fetchLimit = 1
        return try context.count(for: request)
    }

    @Test("A class's request is one of the class where generic code asks for that, and one of any result where it asks for that")
    func generic() throws {
        let container = try SurfaceModel.container()
        defer { try? SurfaceModel.remove(container) }
        let context = container.newBackgroundContext()
        try context.performAndWait { () throws in
            for name in ["Bob", "Ada"] { SurfacePerson(context: context).name = name }
            try context.save()
            let found = try fetch(SurfacePerson.self, in: context), count = try count(SurfacePerson.self, in: context)
            #expect(found.map(\.name) == ["Ada", "Bob"] && count == 1)
            let any: NSFetchRequest<NSFetchRequestResult> = SurfacePerson.fetchRequest()
            any.resultType = .countResultType
            #expect(try context.fetch(any).first as? Int == 2)
            let typed: NSFetchRequest<SurfacePerson> = SurfacePerson.fetchRequest()
            let controller = NSFetchedResultsController(fetchRequest: {
                typed.sortDescriptors = [NSSortDescriptor(key: "name", ascending: false)]
                return typed
            }(), managedObjectContext: context, sectionNameKeyPath: nil, cacheName: nil)
            try controller.performFetch()
            #expect(controller.fetchedObjects?.first?.name == "Bob" && controller.fetchRequest === typed)
        }
    }

    @Test("A request taken for one of other results by a bit cast, as ported sources do, fetches, is controlled and deletes")
    func ported() throws {
        let container = try SurfaceModel.container()
        defer { try? SurfaceModel.remove(container) }
        let context = container.newBackgroundContext()
        try context.performAndWait { () throws in
            SurfacePerson(context: context).name = "Ada"
            try context.save()
            let any: NSFetchRequest<NSFetchRequestResult> = SurfacePerson.fetchRequest()
            any.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
            let typed = unsafeBitCast(any, to: NSFetchRequest<SurfacePerson>.self)
            #expect(try context.fetch(typed).map(\.name) == ["Ada"])
            let controller = NSFetchedResultsController(
                fetchRequest: typed, managedObjectContext: context, sectionNameKeyPath: nil, cacheName: nil)
            try controller.performFetch()
            #expect(controller.fetchRequest === typed && controller.fetchedObjects?.count == 1)
            let back = unsafeBitCast(NSFetchRequest<SurfacePerson>(entityName: "SurfacePerson"), to: NSFetchRequest<NSFetchRequestResult>.self)
            #expect(try context.fetch(back).count == 1)
            try context.execute(NSBatchDeleteRequest(fetchRequest: back))
            #expect(try context.count(for: typed) == 0)
        }
    }
}

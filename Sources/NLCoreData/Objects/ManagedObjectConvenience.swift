/// Carries the one-liners, so that `Self` is the class they are called on. `NSManagedObject` and all its subclasses have it.
public protocol ManagedObjectConvenience: NSManagedObject {}

extension NSManagedObject: ManagedObjectConvenience {}

extension ManagedObjectConvenience {
    /// The name of the class's entity: what `EntityNaming` says, else what the current stack's model says, else the class's name.
    public static var entityName: String { EntityLookup.name(of: Self.self, in: .current) }

    /// A request for the class's objects in a context's model.
    static func request(
        _ predicate: NSPredicate?, in context: NSManagedObjectContext, sortedBy: [SortDescriptor<Self>] = []
    ) throws -> NSFetchRequest<Self> {
        let request = NSFetchRequest<Self>()
        request.entity = try EntityLookup.entity(of: Self.self, in: context)
        request.includesSubentities = context.stack.includesSubentitiesByDefault
        request.predicate = predicate
        if !sortedBy.isEmpty { request.sortDescriptors = try sortedBy.map { try Platform.sortDescriptor($0) } }
        return request
    }

    static func requireIndex(_ index: Int) throws {
        if index < 0 { throw NLCoreDataError.negativeIndex(index) }
    }
}

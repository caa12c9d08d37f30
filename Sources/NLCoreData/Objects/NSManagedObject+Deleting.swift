/// Each marks objects for deletion at the next save, by the rules of their relationships, and tells how many. The context is
/// always written out, and a predicate that is nil by accident deletes nothing.
extension ManagedObjectConvenience {
    /// Deletes every object of the class.
    @discardableResult
    public static func delete(in context: NSManagedObjectContext) throws -> Int {
        try delete(found: request(nil, in: context), in: context)
    }

    /// Deletes what a request finds that the block has set up: its predicate, order, limit and offset count.
    @discardableResult
    public static func delete(
        in context: NSManagedObjectContext, _ configure: (NSFetchRequest<Self>) throws -> Void
    ) throws -> Int {
        let request = try request(nil, in: context)
        try configure(request)
        return try delete(found: request, in: context)
    }

    /// Deletes the objects that match. Throws `NLCoreDataError.nilPredicate` for nil.
    @discardableResult
    public static func delete(with predicate: NSPredicate?, in context: NSManagedObjectContext) throws -> Int {
        guard let predicate else { throw NLCoreDataError.nilPredicate(className: EntityLookup.className(of: Self.self)) }
        return try delete(found: request(predicate, in: context), in: context)
    }

    @discardableResult
    public static func delete(_ format: String, _ arguments: Any?..., in context: NSManagedObjectContext) throws -> Int {
        try delete(with: Platform.predicate(format, arguments), in: context)
    }

    @discardableResult
    public static func delete(where predicate: Predicate<Self>, in context: NSManagedObjectContext) throws -> Int {
        try delete(with: Platform.predicate(predicate), in: context)
    }

    /// Deletes those of the matching objects at the places of a range; nil matches all.
    @discardableResult
    public static func delete(
        range: Range<Int>, with predicate: NSPredicate? = nil, in context: NSManagedObjectContext, sortedBy: [SortDescriptor<Self>] = []
    ) throws -> Int {
        guard let request = try request(predicate, range, in: context, sortedBy: sortedBy) else { return 0 }
        return try delete(found: request, in: context)
    }

    private static func delete(found request: NSFetchRequest<Self>, in context: NSManagedObjectContext) throws -> Int {
        request.includesPropertyValues = false
        let objects = try context.fetch(request)
        for object in objects { context.delete(object) }
        return objects.count
    }

    /// Marks this object for deletion at the next save. Throws `NLCoreDataError.detachedObject` when it has no context.
    public func delete() throws {
        guard let context = managedObjectContext else {
            throw NLCoreDataError.detachedObject(className: EntityLookup.className(of: Self.self))
        }
        context.delete(self)
    }
}

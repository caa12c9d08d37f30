/// Each throws what the fetch throws, a format that is no predicate, and `NLCoreDataError.unknownEntity`. Unsaved changes of
/// the context count. Without `in:`, the calling thread's context is used.
extension ManagedObjectConvenience {
    // MARK: Many

    /// All objects, or those that match; in the order given, or in none.
    public static func fetch(
        with predicate: NSPredicate? = nil, in context: NSManagedObjectContext = .contextForThread(),
        sortedBy: [SortDescriptor<Self>] = []
    ) throws -> [Self] {
        try context.fetch(request(predicate, in: context, sortedBy: sortedBy))
    }

    /// The objects that match a format; one argument for each placeholder, nil allowed.
    public static func fetch(
        _ format: String, _ arguments: Any?..., in context: NSManagedObjectContext = .contextForThread(),
        sortedBy: [SortDescriptor<Self>] = []
    ) throws -> [Self] {
        try fetch(with: Platform.predicate(format, arguments), in: context, sortedBy: sortedBy)
    }

    /// The objects that match a typed predicate.
    public static func fetch(
        where predicate: Predicate<Self>, in context: NSManagedObjectContext = .contextForThread(),
        sortedBy: [SortDescriptor<Self>] = []
    ) throws -> [Self] {
        try fetch(with: Platform.predicate(predicate), in: context, sortedBy: sortedBy)
    }

    /// What a request finds that the block has set up.
    public static func fetch(
        in context: NSManagedObjectContext = .contextForThread(), _ configure: (NSFetchRequest<Self>) throws -> Void
    ) throws -> [Self] {
        let request = try request(nil, in: context)
        try configure(request)
        return try context.fetch(request)
    }

    /// The objects that match, by the value at a dotted key.
    public static func fetch(
        with predicate: NSPredicate? = nil, in context: NSManagedObjectContext = .contextForThread(),
        sortedByKey key: String, ascending: Bool = true, limit: Int = 0
    ) throws -> [Self] {
        let request = try request(predicate, in: context)
        request.sort(byKey: key, ascending: ascending)
        request.fetchLimit = limit
        return try context.fetch(request)
    }

    /// Those of the matching objects at the places of a range; fewer when there are not as many.
    public static func fetch(
        range: Range<Int>, with predicate: NSPredicate? = nil, in context: NSManagedObjectContext = .contextForThread(),
        sortedBy: [SortDescriptor<Self>] = []
    ) throws -> [Self] {
        guard let request = try request(predicate, range, in: context, sortedBy: sortedBy) else { return [] }
        return try context.fetch(request)
    }

    /// The IDs of the objects that match, without the objects. Those of unsaved objects are temporary.
    public static func fetchObjectIDs(
        with predicate: NSPredicate? = nil, in context: NSManagedObjectContext = .contextForThread(),
        sortedBy: [SortDescriptor<Self>] = []
    ) throws -> [NSManagedObjectID] {
        let request = NSFetchRequest<NSManagedObjectID>()
        let model = try Self.request(predicate, in: context, sortedBy: sortedBy)
        request.entity = model.entity
        request.includesSubentities = model.includesSubentities
        request.predicate = model.predicate
        request.sortDescriptors = model.sortDescriptors
        request.resultType = .managedObjectIDResultType
        return try context.fetch(request)
    }

    // MARK: One

    /// The object at a place among those that match; nil when there are not as many.
    public static func fetchSingle(
        at index: Int = 0, with predicate: NSPredicate? = nil, in context: NSManagedObjectContext = .contextForThread(),
        sortedBy: [SortDescriptor<Self>] = []
    ) throws -> Self? {
        try requireIndex(index)
        return try fetch(range: index..<index + 1, with: predicate, in: context, sortedBy: sortedBy).first
    }

    public static func fetchSingle(
        at index: Int = 0, _ format: String, _ arguments: Any?..., in context: NSManagedObjectContext = .contextForThread(),
        sortedBy: [SortDescriptor<Self>] = []
    ) throws -> Self? {
        try fetchSingle(at: index, with: Platform.predicate(format, arguments), in: context, sortedBy: sortedBy)
    }

    public static func fetchSingle(
        at index: Int = 0, where predicate: Predicate<Self>, in context: NSManagedObjectContext = .contextForThread(),
        sortedBy: [SortDescriptor<Self>] = []
    ) throws -> Self? {
        try fetchSingle(at: index, with: Platform.predicate(predicate), in: context, sortedBy: sortedBy)
    }

    /// The object at a place among those that match, by the value at a dotted key.
    public static func fetchSingle(
        at index: Int = 0, with predicate: NSPredicate? = nil, in context: NSManagedObjectContext = .contextForThread(),
        sortedByKey key: String, ascending: Bool = true
    ) throws -> Self? {
        try requireIndex(index)
        return try fetch(in: context) { request in
            request.predicate = predicate
            request.sort(byKey: key, ascending: ascending)
            request.fetchOffset = index
            request.fetchLimit = 1
        }.first
    }

    /// The object of an ID: the one the context has, else read from the store; nil when its row is gone or it is being deleted.
    ///
    /// Throws `wrongClass` for an object of another class, and what the store throws.
    public static func fetch(
        objectID: NSManagedObjectID, in context: NSManagedObjectContext = .contextForThread()
    ) throws -> Self? {
        try context.throwStackFailure()
        guard let object = try existingObject(objectID, in: context), !object.isDeleted else { return nil }
        guard let typed = object as? Self else {
            throw NLCoreDataError.wrongClass(
                expected: EntityLookup.className(of: Self.self), found: EntityLookup.className(of: type(of: object)))
        }
        return typed
    }

    private static func existingObject(_ objectID: NSManagedObjectID, in context: NSManagedObjectContext) throws -> NSManagedObject? {
        if let object = context.registeredObject(for: objectID), !object.isFault { return object }
        do { return try context.existingObject(with: objectID) } catch CocoaError.managedObjectReferentialIntegrity { return nil }
    }

    // MARK: Parts

    /// nil when the range is empty: a limit of 0 would mean no limit.
    static func request(
        _ predicate: NSPredicate?, _ range: Range<Int>, in context: NSManagedObjectContext, sortedBy: [SortDescriptor<Self>]
    ) throws -> NSFetchRequest<Self>? {
        try requireIndex(range.lowerBound)
        let request = try request(predicate, in: context, sortedBy: sortedBy)
        request.fetchOffset = range.lowerBound
        request.fetchLimit = range.count
        return range.isEmpty ? nil : request
    }
}

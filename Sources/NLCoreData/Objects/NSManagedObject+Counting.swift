/// Each throws what the fetch throws. Unsaved changes of the context count.
extension ManagedObjectConvenience {
    /// How many objects there are, or match.
    public static func count(
        with predicate: NSPredicate? = nil, in context: NSManagedObjectContext = .contextForThread()
    ) throws -> Int {
        try context.count(for: request(predicate, in: context))
    }

    public static func count(
        _ format: String, _ arguments: Any?..., in context: NSManagedObjectContext = .contextForThread()
    ) throws -> Int {
        try count(with: Platform.predicate(format, arguments), in: context)
    }

    public static func count(
        where predicate: Predicate<Self>, in context: NSManagedObjectContext = .contextForThread()
    ) throws -> Int {
        try count(with: Platform.predicate(predicate), in: context)
    }

    /// How many objects a request would find that the block has set up, limit and offset included.
    public static func count(
        in context: NSManagedObjectContext = .contextForThread(), _ configure: (NSFetchRequest<Self>) throws -> Void
    ) throws -> Int {
        let request = try request(nil, in: context)
        try configure(request)
        return try context.count(for: request)
    }
}

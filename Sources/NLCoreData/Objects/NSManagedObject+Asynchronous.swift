extension ManagedObjectConvenience {
    /// Finds objects in the background and hands them over in the main context.
    ///
    /// The request that the block sets up runs on the background context, limit, offset and order included; the objects it
    /// found are then fetched into the main context in that order. The block is called once, on the background context's queue.
    /// Objects that are not saved to the main context yet are not found. `completion` is called once, on the main queue.
    public static func fetchAsynchronouslyToMainContext(
        _ configure: @escaping (NSFetchRequest<Self>) throws -> Void = { _ in },
        completion: @escaping (Result<[Self], any Error>) -> Void
    ) {
        let background = NLCoreData.current.backgroundContext, main = NLCoreData.current.mainContext
        let configure = Handover(configure), completion = Handover(completion)
        background.perform {
            let found = Handover(Result { try identifiers(background, configure.value) })
            main.perform {
                completion.value(found.value.flatMap { found in Result { try objects(found.identifiers, found.settings, in: main) } })
            }
        }
    }

    /// As the other, for the objects that match.
    public static func fetchAsynchronously(
        with predicate: NSPredicate? = nil, sortedBy: [SortDescriptor<Self>] = [],
        completion: @escaping (Result<[Self], any Error>) -> Void
    ) {
        fetchAsynchronouslyToMainContext({ request in
            request.predicate = predicate
            request.sortDescriptors = try sortedBy.map { try Platform.sortDescriptor($0) }
        }, completion: completion)
    }

    /// As the others, on the main actor.
    @MainActor
    public static func fetchAsynchronously(
        with predicate: NSPredicate? = nil, sortedBy: [SortDescriptor<Self>] = []
    ) async throws -> [Self] {
        let found: Handover<Result<[Self], any Error>> = await withCheckedContinuation { continuation in
            fetchAsynchronously(with: predicate, sortedBy: sortedBy) { continuation.resume(returning: Handover($0)) }
        }
        return try found.value.get()
    }

    /// IDs of what the request finds, in its order, and the request.
    private static func identifiers(
        _ context: NSManagedObjectContext, _ configure: (NSFetchRequest<Self>) throws -> Void
    ) throws -> (identifiers: [NSManagedObjectID], settings: NSFetchRequest<Self>) {
        let request = try request(nil, in: context)
        try configure(request)
        let found = try context.fetch(request).map(\.objectID)
        return (found, request)
    }

    private static func objects(
        _ identifiers: [NSManagedObjectID], _ settings: NSFetchRequest<Self>, in context: NSManagedObjectContext
    ) throws -> [Self] {
        let request = try request(Platform.predicate("SELF IN %@", [identifiers]), in: context)
        request.includesSubentities = settings.includesSubentities
        request.relationshipKeyPathsForPrefetching = settings.relationshipKeyPathsForPrefetching
        request.returnsObjectsAsFaults = settings.returnsObjectsAsFaults
        let places = Dictionary(identifiers.enumerated().map { ($1, $0) }) { first, _ in first }
        return try context.fetch(request).sorted { places[$0.objectID] ?? .max < places[$1.objectID] ?? .max }
    }
}

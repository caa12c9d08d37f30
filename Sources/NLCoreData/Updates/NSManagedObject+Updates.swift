/// Live queries. Without `in:` a context of the query's own watches, on a queue of its own: it sees what is saved to the
/// store, by any context of the stack, and needs no run loop. With `in:` that context's unsaved changes count too, and its
/// queue does the work (for a main-queue context: somebody must drain the main queue).
///
/// Without an order the results come in one that is not worth relying on.
extension ManagedObjectConvenience {
    /// The results of a typed predicate now and whenever they change.
    ///
    /// ```swift
    /// for try await snapshot in Person.updates(where: #Predicate { $0.age > 17 }, sortedBy: [SortDescriptor(\.name)]) {
    ///     print(snapshot.objectIDs.count, snapshot.difference.count)
    /// }
    /// ```
    public static func updates(
        where predicate: Predicate<Self>, in context: NSManagedObjectContext? = nil,
        sortedBy: [SortDescriptor<Self>] = [], sectionedBy: String? = nil
    ) -> ResultUpdates<Self> {
        updates(in: context, sectionedBy: sectionedBy) { request in
            request.predicate = try Platform.predicate(predicate)
            request.sortDescriptors = try sortedBy.map { try Platform.sortDescriptor($0) }
        }
    }

    /// All objects, or those that match, now and whenever they change.
    public static func updates(
        with predicate: NSPredicate? = nil, in context: NSManagedObjectContext? = nil,
        sortedBy: [SortDescriptor<Self>] = [], sectionedBy: String? = nil
    ) -> ResultUpdates<Self> {
        let predicate = Handover(predicate)
        return updates(in: context, sectionedBy: sectionedBy) { request in
            request.predicate = predicate.value
            request.sortDescriptors = try sortedBy.map { try Platform.sortDescriptor($0) }
        }
    }

    /// The objects that match a format, one argument for each placeholder, now and whenever they change.
    public static func updates(
        _ format: String, _ arguments: Any?..., in context: NSManagedObjectContext? = nil,
        sortedBy: [SortDescriptor<Self>] = [], sectionedBy: String? = nil
    ) -> ResultUpdates<Self> {
        let arguments = Handover(arguments)
        return updates(in: context, sectionedBy: sectionedBy) { request in
            request.predicate = try Platform.predicate(format, arguments.value)
            request.sortDescriptors = try sortedBy.map { try Platform.sortDescriptor($0) }
        }
    }

    /// What a request finds that the block has set up, in sections by the value at a key path, by which it must sort first.
    /// The block is called once for each iterator.
    public static func updates(
        in context: NSManagedObjectContext? = nil, sectionedBy: String? = nil,
        _ configure: @escaping @Sendable (NSFetchRequest<Self>) throws -> Void
    ) -> ResultUpdates<Self> {
        let stack = NLCoreData.current
        return ResultUpdates { try watch(stack, context, sectionedBy, configure) }
    }

    private static func watch(
        _ stack: NLCoreData, _ given: NSManagedObjectContext?, _ sectionedBy: String?,
        _ configure: (NSFetchRequest<Self>) throws -> Void
    ) throws -> ResultWatch<Self> {
        let context = given ?? stack.newContext()
        if given == nil {
            try context.throwStackFailure()
            context.automaticallyMergesChangesFromParent = true
        }
        let request = try request(nil, in: context)
        try configure(request)
        if request.sortDescriptors?.isEmpty != false { request.sortDescriptors = [try anyOrder(of: request, sectionedBy)] }
        return ResultWatch(request, in: context, sectionedBy: sectionedBy)
    }

    /// A controller wants an order: by the sections, or by an attribute stores can compare.
    private static func anyOrder(of request: NSFetchRequest<Self>, _ sectionedBy: String?) throws -> NSSortDescriptor {
        if let sectionedBy { return NSSortDescriptor(key: sectionedBy, ascending: true) }
        let sortable = (request.entity?.attributesByName ?? [:]).filter { _, attribute in
            !attribute.isTransient && ![.transformableAttributeType, .binaryDataAttributeType, .undefinedAttributeType, .objectIDAttributeType]
                .contains(attribute.attributeType)
        }
        guard let name = sortable.keys.min() else {
            throw NLCoreDataError.nothingToSortBy(entity: request.entity?.name ?? EntityLookup.className(of: Self.self))
        }
        return NSSortDescriptor(key: name, ascending: true)
    }
}

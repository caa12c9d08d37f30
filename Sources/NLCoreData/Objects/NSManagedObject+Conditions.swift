/// Conditions as dictionaries, key path to value, joined by AND; nil and `NSNull` mean “has no value”.
extension ManagedObjectConvenience {
    /// The objects that meet the conditions.
    public static func fetch(
        where conditions: [String: Any?], in context: NSManagedObjectContext = .contextForThread(),
        sortedBy: [SortDescriptor<Self>] = [], limit: Int = 0
    ) throws -> [Self] {
        let request = try request(predicate(conditions), in: context, sortedBy: sortedBy)
        request.fetchLimit = limit
        return try context.fetch(request)
    }

    /// One object that meets the conditions, the first in the order given; nil when there is none.
    public static func find(
        where conditions: [String: Any?], in context: NSManagedObjectContext = .contextForThread(),
        sortedBy: [SortDescriptor<Self>] = []
    ) throws -> Self? {
        try fetch(where: conditions, in: context, sortedBy: sortedBy, limit: 1).first
    }

    /// One object that meets the conditions, or a new one that was given their values.
    @discardableResult
    public static func findOrCreate(
        where conditions: [String: Any?], in context: NSManagedObjectContext = .contextForThread()
    ) throws -> Self {
        try fetchOrInsertSingle(with: predicate(conditions), in: context)
    }

    /// How many objects meet the conditions.
    public static func count(
        where conditions: [String: Any?], in context: NSManagedObjectContext = .contextForThread()
    ) throws -> Int {
        try count(with: predicate(conditions), in: context)
    }

    /// A new object with the given attributes, as `populate(with:)` sets them.
    @discardableResult
    public static func create(
        with attributes: [String: Any] = [:], in context: NSManagedObjectContext = .contextForThread()
    ) throws -> Self {
        let object = try insert(in: context)
        object.populate(with: attributes)
        return object
    }

    /// Sets attributes, as `populate(with:)` does. Returns the names that were skipped.
    @discardableResult
    public func update(with attributes: [String: Any]) -> [String] { populate(with: attributes) }

    /// nil when there are no conditions: all objects meet them.
    private static func predicate(_ conditions: [String: Any?]) throws -> NSPredicate? {
        let keys = conditions.keys.sorted()
        guard !keys.isEmpty else { return nil }
        let format = keys.map { _ in "%K == %@" }.joined(separator: " AND ")
        return try Platform.predicate(format, keys.flatMap { [$0, conditions[$0] ?? nil] })
    }
}

/// Shorter names for those who know them from elsewhere.
extension ManagedObjectConvenience {
    /// The objects that meet the conditions.
    public static func `where`(
        _ conditions: [String: Any?], in context: NSManagedObjectContext = .contextForThread(),
        sortedBy: [SortDescriptor<Self>] = [], limit: Int = 0
    ) throws -> [Self] {
        try fetch(where: conditions, in: context, sortedBy: sortedBy, limit: limit)
    }

    /// The objects that match a format; one argument for each placeholder.
    public static func `where`(
        _ format: String, _ arguments: Any?..., in context: NSManagedObjectContext = .contextForThread(),
        sortedBy: [SortDescriptor<Self>] = []
    ) throws -> [Self] {
        try fetch(with: Platform.predicate(format, arguments), in: context, sortedBy: sortedBy)
    }

    /// The objects that match a typed predicate.
    public static func `where`(
        _ predicate: Predicate<Self>, in context: NSManagedObjectContext = .contextForThread(), sortedBy: [SortDescriptor<Self>] = []
    ) throws -> [Self] {
        try fetch(where: predicate, in: context, sortedBy: sortedBy)
    }

    /// One object that matches a format, the first in the order given; nil when there is none.
    public static func find(
        _ format: String, _ arguments: Any?..., in context: NSManagedObjectContext = .contextForThread(),
        sortedBy: [SortDescriptor<Self>] = []
    ) throws -> Self? {
        try fetchSingle(with: Platform.predicate(format, arguments), in: context, sortedBy: sortedBy)
    }

    /// One object that matches a typed predicate.
    public static func find(
        _ predicate: Predicate<Self>, in context: NSManagedObjectContext = .contextForThread(), sortedBy: [SortDescriptor<Self>] = []
    ) throws -> Self? {
        try fetchSingle(where: predicate, in: context, sortedBy: sortedBy)
    }
}

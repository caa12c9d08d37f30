extension ManagedObjectConvenience {
    /// A new object; nothing is saved. Throws for a class without an entity in the context's model, and for an abstract entity.
    @discardableResult
    public static func insert(in context: NSManagedObjectContext = .contextForThread()) throws -> Self {
        let entity = try EntityLookup.entity(of: Self.self, in: context)
        if entity.isAbstract {
            throw NLCoreDataError.abstractEntity(name: entity.name ?? "", subentities: entity.subentities.compactMap(\.name).sorted())
        }
        return Self(entity: entity, insertInto: context)
    }

    /// The object at a place among those that match, or a new one when there are not as many.
    ///
    /// With `filling`, a new object gets the values that the predicate's equalities say, as far as they stand alone or are
    /// joined by AND; it throws `unacceptableValue` when an attribute cannot hold its value. Contexts do not see one
    /// another's new objects: only a uniqueness constraint in the model keeps two of them from inserting the same.
    @discardableResult
    public static func fetchOrInsertSingle(
        at index: Int = 0, with predicate: NSPredicate? = nil, in context: NSManagedObjectContext = .contextForThread(),
        sortedBy: [SortDescriptor<Self>] = [], filling: Bool = true
    ) throws -> Self {
        if let object = try fetchSingle(at: index, with: predicate, in: context, sortedBy: sortedBy) { return object }
        let entity = try EntityLookup.entity(of: Self.self, in: context)
        let values = filling ? try PredicateEqualities.values(of: predicate, for: entity, in: context) : [:]
        let object = try insert(in: context)
        for (key, value) in values { object.setValue(value, forKey: key) }
        return object
    }

    @discardableResult
    public static func fetchOrInsertSingle(
        at index: Int = 0, _ format: String, _ arguments: Any?..., in context: NSManagedObjectContext = .contextForThread(),
        sortedBy: [SortDescriptor<Self>] = [], filling: Bool = true
    ) throws -> Self {
        try fetchOrInsertSingle(
            at: index, with: Platform.predicate(format, arguments), in: context, sortedBy: sortedBy, filling: filling)
    }

    @discardableResult
    public static func fetchOrInsertSingle(
        at index: Int = 0, where predicate: Predicate<Self>, in context: NSManagedObjectContext = .contextForThread(),
        sortedBy: [SortDescriptor<Self>] = [], filling: Bool = true
    ) throws -> Self {
        try fetchOrInsertSingle(at: index, with: Platform.predicate(predicate), in: context, sortedBy: sortedBy, filling: filling)
    }
}

extension NSFetchRequest where ResultType: NSManagedObject {
    /// A request for the objects of a class's entity in the current stack's model (`+fetchRequestWithEntity:`).
    ///
    /// It names the entity, which is looked up where the request is executed; executing it throws when the model has none.
    public convenience init(entity: ResultType.Type) {
        self.init(entityName: EntityLookup.name(of: entity, in: NLCoreData.current))
        includesSubentities = NLCoreData.current.includesSubentitiesByDefault
    }

    /// A request for the objects of a class's entity in the context's model. Throws when that has no entity for the class.
    public convenience init(entity: ResultType.Type, in context: NSManagedObjectContext) throws {
        self.init()
        self.entity = try EntityLookup.entity(of: entity, in: context)
        includesSubentities = context.stack.includesSubentitiesByDefault
    }

    /// Sorts by a property, after what was asked for before: the first call is the primary order.
    public func sort<Value>(by keyPath: KeyPath<ResultType, Value>, ascending: Bool = true) {
        append(NSSortDescriptor(keyPath: keyPath, ascending: ascending))
    }
}

extension NSFetchRequest {
    /// Sorts by the value at a dotted key, after what was asked for before: the first call is the primary order.
    public func sort(byKey key: String, ascending: Bool = true) { append(NSSortDescriptor(key: key, ascending: ascending)) }

    /// As the other, compared by a selector of those stores know, such as `caseInsensitiveCompare:`.
    public func sort(byKey key: String, ascending: Bool = true, selector: Selector) {
        append(NSSortDescriptor(key: key, ascending: ascending, selector: selector))
    }

    /// Filters by a format. Throws, with position and reason, for text that is no predicate.
    public func setPredicate(_ format: String, _ arguments: Any?...) throws {
        predicate = try Platform.predicate(format, arguments)
    }

    private func append(_ descriptor: NSSortDescriptor) { sortDescriptors = (sortDescriptors ?? []) + [descriptor] }

    /// Whether requests of the current stack's one-liners find objects of subentities too. Default true.
    public static var includesSubentitiesByDefault: Bool {
        get { NLCoreData.current.includesSubentitiesByDefault }
        set { NLCoreData.current.includesSubentitiesByDefault = newValue }
    }
}

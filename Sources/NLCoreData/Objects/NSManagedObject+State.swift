extension ManagedObjectConvenience {
    /// Whether the object has been saved (up, at least, to its context's parent) and not been deleted and saved since.
    public var isPersisted: Bool { managedObjectContext != nil && !isInserted }

    /// Whether the object was never saved: the first era's opposite of `isPersisted`.
    public var isNew: Bool { !isPersisted }

    /// Gives an unsaved object the ID it will be saved under. Throws `detachedObject`, and what the store throws.
    public func obtainPermanentID() throws {
        guard let context = managedObjectContext else {
            throw NLCoreDataError.detachedObject(className: EntityLookup.className(of: Self.self))
        }
        try context.obtainPermanentIDs(for: [self])
    }

    /// The object ID as text, for another run of the program if it is permanent.
    public var objectIDString: String { objectID.uriRepresentation().absoluteString }

    /// Names of the attributes, inherited ones included, sorted.
    public var managedAttributeNames: [String] { entity.attributesByName.keys.sorted() }

    /// Names of the relationships, inherited ones included, sorted.
    public var managedRelationshipNames: [String] { entity.relationshipsByName.keys.sorted() }

    /// Marks the object as updated, so that whoever watches its context looks at it again. No value changes.
    public func touch() {
        guard let name = entity.attributesByName.values.filter({ !$0.isTransient }).map(\.name).min() else { return }
        willAccessValue(forKey: name)
        willChangeValue(forKey: name)
        didChangeValue(forKey: name)
        didAccessValue(forKey: name)
    }
}

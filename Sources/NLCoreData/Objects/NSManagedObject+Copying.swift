extension ManagedObjectConvenience {
    /// The same record in another context, with the attribute values this object has now; for an unsaved object, a new one there.
    ///
    /// Relationships are left as the other context has them. Call it where both contexts may be used.
    @discardableResult
    public func copy(to context: NSManagedObjectContext) throws -> Self {
        if context === managedObjectContext { return self }
        let isKnown = isPersisted && !objectID.isTemporaryID
        let copy = try (isKnown ? Self.fetch(objectID: objectID, in: context) : nil) ?? newObject(in: context)
        copyAttributes(to: copy)
        return copy
    }

    /// A new object with the same attribute values, in the given context or this object's own. Relationships start empty.
    @discardableResult
    public func clone(in context: NSManagedObjectContext? = nil) throws -> Self {
        guard let context = context ?? managedObjectContext else {
            throw NLCoreDataError.detachedObject(className: EntityLookup.className(of: Self.self))
        }
        let clone = try newObject(in: context)
        copyAttributes(to: clone)
        return clone
    }

    private func newObject(in context: NSManagedObjectContext) throws -> Self {
        try context.throwStackFailure()
        // By name: the other context may have a model object of its own.
        let found = context.persistentStoreCoordinator?.managedObjectModel.entitiesByName[entity.name ?? ""]
        guard let entity = found else {
            throw NLCoreDataError.unknownEntity(className: EntityLookup.className(of: Self.self), known: [])
        }
        return type(of: self).init(entity: entity, insertInto: context)
    }

    private func copyAttributes(to other: NSManagedObject) {
        let others = other.entity.attributesByName
        for (name, attribute) in entity.attributesByName where others[name] != nil && !isDerived(attribute) {
            other.setValue(value(forKey: name), forKey: name)
        }
    }

    private func isDerived(_ attribute: NSAttributeDescription) -> Bool { attribute is NSDerivedAttributeDescription }
}

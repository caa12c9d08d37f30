import CoreDataGraph
import CoreDataSchema
import CoreDataStorage

// MARK: Reading

extension NSManagedObject {
    package final func related(at slot: Int) -> NSManagedObject? {
        guard case .reference(let key) = value(at: slot) else { return nil }
        return peer(key)
    }

    /// The members of a to-many, loading them on first touch; in order when it is ordered.
    package final func members(at slot: Int) -> [NSManagedObject] {
        let keys = memberKeys(at: slot)
        return keys.isEmpty ? [] : peers(keys)
    }

    package final func memberKeys(at slot: Int) -> [RowKey] { loadedMembers(at: slot).members?.keys ?? [] }

    package final func orderedSet(at slot: Int) -> NSOrderedSet { NSOrderedSet(array: members(at: slot)) }

    package final func toManyState(at slot: Int) -> ToManyState {
        if let existing = toMany?[slot] { return existing }
        let isOrdered = runtime.resolved.properties[slot].relationship?.isOrdered ?? false
        // A fault may have no row yet: what its relationship holds is not known, though inverses change it already.
        let isKnown = row == nil && !isUnfired || key.isTemporary && state.contains(.inserted)
        let made = ToManyState(isOrdered: isOrdered, members: isKnown ? [] : nil)
        if toMany == nil { toMany = [:] }
        toMany?[slot] = made
        return made
    }

    package final func loadedMembers(at slot: Int) -> ToManyState {
        if !state.isDisjoint(with: .slow) { prepareForReading() }
        let many = toManyState(at: slot)
        if many.members == nil {
            if !DiagnosticInterests.wanted.isEmpty { noteFault(relationship: slot) }
            let property = runtime.resolved.properties[slot]
            let reference = PropertyReference(entity: property.declaringEntity, slot: slot)
            many.load(anchor?.context?.storedMembers(of: self, through: reference) ?? [])
        }
        return many
    }

    final func isUnloaded(relationshipNamed name: String) -> Bool {
        checkQueue()
        guard let property = runtime.resolved.property(named: name), property.relationship != nil else {
            raise(.invalidArgument, "The entity \(runtime.name) has no relationship named “\(name)”.")
        }
        if isUnfired { return true }
        if property.storage == .toOne { return related(at: property.slot)?.isUnfired ?? false }
        return toMany?[property.slot]?.members == nil && !(row == nil && (isInserted || anchor == nil))
    }

    final func unfiredIDs(ofRelationshipNamed name: String) -> [NSManagedObjectID] {
        checkQueue()
        guard let property = runtime.resolved.property(named: name), property.relationship != nil else {
            raise(.invalidArgument, "The entity \(runtime.name) has no relationship named “\(name)”.")
        }
        let keys = property.storage == .toMany ? unfiredMembers(of: property) : unfiredReference(at: property.slot).map { [$0] } ?? []
        guard let context = managedObjectContext else { return peers(keys).map(\.objectID) }
        return keys.map { context.makeObjectID(for: $0) }
    }

    private final func unfiredMembers(of property: ResolvedProperty) -> [RowKey] {
        if state.contains(.unborn) { prepareForReading() }
        guard let context = anchor?.context else { return memberKeys(at: property.slot) }
        let many = toManyState(at: property.slot)
        if let members = many.members { return members.keys }
        let known = many.copy()
        known.load(context.storedMembers(of: self, through: PropertyReference(entity: property.declaringEntity, slot: property.slot)))
        return known.members?.keys ?? []
    }

    private final func unfiredReference(at slot: Int) -> RowKey? {
        guard state.contains(.fault), let context = anchor?.context else {
            guard case .reference(let key) = value(at: slot) else { return nil }
            return key
        }
        // Kept for when it fires, as a fetched row is.
        row = context.currentRow(of: self)
        return row?.reference(slot)
    }

    /// A fetched property's result, evaluated once and kept until the object turns into a fault (RE15).
    package final func fetchedObjects(at slot: Int) -> [NSManagedObject] {
        guard let context = managedObjectContext else { return [] }
        prepareForReading()
        if let keys = toMany?[slot]?.members?.keys { return context.objects(for: keys) }
        let objects = context.fetchedProperty(runtime.resolved.properties[slot], of: self)
        // Kept in the order of the request; never a change, so that no save writes it.
        if toMany == nil { toMany = [:] }
        toMany?[slot] = ToManyState(isOrdered: true, members: objects.map(\.key))
        return objects
    }
}

// MARK: Changing

extension NSManagedObject {
    package final func setRelated(_ object: NSManagedObject?, at slot: Int) {
        anchor?.context?.adoptParentKeys()
        let property = runtime.resolved.properties[slot]
        let object = object.map(present)
        if let object { admit(object, to: property) }
        let new = object.map { AttributeValue.reference($0.key) } ?? .null
        noting(slot, .setting) {
            let old = value(at: slot)
            put(new, into: slot)
            guard old != new, !state.contains(.awakening) else { return }
            var removing: [RowKey] = []
            if case .reference(let key) = old { removing = [key] }
            maintainInverse(of: property, removing: removing, adding: object.map { [$0.key] } ?? [])
        }
    }

    /// Makes these the members of a to-many, in this order when it has one.
    package final func setMembers(_ objects: [NSManagedObject], at slot: Int) { setMembers(objects, at: slot, telling: .setting) }

    /// `change` is what observers are told.
    final func setMembers(_ objects: [NSManagedObject], at slot: Int, telling change: @autoclosure () -> PropertyChange) {
        anchor?.context?.adoptParentKeys()
        let property = runtime.resolved.properties[slot], objects = present(objects)
        admit(all: objects, to: property)
        let many = loadedMembers(at: slot)
        noting(slot, change()) {
            noteChange(of: many, at: slot)
            let (removing, adding) = put(objects, into: many)
            guard !state.contains(.awakening) else { return }
            maintainInverse(of: property, removing: removing, adding: adding)
        }
    }

    /// Changes a membership on this side alone.
    private final func put(_ objects: [NSManagedObject], into many: ToManyState) -> (removing: [RowKey], adding: [RowKey]) {
        let current = many.members?.set ?? []
        let removing = current.subtracting(objects.lazy.map(\.key))
        var adding: [RowKey] = []
        for key in removing { many.remove(key) }
        for object in objects where !current.contains(object.key) && many.add(object.key) { adding.append(object.key) }
        if many.isOrdered {
            var seen = Set<RowKey>()
            many.reorder(objects.map(\.key).filter { seen.insert($0).inserted })
        }
        return (Array(removing), adding)
    }

    /// Makes these the members without telling anybody: whoever announced the change keeps the inverse.
    final func putPrimitive(_ objects: [NSManagedObject], at slot: Int) {
        let objects = present(objects)
        admit(all: objects, to: runtime.resolved.properties[slot])
        _ = put(objects, into: loadedMembers(at: slot))
    }

    package final func add(_ objects: [NSManagedObject], toMany slot: Int) {
        checkQueue()
        anchor?.context?.adoptParentKeys()
        let property = runtime.resolved.properties[slot], objects = present(objects)
        admit(all: objects, to: property)
        guard state.contains(.observed) else { return addQuietly(objects, to: property) }
        let known = loadedMembers(at: slot).members
        let joining = objects.filter { known?.contains($0.key) != true }
        if joining.isEmpty { return addQuietly(objects, to: property) }
        let start = known?.count ?? 0
        let change: PropertyChange = property.relationship?.isOrdered == true
            ? .indexed(.insertion, IndexSet(start..<start + Set(joining).count)) : .members(.union, Set(joining))
        noting(slot, change) { addQuietly(objects, to: property) }
    }

    private final func addQuietly(_ objects: [NSManagedObject], to property: ResolvedProperty) {
        let slot = property.slot
        // Undo must know who is new.
        let mustLoad = property.relationship?.isOrdered == true || anchor?.context?.undoStorage != nil
        let many = mustLoad ? loadedMembers(at: slot) : toManyState(at: slot)
        noteChange(of: many, at: slot)
        var adding: [RowKey] = []
        for object in objects where many.add(object.key) { adding.append(object.key) }
        guard !state.contains(.awakening) else { return }
        maintainInverse(of: property, removing: [], adding: adding)
    }

    package final func remove(_ objects: [NSManagedObject], fromMany slot: Int) {
        anchor?.context?.adoptParentKeys()
        let property = runtime.resolved.properties[slot]
        let many = loadedMembers(at: slot), objects = present(objects)
        let removing = objects.map(\.key).filter { many.members?.contains($0) == true }
        guard state.contains(.observed), !removing.isEmpty else { return removeQuietly(removing, from: property, many) }
        let leaving = Set(removing)
        let change: PropertyChange = many.isOrdered
            ? .indexed(.removal, IndexSet((many.members?.order ?? []).enumerated().filter { leaving.contains($1) }.map(\.offset)))
            : .members(.minus, Set(objects))
        noting(slot, change) { removeQuietly(removing, from: property, many) }
    }

    private final func removeQuietly(_ removing: [RowKey], from property: ResolvedProperty, _ many: ToManyState) {
        noteChange(of: many, at: property.slot)
        let removed = removing.filter { many.remove($0) }
        guard !state.contains(.awakening) else { return }
        maintainInverse(of: property, removing: removed, adding: [])
    }

    final func noteChange(of many: ToManyState, at slot: Int) {
        prepareForReading()
        guard !state.contains(.awakening) else { return }
        noteChange()
        guard let context = anchor?.context else { return }
        if context.undoStorage != nil { context.journal.note(many, at: slot, of: self) }
    }

    /// Who stands in an object's place since a save took it up into another; in all other cases the object itself.
    final func present(_ object: NSManagedObject) -> NSManagedObject {
        guard object.state.contains(.takenUp), object.anchor == nil, let context = anchor?.context,
              let key = context.localKey(object.objectID)
        else { return object }
        return context.object(for: key)
    }

    private final func present(_ objects: [NSManagedObject]) -> [NSManagedObject] {
        objects.contains { $0.state.contains(.takenUp) } ? objects.map(present) : objects
    }

    /// As `admit(_:to:)` for each; who joins a context because of one of them takes those before it along.
    final func admit(all objects: [NSManagedObject], to property: ResolvedProperty) {
        let wasOutside = anchor == nil
        for object in objects { admit(object, to: property) }
        if wasOutside, anchor != nil { for object in objects { admit(object, to: property) } }
    }

    /// Refuses objects of another entity (LC28) or context (LC26). One that was made without a context joins that of the other,
    /// whichever side is set.
    final func admit(_ object: NSManagedObject, to property: ResolvedProperty) {
        guard let destination = property.relationship?.destination else { return }
        guard object.runtime.resolvedModel === runtime.resolvedModel,
              runtime.resolvedModel.entities[destination].includes(object.runtime.index)
        else { refuse(member: object, of: property) }
        if isOutside, let context = object.anchor?.context { context.insert(self) }
        guard let anchor else { return meet(object) }
        if object.isOutside {
            anchor.context?.insert(object)
        } else if object.anchor !== anchor {
            raise(.invalidArgument, "Illegal attempt to establish a relationship ‘\(property.name)’ between objects in different "
                + "contexts (source = \(objectID.uriRepresentation()), destination = \(object.objectID.uriRepresentation())).")
        }
    }
}

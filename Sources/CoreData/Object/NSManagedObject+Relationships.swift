import CoreDataGraph
import CoreDataSchema
import CoreDataStorage

// MARK: Glue for generated classes

extension NSManagedObject {
    public final func _toOne<T: NSManagedObject>(at slot: Int, as type: T.Type) -> T? { related(at: runtime.slot(slot)) as? T }
    public final func _setToOne(_ object: NSManagedObject?, at slot: Int) { setRelated(object, at: runtime.slot(slot)) }

    public final func _toMany<T: NSManagedObject>(at slot: Int, as type: T.Type) -> Set<T> {
        Set(members(at: runtime.slot(slot)).lazy.compactMap { $0 as? T })
    }

    public final func _setToMany<T: NSManagedObject>(_ objects: Set<T>, at slot: Int) {
        setMembers(Array(objects), at: runtime.slot(slot))
    }

    public final func _ordered<T: NSManagedObject>(at slot: Int, as type: T.Type) -> [T] {
        members(at: runtime.slot(slot)).compactMap { $0 as? T }
    }

    public final func _setOrdered(_ objects: [NSManagedObject], at slot: Int) { setMembers(objects, at: runtime.slot(slot)) }

    public final func _add(_ object: NSManagedObject, toMany slot: Int) { add([object], toMany: runtime.slot(slot)) }
    public final func _remove(_ object: NSManagedObject, fromMany slot: Int) { remove([object], fromMany: runtime.slot(slot)) }
    public final func _add(all objects: [NSManagedObject], toMany slot: Int) { add(objects, toMany: runtime.slot(slot)) }
    public final func _remove(all objects: [NSManagedObject], fromMany slot: Int) {
        remove(objects, fromMany: runtime.slot(slot))
    }

    public final func _insert(_ object: NSManagedObject, at index: Int, inOrdered slot: Int) {
        _insert(all: [object], at: IndexSet(integer: index), inOrdered: slot)
    }

    public final func _insert(all objects: [NSManagedObject], at indexes: IndexSet, inOrdered slot: Int) {
        let before = members(at: runtime.slot(slot))
        var order = before
        for (object, index) in zip(objects, indexes) where !order.contains(object) {
            order.insert(object, at: checked(index, upTo: order.count))
        }
        setMembers(order, at: runtime.slot(slot), telling: OrderedChange.of(before, order))
    }

    public final func _remove(at index: Int, fromOrdered slot: Int) { _remove(at: IndexSet(integer: index), fromOrdered: slot) }

    public final func _remove(at indexes: IndexSet, fromOrdered slot: Int) {
        let order = members(at: runtime.slot(slot))
        remove(indexes.map { order[checked($0, upTo: order.count - 1)] }, fromMany: runtime.slot(slot))
    }

    public final func _replace(at index: Int, with object: NSManagedObject, inOrdered slot: Int) {
        _replace(at: IndexSet(integer: index), with: [object], inOrdered: slot)
    }

    public final func _replace(at indexes: IndexSet, with objects: [NSManagedObject], inOrdered slot: Int) {
        let before = members(at: runtime.slot(slot))
        var order = before
        for (object, index) in zip(objects, indexes) { order[checked(index, upTo: order.count - 1)] = object }
        setMembers(order, at: runtime.slot(slot), telling: OrderedChange.of(before, order))
    }

    public final func _fetched<T: NSManagedObject>(at slot: Int, as type: T.Type) -> [T] {
        fetchedObjects(at: runtime.slot(slot)).compactMap { $0 as? T }
    }

    private final func checked(_ index: Int, upTo bound: Int) -> Int {
        guard index >= 0, index <= bound else {
            raise(.generic, "index \(index) is beyond the bounds of the relationship (\(bound + 1) objects) of \(runtime.name).")
        }
        return index
    }
}

// MARK: Reading

extension NSManagedObject {
    package final func related(at slot: Int) -> NSManagedObject? {
        guard case .reference(let key) = value(at: slot) else { return nil }
        return anchor?.context?.object(for: key)
    }

    /// The members of a to-many, loading them on first touch; in order when it is ordered.
    package final func members(at slot: Int) -> [NSManagedObject] {
        let keys = memberKeys(at: slot)
        guard !keys.isEmpty, let context = anchor?.context else { return [] }
        return context.objects(for: keys)
    }

    package final func memberKeys(at slot: Int) -> [RowKey] { loadedMembers(at: slot).members?.keys ?? [] }

    package final func orderedSet(at slot: Int) -> NSOrderedSet { NSOrderedSet(array: members(at: slot)) }

    package final func toManyState(at slot: Int) -> ToManyState {
        if let existing = toMany?[slot] { return existing }
        let isOrdered = runtime.resolved.properties[slot].relationship?.isOrdered ?? false
        // A fault may have no row yet: what its relationship holds is not known, though inverses change it already.
        let isKnown = row == nil && !isFault || key.isTemporary && state.contains(.inserted)
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

    /// Whether the relationship's members are not loaded yet. A to-one is a fault while its object is.
    public final func hasFault(forRelationshipNamed name: String) -> Bool {
        checkQueue()
        guard let property = runtime.resolved.property(named: name), property.relationship != nil else {
            raise(.invalidArgument, "The entity \(runtime.name) has no relationship named “\(name)”.")
        }
        if isFault { return true }
        if property.storage == .toOne { return related(at: property.slot)?.isFault ?? false }
        return toMany?[property.slot]?.members == nil && !(isInserted && row == nil)
    }

    /// IDs of a relationship's objects, without making the objects.
    public final func objectIDs(forRelationshipNamed name: String) -> [NSManagedObjectID] {
        checkQueue()
        guard let property = runtime.resolved.property(named: name), property.relationship != nil else {
            raise(.invalidArgument, "The entity \(runtime.name) has no relationship named “\(name)”.")
        }
        var keys: [RowKey] = []
        if property.storage == .toMany {
            keys = memberKeys(at: property.slot)
        } else if case .reference(let key) = value(at: property.slot) {
            keys = [key]
        }
        guard let context = managedObjectContext else { return [] }
        return keys.map { context.makeObjectID(for: $0) }
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
        let property = runtime.resolved.properties[slot]
        for object in objects { admit(object, to: property) }
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
        for object in objects { admit(object, to: runtime.resolved.properties[slot]) }
        _ = put(objects, into: loadedMembers(at: slot))
    }

    package final func add(_ objects: [NSManagedObject], toMany slot: Int) {
        checkQueue()
        anchor?.context?.adoptParentKeys()
        let property = runtime.resolved.properties[slot]
        for object in objects { admit(object, to: property) }
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
        let many = loadedMembers(at: slot)
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

    private final func noteChange(of many: ToManyState, at slot: Int) {
        prepareForReading()
        guard !state.contains(.awakening), let context = anchor?.context else { return }
        context.noteChange(of: self)
        if context.undoStorage != nil { context.journal.note(many, at: slot, of: self) }
    }

    /// Refuses objects of another entity (LC28) or context (LC26); takes in a detached one.
    final func admit(_ object: NSManagedObject, to property: ResolvedProperty) {
        guard let destination = property.relationship?.destination else { return }
        guard object.runtime.resolvedModel === runtime.resolvedModel,
              runtime.resolvedModel.entities[destination].includes(object.runtime.index)
        else { refuse(object, for: property) }
        guard let anchor else { return }
        if object.anchor == nil, object.row == nil, !object.state.contains(.inaccessible) {
            anchor.context?.insert(object)
        } else if object.anchor !== anchor {
            raise(.invalidArgument, "Illegal attempt to establish a relationship ‘\(property.name)’ between objects in different "
                + "contexts (source = \(objectID.uriRepresentation()), destination = \(object.objectID.uriRepresentation())).")
        }
    }

    /// Changes the other side of a relationship that was just changed on this one.
    private final func maintainInverse(of property: ResolvedProperty, removing: [RowKey], adding: [RowKey]) {
        guard property.relationship?.inverse != nil, let context = anchor?.context, !(removing.isEmpty && adding.isEmpty) else {
            return
        }
        let edits = inverseEdits(of: property, removing: removing, adding: adding, in: context)
        guard edits.contains(where: { context.object(for: $0.object).state.contains(.observed) }) else {
            for edit in edits { context.object(for: edit.object).apply(edit) }
            return
        }
        // Observers may change this very relationship: they are told when both sides agree. What they did while they were told
        // beforehand counts.
        var notes: [(object: NSManagedObject, key: String, open: [OpenNote])] = []
        for edit in edits {
            let object = context.object(for: edit.object)
            let key = object.runtime.resolved.properties[edit.slot].name
            notes.append((object, key, object.openNotes(of: edit, among: edits)))
        }
        let members = Set(removing + adding)
        let gone = members.filter { !refers(to: $0, at: property.slot) }
        for edit in inverseEdits(of: property, removing: Array(gone), adding: adding.filter { !gone.contains($0) }, in: context) {
            context.object(for: edit.object).put(edit)
        }
        for note in notes { note.object.close(note.open, forKey: note.key) }
    }

    private final func inverseEdits(
        of property: ResolvedProperty, removing: [RowKey], adding: [RowKey], in context: NSManagedObjectContext
    ) -> [RelationshipEdit] {
        InverseMaintenance.plan(
            owner: key, relationship: property, removing: removing, adding: adding, model: runtime.resolvedModel
        ) { key, slot in
            if case .reference(let target) = context.object(for: key).value(at: slot) { return target }
            return nil
        }
    }

    private final func refers(to other: RowKey, at slot: Int) -> Bool {
        guard runtime.resolved.properties[slot].storage == .toMany else { return value(at: slot) == .reference(other) }
        let many = toManyState(at: slot)
        return many.members?.contains(other) ?? many.added.contains(other)
    }

    /// Tells observers what a planned change is going to do. All that leave an ordered relationship leave it in one note, whose
    /// places are those they have now.
    private final func openNotes(of edit: RelationshipEdit, among edits: [RelationshipEdit]) -> [OpenNote] {
        guard state.contains(.observed) else { return [] }
        let key = runtime.resolved.properties[edit.slot].name
        switch edit.change {
        case .set: return openNotes(forKey: key, .setting)
        case .add(let member):
            let many = loadedMembers(at: edit.slot)
            if many.members?.contains(member) == true { return [] }
            return openNotes(forKey: key, change(of: many, .insertion, member))
        case .remove(let member):
            let many = loadedMembers(at: edit.slot)
            if many.members?.contains(member) != true { return [] }
            guard many.isOrdered else { return openNotes(forKey: key, change(of: many, .removal, member)) }
            var leaving: [RowKey] = []
            for other in edits where other.object == edit.object && other.slot == edit.slot {
                if case .remove(let former) = other.change { leaving.append(former) }
            }
            if leaving.first != member { return [] }
            let order = many.members?.order ?? []
            return openNotes(forKey: key, .indexed(.removal, IndexSet(leaving.compactMap { order.firstIndex(of: $0) })))
        }
    }

    /// One planned change, without telling anybody.
    private final func put(_ edit: RelationshipEdit) {
        switch edit.change {
        case .set(let target): put(target.map(AttributeValue.reference) ?? .null, into: edit.slot)
        case .add(let member):
            let many = inverseState(at: edit.slot)
            guard many.members?.contains(member) != true else { return }
            noteChange(of: many, at: edit.slot)
            many.add(member)
        case .remove(let member):
            let many = inverseState(at: edit.slot)
            guard many.members?.contains(member) != false else { return }
            noteChange(of: many, at: edit.slot)
            many.remove(member)
        }
    }

    /// One planned change, without maintaining the inverse again.
    package final func apply(_ edit: RelationshipEdit) {
        switch edit.change {
        case .set(let target): assign(target.map(AttributeValue.reference) ?? .null, to: edit.slot)
        case .add(let member):
            let many = inverseState(at: edit.slot)
            guard many.members?.contains(member) != true else { return }
            noting(edit.slot, change(of: many, .insertion, member)) {
                noteChange(of: many, at: edit.slot)
                many.add(member)
            }
        case .remove(let member):
            let many = inverseState(at: edit.slot)
            guard many.members?.contains(member) != false else { return }
            noting(edit.slot, change(of: many, .removal, member)) {
                noteChange(of: many, at: edit.slot)
                many.remove(member)
            }
        }
    }

    /// How one member joins or leaves, for observers.
    private final func change(of many: ToManyState, _ kind: NSKeyValueChange, _ member: RowKey) -> PropertyChange {
        guard many.isOrdered else {
            return .members(kind == .insertion ? .union : .minus, Set(anchor?.context.map { [$0.object(for: member)] } ?? []))
        }
        let order = many.members?.order ?? []
        return .indexed(kind, IndexSet(integer: kind == .insertion ? order.count : order.firstIndex(of: member) ?? 0))
    }

    /// A to-many that is changed from its other side: only an ordered or observed one must be loaded for that.
    private final func inverseState(at slot: Int) -> ToManyState {
        runtime.resolved.properties[slot].relationship?.isOrdered == true || state.contains(.observed)
            ? loadedMembers(at: slot) : toManyState(at: slot)
    }

    /// Keeps the inverse of a relationship that was changed by primitive access.
    final func keepInverse(of property: ResolvedProperty, since before: RelationshipBefore) {
        guard !state.contains(.awakening) else { return }
        switch before {
        case .one(let old):
            var now: RowKey?
            if case .reference(let key) = value(at: property.slot) { now = key }
            guard old != now else { return }
            maintainInverse(of: property, removing: old.map { [$0] } ?? [], adding: now.map { [$0] } ?? [])
        case .many(let old):
            let now = memberKeys(at: property.slot)
            let (former, current) = (Set(old), Set(now))
            maintainInverse(
                of: property, removing: old.filter { !current.contains($0) }, adding: now.filter { !former.contains($0) })
        }
    }
}

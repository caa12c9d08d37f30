import CoreDataGraph
import CoreDataSchema
import CoreDataStorage

/// Glue for generated classes.
extension NSManagedObject {
    public final func _toOne<T: NSManagedObject>(at slot: Int, as type: T.Type) -> T? { related(at: runtime.slot(slot)) as? T }
    public final func _setToOne(_ object: NSManagedObject?, at slot: Int) { setRelated(object, at: runtime.slot(slot)) }

    public final func _toMany<T: NSManagedObject>(at slot: Int, as type: T.Type) -> Set<T> {
        ObjectArray.set(members(at: runtime.slot(slot)), of: type)
    }

    public final func _setToMany<T: NSManagedObject>(_ objects: Set<T>, at slot: Int) {
        setMembers(Array(objects), at: runtime.slot(slot))
    }

    public final func _ordered<T: NSManagedObject>(at slot: Int, as type: T.Type) -> [T] {
        ObjectArray.objects(members(at: runtime.slot(slot)), of: type)
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
        insert(objects, at: indexes, inOrdered: runtime.slot(slot))
    }

    public final func _remove(at index: Int, fromOrdered slot: Int) { _remove(at: IndexSet(integer: index), fromOrdered: slot) }
    public final func _remove(at indexes: IndexSet, fromOrdered slot: Int) { remove(at: indexes, fromOrdered: runtime.slot(slot)) }

    public final func _replace(at index: Int, with object: NSManagedObject, inOrdered slot: Int) {
        _replace(at: IndexSet(integer: index), with: [object], inOrdered: slot)
    }

    public final func _replace(at indexes: IndexSet, with objects: [NSManagedObject], inOrdered slot: Int) {
        replace(at: indexes, with: objects, inOrdered: runtime.slot(slot))
    }

    public final func _fetched<T: NSManagedObject>(at slot: Int, as type: T.Type) -> [T] {
        fetchedObjects(at: runtime.slot(slot)).compactMap { $0 as? T }
    }
}

/// Ordered relationships by the entity's slot.
extension NSManagedObject {
    final func insert(_ objects: [NSManagedObject], at indexes: IndexSet, inOrdered slot: Int) {
        let before = members(at: slot)
        var order = before
        for (object, index) in zip(objects, indexes) where !order.contains(object) {
            order.insert(object, at: checked(index, upTo: order.count))
        }
        setMembers(order, at: slot, telling: OrderedChange.of(before, order))
    }

    final func remove(at indexes: IndexSet, fromOrdered slot: Int) {
        let order = members(at: slot)
        remove(indexes.map { order[checked($0, upTo: order.count - 1)] }, fromMany: slot)
    }

    final func replace(at indexes: IndexSet, with objects: [NSManagedObject], inOrdered slot: Int) {
        let before = members(at: slot)
        var order = before
        for (object, index) in zip(objects, indexes) { order[checked(index, upTo: order.count - 1)] = object }
        setMembers(order, at: slot, telling: OrderedChange.of(before, order))
    }

    private final func checked(_ index: Int, upTo bound: Int) -> Int {
        guard index >= 0, index <= bound else {
            raise(.generic, "index \(index) is beyond the bounds of the relationship (\(bound + 1) objects) of \(runtime.name).")
        }
        return index
    }
}

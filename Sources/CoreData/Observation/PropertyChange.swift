/// How one property of an object is about to change.
enum PropertyChange {
    /// To another value altogether.
    case setting
    /// An unordered to-many's membership.
    case members(NSKeyValueSetMutationKind, Set<NSManagedObject>)
    /// An ordered to-many's objects at these places.
    case indexed(NSKeyValueChange, IndexSet)
}

/// What is known of a change before it happens.
struct ChangeOutline {
    let kind: NSKeyValueChange
    var indexes: IndexSet?
    /// Objects that will leave; nil when the whole value counts.
    var leaving: Any?
    /// Objects that will join; nil when they are known only afterwards, or the whole value counts.
    var joining: Any?

    static var setting: ChangeOutline { ChangeOutline(kind: .setting) }
}

extension NSManagedObject {
    /// A change of the property `key`, with the objects it is about.
    func outline(_ change: PropertyChange, forKey key: String) -> ChangeOutline {
        switch change {
        case .setting: return .setting
        case .members(let mutation, let objects):
            let current = Set(collection(forKey: key))
            switch mutation {
            case .union: return ChangeOutline(kind: .insertion, joining: Self.set(objects.subtracting(current)))
            case .minus: return ChangeOutline(kind: .removal, leaving: Self.set(objects.intersection(current)))
            case .intersect: return ChangeOutline(kind: .removal, leaving: Self.set(current.subtracting(objects)))
            case .set:
                return ChangeOutline(
                    kind: .replacement, leaving: Self.set(current.subtracting(objects)), joining: Self.set(objects.subtracting(current)))
            }
        case .indexed(let kind, let indexes):
            let leaving = kind == .insertion ? nil : objects(at: indexes, forKey: key)
            return ChangeOutline(kind: kind, indexes: indexes, leaving: leaving)
        }
    }

    private static func set(_ objects: Set<NSManagedObject>) -> NSSet { NSSet(array: Array(objects)) }

    /// The objects of an ordered collection at some places; places beyond its end are left out.
    func objects(at indexes: IndexSet, forKey key: String) -> NSArray {
        let all = collection(forKey: key)
        return NSArray(array: indexes.compactMap { all.indices.contains($0) ? all[$0] : nil })
    }

    private func collection(forKey key: String) -> [NSManagedObject] {
        if let property = runtime.resolved.property(named: key) {
            return property.storage == .toMany ? members(at: property.slot) : []
        }
        switch value(forKey: key) {
        case let set as NSSet: return set.allObjects.compactMap { $0 as? NSManagedObject }
        case let set as NSOrderedSet: return set.array.compactMap { $0 as? NSManagedObject }
        case let list as [NSManagedObject]: return list
        default: return []
        }
    }
}

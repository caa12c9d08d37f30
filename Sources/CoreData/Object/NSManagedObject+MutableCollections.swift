import CoreDataSchema

extension NSManagedObject {
    final func liveSet(_ key: String) -> NSMutableSet { RelationshipSet(self, toMany(key, isOrdered: false)) }

    final func liveOrderedSet(_ key: String) -> NSMutableOrderedSet { RelationshipOrderedSet(self, toMany(key, isOrdered: true)) }

    /// A to-many as primitive access hands it out: changes reach this side alone.
    final func primitiveCollection(of property: ResolvedProperty) -> Any {
        property.relationship?.isOrdered == true
            ? RelationshipOrderedSet(self, property, isPrimitive: true) : RelationshipSet(self, property, isPrimitive: true)
    }

    private final func toMany(_ key: String, isOrdered: Bool) -> ResolvedProperty {
        guard let property = runtime.resolved.property(named: key) else {
            raise(.unknownKey, "the entity \(runtime.name) is not key value coding-compliant for the key “\(key)”.")
        }
        guard property.storage == .toMany, property.relationship?.isOrdered == isOrdered else {
            raise(.invalidArgument, "The property “\(runtime.name).\(key)” is no \(isOrdered ? "ordered" : "unordered") to-many "
                + "relationship: it has no mutable \(isOrdered ? "ordered set" : "set").")
        }
        return property
    }

    final func lastKey(of keyPath: String) -> String {
        keyPath.lastIndex(of: ".").map { String(keyPath[keyPath.index(after: $0)...]) } ?? keyPath
    }

    final func owner(of keyPath: String) -> NSManagedObject {
        guard let dot = keyPath.lastIndex(of: ".") else { return self }
        guard let owner = value(forKeyPath: String(keyPath[..<dot])) as? NSManagedObject else {
            raise(.invalidArgument, "The key path “\(keyPath)” leads from \(runtime.name) to no object that could hold a collection.")
        }
        return owner
    }
}

extension NSManagedObject {
    /// The managed object that a collection was given; anything else stops the program.
    final func member(_ object: Any, of property: ResolvedProperty) -> NSManagedObject {
        guard let object = object as? NSManagedObject else { refuse(member: object, of: property) }
        return object
    }
}

/// A to-many relationship of an object as a set.
///
/// Invariant: reads and writes go to the relationship. Foundation's bridge to Swift sets alone reads the storage that was
/// filled at the start.
private final class RelationshipSet: NSMutableSet {
    private let owner: NSManagedObject
    private let property: ResolvedProperty
    private let isPrimitive: Bool

    init(_ owner: NSManagedObject, _ property: ResolvedProperty, isPrimitive: Bool = false) {
        self.owner = owner
        self.property = property
        self.isPrimitive = isPrimitive
        let members: [AnyObject] = owner.members(at: property.slot)
        super.init(objects: members, count: members.count)
    }

    required init(capacity: Int) { raise(.invalidArgument, "A relationship’s set is only made by mutableSetValue(forKey:).") }
    required init?(coder: NSCoder) { nil }

    private var members: [NSManagedObject] { owner.members(at: property.slot) }

    override var count: Int { members.count }
    override func member(_ object: Any) -> Any? {
        guard let object = object as? NSManagedObject else { return nil }
        return members.first { $0 === object }
    }
    override func objectEnumerator() -> NSEnumerator { (members as NSArray).objectEnumerator() }
    override func add(_ object: Any) { addObjects(from: [object]) }
    override func addObjects(from array: [Any]) {
        let objects = array.map { owner.member($0, of: property) }
        if isPrimitive { return owner.putPrimitive(members + objects, at: property.slot) }
        owner.add(objects, toMany: property.slot)
    }
    override func remove(_ object: Any) { if let object = object as? NSManagedObject { remove([object]) } }
    override func removeAllObjects() { keep { _ in false } }
    override func minus(_ otherSet: Set<AnyHashable>) { remove(otherSet.compactMap { $0.base as? NSManagedObject }) }
    override func intersect(_ otherSet: Set<AnyHashable>) { keep { otherSet.contains($0) } }
    override func union(_ otherSet: Set<AnyHashable>) { addObjects(from: otherSet.map(\.base)) }
    override func setSet(_ otherSet: Set<AnyHashable>) {
        let objects = otherSet.map { owner.member($0.base, of: property) }
        if isPrimitive { return owner.putPrimitive(objects, at: property.slot) }
        owner.setMembers(objects, at: property.slot, telling: .members(.set, Set(objects)))
    }

    private func remove(_ objects: [NSManagedObject]) {
        if isPrimitive { return owner.putPrimitive(members.filter { !objects.contains($0) }, at: property.slot) }
        owner.remove(objects, fromMany: property.slot)
    }

    private func keep(_ isKept: (NSManagedObject) -> Bool) { remove(members.filter { !isKept($0) }) }

    // A copy is a set of its own.
    override func copy(with zone: NSZone? = nil) -> Any { NSSet(array: members) }
    override func mutableCopy(with zone: NSZone? = nil) -> Any { NSMutableSet(array: members) }
}

/// An ordered to-many relationship of an object as an ordered set.
///
/// Invariant: outside of a mutation the inherited storage is what the relationship held at the last read or write; each
/// outermost mutation writes it through. (Foundation reads that storage in methods that cannot be overridden.)
private final class RelationshipOrderedSet: NSMutableOrderedSet {
    private let owner: NSManagedObject
    private let property: ResolvedProperty
    private let isPrimitive: Bool
    private var depth = 0

    init(_ owner: NSManagedObject, _ property: ResolvedProperty, isPrimitive: Bool = false) {
        self.owner = owner
        self.property = property
        self.isPrimitive = isPrimitive
        super.init(capacity: 0)
        super.addObjects(from: owner.members(at: property.slot))
    }

    required init(arrayLiteral elements: Any...) {
        raise(.invalidArgument, "A relationship’s ordered set is only made by mutableOrderedSetValue(forKey:).")
    }
    required init?(coder: NSCoder) { nil }

    /// Brings the storage up to date, unless a mutation is under way.
    private func synchronize() {
        guard depth == 0 else { return }
        // Foundation asks for `count` in all of these.
        depth += 1
        defer { depth -= 1 }
        let current = owner.members(at: property.slot)
        if super.count == current.count, zip(array, current).allSatisfy({ $0 as AnyObject === $1 }) { return }
        super.removeAllObjects()
        super.addObjects(from: current)
    }

    private func mutate(_ change: () -> Void) {
        synchronize()
        depth += 1
        defer { depth -= 1 }
        let before = depth == 1 ? owner.members(at: property.slot) : []
        change()
        guard depth == 1 else { return }
        let after = array.map { owner.member($0, of: property) }
        if isPrimitive { return owner.putPrimitive(after, at: property.slot) }
        owner.setMembers(after, at: property.slot, telling: OrderedChange.of(before, after))
    }

    override var count: Int {
        synchronize()
        return super.count
    }
    // The subscript is left to Foundation, which leads it here and to `replaceObject`.
    override func object(at index: Int) -> Any {
        synchronize()
        return super.object(at: index)
    }
    override func index(of object: Any) -> Int {
        synchronize()
        return super.index(of: object)
    }

    override func insert(_ object: Any, at index: Int) { mutate { super.insert(object, at: index) } }
    override func insert(_ objects: [Any], at indexes: IndexSet) { mutate { super.insert(objects, at: indexes) } }
    override func add(_ object: Any) { mutate { super.add(object) } }
    override func addObjects(from array: [Any]) { mutate { super.addObjects(from: array) } }
    override func setObject(_ object: Any, at index: Int) { mutate { super.setObject(object, at: index) } }
    override func replaceObject(at index: Int, with object: Any) { mutate { super.replaceObject(at: index, with: object) } }
    override func replaceObjects(at indexes: IndexSet, with objects: [Any]) {
        mutate { super.replaceObjects(at: indexes, with: objects) }
    }
    override func remove(_ object: Any) { mutate { super.remove(object) } }
    override func removeObject(at index: Int) {
        mutate {
            if depth == 1 { require(index) }
            super.removeObject(at: index)
        }
    }

    /// Stops the program at a place that is not there, naming the relationship.
    private func require(_ index: Int) {
        guard index < 0 || index >= super.count else { return }
        raise(.range, "The ordered relationship “\(owner.runtime.name).\(property.name)” has no object at index \(index): "
            + (super.count == 0 ? "it is empty." : "it has \(super.count)."))
    }
    override func removeObjects(at indexes: IndexSet) { mutate { super.removeObjects(at: indexes) } }
    override func removeObjects(in array: [Any]) { mutate { super.removeObjects(in: array) } }
    override func removeAllObjects() { mutate { super.removeAllObjects() } }
    override func exchangeObject(at first: Int, withObjectAt second: Int) {
        mutate { super.exchangeObject(at: first, withObjectAt: second) }
    }
    override func moveObjects(at indexes: IndexSet, to index: Int) { mutate { super.moveObjects(at: indexes, to: index) } }
    override func intersect(_ other: NSOrderedSet) { mutate { super.intersect(other) } }
    override func minus(_ other: NSOrderedSet) { mutate { super.minus(other) } }
    override func union(_ other: NSOrderedSet) { mutate { super.union(other) } }
    override func intersectSet(_ other: Set<AnyHashable>) { mutate { super.intersectSet(other) } }
    override func minusSet(_ other: Set<AnyHashable>) { mutate { super.minusSet(other) } }
    override func unionSet(_ other: Set<AnyHashable>) { mutate { super.unionSet(other) } }
    override func sort(comparator: (Any, Any) -> ComparisonResult) { mutate { super.sort(comparator: comparator) } }
    override func sort(using sortDescriptors: [NSSortDescriptor]) {
        mutate {
            let sorted = NSArray(array: array).sortedArray(using: sortDescriptors)
            super.removeAllObjects()
            super.addObjects(from: sorted)
        }
    }
    override func sort(options: NSSortOptions = [], usingComparator comparator: (Any, Any) -> ComparisonResult) {
        mutate { super.sort(options: options, usingComparator: comparator) }
    }
    override func sortRange(
        _ range: NSRange, options: NSSortOptions = [], usingComparator comparator: (Any, Any) -> ComparisonResult
    ) { mutate { super.sortRange(range, options: options, usingComparator: comparator) } }

    // A copy is an ordered set of its own.
    override func copy(with zone: NSZone? = nil) -> Any {
        synchronize()
        return NSOrderedSet(array: array)
    }
    override func mutableCopy(with zone: NSZone? = nil) -> Any {
        synchronize()
        return NSMutableOrderedSet(array: array)
    }
}

import CoreData

/// What one object should show: written for the test, on numbers, and knowing nothing of the engine.
struct ExpectedThing: Equatable {
    static let defaultCount = 7

    let kind: Kind
    var title: String?
    var count: Int? = ExpectedThing.defaultCount
    /// Members of each relationship, by the shape's number; at most one for a to-one, in order for an ordered one.
    var links: [[Int]]
    var isDeleted = false

    init(kind: Kind) {
        self.kind = kind
        links = Array(repeating: [], count: Shape.all.count)
    }

    /// Equality as a reader sees it: the order of an unordered relationship is nobody's business.
    func shows(the other: ExpectedThing) -> Bool {
        guard kind == other.kind, title == other.title, count == other.count, isDeleted == other.isDeleted else { return false }
        return Shape.all.indices.allSatisfy { shape in
            links[shape] == other.links[shape]
                || !Shape.all[shape].isOrdered && links[shape].count == other.links[shape].count
                && Set(links[shape]) == Set(other.links[shape])
        }
    }
}

/// A graph of numbered objects with Core Data's rules of inverses and deletion, in the plainest words.
///
/// Deleted objects stay, marked, until a save: undo may want them, and deny rules read them.
struct ExpectedGraph {
    var things: [Int: ExpectedThing] = [:]
    /// Deleted, but the delete rules have not been followed yet.
    private(set) var unpropagated: [Int] = []
    /// Objects changed since somebody last emptied it, and those that would have been if the context knew them.
    var touched: Set<Int> = []
    var missed: Set<Int> = []

    func isLive(_ number: Int) -> Bool { things[number].map { !$0.isDeleted } ?? false }
    var live: [Int] { things.filter { !$0.value.isDeleted }.keys.sorted() }

    mutating func insert(_ number: Int, _ kind: Kind) {
        things[number] = ExpectedThing(kind: kind)
        touched.insert(number)
    }

    mutating func set(_ number: Int, title: String?) {
        things[number]?.title = title
        touched.insert(number)
    }

    mutating func set(_ number: Int, count: Int?) {
        things[number]?.count = count
        touched.insert(number)
    }

    // MARK: Relationships

    /// Gives a relationship exactly these members; the other sides follow.
    mutating func link(_ number: Int, _ shape: Int, to members: [Int]) {
        var seen = Set<Int>()
        let wanted = members.filter { seen.insert($0).inserted }
        let old = things[number]?.links[shape] ?? []
        things[number]?.links[shape] = wanted
        touched.insert(number)
        // A to-many without inverse is a column of its members' rows: two contexts must not both write it.
        if Shape.all[shape].isToMany, Shape.all[shape].inverse == nil { touched.formUnion(old + wanted) }
        for member in old where !seen.contains(member) { lose(member, owner: number, shape) }
        for member in wanted where !old.contains(member) { gain(member, owner: number, shape) }
    }

    private mutating func lose(_ member: Int, owner: Int, _ shape: Int) {
        guard let inverse = Shape.all[shape].inverse, !(member == owner && inverse == shape) else { return }
        unlink(member, inverse, from: owner)
    }

    private mutating func gain(_ member: Int, owner: Int, _ shape: Int) {
        guard let inverse = Shape.all[shape].inverse, !(member == owner && inverse == shape) else { return }
        if !Shape.all[inverse].isToMany, let previous = things[member]?.links[inverse].first, previous != owner {
            unlink(previous, shape, from: member)
            things[member]?.links[inverse] = []
        }
        guard things[member]?.links[inverse].contains(owner) == false else { return }
        things[member]?.links[inverse].append(owner)
        touched.insert(member)
    }

    private mutating func unlink(_ number: Int, _ shape: Int, from member: Int) {
        if things[number] == nil { missed.insert(number) }
        guard let index = things[number]?.links[shape].firstIndex(of: member) else { return }
        things[number]?.links[shape].remove(at: index)
        touched.insert(number)
    }

    // MARK: Deletion

    mutating func delete(_ number: Int) {
        guard isLive(number) else { return }
        things[number]?.isDeleted = true
        unpropagated.append(number)
        touched.insert(number)
    }

    /// Follows the delete rules of what was deleted since the last time.
    mutating func propagate() {
        var doomed = unpropagated.filter { things[$0]?.isDeleted == true }
        unpropagated = []
        var next = 0
        while next < doomed.count {
            let number = doomed[next]
            next += 1
            forEachLink(of: number, ruled: [.cascadeDeleteRule]) { graph, _, member in
                if graph.things[member] == nil { graph.missed.insert(member) }
                guard graph.isLive(member) else { return }
                graph.things[member]?.isDeleted = true
                graph.touched.insert(member)
                doomed.append(member)
            }
        }
        for number in doomed {
            forEachLink(of: number, ruled: [.cascadeDeleteRule, .nullifyDeleteRule]) { graph, shape, member in
                guard let inverse = Shape.all[shape].inverse, graph.things[member]?.isDeleted != true else { return }
                graph.unlink(member, inverse, from: number)
            }
        }
    }

    private mutating func forEachLink(
        of number: Int, ruled rules: [NSDeleteRule], _ body: (inout ExpectedGraph, _ shape: Int, _ member: Int) -> Void
    ) {
        guard let thing = things[number] else { return }
        for shape in Shape.ofKind[thing.kind.rawValue] where rules.contains(Shape.all[shape].rule) {
            for member in thing.links[shape] { body(&self, shape, member) }
        }
    }

    /// Whether a deny rule forbids the deletion of an object.
    func isDenied(_ number: Int) -> Bool {
        guard let thing = things[number] else { return false }
        return Shape.ofKind[thing.kind.rawValue].contains { shape in
            Shape.all[shape].rule == .denyDeleteRule && thing.links[shape].contains(where: isLive)
        }
    }

    var hasUnpropagated: Bool { !unpropagated.isEmpty }

    mutating func forgetDeletions() { unpropagated = [] }

    /// The first pair whose two sides disagree, but for those of different age: the test's own rules must hold before they
    /// judge anybody.
    func disagreement(butFor stale: Set<Int>) -> String? {
        for (number, thing) in things where !thing.isDeleted && !stale.contains(number) {
            for shape in Shape.ofKind[thing.kind.rawValue] {
                guard let inverse = Shape.all[shape].inverse else { continue }
                for member in thing.links[shape]
                where isLive(member) && !stale.contains(member) && things[member]?.links[inverse].contains(number) != true {
                    return "\(number).\(Shape.all[shape].name) has \(member), whose \(Shape.all[inverse].name) lacks \(number)"
                }
            }
        }
        return nil
    }
}

/// A family of contexts over one store, as the test expects it.
///
/// Changes of one context reach another one through saves and merges only. Until then the other may show either version of
/// the objects concerned (`stale`), and the run leaves those objects alone there.
struct ExpectedWorld {
    var store: [Int: ExpectedThing] = [:]
    var contexts: [ExpectedContext]

    func ancestors(of context: Int) -> [Int] {
        guard let parent = contexts[context].parent else { return [] }
        return [parent] + ancestors(of: parent)
    }

    func descendants(of context: Int) -> [Int] {
        contexts.indices.filter { ancestors(of: $0).contains(context) }
    }

    /// Whether a context may change these objects: it knows their newest state, and nobody but its ancestors has changes.
    func mayTouch(_ numbers: Set<Int>, in context: Int) -> Bool {
        guard contexts[context].stale.isDisjoint(with: numbers) else { return false }
        let ancestors = ancestors(of: context)
        return contexts.indices.allSatisfy { other in
            other == context || ancestors.contains(other) || contexts[other].dirty.isDisjoint(with: numbers)
        }
    }

    /// What a context fetches from: its parent's objects or the store's.
    func source(of context: Int) -> [Int: ExpectedThing] {
        contexts[context].parent.map { contexts[$0].graph.things } ?? store
    }

    private func staleInSource(of context: Int) -> Set<Int> { contexts[context].parent.map { contexts[$0].stale } ?? [] }

    /// Descendants may still show what these objects were.
    mutating func markStale(_ numbers: Set<Int>, below context: Int) {
        for descendant in descendants(of: context) { contexts[descendant].stale.formUnion(numbers) }
    }

    /// A context's changes go to its parent or the store. The caller has processed it, and asked `mayBeSaved`.
    mutating func save(_ context: Int) {
        let numbers = contexts[context].dirty
        let things = contexts[context].graph.things
        if let parent = contexts[context].parent {
            push(numbers, things, from: context, to: parent)
        } else {
            for number in numbers { store[number] = things[number].flatMap { $0.isDeleted ? nil : $0 } }
        }
        contexts[context].settle()
        for other in contexts.indices where other != context {
            let isBeside = contexts[other].parent == contexts[context].parent
            let isBelow = contexts[other].parent == context
            if isBeside { contexts[other].stale.formUnion(numbers) }
            if isBeside { markStale(numbers, below: other) }
            if isBeside || isBelow, contexts[other].mergesAutomatically { merge(numbers, into: other) }
        }
    }

    private mutating func push(_ numbers: Set<Int>, _ things: [Int: ExpectedThing], from context: Int, to parent: Int) {
        let known = contexts[context].base
        // What was made and deleted before any save never gets there.
        let passed = numbers.filter { number in things[number].map { !$0.isDeleted || known[number] != nil } ?? false }
        if passed.isEmpty { return }
        contexts[parent].edit { graph in
            for number in passed {
                graph.things[number] = things[number]
                graph.touched.insert(number)
            }
        }
        contexts[parent].process()
    }

    /// A context takes over what was saved beside or above it, but for its own changes.
    mutating func merge(_ numbers: Set<Int>, into context: Int) {
        let source = source(of: context), staleAbove = staleInSource(of: context)
        contexts[context].process()
        for number in numbers where !staleAbove.contains(number) {
            contexts[context].stale.remove(number)
            if !contexts[context].dirty.contains(number) { contexts[context].take(number, source[number]) }
        }
        if !numbers.isEmpty { contexts[context].forgetUndo() }
        markStale(numbers, below: context)
        for child in toldAlong(with: context) { merge(numbers, into: child) }
    }

    /// Children that take over by themselves what a context takes over.
    func toldAlong(with context: Int) -> [Int] {
        contexts.indices.filter { contexts[$0].parent == context && contexts[$0].mergesAutomatically }
    }

    /// Every clean object is read again.
    mutating func refreshAll(_ context: Int) {
        contexts[context].process()
        let source = source(of: context), staleAbove = staleInSource(of: context)
        if !contexts[context].stale.isEmpty { contexts[context].forgetUndo() }
        markStale(contexts[context].stale, below: context)
        for number in contexts[context].stale.subtracting(staleAbove) {
            if !contexts[context].dirty.contains(number) { contexts[context].take(number, source[number]) }
        }
        contexts[context].stale.formIntersection(staleAbove)
    }

    mutating func rollback(_ context: Int) {
        markStale(contexts[context].dirty, below: context)
        contexts[context].rollback()
    }

    mutating func reset(_ context: Int) {
        rollback(context)
        markStale(contexts[context].stale, below: context)
        let source = source(of: context).filter { !$0.value.isDeleted }
        contexts[context].graph = ExpectedGraph(things: source)
        contexts[context].base = source
        contexts[context].stale = staleInSource(of: context)
    }

    /// Whether a deny rule stands against the save.
    func isDenied(_ context: Int) -> Bool {
        contexts[context].deleted.contains { contexts[context].graph.isDenied($0) }
    }
}

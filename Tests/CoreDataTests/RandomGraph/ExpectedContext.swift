/// What one context should show, what it started from, and its way back.
struct ExpectedContext {
    /// Number of the parent context; nil on the coordinator.
    let parent: Int?
    let mergesAutomatically: Bool
    let hasUndo: Bool
    var graph = ExpectedGraph()
    /// Live objects as the parent or store had them when this context last took them over.
    var base: [Int: ExpectedThing] = [:]
    /// Objects touched since the last save.
    var dirty: Set<Int> = []
    /// Objects that changed behind the context's back: it may show either version.
    var stale: Set<Int> = []
    /// Deleted by others: whoever still holds one sees it listed as deleted.
    var gone: Set<Int> = []
    /// Groups of events.
    private(set) var undoStack: [[Step]] = []
    private(set) var redoStack: [[Step]] = []
    /// The events of the open group.
    private(set) var group: [Step]?
    /// The objects before the current event; nil while nothing was touched in it.
    private var eventStart: [Int: ExpectedThing]?
    private var eventTouched: Set<Int> = []

    struct Step {
        /// Each object that differs, before the event.
        var before: [Int: ExpectedThing?] = [:]
        /// Those that were set to what they were, too: going back counts as touching them again.
        var touched: Set<Int>
    }

    init(parent: Int?, mergesAutomatically: Bool, hasUndo: Bool) {
        self.parent = parent
        self.mergesAutomatically = mergesAutomatically
        self.hasUndo = hasUndo
    }

    var inserted: Set<Int> { Set(graph.live.filter { base[$0] == nil }) }
    var deleted: Set<Int> { Set(base.keys.filter { !graph.isLive($0) && !stale.contains($0) }) }
    /// Live objects that show something else than what was taken over.
    var changed: Set<Int> {
        dirty.filter { number in
            guard let now = graph.things[number], !now.isDeleted, let base = base[number] else { return false }
            return !now.shows(the: base)
        }
    }
    var canUndo: Bool { !undoStack.isEmpty || eventStart != nil || group?.isEmpty == false }

    /// Makes a change, as part of the current event.
    mutating func edit(_ change: (inout ExpectedGraph) -> Void) {
        if eventStart == nil { eventStart = graph.things }
        change(&graph)
        collect()
    }

    private mutating func collect() {
        dirty.formUnion(graph.touched)
        eventTouched.formUnion(graph.touched)
        graph.touched = []
        graph.missed = []
    }

    /// Follows delete rules and closes the event.
    mutating func process() {
        graph.propagate()
        collect()
        defer { eventTouched = [] }
        guard let start = eventStart else { return }
        eventStart = nil
        guard hasUndo else { return }
        let step = step(from: start, touching: eventTouched)
        if group == nil { undoStack.append([step]) } else { group?.append(step) }
        redoStack = []
    }

    mutating func beginGroup() { group = [] }

    mutating func endGroup() {
        if let group, !group.isEmpty { undoStack.append(group) }
        group = nil
    }

    /// The way back from now to some earlier objects.
    private func step(from start: [Int: ExpectedThing], touching touched: Set<Int>) -> Step {
        var step = Step(touched: touched)
        for (number, thing) in start where graph.things[number] != thing { step.before[number] = .some(thing) }
        for number in graph.things.keys where start[number] == nil { step.before[number] = .some(nil) }
        return step
    }

    mutating func undo() {
        process()
        endGroup()
        guard let steps = undoStack.popLast() else { return }
        redoStack.append(takeBack(steps))
    }

    mutating func redo() {
        process()
        guard let steps = redoStack.popLast() else { return }
        undoStack.append(takeBack(steps))
    }

    private mutating func takeBack(_ steps: [Step]) -> [Step] {
        var reverse: [Step] = []
        for step in steps.reversed() { reverse.append(takeBack(step)) }
        return reverse
    }

    private mutating func takeBack(_ step: Step) -> Step {
        let start = graph.things
        for (number, before) in step.before { takeBack(number, to: before) }
        graph.forgetDeletions()
        dirty.formUnion(step.touched)
        return self.step(from: start, touching: step.touched)
    }

    private mutating func takeBack(_ number: Int, to before: ExpectedThing?) {
        if let before, !before.isDeleted {
            graph.things[number] = before
        } else if base[number] != nil || before != nil && graph.things[number] != nil {
            // Saved meanwhile: what was not there then is deleted now.
            let kind = graph.things[number]?.kind ?? base[number]?.kind ?? .alpha
            graph.things[number] = before ?? ExpectedThing(kind: kind)
            graph.things[number]?.isDeleted = true
        } else {
            graph.things[number] = nil
        }
    }

    mutating func forgetUndo() {
        undoStack = []
        redoStack = []
        if group != nil { group = [] }
    }

    /// Drops all changes and the way back.
    mutating func rollback() {
        forgetUndo()
        eventStart = nil
        eventTouched = []
        for number in dirty { graph.things[number] = base[number] }
        graph.forgetDeletions()
        graph.touched = []
        dirty = []
    }

    /// What the source has now, for one object that has no changes here.
    mutating func take(_ number: Int, _ thing: ExpectedThing?) {
        let thing = thing?.isDeleted == true ? nil : thing
        graph.things[number] = thing
        base[number] = thing
        if thing == nil { gone.insert(number) }
    }

    /// The save went through: deleted objects are no more.
    mutating func settle() {
        for (number, thing) in graph.things where thing.isDeleted { graph.things[number] = nil }
        for number in dirty { base[number] = graph.things[number] }
        dirty = []
    }
}

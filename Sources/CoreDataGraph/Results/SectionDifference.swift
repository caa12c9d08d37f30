/// Elements in order, cut into named sections.
///
/// Invariant: section names are unique, and every element of a section stands after those of the sections before it.
package struct SectionedList<Element: Hashable> {
    package struct Section: Equatable {
        package var name: String
        package var start: Int
        package var count: Int
    }

    package private(set) var elements: [Element] = []
    package private(set) var sections: [Section] = []

    package init() {}

    /// nil when a name comes again after another one: the elements are not in the order of their sections.
    package init?(_ elements: [Element], sectionName: ((Element) -> String)?) {
        self.elements = elements
        guard let sectionName else {
            sections = [Section(name: "", start: 0, count: elements.count)]
            return
        }
        var seen = Set<String>()
        for (index, element) in elements.enumerated() {
            let name = sectionName(element)
            if sections.last?.name == name {
                sections[sections.count - 1].count += 1
            } else {
                guard seen.insert(name).inserted else { return nil }
                sections.append(Section(name: name, start: index, count: 1))
            }
        }
    }

    /// Section and row of a position.
    package func path(of index: Int) -> SectionPath {
        var (low, high) = (0, sections.count - 1)
        while low < high {
            let middle = (low + high + 1) / 2
            if sections[middle].start <= index { low = middle } else { high = middle - 1 }
        }
        return SectionPath(section: low, row: index - (sections.isEmpty ? 0 : sections[low].start))
    }
}

package struct SectionPath: Hashable, Sendable {
    package var section: Int
    package var row: Int

    package init(section: Int, row: Int) {
        self.section = section
        self.row = row
    }
}

/// What happened between two lists, in Apple's terms: deletions and sources of moves count before, insertions and targets after.
package struct SectionChanges<Element: Hashable> {
    package var deletedSections: [Int] = []
    package var insertedSections: [Int] = []
    package var deletions: [(element: Element, at: SectionPath)] = []
    package var insertions: [(element: Element, at: SectionPath)] = []
    package var moves: [(element: Element, from: SectionPath, to: SectionPath)] = []
    package var updates: [(element: Element, at: SectionPath)] = []

    package var isEmpty: Bool {
        deletedSections.isEmpty && insertedSections.isEmpty && deletions.isEmpty && insertions.isEmpty && moves.isEmpty && updates.isEmpty
    }
}

/// Compares two lists of the same elements, some of which were touched.
package enum SectionDifference {
    /// `touched` are the elements that may have changed; the others keep their order among themselves. A touched element that
    /// kept its place among the others is an update, also where insertions and deletions shifted its path. Never is a move
    /// reported from a path to itself (FR12: where a batch brings that about it is a deletion and an insertion), nor an update
    /// beside a move (FR13).
    package static func changes<Element>(
        from old: SectionedList<Element>, to new: SectionedList<Element>, touched: Set<Element>
    ) -> SectionChanges<Element> {
        var changes = SectionChanges<Element>()
        let oldNames = Set(old.sections.map(\.name)), newNames = Set(new.sections.map(\.name))
        changes.deletedSections = old.sections.indices.filter { !newNames.contains(old.sections[$0].name) }
        changes.insertedSections = new.sections.indices.filter { !oldNames.contains(new.sections[$0].name) }

        var oldPlaces: [Element: Int] = [:], newPlaces: [Element: Int] = [:]
        for (index, element) in old.elements.enumerated() where touched.contains(element) { oldPlaces[element] = index }
        for (index, element) in new.elements.enumerated() where touched.contains(element) { newPlaces[element] = index }
        for (element, index) in oldPlaces where newPlaces[element] == nil { changes.deletions.append((element, old.path(of: index))) }
        for (element, index) in newPlaces where oldPlaces[element] == nil { changes.insertions.append((element, new.path(of: index))) }
        let stayed = Set(oldPlaces.keys.filter { newPlaces[$0] != nil })
        let moved = movers(from: old, to: new, touched: touched, stayed: stayed)
        for element in stayed {
            guard let before = oldPlaces[element], let after = newPlaces[element] else { continue }
            let (from, to) = (old.path(of: before), new.path(of: after))
            let changesSection = old.sections[from.section].name != new.sections[to.section].name
            if !changesSection, !moved.contains(element) {
                changes.updates.append((element, from))
            } else if from != to {
                changes.moves.append((element, from, to))
            } else {
                // It changed its place among the others, and they shifted so that its path is the old one.
                changes.deletions.append((element, from))
                changes.insertions.append((element, to))
            }
        }
        changes.deletions.sort { precedes($0.at, $1.at) }
        changes.insertions.sort { precedes($0.at, $1.at) }
        changes.moves.sort { precedes($0.to, $1.to) }
        changes.updates.sort { precedes($0.at, $1.at) }
        return changes
    }

    private static func precedes(_ left: SectionPath, _ right: SectionPath) -> Bool {
        (left.section, left.row) < (right.section, right.row)
    }

    /// Touched elements that changed their place among the untouched ones, or among themselves within one gap of those.
    private static func movers<Element>(
        from old: SectionedList<Element>, to new: SectionedList<Element>, touched: Set<Element>, stayed: Set<Element>
    ) -> Set<Element> {
        var oldGaps: [Element: (gap: Int, order: Int)] = [:]
        var gap = 0
        for (order, element) in old.elements.enumerated() {
            if stayed.contains(element) { oldGaps[element] = (gap, order) } else if !touched.contains(element) { gap += 1 }
        }
        var moved = Set<Element>()
        var run: [(element: Element, order: Int)] = []
        func closeRun() {
            let kept = longestIncreasing(run.map(\.order))
            for (index, entry) in run.enumerated() where !kept.contains(index) { moved.insert(entry.element) }
            run = []
        }
        gap = 0
        for element in new.elements {
            if stayed.contains(element), let before = oldGaps[element] {
                if before.gap == gap { run.append((element, before.order)) } else { moved.insert(element) }
            } else if !touched.contains(element) {
                closeRun()
                gap += 1
            }
        }
        closeRun()
        return moved
    }

    /// Indices of a longest increasing subsequence.
    private static func longestIncreasing(_ values: [Int]) -> Set<Int> {
        var tails: [Int] = [], previous = [Int](repeating: -1, count: values.count)
        for index in values.indices {
            var (low, high) = (0, tails.count)
            while low < high {
                let middle = (low + high) / 2
                if values[tails[middle]] < values[index] { low = middle + 1 } else { high = middle }
            }
            if low > 0 { previous[index] = tails[low - 1] }
            if low == tails.count { tails.append(index) } else { tails[low] = index }
        }
        var kept = Set<Int>()
        var next = tails.last ?? -1
        while next >= 0 {
            kept.insert(next)
            next = previous[next]
        }
        return kept
    }
}

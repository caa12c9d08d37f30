/// Puts items that changed where they belong in a list, and says what that changed.
///
/// The cost depends on how many items changed, not on how many there are: beside searches by halves, two neighbours are
/// compared for each.
package struct ResultRevision {
    private struct Member {
        let candidate: ResultCandidate
        let place: ItemPlace
        let section: ResultListSection
    }

    private let list: ResultList
    private let order: any ResultOrder
    private var members: [Member] = []
    private var arriving: [ResultCandidate] = []
    private var candidates: [ResultItem: ResultCandidate] = [:]

    /// Revises `list`. `sectionWillGo` is called with each section that loses all it has, before it does.
    package static func revise(
        _ list: ResultList, _ candidates: [ResultCandidate], order: any ResultOrder,
        sectionWillGo: (ResultListSection) -> Void = { _ in }
    ) -> SectionChanges<ResultItem> {
        var revision = ResultRevision(list: list, order: order)
        revision.find(candidates)
        let joining = revision.whoseOrderIsBroken()
        revision.takeOut(joining, sectionWillGo)
        revision.putIn(joining)
        return revision.changes()
    }

    private init(list: ResultList, order: any ResultOrder) {
        self.list = list
        self.order = order
    }

    private mutating func find(_ all: [ResultCandidate]) {
        for candidate in all {
            candidates[candidate.item] = candidate
            if let place = list.place(of: candidate.item) {
                members.append(Member(candidate: candidate, place: place, section: list.sections[place.section]))
            } else if candidate.matches {
                arriving.append(candidate)
            }
        }
        members.sort { $0.place < $1.place }
    }

    // MARK: Who stays

    /// Members that match and are not in order where they stand. One that is stays there, also among its equals.
    private func whoseOrderIsBroken() -> [ResultItem] {
        var broken: [ResultItem] = [], index = 0
        while index < members.count {
            var end = index
            while end + 1 < members.count, list.place(after: members[end].place) == members[end + 1].place { end += 1 }
            var before = neighbour(of: members[index].place, list.place(before:))
            let after = neighbour(of: members[end].place, list.place(after:))
            for member in members[index...end] where member.candidate.matches {
                let item = member.candidate.item
                let isInOrder = member.candidate.section == member.section.name
                    && before.map { order.compare($0, item) <= 0 } ?? true && after.map { order.compare(item, $0) <= 0 } ?? true
                if isInOrder { before = item } else { broken.append(item) }
            }
            index = end + 1
        }
        return broken
    }

    /// The next item that is where it belongs.
    private func neighbour(of place: ItemPlace, _ step: (ItemPlace) -> ItemPlace?) -> ResultItem? {
        var place = step(place)
        while let current = place {
            let item = list.item(at: current)
            if candidates[item] == nil, order.isSettled(item) { return item }
            place = step(current)
        }
        return nil
    }

    // MARK: Moving

    private func takeOut(_ joining: [ResultItem], _ sectionWillGo: (ResultListSection) -> Void) {
        let broken = Set(joining)
        let leaving = members.filter { !$0.candidate.matches || broken.contains($0.candidate.item) }
        if list.hasSections {
            var losses: [Int: Int] = [:]
            for member in leaving { losses[member.place.section, default: 0] += 1 }
            for (index, loss) in losses where list.sections[index].count == loss { sectionWillGo(list.sections[index]) }
        }
        for member in leaving { list.remove(member.candidate.item) }
    }

    private func putIn(_ broken: [ResultItem]) {
        for item in order.sorted(broken + arriving.map(\.item)) {
            let precedes = order.search(for: item)
            let section = section(named: candidates[item]?.section ?? "", precedes)
            list.insert(item, into: section, at: list.upperBound(in: section, precedes))
        }
    }

    /// The section of a name, made where the order wants it if there is none.
    private func section(named name: String, _ precedes: (ResultItem) -> Bool?) -> ResultListSection {
        guard list.hasSections else { return list.sections[0] }
        let known = list.byName[name]
        if let known, known.count > 0 { return known }
        let position = list.upperBoundOfSections(precedes)
        // One that has just been emptied is the same section, unless others stand between.
        if let known, let old = list.sections.firstIndex(where: { $0 === known }),
           list.sections[min(old, position)..<max(old, position)].allSatisfy({ $0.count == 0 }) { return known }
        return list.insertSection(named: name, at: position)
    }

    // MARK: Saying so

    private func changes() -> SectionChanges<ResultItem> {
        var changes = SectionChanges<ResultItem>()
        (changes.deletedSections, changes.insertedSections) = list.settleSections()
        var shifts: [ObjectIdentifier: SectionShift] = [:]
        for member in members {
            let item = member.candidate.item, section = ObjectIdentifier(member.section)
            guard let to = list.place(of: item) else {
                changes.deletions.append(.init(item: item, place: member.place))
                shifts[section, default: SectionShift()].left.append(member.place.item)
                continue
            }
            let passage = SectionChanges<ResultItem>.Passage(item: item, from: member.place, to: to)
            if list.sections[to.section] === member.section {
                shifts[section, default: SectionShift()].residents.append(passage)
            } else {
                shifts[section, default: SectionShift()].left.append(member.place.item)
                shifts[ObjectIdentifier(list.sections[to.section]), default: SectionShift()].arrived.append(to.item)
                changes.move(passage)
            }
        }
        for candidate in arriving {
            guard let place = list.place(of: candidate.item) else { continue }
            changes.insertions.append(.init(item: candidate.item, place: place))
            shifts[ObjectIdentifier(list.sections[place.section]), default: SectionShift()].arrived.append(place.item)
        }
        for shift in shifts.values { shift.tell(&changes, itemAt: list.item(at:)) }
        changes.sort()
        return changes
    }
}

/// What happened to the rows of one section that stays: which items of it are said to move and which to be updated.
///
/// Items that did not change keep their order among one another. An item's rank is how many of those stand before it.
struct SectionShift {
    /// Old rows of items that left, new rows of items that came.
    var left: [Int] = []
    var arrived: [Int] = []
    /// Changed items that are in the section before and after.
    var residents: [SectionChanges<ResultItem>.Passage] = []

    /// A resident whose place is the same is an update whatever it passed on the way (FR12), and what it passed moves. The
    /// other residents move unless they keep their order with all that does not; as few of them as possible.
    func tell(_ changes: inout SectionChanges<ResultItem>, itemAt: (ItemPlace) -> ResultItem) {
        guard let sections = residents.first.map({ (old: $0.from.section, new: $0.to.section) }) else { return }
        let residents = residents.sorted { $0.from < $1.from }
        let old = (left + residents.map(\.from.item)).sorted(), new = (arrived + residents.map(\.to.item)).sorted()
        let fixed = residents.filter { $0.from == $0.to }.map(\.from.item)
        let passed = passed(by: fixed, old, new)
        for rank in passed {
            let from = ItemPlace(section: sections.old, item: Self.row(of: rank, among: old))
            let to = ItemPlace(section: sections.new, item: Self.row(of: rank, among: new))
            changes.move(.init(item: itemAt(to), from: from, to: to))
        }
        /// How much of what stays stands before a row.
        func staying(before row: Int, among touched: [Int]) -> [Int] {
            let rank = row - touched.countBelow(row)
            return [rank - passed.countBelow(rank), fixed.countBelow(row)]
        }
        var run: [SectionChanges<ResultItem>.Passage] = [], runStart: [Int] = []
        func close() {
            let stays = Set(IncreasingSubsequence.indices(of: run.map(\.to.item)))
            for (index, passage) in run.enumerated() {
                if stays.contains(index) { changes.updates.append(passage) } else { changes.move(passage) }
            }
            run = []
        }
        for resident in residents {
            if resident.from == resident.to {
                changes.updates.append(resident)
                continue
            }
            let start = staying(before: resident.from.item, among: old)
            guard start == staying(before: resident.to.item, among: new) else {
                changes.move(resident)
                continue
            }
            if start != runStart { close() }
            runStart = start
            run.append(resident)
        }
        close()
    }

    /// The ranks of unchanged items that items at the same place before and after have passed, ascending.
    private func passed(by fixed: [Int], _ old: [Int], _ new: [Int]) -> [Int] {
        var ranks: [Int] = []
        for row in fixed {
            let before = row - old.countBelow(row), after = row - new.countBelow(row)
            // Both ends ascend from one fixed row to the next: what was noted already is the beginning.
            let unnoted = ranks.last.map { $0 + 1 } ?? 0
            ranks += max(min(before, after), unnoted)..<max(before, after, unnoted)
        }
        return ranks
    }

    /// The row of the unchanged item of a rank, beside changed ones at the rows `touched`.
    private static func row(of rank: Int, among touched: [Int]) -> Int {
        // Touched rows before the wanted row: those with fewer than `rank + 1` unchanged rows before them.
        var low = 0, high = touched.count
        while low < high {
            let middle = (low + high) / 2
            if touched[middle] - middle <= rank { low = middle + 1 } else { high = middle }
        }
        return rank + low
    }
}

extension [Int] {
    /// How many of the ascending numbers are below one.
    fileprivate func countBelow(_ number: Int) -> Int {
        var low = 0, high = count
        while low < high {
            let middle = (low + high) / 2
            if self[middle] < number { low = middle + 1 } else { high = middle }
        }
        return low
    }
}

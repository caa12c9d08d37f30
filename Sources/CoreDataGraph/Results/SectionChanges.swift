/// What leads from one list of sections to another.
///
/// Invariant: deleted sections, deletions and where a move or update comes from are places in the old list; inserted
/// sections, insertions and where a move or update goes to are places in the new one. Each list ascends by its first
/// place. An item is in one of the lists only, but for one that would move from a place to the same place while sections
/// come and go around it: that one is deleted and inserted. No move has equal places.
package struct SectionChanges<Item: Hashable> {
    package struct Entry: Equatable {
        package var item: Item
        package var place: ItemPlace

        package init(item: Item, place: ItemPlace) {
            self.item = item
            self.place = place
        }
    }

    package struct Passage: Equatable {
        package var item: Item
        package var from: ItemPlace
        package var to: ItemPlace

        package init(item: Item, from: ItemPlace, to: ItemPlace) {
            self.item = item
            self.from = from
            self.to = to
        }
    }

    package var deletedSections: [Int] = []
    package var insertedSections: [Int] = []
    package var deletions: [Entry] = []
    package var insertions: [Entry] = []
    package var moves: [Passage] = []
    /// Touched items that stay in order with their neighbours; their places differ when neighbours come or go.
    package var updates: [Passage] = []

    package init() {}

    package var isEmpty: Bool {
        deletedSections.isEmpty && insertedSections.isEmpty && deletions.isEmpty && insertions.isEmpty && moves.isEmpty
            && updates.isEmpty
    }
}

extension SectionChanges: Equatable {}

extension SectionChanges {
    /// Notes a move. Between sections that come or go one may lead to where it came from, and no view can move a row there to
    /// where it is: that is a deletion and an insertion.
    mutating func move(_ passage: Passage) {
        if passage.from == passage.to {
            deletions.append(.init(item: passage.item, place: passage.from))
            insertions.append(.init(item: passage.item, place: passage.to))
        } else {
            moves.append(passage)
        }
    }

    mutating func sort() {
        deletions.sort { $0.place < $1.place }
        insertions.sort { $0.place < $1.place }
        moves.sort { $0.from < $1.from }
        updates.sort { $0.from < $1.from }
    }
}

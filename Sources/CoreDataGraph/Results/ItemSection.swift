/// Items under a name, in order.
///
/// Invariant: no item stands twice among the sections of one list.
package struct ItemSection<Item: Hashable>: Equatable {
    package var name: String
    package var items: [Item]

    package init(name: String, items: [Item]) {
        self.name = name
        self.items = items
    }
}

/// Where an item stands: the section's index, and the item's in it.
package struct ItemPlace: Hashable, Comparable, Sendable {
    package var section: Int
    package var item: Int

    package init(section: Int, item: Int) {
        self.section = section
        self.item = item
    }

    package static func < (left: ItemPlace, right: ItemPlace) -> Bool {
        left.section != right.section ? left.section < right.section : left.item < right.item
    }
}

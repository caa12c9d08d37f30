/// How a list is sorted, and what can be told of its items just now.
package protocol ResultOrder {
    /// Negative, zero or positive, by what the list is sorted by; zero for equals.
    func compare(_ left: ResultItem, _ right: ResultItem) -> Int

    /// For a search: whether an item of the list stands before `item`, equals in a fixed order too. nil is an item that
    /// changed without its place having followed yet, and says nothing.
    func search(for item: ResultItem) -> (ResultItem) -> Bool?

    /// Whether an item's place is the one its values ask for.
    func isSettled(_ item: ResultItem) -> Bool

    /// In order, equals in a fixed one.
    func sorted(_ items: [ResultItem]) -> [ResultItem]
}

/// An item that changed, with what it is now.
package struct ResultCandidate {
    package var item: ResultItem
    /// Whether it belongs to the results.
    package var matches: Bool
    /// The name of its section, if it does.
    package var section: String

    package init(item: ResultItem, matches: Bool, section: String) {
        self.item = item
        self.matches = matches
        self.section = section
    }
}

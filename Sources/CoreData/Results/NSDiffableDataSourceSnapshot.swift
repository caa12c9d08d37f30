/// Identifiers in sections: the content of a list as a value (UIKit's and AppKit's type elsewhere). A results controller
/// gives its delegate one of section names and object IDs.
///
/// Adding an identifier that is there already, or naming one that is not, stops the program, as it raises at Apple's.
public struct NSDiffableDataSourceSnapshot<SectionIdentifierType: Hashable, ItemIdentifierType: Hashable> {
    var contents = SnapshotContents<SectionIdentifierType, ItemIdentifierType>()

    /// A snapshot of nothing.
    public init() {}

    // MARK: Reading

    /// How many items all sections have.
    public var numberOfItems: Int { contents.homes.count }
    /// How many sections there are.
    public var numberOfSections: Int { contents.sections.count }
    /// The sections' identifiers in order.
    public var sectionIdentifiers: [SectionIdentifierType] { contents.sections }
    /// All items' identifiers in order.
    public var itemIdentifiers: [ItemIdentifierType] { contents.allItems }
    /// Sections to show again although their identifier stayed.
    public var reloadedSectionIdentifiers: [SectionIdentifierType] { contents.reloadedSections }
    /// Items to show again although their identifier stayed; from a results controller, those that changed.
    public var reloadedItemIdentifiers: [ItemIdentifierType] { contents.reloadedItems }
    /// Items to show again in the cell they have.
    public var reconfiguredItemIdentifiers: [ItemIdentifierType] { contents.reconfiguredItems }

    /// How many items a section has.
    public func numberOfItems(inSection identifier: SectionIdentifierType) -> Int { itemIdentifiers(inSection: identifier).count }

    /// A section's items in order.
    public func itemIdentifiers(inSection identifier: SectionIdentifierType) -> [ItemIdentifierType] {
        _ = contents.require(identifier)
        return contents.items[identifier] ?? []
    }

    /// The section an item is in; nil for an item that is not there.
    public func sectionIdentifier(containingItem identifier: ItemIdentifierType) -> SectionIdentifierType? { contents.homes[identifier] }

    /// An item's index among all items; nil for one that is not there.
    public func indexOfItem(_ identifier: ItemIdentifierType) -> Int? { contents.index(of: identifier) }

    /// A section's index; nil for one that is not there.
    public func indexOfSection(_ identifier: SectionIdentifierType) -> Int? { contents.sections.firstIndex(of: identifier) }

    // MARK: Sections

    /// Adds sections at the end.
    public mutating func appendSections(_ identifiers: [SectionIdentifierType]) { contents.append(identifiers) }

    /// Adds sections before another one.
    public mutating func insertSections(_ identifiers: [SectionIdentifierType], beforeSection toIdentifier: SectionIdentifierType) {
        contents.insert(identifiers, at: contents.require(toIdentifier))
    }

    /// Adds sections after another one.
    public mutating func insertSections(_ identifiers: [SectionIdentifierType], afterSection toIdentifier: SectionIdentifierType) {
        contents.insert(identifiers, at: contents.require(toIdentifier) + 1)
    }

    /// Takes sections out, with their items.
    public mutating func deleteSections(_ identifiers: [SectionIdentifierType]) { contents.delete(identifiers) }

    /// Moves a section before another one.
    public mutating func moveSection(_ identifier: SectionIdentifierType, beforeSection toIdentifier: SectionIdentifierType) {
        contents.move(identifier, to: toIdentifier, after: 0)
    }

    /// Moves a section after another one.
    public mutating func moveSection(_ identifier: SectionIdentifierType, afterSection toIdentifier: SectionIdentifierType) {
        contents.move(identifier, to: toIdentifier, after: 1)
    }

    /// Marks sections to be shown again.
    public mutating func reloadSections(_ identifiers: [SectionIdentifierType]) { contents.reload(sections: identifiers) }

    // MARK: Items

    /// Adds items at the end of a section, the last one by itself.
    public mutating func appendItems(_ identifiers: [ItemIdentifierType], toSection sectionIdentifier: SectionIdentifierType? = nil) {
        contents.append(identifiers, to: sectionIdentifier)
    }

    /// Adds items before another one.
    public mutating func insertItems(_ identifiers: [ItemIdentifierType], beforeItem beforeIdentifier: ItemIdentifierType) {
        contents.insert(identifiers, beside: beforeIdentifier, after: 0)
    }

    /// Adds items after another one.
    public mutating func insertItems(_ identifiers: [ItemIdentifierType], afterItem afterIdentifier: ItemIdentifierType) {
        contents.insert(identifiers, beside: afterIdentifier, after: 1)
    }

    /// Takes items out.
    public mutating func deleteItems(_ identifiers: [ItemIdentifierType]) { contents.delete(items: identifiers) }

    /// Takes everything out, the sections too.
    public mutating func deleteAllItems() { contents.deleteAll() }

    /// Moves an item before another one, also of another section.
    public mutating func moveItem(_ identifier: ItemIdentifierType, beforeItem toIdentifier: ItemIdentifierType) {
        contents.move(identifier, beside: toIdentifier, after: 0)
    }

    /// Moves an item after another one, also of another section.
    public mutating func moveItem(_ identifier: ItemIdentifierType, afterItem toIdentifier: ItemIdentifierType) {
        contents.move(identifier, beside: toIdentifier, after: 1)
    }

    /// Marks items to be shown again.
    public mutating func reloadItems(_ identifiers: [ItemIdentifierType]) { contents.reload(identifiers) }

    /// Marks items to be shown again in the cell they have.
    public mutating func reconfigureItems(_ identifiers: [ItemIdentifierType]) { contents.reconfigure(identifiers) }
}

extension NSDiffableDataSourceSnapshot: Sendable where SectionIdentifierType: Sendable, ItemIdentifierType: Sendable {}

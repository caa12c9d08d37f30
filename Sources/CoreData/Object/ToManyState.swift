import CoreDataSchema

/// One to-many relationship of one object: what the store has, once loaded, and what changed since.
///
/// Invariants: `added` and `removed` are disjoint, and hold before the members are loaded too, so that an inverse can be
/// kept without firing the relationship. When `members` is set it is the store's membership with both applied.
package final class ToManyState {
    package let isOrdered: Bool
    /// Current members; nil while the relationship is a fault.
    package private(set) var members: KeyMembers?
    package private(set) var added: Set<RowKey> = []
    package private(set) var removed: Set<RowKey> = []
    package private(set) var isReordered = false
    /// The order an ordered relationship had when it turned into a fault with changes; nil while it is loaded.
    private var wantedOrder: [RowKey]?
    /// The stored order, once an ordered relationship differs from it.
    private var storedOrder: [RowKey]?
    /// Keys added and removed in the current event, and an ordered relationship's order before it.
    private var eventChanges: [EventChange] = []
    private var eventOrder: [RowKey]?

    package init(isOrdered: Bool, members: [RowKey]? = nil) {
        self.isOrdered = isOrdered
        self.members = members.map { KeyMembers($0, isOrdered: isOrdered) }
    }

    package var isChanged: Bool { isReordered || !added.isEmpty || !removed.isEmpty }

    /// Takes in what the store has; changes made before are applied to it.
    package func load(_ stored: [RowKey]) {
        var loaded = KeyMembers(stored, isOrdered: isOrdered)
        added = added.filter { !loaded.contains($0) }
        removed = removed.filter { loaded.contains($0) }
        storedOrder = isOrdered && isChanged ? stored : nil
        for key in removed { loaded.remove(key) }
        for key in wantedOrder?.filter(added.contains) ?? [] { loaded.append(key) }
        for key in added { loaded.append(key) }
        if isReordered, let wantedOrder { loaded.arrange(wantedOrder) }
        wantedOrder = nil
        members = loaded
    }

    /// Takes in what the store has now under changes made here: members keep the order they have, what others added follows.
    package func reload(_ stored: [RowKey]) {
        guard let members else { return load(stored) }
        let newer = Set(stored)
        added = added.filter { !newer.contains($0) }
        removed = removed.filter { newer.contains($0) }
        var keys = members.keys.filter { newer.contains($0) || added.contains($0) }
        let known = Set(keys)
        keys += stored.filter { !known.contains($0) && !removed.contains($0) }
        self.members = KeyMembers(keys, isOrdered: isOrdered)
        isReordered = isOrdered && keys != stored
        storedOrder = isOrdered && isChanged ? stored : nil
    }

    /// What the store has, in its order; empty while the relationship is a fault.
    package var storedKeys: [RowKey] {
        if let storedOrder { return storedOrder }
        return (members?.keys ?? []).filter { !added.contains($0) } + Array(removed)
    }

    private func keepOrders() {
        guard isOrdered else { return }
        if storedOrder == nil, !isChanged { storedOrder = members?.order }
        if eventOrder == nil { eventOrder = members?.order }
    }

    private struct EventChange {
        var key: RowKey
        let isAdded: Bool
    }

    package var isChangedInEvent: Bool { !eventChanges.isEmpty || eventOrder != nil }

    /// The members before the current event; the relationship must be loaded.
    package var keysBeforeEvent: [RowKey] {
        if let eventOrder { return eventOrder }
        var keys = members?.set ?? []
        for change in eventChanges.reversed() { if change.isAdded { keys.remove(change.key) } else { keys.insert(change.key) } }
        return Array(keys)
    }

    package func endEvent() {
        if !eventChanges.isEmpty { eventChanges = [] }
        eventOrder = nil
    }

    /// Whether the membership changed (or may have, while it is a fault).
    @discardableResult
    package func add(_ key: RowKey, at index: Int? = nil) -> Bool {
        if members?.contains(key) == true { return false }
        keepOrders()
        eventChanges.append(EventChange(key: key, isAdded: true))
        members?.insert(key, at: index)
        if removed.remove(key) == nil {
            added.insert(key)
        } else if isOrdered {
            isReordered = true
            noteOrder()
        }
        return true
    }

    @discardableResult
    package func remove(_ key: RowKey) -> Bool {
        if members?.contains(key) == false { return false }
        keepOrders()
        eventChanges.append(EventChange(key: key, isAdded: false))
        members?.remove(key)
        if added.remove(key) == nil { removed.insert(key) }
        return true
    }

    /// Puts an ordered relationship's members into a new order; membership must be the same.
    package func reorder(_ keys: [RowKey]) {
        guard let members, members.order != keys else { return }
        keepOrders()
        self.members = KeyMembers(keys, isOrdered: true)
        isReordered = true
        noteOrder()
    }

    /// Put back as it was, an ordered relationship has not changed.
    private func noteOrder() {
        if added.isEmpty, removed.isEmpty, let members, members.order == storedOrder { isReordered = false }
    }

    /// The current membership is what the store has now.
    package func settle() {
        added = []
        removed = []
        isReordered = false
        wantedOrder = nil
        storedOrder = nil
    }

    /// Back to a fault; changes are kept or dropped.
    package func turnIntoFault(keepingChanges: Bool) {
        guard keepingChanges else {
            members = nil
            settle()
            return
        }
        if isOrdered, isChanged, let members { wantedOrder = members.order }
        members = nil
        storedOrder = nil
    }

    /// Temporary keys that became permanent.
    package func rewrite(_ map: (RowKey) -> RowKey?) {
        if var current = members {
            current.rewrite(map)
            members = current
        }
        added = Set(added.map { map($0) ?? $0 })
        removed = Set(removed.map { map($0) ?? $0 })
        // Two of them may have become one.
        func rewritten(_ order: [RowKey]) -> [RowKey] { KeyMembers(order.map { map($0) ?? $0 }, isOrdered: true).order }
        wantedOrder = wantedOrder.map(rewritten)
        storedOrder = storedOrder.map(rewritten)
        for index in eventChanges.indices {
            if let new = map(eventChanges[index].key) { eventChanges[index].key = new }
        }
        eventOrder = eventOrder.map(rewritten)
    }

    package func copy() -> ToManyState {
        let copy = ToManyState(isOrdered: isOrdered)
        copy.members = members
        copy.added = added
        copy.removed = removed
        copy.isReordered = isReordered
        copy.wantedOrder = wantedOrder
        copy.storedOrder = storedOrder
        return copy
    }
}

/// The members of a to-many: a set, and their order when it has one.
package struct KeyMembers: Equatable {
    package private(set) var `set`: Set<RowKey>
    /// Empty for unordered relationships.
    package private(set) var order: [RowKey]
    private let isOrdered: Bool

    package init(_ keys: [RowKey], isOrdered: Bool) {
        self.isOrdered = isOrdered
        self.set = Set(keys)
        order = []
        if isOrdered {
            order = keys
            if self.set.count != keys.count {
                var seen = Set<RowKey>()
                order = keys.filter { seen.insert($0).inserted }
            }
        }
    }

    package var count: Int { self.set.count }
    package var keys: [RowKey] { isOrdered ? order : Array(self.set) }
    package func contains(_ key: RowKey) -> Bool { self.set.contains(key) }

    package mutating func append(_ key: RowKey) { insert(key, at: nil) }

    package mutating func insert(_ key: RowKey, at index: Int?) {
        guard self.set.insert(key).inserted, isOrdered else { return }
        if let index { order.insert(key, at: min(max(0, index), order.count)) } else { order.append(key) }
    }

    package mutating func remove(_ key: RowKey) {
        guard self.set.remove(key) != nil, isOrdered, let index = order.firstIndex(of: key) else { return }
        order.remove(at: index)
    }

    /// Puts those named into the order they are named in; others stay behind them.
    package mutating func arrange(_ keys: [RowKey]) {
        guard isOrdered else { return }
        let named = Set(keys)
        order = keys.filter(self.set.contains) + order.filter { !named.contains($0) }
    }

    package mutating func rewrite(_ map: (RowKey) -> RowKey?) {
        self = KeyMembers(keys.map { map($0) ?? $0 }, isOrdered: isOrdered)
    }
}

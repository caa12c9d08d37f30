/// A set of property slots; the first 64 without allocation.
///
/// Invariant: `high` does not end in an empty word, so sets with the same members are equal.
package struct SlotSet: Sendable, Hashable {
    @usableFromInline var low: UInt64 = 0
    @usableFromInline var high: [UInt64] = []

    @inlinable package init() {}

    /// The slots from 0 up to one less than `count`.
    @inlinable package init(below count: Int) {
        if count <= 64 {
            low = count == 64 ? .max : 1 << UInt64(count) - 1
        } else {
            for slot in 0..<count { insert(slot) }
        }
    }

    @inlinable package var isEmpty: Bool { low == 0 && high.allSatisfy { $0 == 0 } }

    @inlinable package func contains(_ slot: Int) -> Bool {
        if slot < 64 { return low & (1 << UInt64(slot)) != 0 }
        let word = slot / 64 - 1
        return word < high.count && high[word] & (1 << UInt64(slot % 64)) != 0
    }

    @inlinable package mutating func insert(_ slot: Int) {
        if slot < 64 {
            low |= 1 << UInt64(slot)
            return
        }
        let word = slot / 64 - 1
        while high.count <= word { high.append(0) }
        high[word] |= 1 << UInt64(slot % 64)
    }

    @inlinable package mutating func remove(_ slot: Int) {
        if slot < 64 {
            low &= ~(1 << UInt64(slot))
            return
        }
        let word = slot / 64 - 1
        if word >= high.count { return }
        high[word] &= ~(1 << UInt64(slot % 64))
        while high.last == 0 { high.removeLast() }
    }

    @inlinable package mutating func removeAll() {
        low = 0
        if !high.isEmpty { high.removeAll(keepingCapacity: true) }
    }

    package func isSubset(of other: SlotSet) -> Bool {
        guard low & ~other.low == 0, high.count <= other.high.count else { return false }
        return high.isEmpty || high.indices.allSatisfy { high[$0] & ~other.high[$0] == 0 }
    }

    package mutating func formUnion(_ other: SlotSet) {
        low |= other.low
        for (word, bits) in other.high.enumerated() {
            while high.count <= word { high.append(0) }
            high[word] |= bits
        }
    }

    /// Slots in ascending order.
    package var slots: [Int] {
        var result: [Int] = []
        forEach { result.append($0) }
        return result
    }

    @inlinable package func forEach(_ body: (Int) -> Void) {
        var bits = low
        while bits != 0 {
            body(bits.trailingZeroBitCount)
            bits &= bits - 1
        }
        for (word, value) in high.enumerated() {
            var bits = value
            while bits != 0 {
                body((word + 1) * 64 + bits.trailingZeroBitCount)
                bits &= bits - 1
            }
        }
    }
}

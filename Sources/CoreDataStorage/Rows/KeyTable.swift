/// An open-addressing table from primary key to value: ten nanoseconds where `Dictionary` takes hundreds.
///
/// Invariant: linear probing without tombstones (removal shifts back), load at most ⅝; key 0 is never used (it is
/// ignored) and marks a free place.
///
/// `public` although no product shows it: the compiler specialises and inlines generic code across modules only then, and
/// unspecialised it is ten times slower.
@frozen
public struct KeyTable<Value> {
    @usableFromInline var keys: ContiguousArray<Int64> = []
    @usableFromInline var values: ContiguousArray<Value?> = []
    @usableFromInline var shift: UInt64 = 64
    @usableFromInline var used = 0
    @inlinable public var count: Int { used }

    @inlinable public init() {}

    @inlinable func place(of key: Int64) -> Int {
        // Primary keys are dense and come in order: runs of eight stay side by side, in one cache line, and the runs scatter.
        let run = (UInt64(bitPattern: key) >> 3) &* 0x9E37_79B9_7F4A_7C15
        return Int(truncatingIfNeeded: (run >> (shift &+ 3)) << 3 | UInt64(bitPattern: key) & 7)
    }

    /// Where a key stands; nil when it does not.
    @inlinable func index(of key: Int64) -> Int? {
        guard count > 0 else { return nil }
        var index = place(of: key)
        let mask = keys.count - 1
        while keys[index] != 0 {
            if keys[index] == key { return index }
            index = (index + 1) & mask
        }
        return nil
    }

    @inlinable public subscript(key: Int64) -> Value? {
        get { index(of: key).flatMap { values[$0] } }
        set {
            if let newValue { insert(newValue, for: key) } else { remove(key) }
        }
    }

    /// The value that stood there before.
    @inlinable @discardableResult
    public mutating func insert(_ value: Value, for key: Int64) -> Value? {
        if key == 0 { return nil }
        if (count + 1) * 8 > keys.count * 5 { grow(to: max(16, keys.count * 2)) }
        var index = place(of: key)
        let mask = keys.count - 1
        while keys[index] != 0 {
            if keys[index] == key {
                let old = values[index]
                values[index] = value
                return old
            }
            index = (index + 1) & mask
        }
        keys[index] = key
        values[index] = value
        used += 1
        return nil
    }

    @inlinable @discardableResult
    public mutating func remove(_ key: Int64) -> Value? {
        guard count > 0, key != 0 else { return nil }
        let mask = keys.count - 1
        var index = place(of: key)
        while keys[index] != key {
            if keys[index] == 0 { return nil }
            index = (index + 1) & mask
        }
        let removed = values[index]
        var hole = index
        var next = (index + 1) & mask
        while keys[next] != 0 {
            let home = place(of: keys[next])
            if (next - home) & mask >= (next - hole) & mask {
                keys[hole] = keys[next]
                values[hole] = values[next]
                hole = next
            }
            next = (next + 1) & mask
        }
        keys[hole] = 0
        values[hole] = nil
        used -= 1
        return removed
    }

    @inlinable public mutating func reserveCapacity(_ capacity: Int) {
        var size = max(16, keys.count)
        while capacity * 8 > size * 5 { size *= 2 }
        if size > keys.count { grow(to: size) }
    }

    @inlinable public mutating func removeAll() {
        keys = []
        values = []
        used = 0
        shift = 64
    }

    @inlinable public func forEach(_ body: (Int64, Value) throws -> Void) rethrows {
        for index in keys.indices where keys[index] != 0 {
            if let value = values[index] { try body(keys[index], value) }
        }
    }

    @inlinable mutating func grow(to size: Int) {
        let (oldKeys, oldValues) = (keys, values)
        keys = ContiguousArray(repeating: 0, count: size)
        values = ContiguousArray(repeating: nil, count: size)
        shift = UInt64(64 - size.trailingZeroBitCount)
        used = 0
        for index in oldKeys.indices where oldKeys[index] != 0 {
            if let value = oldValues[index] { insert(value, for: oldKeys[index]) }
        }
    }
}

extension KeyTable: Sendable where Value: Sendable {}

extension KeyTable where Value: AnyObject {
    /// Drops the values that only this table holds and that `mayGo` agrees to.
    @inlinable public mutating func removeUnheld(_ mayGo: (Value) -> Bool) {
        var doomed: [Int64] = []
        for index in keys.indices where keys[index] != 0 {
            guard var value = values[index].take() else { continue }
            if isKnownUniquelyReferenced(&value), mayGo(value) { doomed.append(keys[index]) }
            values[index] = value
        }
        for key in doomed { remove(key) }
    }

    /// Whether somebody besides this table holds the value of a key.
    @inlinable public mutating func isHeldElsewhere(_ key: Int64) -> Bool {
        guard let index = index(of: key) else { return false }
        return !isKnownUniquelyReferenced(&values[index])
    }
}

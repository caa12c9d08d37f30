/// Lists as statements bind them.
package enum BoundList {
    /// Few statements for many lengths: the last value is repeated up to the next power of two.
    package static func padded<Value>(_ values: [Value]) -> [Value] {
        guard let last = values.last else { return [] }
        var size = 1
        while size < values.count { size *= 2 }
        return values + Array(repeating: last, count: size - values.count)
    }
}

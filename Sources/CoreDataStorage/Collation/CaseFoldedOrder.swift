/// The order of `caseInsensitiveCompare:`: by lower-cased Unicode scalars, no locale.
enum CaseFoldedOrder {
    static func compare(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Int {
        let shared = min(left.count, right.count)
        var index = 0
        while index < shared {
            let (a, b) = (left[index], right[index])
            if a | b >= 0x80 { return compareScalars(left, right, from: index) }
            if a != b {
                let (x, y) = (lowercased(a), lowercased(b))
                if x != y { return Int(x) - Int(y) }
            }
            index += 1
        }
        return left.count - right.count
    }

    private static func lowercased(_ byte: UInt8) -> UInt8 { byte &- 65 < 26 ? byte | 0x20 : byte }

    private static func compareScalars(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer, from start: Int) -> Int {
        let a = folded(left, start), b = folded(right, start)
        if a.elementsEqual(b) { return 0 }
        return a.lexicographicallyPrecedes(b) ? -1 : 1
    }

    private static func folded(_ bytes: UnsafeRawBufferPointer, _ start: Int) -> [Unicode.Scalar] {
        String(decoding: bytes[start...], as: UTF8.self).unicodeScalars.flatMap { scalar in
            scalar.isASCII ? [Unicode.Scalar(lowercased(UInt8(scalar.value)))] : Array(scalar.properties.lowercaseMapping.unicodeScalars)
        }
    }
}

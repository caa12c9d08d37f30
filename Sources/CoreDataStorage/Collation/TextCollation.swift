/// A small, deterministic collation in the manner of the Unicode root collation, the same on every machine and in every
/// store: letters without regard to case and accents first, then accents, then case (small letters first); spaces and
/// punctuation before digits before letters. The user's locale does not change it.
enum TextCollation {
    struct Options: OptionSet {
        let rawValue: Int
        /// Small and capital letters differ when nothing else does.
        static let distinguishesCase = Options(rawValue: 1)
        /// Runs of digits compare as numbers.
        static let numeric = Options(rawValue: 2)
    }

    static func compare(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer, _ options: Options) -> Int {
        if isASCII(left) && isASCII(right) {
            return compareElements(
                left.count, right.count, options,
                { AsciiWeights.element(left[$0]) }, { AsciiWeights.element(right[$0]) })
        }
        let a = CollationElements.of(left), b = CollationElements.of(right)
        return compareElements(a.count, b.count, options, { a[$0] }, { b[$0] })
    }

    private static func isASCII(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var all: UInt8 = 0
        for byte in bytes { all |= byte }
        return all < 0x80
    }

    /// Walks both texts once: the first primary difference decides, then the first accent, then the first case difference.
    @inline(__always)
    private static func compareElements(
        _ leftCount: Int, _ rightCount: Int, _ options: Options,
        _ left: (Int) -> CollationElement, _ right: (Int) -> CollationElement
    ) -> Int {
        let isNumeric = options.contains(.numeric)
        var secondary = 0, tertiary = 0, zeros = 0
        var i = 0, j = 0
        while i < leftCount && j < rightCount {
            let a = left(i), b = right(j)
            if isNumeric && a.isDigit && b.isDigit {
                let outcome = compareNumbers(&i, leftCount, left, &j, rightCount, right)
                if outcome.value != 0 { return outcome.value }
                if zeros == 0 { zeros = outcome.zeros }
                continue
            }
            if a.primary != b.primary { return a.primary < b.primary ? -1 : 1 }
            if secondary == 0 && a.secondary != b.secondary { secondary = a.secondary < b.secondary ? -1 : 1 }
            if tertiary == 0 && a.tertiary != b.tertiary { tertiary = a.tertiary < b.tertiary ? -1 : 1 }
            i += 1
            j += 1
        }
        if i < leftCount { return 1 }
        if j < rightCount { return -1 }
        if secondary != 0 { return secondary }
        if options.contains(.distinguishesCase) && tertiary != 0 { return tertiary }
        return zeros
    }

    /// Compares two runs of digits by value and steps over them; `zeros` is the order by leading zeros, the last resort.
    @inline(__always)
    private static func compareNumbers(
        _ i: inout Int, _ leftCount: Int, _ left: (Int) -> CollationElement,
        _ j: inout Int, _ rightCount: Int, _ right: (Int) -> CollationElement
    ) -> (value: Int, zeros: Int) {
        let leftStart = i, rightStart = j
        while i < leftCount, left(i).isZero { i += 1 }
        while j < rightCount, right(j).isZero { j += 1 }
        let zeros = (i - leftStart) - (j - rightStart)
        var difference = 0
        while i < leftCount, j < rightCount, left(i).isDigit, right(j).isDigit {
            let (a, b) = (left(i).primary, right(j).primary)
            if difference == 0 && a != b { difference = a < b ? -1 : 1 }
            i += 1
            j += 1
        }
        if i < leftCount, left(i).isDigit { return (1, zeros) }
        if j < rightCount, right(j).isDigit { return (-1, zeros) }
        return (difference, zeros)
    }
}

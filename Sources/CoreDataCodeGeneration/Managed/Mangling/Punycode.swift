/// Punycode as Swift uses it in symbols: RFC 3492 with letters for digits above 25 and an underscore between the parts.
enum Punycode {
    static func encoded(_ text: String) -> String {
        let scalars = text.unicodeScalars.map(mapped)
        var output = scalars.filter { $0 < 0x80 }.map { Character(UnicodeScalar(UInt8($0))) }
        let basic = output.count
        var handled = basic, limit: UInt32 = 0x80, delta = 0, bias = 72
        if basic > 0 { output.append("_") }
        while handled < scalars.count {
            guard let next = scalars.filter({ $0 >= limit }).min() else { break }
            delta += Int(next - limit) * (handled + 1)
            limit = next
            for scalar in scalars {
                if scalar < limit { delta += 1 }
                guard scalar == limit else { continue }
                append(delta, bias, to: &output)
                bias = adapted(delta, handled + 1, isFirst: handled == basic)
                delta = 0
                handled += 1
            }
            delta += 1
            limit += 1
        }
        return String(output)
    }

    /// ASCII that no symbol can hold (raw identifiers have it) is moved where no scalar is.
    private static func mapped(_ scalar: Unicode.Scalar) -> UInt32 {
        let isPlain = scalar == "_" || scalar == "$" || scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
        return scalar.isASCII && !isPlain ? scalar.value + 0xD800 : scalar.value
    }

    private static func append(_ delta: Int, _ bias: Int, to output: inout [Character]) {
        var rest = delta, step = 36
        while true {
            let threshold = step <= bias ? 1 : step >= bias + 26 ? 26 : step - bias
            if rest < threshold { break }
            output.append(digit(threshold + (rest - threshold) % (36 - threshold)))
            rest = (rest - threshold) / (36 - threshold)
            step += 36
        }
        output.append(digit(rest))
    }

    private static func digit(_ value: Int) -> Character {
        Character(UnicodeScalar(UInt8(value < 26 ? Int(UInt8(ascii: "a")) + value : Int(UInt8(ascii: "A")) + value - 26)))
    }

    private static func adapted(_ delta: Int, _ count: Int, isFirst: Bool) -> Int {
        var delta = isFirst ? delta / 700 : delta / 2
        delta += delta / count
        var step = 0
        while delta > (36 - 1) * 26 / 2 {
            delta /= 36 - 1
            step += 36
        }
        return step + 36 * delta / (delta + 38)
    }
}

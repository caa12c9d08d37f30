/// Dates as ISO 8601 in UTC, to the last digit: what is written reads back as the very same number.
///
/// Core Data keeps seconds since 2001-01-01 as a double. Its shortest decimal is split at the point: the whole seconds become the
/// calendar's, the digits behind it stay as they are. The calendar is the Gregorian one at all times.
enum DateText {
    /// Seconds from 1970 to 2001.
    private static let offset: Int64 = 978_307_200

    /// nil for dates outside the years 0 to 9999.
    static func iso(_ seconds: Double) -> String? {
        guard seconds.isFinite, abs(seconds) < 3e11 else { return nil }
        guard let (whole, fraction) = split(seconds) else { return nil }
        let unix = whole + offset
        let day = unix >= 0 ? unix / 86_400 : -((86_399 - unix) / 86_400)
        let second = unix - day * 86_400
        let (year, month, dayOfMonth) = civil(day)
        guard (0...9999).contains(year) else { return nil }
        let clock = [second / 3600, second / 60 % 60, second % 60].map { pad(Int($0), 2) }.joined(separator: ":")
        return "\(pad(year, 4))-\(pad(month, 2))-\(pad(dayOfMonth, 2))T\(clock)\(fraction.isEmpty ? "" : "." + fraction)Z"
    }

    static func text(_ seconds: Double) -> String { iso(seconds) ?? "\(seconds)" }

    static func json(_ seconds: Double) -> JSONValue { iso(seconds).map(JSONValue.string) ?? .real(seconds) }

    /// Whole seconds, rounded down, and the decimal digits of the rest.
    private static func split(_ seconds: Double) -> (Int64, String)? {
        let text = seconds.description
        if text.contains("e") {
            // Tiny fractions: written out digit by digit.
            guard abs(seconds) < 1, let expanded = plain(text) else { return nil }
            return split(text: expanded)
        }
        return split(text: text)
    }

    private static func split(text: String) -> (Int64, String)? {
        let isNegative = text.hasPrefix("-")
        let parts = (isNegative ? text.dropFirst() : text[...]).split(separator: ".", maxSplits: 1)
        guard let first = parts.first, let whole = Int64(first) else { return nil }
        var digits = parts.count > 1 ? String(parts[1]) : ""
        while digits.hasSuffix("0") { digits.removeLast() }
        if !isNegative { return (whole, digits) }
        if digits.isEmpty { return (-whole, "") }
        return (-whole - 1, complement(digits))
    }

    /// The digits of 1 - 0.digits; the last of them is not 0.
    private static func complement(_ digits: String) -> String {
        let values = digits.utf8.map { Int($0) - 48 }
        return values.enumerated().map { String($0 == values.count - 1 ? 10 - $1 : 9 - $1) }.joined()
    }

    /// `1.5e-05` as `0.000015`.
    private static func plain(_ text: String) -> String? {
        let isNegative = text.hasPrefix("-")
        let parts = (isNegative ? text.dropFirst() : text[...]).split(separator: "e")
        guard parts.count == 2, let exponent = Int(parts[1]), exponent < 0 else { return nil }
        let digits = parts[0].filter { $0 != "." }
        let whole = parts[0].prefix { $0 != "." }.count
        let zeros = -exponent - whole
        guard zeros >= 0 else { return nil }
        return (isNegative ? "-0." : "0.") + String(repeating: "0", count: zeros) + digits
    }

    // MARK: Reading

    /// Seconds since 2001 of `YYYY-MM-DD`, with a time, a fraction and a zone if they are there; nil when it is no date.
    static func seconds(_ text: String) -> Double? {
        var rest = Array(text.utf8)[...]
        func digits(_ count: Int) -> Int? {
            guard rest.count >= count else { return nil }
            var value = 0
            for byte in rest.prefix(count) {
                guard (48...57).contains(byte) else { return nil }
                value = value * 10 + Int(byte) - 48
            }
            rest = rest.dropFirst(count)
            return value
        }
        func skip(_ letters: String) -> Bool {
            guard let first = rest.first, letters.utf8.contains(first) else { return false }
            rest = rest.dropFirst()
            return true
        }
        guard let year = digits(4), skip("-"), let month = digits(2), skip("-"), let day = digits(2),
              (1...12).contains(month), (1...length(month, of: year)).contains(day) else { return nil }
        var second = days(year, month, day) * 86_400 - offset
        var fraction = ""
        if skip("Tt ") {
            guard let hour = digits(2), skip(":"), let minute = digits(2), hour < 24, minute < 60 else { return nil }
            var clock = 0
            if skip(":") {
                guard let value = digits(2), value < 60 else { return nil }
                clock = value
            }
            second += Int64(hour * 3600 + minute * 60 + clock)
            if skip(".,") {
                let run = rest.prefix { (48...57).contains($0) }
                guard !run.isEmpty else { return nil }
                fraction = String(decoding: run, as: UTF8.self)
                rest = rest.dropFirst(run.count)
            }
            if skip("Zz") {
            } else if let sign = rest.first, sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") {
                rest = rest.dropFirst()
                guard let hours = digits(2) else { return nil }
                _ = skip(":")
                guard let minutes = rest.isEmpty ? 0 : digits(2), hours < 24, minutes < 60 else { return nil }
                second -= Int64((hours * 3600 + minutes * 60) * (sign == UInt8(ascii: "+") ? 1 : -1))
            }
        }
        guard rest.isEmpty else { return nil }
        while fraction.hasSuffix("0") { fraction.removeLast() }
        if fraction.isEmpty { return Double(second) }
        if second >= 0 { return Double("\(second).\(fraction)") }
        return Double("-\(-second - 1).\(complement(fraction))")
    }

    // MARK: Calendar

    private static func pad(_ value: Int, _ width: Int) -> String {
        let text = String(value)
        return String(repeating: "0", count: max(0, width - text.count)) + text
    }

    private static func length(_ month: Int, of year: Int) -> Int {
        if month == 2 { return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28 }
        return [4, 6, 9, 11].contains(month) ? 30 : 31
    }

    /// Days since 1970 of a date; years begin in March here, so that the leap day is the last.
    private static func days(_ year: Int, _ month: Int, _ day: Int) -> Int64 {
        let marchYear = month <= 2 ? year - 1 : year
        let era = (marchYear >= 0 ? marchYear : marchYear - 399) / 400
        let ofEra = marchYear - era * 400
        let ofYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return Int64(era * 146_097 + ofEra * 365 + ofEra / 4 - ofEra / 100 + ofYear - 719_468)
    }

    private static func civil(_ day: Int64) -> (Int, Int, Int) {
        let shifted = Int(day) + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let ofEra = shifted - era * 146_097
        let year = (ofEra - ofEra / 1460 + ofEra / 36_524 - ofEra / 146_096) / 365
        let ofYear = ofEra - (365 * year + year / 4 - year / 100)
        let month = (5 * ofYear + 2) / 153
        return (year + era * 400 + (month >= 10 ? 1 : 0), month < 10 ? month + 3 : month - 9, ofYear - (153 * month + 2) / 5 + 1)
    }
}

import CoreDataSchema

/// Why a format string is not a predicate; `position` is the UTF-16 offset in the format.
package struct PredicateFormatError: DescribedError {
    package var format: String
    package var position: Int
    package var reason: String

    package init(format: String, position: Int, reason: String) {
        self.format = format
        self.position = position
        self.reason = reason
    }

    /// 2048, a formatting error.
    package var errorCode: Int { 2048 }

    package var description: String {
        "Unable to parse the format string “\(Self.excerpt(of: format, at: position))” at position \(position): \(reason)"
    }

    /// A format short enough to read in a message: what stands around the mistake.
    static func excerpt(of format: String, at position: Int?) -> String {
        let characters = Array(format)
        guard characters.count > 120 else { return format }
        var center = 0
        if let position {
            let index = String.Index(utf16Offset: min(max(0, position), format.utf16.count), in: format)
            center = format[..<index].count
        }
        let first = max(0, min(center - 40, characters.count - 80)), last = min(characters.count, max(center + 40, 80))
        return (first > 0 ? "…" : "") + String(characters[first..<last]) + (last < characters.count ? "…" : "")
    }
}

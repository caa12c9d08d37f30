/// Why a format string is not a predicate; `position` is the UTF-16 offset in the format.
package struct PredicateFormatError: Error, Sendable, CustomStringConvertible {
    package var format: String
    package var position: Int
    package var reason: String

    package init(format: String, position: Int, reason: String) {
        self.format = format
        self.position = position
        self.reason = reason
    }

    package var description: String {
        "Unable to parse the format string “\(format)” at position \(position): \(reason)"
    }
}

import CoreDataSchema
import Foundation

extension NSPredicate {
    /// Why a format string and its arguments are not a predicate, thrown by `NSPredicate(validating:arguments:)`.
    ///
    /// Bridges to an `NSError` in `NSCocoaErrorDomain` with the code 2048 (a formatting error).
    public struct FormatError: LocalizedError, _NSErrorBridging, CustomStringConvertible, Sendable, Equatable {
        /// The format string as given.
        public let format: String
        /// Where it went wrong, in UTF-16 units from the start of `format`; nil when an argument is to blame.
        public let position: Int?
        /// What is wrong there and what to write instead.
        public let reason: String

        public static var errorDomain: String { NSCocoaErrorDomain }
        public var errorCode: Int { 2048 }
        public var errorUserInfo: [String: Any] { [NSLocalizedDescriptionKey: description] }
        public var errorDescription: String? { description }

        public var description: String {
            let place = position.map { " at position \($0)" } ?? ""
            return "Unable to parse the format string “\(PredicateFormatError.excerpt(of: format, at: position))”\(place): \(reason)"
        }
    }
}

extension NSPredicate.FormatError {
    init(_ error: PredicateFormatError) {
        self.init(format: error.format, position: error.position, reason: error.reason)
    }
}

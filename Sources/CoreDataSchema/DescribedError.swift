import Foundation

/// An error whose text is its description, wherever it surfaces: `localizedDescription` of a caught error, or of the `NSError` it
/// becomes. What `ErrorTranslation` does not give a code of Apple's of its own is a general Core Data error.
package protocol DescribedError: LocalizedError, _NSErrorBridging, CustomStringConvertible, Sendable {}

extension DescribedError {
    package static var errorDomain: String { NSCocoaErrorDomain }
    /// 134060, `NSCoreDataError`.
    package var errorCode: Int { 134060 }
    package var errorUserInfo: [String: Any] { [NSLocalizedDescriptionKey: description] }
    package var errorDescription: String? { description }
}

import CoreDataStorage
import Foundation

/// Errors of the framework in the words of somebody at a command line, who has no context and no options to set.
enum ErrorText {
    static func text(of error: any Error) -> String {
        switch error {
        case let error as StoreError: return text(of: error)
        case BatchError.notUnique(let entity, let keys, let values, _):
            return "Values that must be unique are taken: \(entity) (\(keys.joined(separator: ", "))) = (\(values.joined(separator: ", ")))."
        default: return foundation(error)
        }
    }

    private static func text(of error: StoreError) -> String {
        switch error {
        case .busy(let path, _): "The store “\(path)” is in use by another program. Try again when that one is done."
        case .readOnly(let path): "The store “\(path)” or its folder cannot be written: change its permissions."
        case .historyNotTracked(let path):
            "The store “\(path)” keeps a persistent history, which this command does not write: its app would miss the changes. Nothing was written."
        case .cannotOpen(let path, let reason):
            "“\(path)” cannot be used: \(reason.replacing(", or open the store for reading only", with: ""))"
        case .missingExternalData(let path, let attribute):
            "A value of “\(attribute)” is kept in the file “\(path)”, which is missing or cannot be read. It belongs to the store and moves with it."
        default: error.description
        }
    }

    /// Foundation's errors say what they mean in one place, ours in another; the file is in a third.
    private static func foundation(_ error: any Error) -> String {
        let foundation = error as NSError
        guard foundation.domain.hasPrefix("NS") else { return "\(error)" }
        let text = foundation.localizedDescription
        let path = foundation.userInfo[NSFilePathErrorKey] as? String ?? (foundation.userInfo[NSURLErrorKey] as? URL)?.path
        return path.map { text.contains($0) ? text : "“\($0)”: \(text)" } ?? text
    }
}

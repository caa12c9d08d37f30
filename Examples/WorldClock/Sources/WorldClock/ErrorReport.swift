import NLCoreData

/// An error as the person at the terminal needs it.
enum ErrorReport {
    static func text(_ error: any Error) -> String {
        switch error {
        case let error as NSPredicate.FormatError: marked(error)
        case NLCoreDataError.storeExists(let path):
            "There is a store at \(path) already, and a seed does not overwrite it. Add --reset to start over from the seed."
        default: [error.localizedDescription, details(error)].filter { !$0.isEmpty }.joined(separator: "\n")
        }
    }

    /// Points at the place in the predicate where it went wrong.
    private static func marked(_ error: NSPredicate.FormatError) -> String {
        guard let position = error.position, !error.format.contains("\n") else { return error.description }
        let before = String(decoding: error.format.utf16.prefix(position), as: UTF16.self)
        return "\(error.description)\n\n    \(error.format)\n    \(String(repeating: " ", count: before.count))^"
    }

    /// A save that fails for several reasons has them in one error.
    private static func details(_ error: any Error) -> String {
        let errors = (error as NSError).userInfo[NSDetailedErrorsKey] as? [any Error] ?? []
        return errors.map { "  \($0.localizedDescription)" }.joined(separator: "\n")
    }
}

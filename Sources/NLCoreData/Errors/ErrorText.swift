/// An error as one text, each of several collected failures included.
enum ErrorText {
    static func describe(_ error: any Error) -> String {
        let details = (error as NSError).userInfo[NSDetailedErrorsKey] as? [any Error] ?? []
        let text = error.localizedDescription
        return details.isEmpty ? text : ([text] + details.map { "  \($0.localizedDescription)" }).joined(separator: "\n")
    }
}

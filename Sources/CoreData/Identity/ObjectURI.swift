import Foundation

/// The URI form of object IDs: `x-coredata://store UUID/Entity/p1`.
package enum ObjectURI {
    /// Names the object in its entity.
    package enum Reference: Hashable, Sendable {
        /// `p1`
        case primaryKey(Int64)
        /// `p` and the text a user's store gave.
        case text(String)
        /// `t` and a text that is unique in the process and between processes.
        case temporary(String)
    }

    /// The parts of an object URI; nil when `url` is none. The store's UUID is nil in a temporary ID without store.
    package static func parse(_ url: URL) -> (storeUUID: String?, entity: String, reference: Reference)? {
        guard url.scheme?.lowercased() == "x-coredata" else { return nil }
        let parts = url.pathComponents.filter { $0 != "/" }
        guard parts.count == 2, let entity = parts.first, !entity.isEmpty, let last = parts.last else { return nil }
        let host = url.host(percentEncoded: false).flatMap { $0.isEmpty ? nil : $0 }
        let rest = String(last.dropFirst())
        guard !rest.isEmpty else { return nil }
        switch last.first {
        case "p":
            guard let host else { return nil }
            if let key = Int64(rest), key > 0, String(key) == rest { return (host, entity, .primaryKey(key)) }
            return (host, entity, .text(rest))
        case "t": return (host, entity, .temporary(rest))
        default: return nil
        }
    }

    static func url(storeIdentifier: String?, entityName: String, reference: Reference) -> URL {
        let last = switch reference {
        case .primaryKey(let key): "p\(key)"
        case .text(let text): "p\(text)"
        case .temporary(let text): "t\(text)"
        }
        var parts = URLComponents()
        parts.scheme = "x-coredata"
        parts.host = storeIdentifier ?? ""
        parts.percentEncodedPath = "/" + escaped(entityName) + "/" + escaped(last)
        // Scheme, host and an escaped absolute path always make a URL; the other arm has no text to show.
        return parts.url ?? URL(fileURLWithPath: "/")
    }

    /// Everything in one path component: a slash in a user's reference must not split it.
    private static func escaped(_ text: String) -> String {
        text.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed.subtracting(CharacterSet(charactersIn: "/;"))) ?? ""
    }

    /// One for the process, so that temporary IDs of two processes differ.
    private static let processIdentifier = UUID().uuidString

    /// The text of a temporary (negative) primary key.
    package static func temporaryText(_ primaryKey: Int64) -> String { processIdentifier + String(primaryKey.magnitude) }

    /// The temporary primary key of a text of this process; nil for one of another.
    package static func temporaryKey(_ text: String) -> Int64? {
        guard text.hasPrefix(processIdentifier), let number = Int64(text.dropFirst(processIdentifier.count)), number > 0
        else { return nil }
        return -number
    }
}

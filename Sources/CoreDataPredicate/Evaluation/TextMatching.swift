import CoreDataSchema
import Foundation

/// BEGINSWITH, ENDSWITH and CONTAINS on texts: code units of the folded texts. The empty text is part of every text.
package enum TextMatching {
    package static func begins(_ text: String, with part: String, options: ComparisonOptions) -> Bool {
        TextFolding.fold(text, options: options).utf8.starts(with: TextFolding.fold(part, options: options).utf8)
    }

    package static func ends(_ text: String, with part: String, options: ComparisonOptions) -> Bool {
        TextFolding.fold(text, options: options).utf8.reversed()
            .starts(with: TextFolding.fold(part, options: options).utf8.reversed())
    }

    package static func contains(_ text: String, _ part: String, options: ComparisonOptions) -> Bool {
        var text = TextFolding.fold(text, options: options)
        var part = TextFolding.fold(part, options: options)
        return text.withUTF8 { haystack in part.withUTF8 { search(haystack, for: $0) } }
    }

    private static func search(_ haystack: UnsafeBufferPointer<UInt8>, for needle: UnsafeBufferPointer<UInt8>) -> Bool {
        guard let first = needle.first else { return true }
        guard needle.count <= haystack.count else { return false }
        for start in 0...(haystack.count - needle.count) where haystack[start] == first {
            var length = 1
            while length < needle.count, haystack[start + length] == needle[length] { length += 1 }
            if length == needle.count { return true }
        }
        return false
    }
}

import CoreDataPredicate
import Foundation

/// Texts as the string operators see them, by the flags our SQL functions take: 1 ignores case, 2 ignores diacritics.
enum TextForms {
    static func options(_ flags: Int) -> ComparisonOptions { ComparisonOptions(rawValue: UInt(flags & 3)) }

    static func fold(_ text: String, _ flags: Int) -> String {
        flags == 0 ? text : TextFolding.fold(text, options: options(flags))
    }

    /// Whether the bytes hold the part somewhere; the empty part is everywhere.
    static func contains(_ text: UnsafeRawBufferPointer, _ part: [UInt8]) -> Bool {
        if part.isEmpty { return true }
        guard text.count >= part.count, let start = text.baseAddress else { return false }
        return part.withUnsafeBytes { part in
            guard let wanted = part.baseAddress else { return true }
            var offset = 0
            let last = text.count - part.count
            while offset <= last, let found = memchr(start + offset, Int32(part[0]), last - offset + 1) {
                offset = UnsafeRawPointer(found) - start
                if memcmp(found, wanted, part.count) == 0 { return true }
                offset += 1
            }
            return false
        }
    }
}

import Foundation

/// One change of a source file: bytes and what takes their place.
package struct SourceEdit: Sendable, Equatable {
    /// In bytes of the text before the change.
    package var range: Range<Int>
    package var replacement: String

    package init(_ range: Range<Int>, _ replacement: String) {
        self.range = range
        self.replacement = replacement
    }

    /// The text with all edits made, which do not overlap.
    package static func apply(_ edits: [SourceEdit], to text: [UInt8]) -> [UInt8] {
        var result: [UInt8] = [], position = 0
        for edit in edits.sorted(by: { ($0.range.lowerBound, $0.range.upperBound) < ($1.range.lowerBound, $1.range.upperBound) }) {
            result += text[position..<edit.range.lowerBound]
            result += Array(edit.replacement.utf8)
            position = edit.range.upperBound
        }
        return result + text[position...]
    }

    /// The edits that take the changed text back, in bytes of that.
    package static func inverse(_ edits: [SourceEdit], of text: [UInt8]) -> [SourceEdit] {
        var result: [SourceEdit] = [], shift = 0
        for edit in edits.sorted(by: { ($0.range.lowerBound, $0.range.upperBound) < ($1.range.lowerBound, $1.range.upperBound) }) {
            let start = edit.range.lowerBound + shift, length = edit.replacement.utf8.count
            result.append(SourceEdit(start..<start + length, String(decoding: text[edit.range], as: UTF8.self)))
            shift += length - edit.range.count
        }
        return result
    }
}

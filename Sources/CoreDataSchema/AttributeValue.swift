import Foundation

/// One property's value as the engine moves it about: no `Any`, no class except the two opaque boxes.
///
/// Invariant: strings are equal when their UTF-8 is equal (SQLite's comparison), not when they are canonically equivalent.
package enum AttributeValue: Sendable {
    case null
    /// Integer 16/32/64 and Boolean (0 or 1).
    case integer(Int64)
    /// Double, Float (widened) and Date (seconds since 2001-01-01 UTC).
    case real(Double)
    case decimal(Decimal)
    /// String, and URI as its absolute string.
    case string(String)
    case uuid(UUID)
    case data(Data)
    /// A to-one relationship.
    case reference(RowKey)
    /// A transformable, object ID or undefined attribute's value as the object itself.
    case object(OpaqueObject)
    /// A composite attribute: element name to value.
    indirect case composite([String: AttributeValue])

    @inlinable package var isNull: Bool {
        if case .null = self { true } else { false }
    }
}

extension AttributeValue: Equatable {
    package static func == (left: AttributeValue, right: AttributeValue) -> Bool {
        switch (left, right) {
        case (.null, .null): true
        case (.integer(let a), .integer(let b)): a == b
        case (.real(let a), .real(let b)): a == b || (a.isNaN && b.isNaN)
        case (.decimal(let a), .decimal(let b)): a == b || (a.isNaN && b.isNaN)
        case (.string(let a), .string(let b)): a.isLiterallyEqual(to: b)
        case (.uuid(let a), .uuid(let b)): a == b
        case (.data(let a), .data(let b)): a == b
        case (.reference(let a), .reference(let b)): a == b
        case (.object(let a), .object(let b)): a == b
        case (.composite(let a), .composite(let b)): a == b
        default: false
        }
    }
}

extension AttributeValue: Hashable {
    package func hash(into hasher: inout Hasher) {
        switch self {
        case .null: hasher.combine(0)
        case .integer(let value): hasher.combine(value)
        case .real(let value): hasher.combine(value)
        case .decimal(let value): hasher.combine(value)
        case .string(let value): for byte in value.utf8 { hasher.combine(byte) }
        case .uuid(let value): hasher.combine(value)
        case .data(let value): hasher.combine(value)
        case .reference(let value): hasher.combine(value)
        case .object(let value): hasher.combine(value)
        case .composite(let value): hasher.combine(value.count)
        }
    }
}

extension String {
    /// Code-unit equality: NFC and NFD forms of one text differ, as they do in SQLite.
    @inlinable package func isLiterallyEqual(to other: String) -> Bool {
        utf8.count == other.utf8.count && utf8.elementsEqual(other.utf8)
    }
}

/// An object the engine carries without looking inside: a transformable attribute's value.
///
/// Unchecked Sendable: the box is immutable and the engine never calls the object except `isEqual` and `hash`, on the
/// queue of the context that owns it. Sharing a mutable object between contexts is the caller's act, as at Apple's.
package final class OpaqueObject: @unchecked Sendable, Hashable {
    package let value: AnyObject

    package init(_ value: AnyObject) { self.value = value }

    package static func == (left: OpaqueObject, right: OpaqueObject) -> Bool {
        if left.value === right.value { return true }
        guard let a = left.value as? NSObject, let b = right.value as? NSObject else { return false }
        return a.isEqual(b)
    }

    package func hash(into hasher: inout Hasher) {
        if let object = value as? NSObject { hasher.combine(object.hash) } else { hasher.combine(ObjectIdentifier(value)) }
    }
}

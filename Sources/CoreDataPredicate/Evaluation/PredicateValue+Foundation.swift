import Foundation

extension PredicateValue {
    /// The value as closures and callers of Foundation expect it: objects themselves, Swift values otherwise; nil for null.
    package var foundationObject: Any? {
        switch self {
        case .null: nil
        case .boolean(let value): value
        case .integer(let value): Int(value)
        case .real(let value): value
        case .decimal(let value): value
        case .string(let value): value
        case .date(let value): value
        case .data(let value): value
        case .uuid(let value): value
        case .url(let value): value
        case .reference(let value): value.referent
        case .list(let values, _): values.map { $0.foundationObject ?? NSNull() }
        case .object(let value): value.value
        }
    }
}

import CoreDataSchema

/// Why a batch was refused; nothing of it was written.
package enum BatchError: DescribedError {
    /// `row` counts from 1.
    case unknownKey(entity: String, key: String, row: Int?, advice: String)
    /// The key names something a batch cannot write.
    case unwritable(entity: String, key: String, reason: String)
    case wrongType(entity: String, key: String, expected: String, given: String, row: Int?)
    case missingValue(entity: String, key: String, row: Int)
    case outOfRange(entity: String, key: String, type: String)
    case notUnique(entity: String, keys: [String], values: [String], row: Int?)
    /// `kind` as Apple's message has it: OTO, OTM, MTO or MTM.
    case mandatoryInverse(entity: String, relationship: String, kind: String)

    package var description: String {
        switch self {
        case .unknownKey(let entity, let key, let row, let advice):
            "keypath \(key) not found in entity <\(entity)>\(Self.place(row)). \(advice)"
        case .unwritable(let entity, let key, let reason): "A batch request cannot write “\(entity).\(key)”: \(reason)"
        case .wrongType(let entity, let key, let expected, let given, let row):
            "Unacceptable type of value for “\(entity).\(key)”\(Self.place(row)): desired type = \(expected); given = \(given)."
        case .missingValue(let entity, let key, let row):
            "“\(entity).\(key)” is a required value, and row \(row) of the batch does not give it. Give it, or set a default in the model."
        case .outOfRange(let entity, let key, let type):
            "The batch update would give “\(entity).\(key)” a value that is no \(type)."
        case .notUnique(let entity, let keys, let values, let row):
            "Values that must be unique are taken: \(entity) (\(keys.joined(separator: ", "))) = (\(values.joined(separator: ", ")))"
                + "\(Self.place(row)). Change them, or set a merge policy on the context."
        case .mandatoryInverse(let entity, let relationship, let kind):
            "Constraint trigger violation: Batch delete failed due to mandatory \(kind) nullify inverse on \(entity)/\(relationship). "
                + "Make the inverse optional, cascade, or delete the rows on both sides."
        }
    }

    private static func place(_ row: Int?) -> String { row.map { " (row \($0) of the batch)" } ?? "" }
}

extension AttributeValue {
    /// A short form for messages.
    package var shortText: String {
        switch self {
        case .null: "nil"
        case .integer(let value): "\(value)"
        case .real(let value): "\(value)"
        case .decimal(let value): "\(value)"
        case .string(let text): "“\(text.prefix(80))”"
        case .uuid(let uuid): uuid.uuidString
        case .data(let data): "\(data.count) bytes"
        case .reference(let key): "p\(key.primaryKey)"
        case .object, .composite: "an object"
        }
    }
}

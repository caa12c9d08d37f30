import CoreData
import CoreDataSchema
import Foundation

/// An object's values in the words of Scripts/store-rows.py.
enum ObjectImage {
    static func name(of object: NSManagedObject) -> String {
        "\(object.entity.name ?? "?")/\(object.objectID.uriRepresentation().lastPathComponent.dropFirst())"
    }

    /// nil for what is not compared: transformables' bytes, files.
    static func values(of object: NSManagedObject) -> [String: String?] {
        var result: [String: String?] = [:]
        for (name, property) in object.entity.propertiesByName where !property.isTransient {
            if let attribute = property as? NSAttributeDescription {
                if attribute.attributeType != .undefinedAttributeType { result[name] = .some(text(object.value(forKey: name), attribute)) }
            } else if let relationship = property as? NSRelationshipDescription {
                result[name] = .some(members(object.value(forKey: name), relationship))
            }
        }
        return result
    }

    private static func members(_ value: Any?, _ relationship: NSRelationshipDescription) -> String? {
        switch value {
        case let object as NSManagedObject: name(of: object)
        case let list as NSOrderedSet: list.array.compactMap { ($0 as? NSManagedObject).map(name) }.joined(separator: ",")
        case let list as [NSManagedObject]: list.map(name).joined(separator: ",")
        case let set as Set<NSManagedObject>: set.map(name).sorted().joined(separator: ",")
        case let set as NSSet: set.compactMap { ($0 as? NSManagedObject).map(name) }.sorted().joined(separator: ",")
        default: relationship.isToMany ? "?" : nil
        }
    }

    private static func text(_ value: Any?, _ attribute: NSAttributeDescription) -> String? {
        func real(_ value: Double) -> String { "r" + hex(withUnsafeBytes(of: value.bitPattern.bigEndian) { Data($0) }) }
        guard let value else { return nil }
        switch attribute.attributeType {
        case .booleanAttributeType: return (value as? Bool).map { $0 ? "i1" : "i0" } ?? "?"
        case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType: return (value as? NSNumber).map { "i\($0.int64Value)" } ?? "?"
        case .doubleAttributeType: return (value as? NSNumber).map { real($0.doubleValue) } ?? "?"
        case .floatAttributeType: return (value as? NSNumber).map { real(Double($0.floatValue)) } ?? "?"
        case .decimalAttributeType: return (value as? NSDecimalNumber).map { $0 == .notANumber ? "dNaN" : "d\($0.decimalValue)" } ?? "?"
        default: break
        }
        switch value {
        case let data as Data: return "b" + hex(data)
        case let uuid as UUID: return "b" + hex(withUnsafeBytes(of: uuid.uuid) { Data($0) })
        case let url as URL: return "t" + url.absoluteString
        case let text as String: return "t" + text
        case let date as Date: return real(date.timeIntervalSinceReferenceDate)
        default: return "?"
        }
    }

    private static func hex(_ data: Data) -> String { data.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() }
}

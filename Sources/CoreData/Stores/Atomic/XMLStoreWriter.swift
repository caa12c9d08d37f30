import CoreDataSchema
import CoreDataStorage

/// Writes an XML store, in the form of those Apple's framework writes: entities' names in capitals, properties' in small letters, values
/// that are nil left out, dates in seconds since 2001.
struct XMLStoreWriter {
    private let content: StoreContent
    private let names: XMLStoreNames
    private let keys: XMLStoreKeys

    init(_ content: StoreContent) {
        self.content = content
        names = XMLStoreNames(content.model)
        keys = XMLStoreKeys(content)
    }

    func file(_ metadata: StoreMetadata) throws -> [UInt8] {
        let last = content.model.entities.map { content.nextKey(of: $0.index) }.max().map { $0 - 1 } ?? 0
        var text = try XMLStoreHead.text(metadata, lastKey: last, keySpaces: keys.roots)
        for entity in content.model.entities {
            try content.forEachRow(of: entity.index) { try write($0, entity, to: &text) }
        }
        text += "</database>\n"
        return Array(text.utf8)
    }

    private func write(_ row: RowBlock, _ entity: ResolvedEntity, to text: inout String) throws {
        text += "    <object type=\"\(names.name(of: entity))\" id=\"\(keys.id(of: row.key))\">\n"
        for property in entity.properties where property.attribute != nil && property.isStored {
            let value = row.value(property.slot)
            if !value.isNull { try write(value, names.name(of: property, in: entity), property.attribute?.type, "\(entity.name).\(property.name)", to: &text) }
        }
        for property in entity.properties where !property.isTransient {
            guard let relationship = property.relationship else { continue }
            let members: [RowKey] = relationship.isToMany
                ? content.members(of: row.key, through: PropertyReference(entity: property.declaringEntity, slot: property.slot))
                : row.reference(property.slot).map { [$0] } ?? []
            text += "        <relationship name=\"\(names.name(of: property, in: entity))\" type=\"\(relationship.schema.minCount)/"
                + "\(relationship.schema.maxCount)\" destination=\"\(names.name(of: content.model.entities[relationship.destination]))\""
            if !members.isEmpty { text += " idrefs=\"" + members.map(keys.id).joined(separator: " ") + "\"" }
            text += "></relationship>\n"
        }
        text += "    </object>\n"
    }

    /// A composite's elements stand under its name and theirs: `address.city`.
    private func write(_ value: AttributeValue, _ name: String, _ type: AttributeType?, _ path: String, to text: inout String) throws {
        if case .composite(let elements) = value {
            for (key, element) in elements.sorted(by: { $0.key < $1.key }) where !element.isNull {
                try write(element, name + "." + XMLText.escaped(key), nil, path + "." + key, to: &text)
            }
            return
        }
        var kind = type.flatMap(XMLStoreNames.typeName)
        var body = "", encoding = ""
        switch value {
        case .null, .reference, .composite: return
        case .integer(let number):
            body = String(number)
            kind = kind ?? "int64"
        case .real(let number):
            body = type == .float ? Float(number).description : number.description
            kind = kind ?? "double"
        case .decimal(let number):
            body = number.isNaN ? "NaN" : number.description
            kind = kind ?? "decimal"
        case .string(let string):
            kind = kind ?? "string"
            if XMLText.canBeWritten(string) { body = XMLText.escaped(string) } else {
                encoding = " encoding=\"base64\""
                body = Data(string.utf8).base64EncodedString()
            }
        case .uuid(let uuid):
            body = uuid.uuidString
            kind = kind ?? "uuid"
        case .data(let data):
            body = data.base64EncodedString(options: [.lineLength76Characters, .endLineWithLineFeed])
            kind = kind ?? "binary"
        case .object(let object):
            throw StoreError.invalidRequest("The value of “\(path)” is a \(Swift.type(of: object.value)), which an XML store cannot keep.")
        }
        text += "        <attribute name=\"\(name)\" type=\"\(kind ?? "undefined")\"\(encoding)>\(body)</attribute>\n"
    }
}

/// Text between tags.
enum XMLText {
    static func escaped(_ text: String) -> String {
        guard text.utf8.contains(where: { $0 == 38 || $0 == 60 || $0 == 62 || $0 == 34 || $0 == 13 }) else { return text }
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            // Readers take a carriage return for the end of a line.
            case "\r": result += "&#13;"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    /// Control characters and two more have no place in XML.
    static func canBeWritten(_ text: String) -> Bool {
        text.unicodeScalars.allSatisfy { $0.value >= 32 && $0.value != 0xFFFE && $0.value != 0xFFFF || $0 == "\t" || $0 == "\n" || $0 == "\r" }
    }
}

import CoreDataSchema
import CoreDataStorage
#if canImport(FoundationXML)
import FoundationXML
#endif

/// Reads the objects of an XML store: those this library wrote, and those of Apple's framework.
final class XMLStoreReader: NSObject, XMLParserDelegate {
    static func read(
        _ file: Data, path: String, model: ResolvedModel, number: Int32
    ) throws -> (metadata: StoreMetadata, content: StoreContent) {
        let head = try XMLStoreHead(file, path: path)
        let metadata = try head.metadata()
        let reader = XMLStoreReader(path, model)
        let parser = XMLParser(data: file)
        parser.shouldResolveExternalEntities = false
        parser.delegate = reader
        let isWhole = parser.parse()
        if let problem = reader.problem { throw problem }
        guard isWhole, reader.open.isEmpty else {
            let reason = parser.parserError?.localizedDescription ?? "it is no XML"
            throw StoreError.damaged(path: path, reason: "line \(parser.lineNumber): \(reason)")
        }
        let keys = XMLStoreKeys(roots: try head.keySpaces(), model: model)
        return (metadata, try reader.content(keys, number: number, lastKey: head.lastKey ?? 0))
    }

    /// An object as it stands in the file.
    private struct Object {
        let entity: ResolvedEntity
        let id: String
        let line: Int
        var values: ContiguousArray<AttributeValue>
        var references: [(slot: Int, ids: [String])] = []
    }

    private let path: String
    private let model: ResolvedModel
    private let names: XMLStoreNames
    private var objects: [Object] = []
    private var open: [String] = []
    private var attribute: (name: String, isEncoded: Bool)?
    private var text = ""
    private(set) var problem: StoreError?

    private init(_ path: String, _ model: ResolvedModel) {
        self.path = path
        self.model = model
        names = XMLStoreNames(model)
    }

    // MARK: Elements

    func parser(
        _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?, attributes: [String: String] = [:]
    ) {
        open.append(name)
        switch (open.count, name) {
        case (1, "database"), (2, "databaseInfo"): break
        case (2, "object"): begin(attributes, parser)
        case (3, "attribute") where open[1] == "object":
            guard let name = attributes["name"] else { return fail("an attribute has no name", parser) }
            attribute = (name, attributes["encoding"] == "base64")
            text = ""
        case (3, "relationship") where open[1] == "object": relate(attributes, parser)
        case (3..., _) where open[1] == "databaseInfo": break
        default: fail("there is no place for <\(name)> here", parser)
        }
    }

    func parser(_ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?) {
        open.removeLast()
        guard let attribute, name == "attribute", let object = objects.indices.last else { return }
        self.attribute = nil
        do throws(StoreError) { try set(attribute.name, attribute.isEncoded ? decoded(text) : text, object) } catch { stop(error, parser) }
    }

    func parser(_ parser: XMLParser, foundCharacters string: String) {
        if attribute != nil { text += string }
    }

    func parser(_ parser: XMLParser, foundCDATA data: Data) {
        if attribute != nil { text += String(decoding: data, as: UTF8.self) }
    }

    /// The parser goes on after many a mistake and calls it a success: a file cut short would be a store with fewer objects.
    func parser(_ parser: XMLParser, parseErrorOccurred error: any Error) {
        if problem == nil { problem = .damaged(path: path, reason: "line \(parser.lineNumber): \(error.localizedDescription)") }
    }

    private func fail(_ reason: String, _ parser: XMLParser) {
        stop(.damaged(path: path, reason: "line \(parser.lineNumber): \(reason)"), parser)
    }

    private func stop(_ error: StoreError, _ parser: XMLParser) {
        if problem == nil { problem = error }
        parser.abortParsing()
    }

    private func begin(_ attributes: [String: String], _ parser: XMLParser) {
        guard let type = attributes["type"], let id = attributes["id"], !id.isEmpty else { return fail("an object has no type or no ID", parser) }
        guard let entity = names.entity(named: type), !entity.isAbstract else {
            return fail("an object is of the entity “\(type)”, of which the model has none", parser)
        }
        objects.append(Object(
            entity: entity, id: id, line: parser.lineNumber, values: ContiguousArray(repeating: .null, count: entity.properties.count)))
    }

    private func relate(_ attributes: [String: String], _ parser: XMLParser) {
        guard let object = objects.indices.last, let name = attributes["name"] else { return fail("a relationship has no name", parser) }
        guard let property = names.property(named: name, of: objects[object].entity), property.relationship != nil else {
            return fail("\(objects[object].entity.name) has no relationship “\(name)”", parser)
        }
        let ids = (attributes["idrefs"] ?? "").split(whereSeparator: \.isWhitespace).map(String.init)
        if !ids.isEmpty { objects[object].references.append((property.slot, ids)) }
    }

    private func decoded(_ text: String) -> String {
        Data(base64Encoded: text, options: .ignoreUnknownCharacters).map { String(decoding: $0, as: UTF8.self) } ?? text
    }

    // MARK: Values

    private func set(_ name: String, _ text: String, _ object: Int) throws(StoreError) {
        let entity = objects[object].entity
        let parts = name.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard let property = names.property(named: parts[0], of: entity), let attribute = property.attribute else {
            throw .damaged(path: path, reason: "line \(objects[object].line): \(entity.name) has no attribute “\(name)”")
        }
        if property.isTransient { return }
        let value = try value(text, attribute, Array(parts.dropFirst()), within: objects[object].values[property.slot], line: objects[object].line)
        objects[object].values[property.slot] = value
    }

    private func value(
        _ text: String, _ attribute: AttributeSchema, _ rest: [String], within old: AttributeValue, line: Int
    ) throws(StoreError) -> AttributeValue {
        guard attribute.type == .composite else {
            if rest.isEmpty, let value = XMLStoreReader.value(text, attribute.type) { return value }
            throw .damaged(path: path, reason: "line \(line): “\(text.prefix(60))” is no value of the attribute “\(attribute.name)”")
        }
        guard let first = rest.first, let element = model.schema.composite(named: attribute.compositeName)?.elements.first(where: { $0.name == first })
        else { throw .damaged(path: path, reason: "line \(line): the composite “\(attribute.name)” has no element “\(rest.first ?? "")”") }
        var elements: [String: AttributeValue] = [:]
        if case .composite(let known) = old { elements = known }
        elements[first] = try value(text, element, Array(rest.dropFirst()), within: elements[first] ?? .null, line: line)
        return .composite(elements)
    }

    private static func value(_ text: String, _ type: AttributeType) -> AttributeValue? {
        let word = text.trimmingCharacters(in: .whitespacesAndNewlines)
        switch type {
        case .string, .uri: return .string(text)
        case .integer16: return Int16(word).map { .integer(Int64($0)) }
        case .integer32: return Int32(word).map { .integer(Int64($0)) }
        case .integer64: return Int64(word).map(AttributeValue.integer)
        case .boolean:
            if let flag = ["true": 1, "yes": 1, "false": 0, "no": 0][word.lowercased()] { return .integer(Int64(flag)) }
            return Int64(word).map { .integer($0 == 0 ? 0 : 1) }
        case .double, .date: return Double(word).map(AttributeValue.real)
        case .float: return Float(word).map { .real(Double($0)) }
        case .decimal:
            if word == "NaN" { return .decimal(.nan) }
            return Decimal(string: word, locale: Locale(identifier: "en_US_POSIX")).map(AttributeValue.decimal)
        case .uuid: return UUID(uuidString: word).map(AttributeValue.uuid)
        case .binary, .transformable, .undefined:
            return Data(base64Encoded: text, options: .ignoreUnknownCharacters).map(AttributeValue.data)
        case .objectID, .composite: return nil
        }
    }

    // MARK: Together

    private func content(_ known: XMLStoreKeys, number: Int32, lastKey: Int64) throws(StoreError) -> StoreContent {
        let keys = try keys(known, number, after: lastKey)
        var builder = StoreContentBuilder(model: model, store: number, sharesKeys: known.roots.isEmpty)
        var links: [(owner: RowKey, property: ResolvedProperty, members: [RowKey])] = []
        for object in objects {
            guard let key = keys[object.id] else { continue }
            var values = object.values
            for (slot, ids) in object.references {
                let property = object.entity.properties[slot]
                guard let relationship = property.relationship else { continue }
                var members: [RowKey] = []
                for id in ids {
                    // An object that is gone: as if the relationship did not name it.
                    guard let member = keys[id] else { continue }
                    guard model.entities[relationship.destination].includes(Int(member.entity)) else {
                        throw .damaged(path: path, reason: "line \(object.line): “\(property.name)” leads to \(id), an object of another entity")
                    }
                    members.append(member)
                }
                if relationship.isToMany { links.append((key, property, members)) } else if let first = members.first {
                    values[slot] = .reference(first)
                }
            }
            guard builder.add(key, version: 1, values: values) else { throw twice(object) }
        }
        for (owner, property, members) in links {
            builder.link(owner, PropertyReference(entity: property.declaringEntity, slot: property.slot), members)
        }
        for entity in model.entities where entity.rootIndex == entity.index { builder.claim(min(max(lastKey, 0), 1 << 61) + 1, entity: entity.index) }
        return builder.finish()
    }

    /// Keys by the objects' IDs: "z102" is 102. IDs of another form get keys after all others.
    private func keys(_ known: XMLStoreKeys, _ number: Int32, after lastKey: Int64) throws(StoreError) -> [String: RowKey] {
        var keys: [String: RowKey] = [:]
        var others: [Object] = []
        var last = min(max(lastKey, 0), 1 << 61)
        for object in objects {
            guard let key = known.key(ofID: object.id, entity: object.entity) else {
                others.append(object)
                continue
            }
            last = max(last, key)
            if keys.updateValue(RowKey(primaryKey: key, entity: Int32(object.entity.index), store: number), forKey: object.id) != nil { throw twice(object) }
        }
        for object in others {
            last += 1
            let key = RowKey(primaryKey: last, entity: Int32(object.entity.index), store: number)
            if keys.updateValue(key, forKey: object.id) != nil { throw twice(object) }
        }
        return keys
    }

    private func twice(_ object: Object) -> StoreError {
        .damaged(path: path, reason: "line \(object.line): there are two objects with the ID “\(object.id)”")
    }
}

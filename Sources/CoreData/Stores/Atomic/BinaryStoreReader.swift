import CoreDataSchema
import CoreDataStorage

/// Reads what `BinaryStoreWriter` wrote. Every length and number is checked: a file may say anything.
struct BinaryStoreReader {
    private let file: Data
    private let path: String
    private let list: Data
    private let objects: Data

    init(_ file: Data, path: String) throws(StoreError) {
        self.file = file
        self.path = path
        var head = ByteReader(file, path: path)
        try head.skip(BinaryStoreWriter.magic.count)
        let version = try head.number(UInt32.self)
        guard version == BinaryStoreWriter.version else {
            throw .damaged(path: path, reason: "its format has the version \(version), and this program knows \(BinaryStoreWriter.version)")
        }
        let lengths = (try head.number(UInt64.self), try head.number(UInt64.self))
        let sum = try head.number(UInt64.self)
        list = try head.data(lengths.0)
        objects = try head.data(lengths.1)
        guard head.isAtEnd else { throw .damaged(path: path, reason: "it is longer than its head says") }
        var checksum = Checksum()
        list.withUnsafeBytes { checksum.add($0) }
        objects.withUnsafeBytes { checksum.add($0) }
        guard checksum.value == sum else { throw .damaged(path: path, reason: "its checksum does not fit: bytes of it have changed") }
    }

    func metadata() throws(StoreError) -> StoreMetadata {
        guard var values = (try? PropertyListSerialization.propertyList(from: list, format: nil)) as? [String: Any],
              let identifier = values.removeValue(forKey: NSStoreUUIDKey) as? String else {
            throw .damaged(path: path, reason: "its metadata is not a property list with a UUID")
        }
        return StoreMetadata(identifier: identifier, type: NSBinaryStoreType, values: values)
    }

    func file(with metadata: StoreMetadata) throws -> [UInt8] { try BinaryStoreWriter.file(metadata, objects: objects) }

    func store(_ model: ResolvedModel, number: Int32) throws -> (StoreMetadata, StoreContent) {
        var builder = StoreContentBuilder(model: model, store: number, sharesKeys: false)
        var reader = ByteReader(objects, path: path)
        var entities: [ResolvedEntity?] = []
        let count = try reader.count(UInt32.self, each: 4)
        for _ in 0..<count { entities.append(model.entity(named: try reader.text())) }
        let scope = Scope(path: path, entities: entities, number: number)
        for entity in entities { try scope.read(entity, &reader, &builder) }
        guard reader.isAtEnd else { throw StoreError.damaged(path: path, reason: "there is more in it than its tables say") }
        return (try metadata(), builder.finish())
    }

    /// What reading an entity needs to know of the file.
    private struct Scope {
        let path: String
        /// The model's entities in the file's order; nil for those it does not have.
        let entities: [ResolvedEntity?]
        let number: Int32

        func read(_ entity: ResolvedEntity?, _ reader: inout ByteReader, _ builder: inout StoreContentBuilder) throws(StoreError) {
            let next = try reader.number(Int64.self)
            guard next > 0, next < 1 << 62 else { throw .damaged(path: path, reason: "its next key is \(next)") }
            if let entity { builder.claim(next, entity: entity.index) }
            var properties: [ResolvedProperty?] = []
            for _ in 0..<(try reader.count(UInt32.self, each: 4)) {
                let name = try reader.text()
                properties.append(entity?.property(named: name).flatMap { $0.isStored ? $0 : nil })
            }
            for _ in 0..<(try reader.count(UInt64.self, each: 16)) {
                let primaryKey = try key(&reader), version = try reader.number(Int64.self)
                var values = ContiguousArray(repeating: AttributeValue.null, count: entity?.properties.count ?? 0)
                for property in properties {
                    let value = try value(&reader, depth: 0)
                    if let property { values[property.slot] = value }
                }
                guard let entity else { continue }
                let row = RowKey(primaryKey: primaryKey, entity: Int32(entity.index), store: number)
                guard !entity.isAbstract, builder.add(row, version: version, values: values) else {
                    throw .damaged(path: path, reason: "the object \(primaryKey) of “\(entity.name)” cannot be, or is there twice")
                }
            }
            for _ in 0..<(try reader.count(UInt32.self, each: 12)) { try readLinks(entity, &reader, &builder) }
        }

        private func readLinks(_ entity: ResolvedEntity?, _ reader: inout ByteReader, _ builder: inout StoreContentBuilder) throws(StoreError) {
            let name = try reader.text()
            let property = entity?.property(named: name).flatMap { $0.storage == .toMany ? $0 : nil }
            for _ in 0..<(try reader.count(UInt64.self, each: 12)) {
                let owner = try key(&reader)
                var members: [RowKey] = []
                for _ in 0..<(try reader.count(UInt32.self, each: 12)) { if let member = try reference(&reader) { members.append(member) } }
                guard let entity, let property else { continue }
                builder.link(
                    RowKey(primaryKey: owner, entity: Int32(entity.index), store: number),
                    PropertyReference(entity: property.declaringEntity, slot: property.slot), members)
            }
        }

        private func key(_ reader: inout ByteReader) throws(StoreError) -> Int64 {
            let key = try reader.number(Int64.self)
            guard key > 0, key < 1 << 62 else { throw .damaged(path: path, reason: "an object has the key \(key)") }
            return key
        }

        /// nil for a row of an entity the model does not have.
        private func reference(_ reader: inout ByteReader) throws(StoreError) -> RowKey? {
            let place = Int(try reader.number(UInt32.self)), key = try key(&reader)
            guard entities.indices.contains(place) else { throw .damaged(path: path, reason: "a relationship leads to the entity number \(place)") }
            return entities[place].map { RowKey(primaryKey: key, entity: Int32($0.index), store: number) }
        }

        private func value(_ reader: inout ByteReader, depth: Int) throws(StoreError) -> AttributeValue {
            switch try reader.number(UInt8.self) {
            case 0: return .null
            case 1: return .integer(try reader.number(Int64.self))
            case 2: return .real(Double(bitPattern: try reader.number(UInt64.self)))
            case 3:
                let text = try reader.text()
                guard text != "NaN" else { return .decimal(.nan) }
                guard let decimal = Decimal(string: text, locale: Locale(identifier: "en_US_POSIX")) else {
                    throw .damaged(path: path, reason: "“\(text)” is no decimal")
                }
                return .decimal(decimal)
            case 4: return .string(try reader.text())
            case 5: return .uuid(UUID(uuid: try reader.data(16).withUnsafeBytes { $0.loadUnaligned(as: uuid_t.self) }))
            case 6: return .data(Data(try reader.data(try reader.number(UInt64.self))))
            case 7: return try reference(&reader).map(AttributeValue.reference) ?? .null
            case 8 where depth < 16:
                var elements: [String: AttributeValue] = [:]
                for _ in 0..<(try reader.count(UInt32.self, each: 5)) {
                    let name = try reader.text()
                    elements[name] = try value(&reader, depth: depth + 1)
                }
                return .composite(elements)
            case let kind: throw .damaged(path: path, reason: "there is no kind of value \(kind)")
            }
        }
    }
}

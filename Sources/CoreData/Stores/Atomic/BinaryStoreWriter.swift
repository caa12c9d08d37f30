import CoreDataSchema
import CoreDataStorage

/// Writes a binary store. The format is this library's own; Apple's is an archive of private classes.
///
/// A head (magic, version, lengths of the two parts, their checksum), the metadata as a binary property list, and the objects:
/// names of entities, then for each the next key, its stored properties, its rows, and the members of the to-manys that no to-one
/// shows. Numbers are little-endian.
struct BinaryStoreWriter {
    static let magic = Data("NLCoreDataBinary".utf8)
    static let version: UInt32 = 1
    static let headLength = 16 + 4 + 8 + 8 + 8

    private let content: StoreContent
    private var bytes = ByteWriter()

    init(_ content: StoreContent) { self.content = content }

    func file(_ metadata: StoreMetadata) throws -> [UInt8] {
        var writer = self
        try writer.writeObjects()
        return try BinaryStoreWriter.file(metadata, objects: writer.bytes.bytes)
    }

    /// A whole file of its two parts.
    static func file(_ metadata: StoreMetadata, objects: some Collection<UInt8>) throws -> [UInt8] {
        var values = metadata.values
        values[NSStoreUUIDKey] = metadata.identifier
        let list = try PropertyListSerialization.data(fromPropertyList: values, format: .binary, options: 0)
        var checksum = Checksum()
        list.withUnsafeBytes { checksum.add($0) }
        ContiguousArray(objects).withUnsafeBytes { checksum.add($0) }
        var writer = ByteWriter()
        writer.bytes.reserveCapacity(headLength + list.count + objects.count)
        writer.bytes += magic
        writer.number(version)
        writer.number(UInt64(list.count))
        writer.number(UInt64(objects.count))
        writer.number(checksum.value)
        writer.bytes += list
        writer.bytes += objects
        return writer.bytes
    }

    private mutating func writeObjects() throws {
        let entities = content.model.entities
        bytes.number(UInt32(entities.count))
        for entity in entities { bytes.text(entity.name) }
        for entity in entities { try write(entity) }
    }

    private mutating func write(_ entity: ResolvedEntity) throws {
        bytes.number(content.nextKey(of: entity.index))
        let stored = entity.properties.filter(\.isStored)
        bytes.number(UInt32(stored.count))
        for property in stored { bytes.text(property.name) }
        var rows: [RowBlock] = []
        content.forEachRow(of: entity.index) { rows.append($0) }
        bytes.number(UInt64(rows.count))
        for row in rows {
            bytes.number(row.key.primaryKey)
            bytes.number(row.version)
            for property in stored { try bytes.value(row.value(property.slot), "\(entity.name).\(property.name)") }
        }
        let linked = entity.properties.filter { $0.mustListMembers(in: content.model) }
        bytes.number(UInt32(linked.count))
        for property in linked { writeLinks(property, rows) }
    }

    private mutating func writeLinks(_ property: ResolvedProperty, _ rows: [RowBlock]) {
        let reference = PropertyReference(entity: property.declaringEntity, slot: property.slot)
        bytes.text(property.name)
        let owners = rows.map { ($0.key, content.members(of: $0.key, through: reference)) }.filter { !$0.1.isEmpty }
        bytes.number(UInt64(owners.count))
        for (owner, members) in owners {
            bytes.number(owner.primaryKey)
            bytes.number(UInt32(members.count))
            for member in members { bytes.reference(member) }
        }
    }
}

extension ResolvedProperty {
    /// Whether a to-many's members, or their order, are in no to-one.
    func mustListMembers(in model: ResolvedModel) -> Bool {
        guard storage == .toMany, !isTransient, let relationship else { return false }
        guard let inverse = relationship.inverse else { return true }
        return relationship.isOrdered || model.entities[inverse.entity].properties[inverse.slot].storage == .toMany
    }
}

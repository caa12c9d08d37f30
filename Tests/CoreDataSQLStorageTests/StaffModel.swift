import CoreDataSchema
import CoreDataStorage
import Foundation
import SQLiteDriver
import Testing

@testable import CoreDataSQLStorage

/// A model with a bit of everything: inheritance, every attribute type, each shape of relationship, uniqueness.
enum StaffModel {
    static func schema() -> ModelSchema {
        var schema = ModelSchema()
        var department = EntitySchema(name: "Department")
        department.attributes = [attribute("name", .string), attribute("code", .integer32), attribute("budget", .decimal)]
        department.relationships = [
            many("people", "Person", inverse: "dept"), many("ranking", "Person", inverse: "rankedIn", ordered: true),
            many("notes", "Note", inverse: nil), one("boss", "Person", inverse: "leads"),
        ]
        department.uniquenessConstraints = [["code"]]
        var person = EntitySchema(name: "Person")
        person.attributes = [
            attribute("name", .string), attribute("age", .integer16), attribute("number", .integer64),
            attribute("height", .double), attribute("weight", .float), attribute("hired", .date), attribute("isActive", .boolean),
            attribute("wage", .decimal), attribute("token", .uuid), attribute("site", .uri), attribute("photo", .binary),
            attribute("extra", .transformable), transient("scratch"),
        ]
        person.relationships = [
            one("dept", "Department", inverse: "people"), one("rankedIn", "Department", inverse: "ranking"),
            one("leads", "Department", inverse: "boss"), many("tags", "Tag", inverse: "owners"),
            many("friends", "Person", inverse: "friends"), one("mentor", "Manager", inverse: nil),
        ]
        person.indexes = [FetchIndexSchema(name: "byName", elements: [FetchIndexElementSchema(propertyName: "name")])]
        var manager = EntitySchema(name: "Manager")
        manager.superentityName = "Person"
        manager.attributes = [attribute("level", .integer32)]
        var clerk = EntitySchema(name: "Clerk")
        clerk.superentityName = "Person"
        clerk.attributes = [attribute("level", .string)]
        var tag = EntitySchema(name: "Tag")
        tag.attributes = [attribute("name", .string), attribute("weight", .integer64)]
        tag.relationships = [many("owners", "Person", inverse: "tags", ordered: true)]
        var note = EntitySchema(name: "Note")
        note.attributes = [attribute("text", .string)]
        note.attributes[0].defaultValue = .string("")
        var file = EntitySchema(name: "File")
        file.attributes = [attribute("name", .string), attribute("body", .binary)]
        file.attributes[1].allowsExternalBinaryDataStorage = true
        schema.entities = [department, person, manager, clerk, tag, note, file]
        return schema
    }

    static func model() throws -> ResolvedModel { try ResolvedModel(schema()) }

    private static func attribute(_ name: String, _ type: AttributeType) -> AttributeSchema {
        var attribute = AttributeSchema(name: name, type: type)
        attribute.isOptional = true
        return attribute
    }

    private static func transient(_ name: String) -> AttributeSchema {
        var attribute = attribute(name, .string)
        attribute.isTransient = true
        return attribute
    }

    private static func one(_ name: String, _ destination: String, inverse: String?) -> RelationshipSchema {
        var relationship = RelationshipSchema(name: name, destinationName: destination)
        relationship.inverseName = inverse
        relationship.isOptional = true
        return relationship
    }

    private static func many(_ name: String, _ destination: String, inverse: String?, ordered: Bool = false) -> RelationshipSchema {
        var relationship = one(name, destination, inverse: inverse)
        relationship.maxCount = 0
        relationship.isOrdered = ordered
        return relationship
    }
}

/// A store in a folder of its own, with short ways to put rows in and to look at the file.
final class StoreFixture {
    let folder: URL
    let url: URL
    let model: ResolvedModel
    private(set) var store: SQLiteRowStore
    private var nextTemporary: Int64 = -1

    init(_ model: ResolvedModel? = nil, options: SQLiteStoreOptions = SQLiteStoreOptions()) throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("store-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        url = folder.appendingPathComponent("Staff.sqlite")
        self.model = try model ?? StaffModel.model()
        store = try SQLiteRowStore.open(url, model: self.model, options: options)
    }

    deinit {
        try? store.close()
        try? FileManager.default.removeItem(at: folder)
    }

    func reopen(options: SQLiteStoreOptions = SQLiteStoreOptions()) throws {
        try store.close()
        store = try SQLiteRowStore.open(url, model: model, options: options)
    }

    func entity(_ name: String) throws -> ResolvedEntity { try #require(model.entity(named: name)) }

    func reference(_ entity: String, _ property: String) throws -> PropertyReference {
        let property = try #require(try self.entity(entity).property(named: property))
        return PropertyReference(entity: property.declaringEntity, slot: property.slot)
    }

    func values(_ entity: String, _ named: [String: AttributeValue]) throws -> ContiguousArray<AttributeValue> {
        let entity = try self.entity(entity)
        var values = ContiguousArray<AttributeValue>(repeating: .null, count: entity.properties.count)
        for (name, value) in named { values[try #require(entity.slotByName[name])] = value }
        return values
    }

    func row(_ entity: String, _ named: [String: AttributeValue]) throws -> InsertedRow {
        nextTemporary -= 1
        return InsertedRow(
            key: RowKey(primaryKey: nextTemporary, entity: Int32(try self.entity(entity).index)), values: try values(entity, named))
    }

    /// Inserts one row and returns it.
    @discardableResult
    func insert(_ entity: String, _ named: [String: AttributeValue]) throws -> RowBlock {
        var batch = ChangeBatch()
        batch.inserted = [try row(entity, named)]
        return try #require(try committed(batch).inserted.first)
    }

    func update(_ row: RowBlock, _ named: [String: AttributeValue]) throws -> UpdatedRow {
        let entity = model.entities[Int(row.key.entity)]
        var values = row.values
        var changed = SlotSet()
        for (name, value) in named {
            let slot = try #require(entity.slotByName[name])
            values[slot] = value
            changed.insert(slot)
        }
        return UpdatedRow(key: row.key, expectedVersion: row.version, changedSlots: changed, values: values)
    }

    func committed(_ batch: ChangeBatch) throws -> CommitReceipt {
        switch try store.commit(batch) {
        case .committed(let receipt): return receipt
        case .conflicts(let conflicts): throw Unexpected("conflicts: \(conflicts.count)")
        case .constraintConflicts(let conflicts): throw Unexpected("constraint conflicts: \(conflicts.count)")
        }
    }

    func value(_ row: RowBlock, _ name: String) throws -> AttributeValue {
        row.value(try #require(model.entities[Int(row.key.entity)].slotByName[name]))
    }

    /// Rows of any SQL as text, columns joined by |, read by a connection of its own.
    func shell(_ sql: String) throws -> [String] {
        let connection = try SQLiteConnection(path: url.path, access: .readOnly)
        defer { connection.close() }
        return try connection.withStatement(sql) { row in
            var lines: [String] = []
            while try row.step() {
                lines.append((0..<row.columnCount).map { row.text($0) ?? "NULL" }.joined(separator: "|"))
            }
            return lines
        }
    }

    func execute(_ sql: String) throws {
        let connection = try SQLiteConnection(path: url.path, access: .readWrite)
        defer { connection.close() }
        try connection.execute(sql)
    }
}

struct Unexpected: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}

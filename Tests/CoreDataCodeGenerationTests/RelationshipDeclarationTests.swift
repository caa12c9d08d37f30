import CoreDataCodeGeneration
import CoreDataSchema
import Foundation
import Testing

@Suite("Generated relationships")
struct RelationshipDeclarationTests {
    private func text(isToMany: Bool, isOrdered: Bool = false, isOptional: Bool, destination: String = "Tag") throws -> String {
        var item = Generated.entity("Item"), tags = RelationshipSchema(name: "tags", destinationName: "Tag")
        tags.maxCount = isToMany ? 0 : 1
        tags.isOrdered = isOrdered
        tags.isOptional = isOptional
        item.relationships = [tags]
        return try Generated.text(item, Generated.entity("Tag", className: destination))
    }

    /// Signature and body of each mutator.
    private func mutators(_ text: String) -> [String: String] {
        let lines = text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
        var result: [String: String] = [:]
        for (index, line) in lines.enumerated() where line.hasPrefix("public func ") {
            result[String(line.dropFirst(12).dropLast(2))] = lines[index + 1]
        }
        return result
    }

    @Test("A to-one is optional, whatever the model says", arguments: [true, false])
    func toOne(isOptional: Bool) throws {
        let text = try text(isToMany: false, isOptional: isOptional)
        #expect(Generated.declaration("public var tags:", in: text) == [
            "public var tags: Tag? {", "get { _toOne(at: 0, as: Tag.self) }", "set { _setToOne(newValue, at: 0) }",
        ])
        #expect(mutators(text).isEmpty)
    }

    @Test("A to-many is a set with Xcode's mutators", arguments: [true, false])
    func toMany(isOptional: Bool) throws {
        let text = try text(isToMany: true, isOptional: isOptional)
        #expect(Generated.declaration("public var tags:", in: text) == [
            "public var tags: Set<Tag> {", "get { _toMany(at: 0, as: Tag.self) }", "set { _setToMany(newValue, at: 0) }",
        ])
        #expect(mutators(text) == [
            "addToTags(_ value: Tag)": "_add(value, toMany: 0)",
            "removeFromTags(_ value: Tag)": "_remove(value, fromMany: 0)",
            "addToTags(_ values: Set<Tag>)": "_add(all: Array(values), toMany: 0)",
            "removeFromTags(_ values: Set<Tag>)": "_remove(all: Array(values), fromMany: 0)",
        ])
    }

    @Test("An ordered to-many is an array with Xcode's mutators by index and by indexes")
    func ordered() throws {
        let text = try text(isToMany: true, isOrdered: true, isOptional: true)
        #expect(Generated.declaration("public var tags:", in: text) == [
            "public var tags: [Tag] {", "get { _ordered(at: 0, as: Tag.self) }", "set { _setOrdered(newValue, at: 0) }",
        ])
        #expect(mutators(text) == [
            "addToTags(_ value: Tag)": "_add(value, toMany: 0)",
            "removeFromTags(_ value: Tag)": "_remove(value, fromMany: 0)",
            "addToTags(_ values: [Tag])": "_add(all: values, toMany: 0)",
            "removeFromTags(_ values: [Tag])": "_remove(all: values, fromMany: 0)",
            "insertIntoTags(_ value: Tag, at index: Int)": "_insert(value, at: index, inOrdered: 0)",
            "removeFromTags(at index: Int)": "_remove(at: index, fromOrdered: 0)",
            "insertIntoTags(_ values: [Tag], at indexes: IndexSet)": "_insert(all: values, at: indexes, inOrdered: 0)",
            "removeFromTags(at indexes: IndexSet)": "_remove(at: indexes, fromOrdered: 0)",
            "replaceTags(at index: Int, with value: Tag)": "_replace(at: index, with: value, inOrdered: 0)",
            "replaceTags(at indexes: IndexSet, with values: [Tag])": "_replace(at: indexes, with: values, inOrdered: 0)",
        ])
    }

    @Test("A destination without a class is a plain managed object")
    func plainDestination() throws {
        var item = Generated.entity("Item"), plain = EntitySchema(name: "Plain")
        plain.attributes = [AttributeSchema(name: "a", type: .string)]
        item.relationships = [RelationshipSchema(name: "p", destinationName: "Plain")]
        let text = try Generated.text(item, plain)
        #expect(text.contains("public var p: NSManagedObject? {"))
        #expect(!text.contains("class Plain"))
    }

    @Test("A destination goes by its class, not by its entity")
    func classOfDestination() throws {
        #expect(try text(isToMany: false, isOptional: true, destination: ".TagObject").contains("public var tags: TagObject? {"))
    }

    @Test("A fetched property is an array that cannot be assigned; one that leads nowhere is an error")
    func fetched() throws {
        var item = Generated.entity("Item")
        item.fetchedProperties = [FetchedPropertySchema(name: "f", request: FetchTemplateSchema(name: "r", entityName: "Item"))]
        #expect(Generated.declaration("public var f:", in: try Generated.text(item)) == ["public var f: [Item] {", "_fetched(at: 0, as: Item.self)"])
        item.fetchedProperties[0].request.entityName = "Nowhere"
        let error = #expect(throws: GenerationError.self) { try Generated.text(item) }
        #expect(error?.kind == .unknownEntity && error?.message.contains("Nowhere") == true)
    }
}

import CoreDataSchema
import Foundation
import Testing

@Suite("Version hashes")
struct VersionHashTests {
    private func person() -> EntitySchema {
        var person = EntitySchema(name: "Person")
        person.attributes = [AttributeSchema(name: "name", type: .string)]
        return person
    }

    private func hashes(_ entities: EntitySchema...) throws -> [String: [UInt8]] {
        var model = ModelSchema()
        model.entities = entities
        return try VersionHash.entityHashes(of: model)
    }

    @Test("What Apple does not hash leaves the hash alone")
    func unhashedFlags() throws {
        var changed = person()
        changed.className = "Other"
        changed.renamingIdentifier = "Old"
        changed.userInfo = ["a": "b"]
        changed.indexes = [FetchIndexSchema(name: "byName", elements: [FetchIndexElementSchema(propertyName: "name")])]
        changed.attributes[0].defaultValue = .string("x")
        changed.attributes[0].usesScalar = true
        changed.attributes[0].validationRules = [ValidationRule(predicateFormat: "length >= 1", warning: .code(1670))]
        var transient = AttributeSchema(name: "t", type: .undefined)
        transient.isTransient = true
        changed.attributes.append(transient)
        changed.fetchedProperties = [FetchedPropertySchema(name: "f", request: FetchTemplateSchema(name: "f", entityName: "Person"))]
        #expect(try hashes(person()) == hashes(changed))
    }

    @Test("What Apple hashes changes the hash", arguments: 0..<9)
    func hashedFlags(change: Int) throws {
        var changed = person()
        switch change {
        case 0: changed.isAbstract = true
        case 1: changed.versionHashModifier = "2"
        case 2: changed.uniquenessConstraints = [["name"]]
        case 3: changed.attributes[0].isOptional = true
        case 4: changed.attributes[0].type = .uri
        case 5: changed.attributes[0].versionHashModifier = "2"
        case 6: changed.attributes[0].allowsExternalBinaryDataStorage = true
        case 7: changed.attributes[0].preservesValueInHistoryOnDeletion = true
        default: changed.relationships = [RelationshipSchema(name: "friend", destinationName: "Person")]
        }
        #expect(try hashes(person()) != hashes(changed))
    }

    @Test("Each trait of a relationship enters its hash", arguments: 0..<5)
    func relationshipTraits(change: Int) {
        let plain = RelationshipSchema(name: "friends", destinationName: "Person")
        var changed = plain
        switch change {
        case 0: changed.maxCount = 0
        case 1: changed.minCount = 1
        case 2: changed.isOrdered = true
        case 3: changed.inverseName = "friends"
        default: changed.destinationName = "Animal"
        }
        #expect(plain.versionHash != changed.versionHash)
        changed = plain
        changed.deleteRule = .deny
        #expect(plain.versionHash == changed.versionHash)
    }

    @Test("A subentity's hash follows its parent's, and is the same wherever the parent stands in the file")
    func inheritance() throws {
        var child = EntitySchema(name: "Child")
        child.superentityName = "Person"
        let first = try hashes(person(), child), second = try hashes(child, person())
        #expect(first == second)
        var parent = person()
        parent.versionHashModifier = "2"
        #expect(try hashes(parent, child)["Child"] != first["Child"])
    }

    @Test("Derived and composite attributes make an entity and its descendants uncomputable")
    func uncomputable() throws {
        var model = ModelSchema()
        var base = person(), child = EntitySchema(name: "Child"), place = EntitySchema(name: "Place")
        var derived = AttributeSchema(name: "count", type: .integer64)
        derived.derivationFormat = "friends.@count"
        base.attributes.append(derived)
        child.superentityName = "Person"
        place.attributes = [AttributeSchema(name: "location", type: .composite)]
        model.entities = [child, base, place, EntitySchema(name: "Plain")]
        #expect(VersionHash.uncomputable(in: model) == ["Child", "Person", "Place"])
        #expect(try VersionHash.entityHashes(of: model).count == 4)
    }

    @Test("A cycle of parents, an unknown parent and a name used twice are errors")
    func errors() {
        var a = EntitySchema(name: "A"), b = EntitySchema(name: "B")
        a.superentityName = "B"
        b.superentityName = "A"
        #expect(throws: ModelError.inheritanceCycle(entity: "A")) { try hashes(a, b) }
        #expect(throws: ModelError.unknownSuperentity(entity: "A", name: "B")) { try hashes(a) }
        #expect(throws: ModelError.duplicateEntity("B")) { try hashes(b, b) }
    }

    @Test("Digest and checksum go over names in byte order")
    func digests() {
        let hashes: [String: [UInt8]] = ["b": [2], "B": [1]]
        #expect(VersionHash.checksum(hashes) == "oShx/uIQ+4YZKR6uoZRYHL0lMeSyN1nSJfaAaSP2MiI=")
        #expect(VersionHash.digest(hashes)
            == "JNoq+1VJxjqm5graTFMKR2uisxSdmMLS7nup7unFWiDiAYMJBH4dsxxAIOlUMBWY0LY+UNk/oF2kdyLi+BJ0FA==")
    }
}

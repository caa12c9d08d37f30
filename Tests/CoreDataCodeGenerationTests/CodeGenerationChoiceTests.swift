import CoreDataCodeGeneration
import CoreDataSchema
import Foundation
import Testing

@Suite("What is generated, as the model and its settings say")
struct CodeGenerationChoiceTests {
    private func entity(_ name: String, _ kind: CodeGenerationKind = .manual, parent: String? = nil, _ userInfo: [String: String] = [:]) -> EntitySchema {
        var entity = Generated.entity(name, parent: parent)
        entity.codeGeneration = kind
        entity.userInfo = userInfo
        entity.attributes = [AttributeSchema(name: name.lowercased() + "Name", type: .string)]
        return entity
    }

    private func files(_ entities: [EntitySchema], _ configure: (inout GenerationOptions) -> Void = { _ in }) throws -> [GeneratedFile] {
        var options = GenerationOptions(modelName: "Shop.xcdatamodeld")
        configure(&options)
        return try CodeGenerator.generate(Generated.model(entities), options)
    }

    @Test("Class, extension, nothing: as the model says")
    func choices() throws {
        let files = try files([entity("A", .classDefinition), entity("B", .category), entity("C")])
        #expect(files.map(\.name) == ["A+CoreData.swift", "B+CoreDataProperties.swift"])
        #expect(files[0].text.contains("public class A: NSManagedObject {") && files[0].text.contains("_string(at: 0)"))
        #expect(files[1].text.contains("\nextension B {") && !files[1].text.contains("class B") && !files[1].text.contains("override"))
        #expect(files[1].text.contains("get { _managedString(\"bName\") ?? \"\" }") && files[1].text.contains("class func fetchRequest() -> NSFetchRequest<B>"))
    }

    @Test("Where no entity says anything, the program's own classes are left alone and the others are made")
    func unsaid() throws {
        let both = [entity("A"), entity("B")]
        #expect(try files(both).count == 2)
        #expect(try files(both) { $0.handwritten = ["A": .public] }.map(\.name) == ["B+CoreData.swift"])
    }

    @Test("Settings come before the model; their own come before general ones")
    func settings() throws {
        let text = #"{"codegen": "category", "access": "internal", "entities": {"A": {"codegen": "class", "access": "public"}, "B": {"codegen": "manual"}}}"#
        let configuration = try GenerationConfiguration(Data(text.utf8), path: "c.json")
        let files = try files([entity("A"), entity("B", .classDefinition), entity("C")]) { $0.configuration = configuration }
        #expect(files.map(\.name) == ["A+CoreData.swift", "C+CoreDataProperties.swift"])
        #expect(files[0].text.contains("public class A") && !files[1].text.contains("public"))
    }

    @Test("A mistake in the settings is an error with its file", arguments: [
        (#"{"acess": "public"}"#, "“acess”"), (#"{"access": "open"}"#, "public, package, internal"), (#"{"entities": {"A": {"kind": 1}}}"#, "“kind” of “A”"),
        (#"{"embedModel": "my model"}"#, "embedModel"), ("[1]", "no JSON object"), ("{", "no JSON"), (#"{"superclass": "A {}"}"#, "superclass"),
        (#"{"imports": ["a b"]}"#, "imports"),
    ])
    func mistakes(text: String, part: String) {
        let error = #expect(throws: GenerationError.self) { try GenerationConfiguration(Data(text.utf8), path: "c.json") }
        #expect(error?.description.hasPrefix("c.json: ") == true && error?.message.contains(part) == true, "\(error?.message ?? "")")
    }

    @Test("Settings of an entity the model does not have are an error")
    func strayEntity() throws {
        let configuration = try GenerationConfiguration(Data(#"{"entities": {"X": {}}}"#.utf8), path: "c.json")
        let error = #expect(throws: GenerationError.self) { try files([entity("A")]) { $0.configuration = configuration } }
        #expect(error?.kind == .configuration && error?.message.contains("“X”") == true)
    }

    @Test("Superclasses: of the settings for those without another, of the entity before its parent's")
    func superclasses() throws {
        var configuration = GenerationConfiguration()
        configuration.general.superclass = "Record"
        let model = [entity("A"), entity("B", parent: "A"), entity("C", parent: "A", ["superclass": "Shop.Other"])]
        let text = try files(model) { $0.configuration = configuration }.map(\.text).joined()
        #expect(text.contains("class A: Record {") && text.contains("class B: A {") && text.contains("class C: Shop.Other {"))
    }

    @Test("Families of which somebody else writes a class reach properties by name")
    func families() throws {
        let text = try files([entity("A", .classDefinition), entity("B", .category, parent: "A"), entity("C", .classDefinition)]).map(\.text).joined()
        #expect(text.contains("_managedString(\"aName\")") && text.contains("_managedString(\"bName\")") && text.contains("_string(at: 0)"))
        #expect(text.contains("where Self: A {") && text.contains("where Self: B {"))
    }

    @Test("The topmost class that is written names the key paths of a family with handwritten ones; one the program derives from another has no table of its own")
    func familyTables() throws {
        let entities = [entity("A", .category), entity("B", .category, parent: "A"), entity("C", .category), entity("D", .classDefinition)]
        let files = try files(entities) { $0.handwritten = ["A": .internal] }
        #expect(files[0].text.contains("extension A: _KeyPathTables {\n    static func _keyPathNames(of type: AnyObject.Type)"))
        #expect(files[0].text.contains("if type == A.self {") && files[0].text.contains("} else if type == B.self {\n            names[\\B.aName] = \"aName\""))
        #expect(!files[1].text.contains("_KeyPathTables") && files[2].text.contains("extension C: _KeyPathTables") && !files[3].text.contains("_KeyPathTables"))
        let derived = try self.files(entities) { $0.inheritance = ["C": ["Middle"], "Middle": ["A"], "A": ["NSManagedObject"]] }
        #expect(!derived[2].text.contains("_KeyPathTables"))
    }

    @Test("Extensions are as accessible as the class they extend, and so is what leads to it")
    func accessOfHandwritten() throws {
        var owner = entity("Owner", .classDefinition)
        owner.relationships = [RelationshipSchema(name: "a", destinationName: "A")]
        let text = try files([entity("A", .category), entity("B", .category, parent: "A"), owner]) { $0.handwritten = ["A": .internal, "B": .internal] }
            .map(\.text).joined()
        #expect(!text.contains("public var aName") && !text.contains("public static") && text.contains("\n    var a: A? {") && text.contains("public class Owner"))
    }

    @Test("Classes of the program and of its other models that are named like library types make the code say which it means")
    func neighbours() throws {
        var item = entity("Item", .classDefinition)
        item.attributes = [AttributeSchema(name: "date", type: .date), AttributeSchema(name: "data", type: .binary)]
        let text = try files([item]) {
            $0.neighbours = ["Date"]
            $0.handwritten = ["Data": .internal]
        }[0].text
        #expect(text.contains("var date: Foundation.Date {") && text.contains("var data: Foundation.Data {"))
    }

    @Test("Two layers: the lower one is generated, the upper one begun")
    func layers() throws {
        let files = try files([entity("A", .classDefinition), entity("B", .classDefinition, parent: "A")]) { $0.isLayered = true }
        #expect(files.map(\.name) == ["_A.swift", "_B.swift", "A.swift", "B.swift"] && files.map(\.isStart) == [false, false, true, true])
        #expect(files[1].text.contains("public class _B: A {") && files[3].text.contains("public class B: _B {\n}"))
        #expect(files[1].text.contains("names[\\_B.aName]") && files[1].text.contains("names[\\B.aName]"))
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("layers-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let machine = folder.appendingPathComponent("m"), human = folder.appendingPathComponent("h")
        try GeneratedFile.write(files, to: machine, starts: human)
        try Data("mine".utf8).write(to: human.appendingPathComponent("A.swift"))
        let again = try GeneratedFile.write(files, to: machine, starts: human)
        #expect(again.allSatisfy { !$0.changed } && FileManager.default.contents(atPath: human.appendingPathComponent("A.swift").path) == Data("mine".utf8))
    }

    @Test("Documentation and deprecation, also of what leads to a deprecated class")
    func documentation() throws {
        var owner = entity("Owner", .classDefinition, ["documentation": "First.\nSecond."])
        owner.attributes[0].userInfo = ["documentation": "Its name.", "deprecated": "Use \"title\"."]
        owner.relationships = [RelationshipSchema(name: "olds", destinationName: "Old")]
        owner.relationships[0].maxCount = 0
        let text = try files([owner, entity("Old", .classDefinition, ["deprecated": "YES"])]).map(\.text).joined()
        #expect(text.contains("/// First.\n/// Second.\npublic class Owner") && text.contains("@available(*, deprecated)\npublic class Old"))
        #expect(text.contains("/// Its name.\n    @available(*, deprecated, message: \"Use \\\"title\\\".\")\n    public var ownerName"))
        #expect(text.contains("@available(*, deprecated)\n    public var olds") && text.contains("@available(*, deprecated)\n    public func addToOlds"))
    }

    @Test("Classes are declared Identifiable, but where it may be said already or an `id` is not as accessible")
    func identity() throws {
        func identified(_ entities: [EntitySchema], _ configure: (inout GenerationOptions) -> Void = { _ in }) throws -> [String] {
            try files(entities, configure).map(\.text).joined().split(separator: "\n").filter { $0.hasSuffix(": Identifiable {}") }.map(String.init)
        }
        let pair = [entity("A", .classDefinition), entity("B", .classDefinition, parent: "A")], own = [entity("A", .category)]
        #expect(try identified(pair) == ["extension A: Identifiable {}"])
        #expect(try identified(pair) { $0.isLayered = true }.isEmpty)
        #expect(try identified(pair) { $0.configuration.general.superclass = "Record" }.isEmpty)
        #expect(try identified(pair) {
            $0.configuration.general.superclass = "Record"
            $0.inheritance = ["Record": ["NSManagedObject", "Sendable"]]
        } == ["extension A: Identifiable {}"])
        #expect(try identified(pair) {
            $0.configuration.general.superclass = "Record"
            $0.inheritance = ["Record": ["NSManagedObject", "Identifiable"]]
        }.isEmpty)
        #expect(try identified(own) == ["extension A: Identifiable {}"])
        #expect(try identified(own) { $0.inheritance = ["A": ["Identifiable"]] }.isEmpty)
        #expect(try identified([entity("A"), entity("B", .category, parent: "A")]) { $0.inheritance = ["A": ["NSManagedObject"]] } == ["extension B: Identifiable {}"])
        #expect(try identified([entity("A"), entity("B", .category, parent: "A")]).isEmpty)
        var hidden = entity("A", .category)
        hidden.attributes = [AttributeSchema(name: "id", type: .string)]
        #expect(try identified([hidden]) { $0.handwritten = ["A": .public] } == ["extension A: Identifiable {}"])
        #expect(try identified([hidden]) {
            $0.handwritten = ["A": .public]
            $0.configuration.general.access = .internal
        }.isEmpty)
        #expect(try files([entity("Identifiable", .classDefinition)])[0].text.contains("extension Identifiable: Swift.Identifiable {}"))
    }

    @Test("A model in the code has a name of its own among those of the target")
    func embeddedNames() throws {
        func text(_ name: String?, beside others: [String: String]) throws -> String {
            try files([entity("A")]) {
                $0.embedded = "<a/>"
                $0.configuration.embeddedName = name
                $0.embeddedNeighbours = others
            }.last?.text ?? ""
        }
        let error = #expect(throws: GenerationError.self) { try text(nil, beside: ["shopModel": "B/Shop.xcdatamodeld"]) }
        #expect(error?.message.contains("B/Shop.xcdatamodeld") == true && error?.message.contains("\"embedModel\"") == true)
        #expect(try text("stockModel", beside: ["shopModel": "B/Shop.xcdatamodeld"]).contains("static let stockModel ="))
        #expect(try GenerationConfiguration(Data(#"{"embedModel": "stockModel"}"#.utf8), path: "c").embeddedName == "stockModel")
    }

    @Test("A model in the code cannot end its literal")
    func embedding() throws {
        let text = try files([entity("A")]) { $0.embedded = "<a>\"\"\"# \\#(x)</a>" }.last?.text ?? ""
        #expect(text.contains("public static let shopModel = NSManagedObjectModel(_contents: ##\"\"\"\n") && text.contains("\n        \"\"\"##)\n"))
    }

    @Test("Variables of fetch requests have the type of what they are compared with")
    func templates() throws {
        var owner = entity("Owner", .classDefinition)
        owner.attributes = [AttributeSchema(name: "age", type: .integer16), AttributeSchema(name: "when", type: .date)]
        owner.relationships = [RelationshipSchema(name: "friends", destinationName: "Owner")]
        owner.relationships[0].maxCount = 0
        var schema = ModelSchema(), template = FetchTemplateSchema(name: "old-ones", entityName: "Owner")
        template.predicateFormat = "age > $age AND when BETWEEN $dates AND ANY friends.age IN $ages AND SUBQUERY(friends, $f, $f.age == $n).@count > $many"
        template.resultType = 4
        schema.entities = [owner]
        schema.fetchTemplates = [template]
        let text = try CodeGenerator.generate(ResolvedModel(schema), GenerationOptions(modelName: "M"))[0].text
        #expect(text.contains("static func oldOnesFetchRequest(age: Int16, dates: [Date], ages: [Int16], n: Any, many: Int) -> NSFetchRequest<NSNumber> {"), "\(text)")
        #expect(text.contains("request.resultType = .countResultType"))
    }
}

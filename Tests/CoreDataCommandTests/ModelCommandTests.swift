import CoreDataTestSupport
import Foundation
import SQLiteDriver
import Testing
@testable import CoreDataCommand

@Suite("coredata model …")
struct ModelCommandTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    func model(_ body: String, _ name: String = "M.xcdatamodel") throws -> String {
        let url = folder.file(name)
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        let text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<model type=\"com.apple.IDECoreDataModeler.DataModel\" documentVersion=\"1.0\">\n\(body)\n</model>\n"
        try Data(text.utf8).write(to: url.appendingPathComponent("contents"))
        return url.path
    }

    func problems(_ body: String) throws -> [String] {
        let outcome = coredata("model", "validate", try model(body), "--json")
        let list = try #require(try outcome.json() as? [[String: Any]])
        #expect(outcome.code == (list.isEmpty ? 0 : 1))
        return list.map { "\($0["line"] ?? 0) \($0["severity"] ?? "") \($0["kind"] ?? "")" }
    }

    @Test("validate: nothing to flag")
    func sound() throws {
        let library = try Library()
        let outcome = coredata("model", "validate", library.modelPath)
        #expect(outcome.code == 0 && outcome.output == "Nothing to flag.\n", "\(outcome.output)")
    }

    static let mistaken: [(String, [String])] = [
        ("<entity name=\"A\">\n<attribute name=\"x\" attributeType=\"Text\"/>\n<attribute name=\"y\"/>\n</entity>", ["4 error content", "5 error content"]),
        ("<entity name=\"A\">\n<relationship name=\"b\" destinationEntity=\"B\"/>\n<relationship name=\"c\"/>\n</entity>", ["4 error unknownDestination", "5 error content"]),
        ("<entity name=\"A\" parentEntity=\"Z\"/>\n<entity name=\"B\" parentEntity=\"C\"/>\n<entity name=\"C\" parentEntity=\"B\"/>",
         ["3 error unknownParent", "4 error inheritanceCycle", "5 error inheritanceCycle"]),
        ("<entity name=\"A\">\n<relationship name=\"b\" optional=\"YES\" destinationEntity=\"A\"/>\n</entity>", ["4 warning noInverse"]),
        ("<entity name=\"A\">\n<relationship name=\"b\" destinationEntity=\"A\" inverseName=\"q\" inverseEntity=\"A\"/>\n</entity>", ["4 error unknownInverse"]),
        ("<entity name=\"A\">\n<relationship name=\"b\" destinationEntity=\"A\" inverseName=\"c\" inverseEntity=\"A\"/>\n"
            + "<relationship name=\"c\" destinationEntity=\"A\" inverseName=\"c\" inverseEntity=\"A\"/>\n</entity>", ["4 error badInverse"]),
        ("<entity name=\"A\">\n<relationship name=\"b\" deletionRule=\"No Action\" destinationEntity=\"A\" inverseName=\"b\" inverseEntity=\"A\"/>\n</entity>", ["4 warning noAction"]),
        ("<entity name=\"A\">\n<attribute name=\"description\" attributeType=\"String\"/>\n<attribute name=\"Upper\" attributeType=\"String\"/>\n"
            + "<attribute name=\"a b\" attributeType=\"String\"/>\n</entity>", ["4 error reservedName", "5 warning badName", "6 error badName"]),
        ("<entity name=\"P\">\n<attribute name=\"x\" attributeType=\"String\"/>\n</entity>\n<entity name=\"K\" parentEntity=\"P\">\n"
            + "<attribute name=\"x\" attributeType=\"String\"/>\n</entity>", ["7 error duplicateProperty"]),
        ("<entity name=\"A\">\n<attribute name=\"n\" attributeType=\"Integer 16\" minValueString=\"5\" maxValueString=\"3\"/>\n"
            + "<attribute name=\"m\" attributeType=\"Integer 16\" defaultValueString=\"9\" maxValueString=\"3\"/>\n</entity>", ["4 error badBounds", "5 warning badDefault"]),
        ("<entity name=\"A\">\n<attribute name=\"s\" attributeType=\"String\" regularExpressionString=\"[a\"/>\n</entity>", ["4 error badPattern"]),
        ("<entity name=\"A\">\n<attribute name=\"t\" attributeType=\"Transformable\"/>\n</entity>", ["4 warning noTransformer"]),
        ("<entity name=\"A\">\n<attribute name=\"s\" attributeType=\"String\"/>\n<uniquenessConstraints>\n<uniquenessConstraint>\n<constraint value=\"q\"/>\n"
            + "</uniquenessConstraint>\n</uniquenessConstraints>\n<fetchIndex name=\"i\">\n<fetchIndexElement property=\"z\" type=\"Binary\" order=\"ascending\"/>\n"
            + "</fetchIndex>\n</entity>", ["3 error unknownProperty", "3 error unknownProperty"]),
        ("<entity name=\"A\">\n<attribute name=\"s\" attributeType=\"String\"/>\n</entity>\n<fetchRequest name=\"f\" entity=\"A\" predicateString=\"t == 1\"/>\n"
            + "<fetchRequest name=\"g\" entity=\"A\" predicateString=\"s ==\"/>\n<fetchRequest name=\"h\" entity=\"B\"/>",
         ["6 error unknownProperty", "7 error badPredicate", "8 error unknownEntity"]),
        ("<entity name=\"A\"/>\n<configuration name=\"C\">\n<memberEntity name=\"B\"/>\n</configuration>", ["4 error unknownEntity"]),
        ("<entity name=\"A\"/>\n<entity name=\"A\"/>", ["4 error duplicateEntity"]),
        ("<entity name=\"A\" representedClassName=\"X\"/>\n<entity name=\"B\" representedClassName=\"X\"/>", ["4 warning sharedClass"]),
        ("<entity name=\"A\">\n<attribute name=\"d\" attributeType=\"Date\" derived=\"YES\" derivationExpression=\"now(\"/>\n</entity>", ["4 error badExpression"]),
    ]

    @Test("validate: a configuration used with CloudKit, and only that, is held to CloudKit's rules")
    func cloudKit() throws {
        func entities(_ configuration: String) -> String {
            """
            <entity name="A">
            <attribute name="required" attributeType="String"/>
            <attribute name="defaulted" attributeType="String" defaultValueString="x"/>
            <relationship name="one" destinationEntity="B" inverseName="many" inverseEntity="B"/>
            <relationship name="outside" optional="YES" destinationEntity="C" inverseName="inside" inverseEntity="C"/>
            <uniquenessConstraints><uniquenessConstraint><constraint value="required"/></uniquenessConstraint></uniquenessConstraints>
            </entity>
            <entity name="B">
            <relationship name="many" optional="YES" toMany="YES" ordered="YES" deletionRule="Deny" destinationEntity="A" inverseName="one" inverseEntity="A"/>
            </entity>
            <entity name="C">
            <relationship name="inside" optional="YES" destinationEntity="A" inverseName="outside" inverseEntity="A"/>
            </entity>
            \(configuration)
            """
        }
        let members = "<memberEntity name=\"A\"/><memberEntity name=\"B\"/></configuration>"
        #expect(try problems(entities("<configuration name=\"Cloud\" usedWithCloudKit=\"YES\">" + members)) == [
            "3 error cloudKit", "4 error cloudKit", "6 error cloudKit", "7 error cloudKit", "11 error cloudKit", "11 error cloudKit",
        ])
        #expect(try problems(entities("<configuration name=\"Local\">" + members)) == [])
    }

    @Test("validate: every mistake, each with its line", arguments: mistaken)
    func mistakes(_ body: String, _ expected: [String]) throws {
        let found = try problems(body)
        // Constraints and indexes of one entity stand on its line, each with a message of its own.
        #expect(Set(found) == Set(expected), "\(found)")
        #expect(found == found.sorted { (Int($0.prefix { $0 != " " }) ?? 0) < (Int($1.prefix { $0 != " " }) ?? 0) })
    }

    @Test("validate prints as compilers do")
    func form() throws {
        let path = try model("<entity name=\"A\">\n<relationship name=\"b\" destinationEntity=\"A\"/>\n</entity>")
        let outcome = coredata("model", "validate", path)
        #expect(outcome.lines[0] == "\(path)/contents:4: warning: “A.b” has no inverse. Give it one: without, Core Data cannot keep both sides in step.")
        #expect(outcome.lines[1] == "0 errors, 1 warning")
        #expect(coredata("model", "validate", path, "--errors-only").code == 0)
    }

    @Test("show: entities and properties, as text and JSON")
    func show() throws {
        let library = try Library()
        let text = coredata("model", "show", library.modelPath)
        #expect(text.code == 0 && text.output.contains("Library.xcdatamodel, version “Library”: 4 entities"))
        #expect(text.output.contains("books") && text.output.contains("→ ordered to-many Book"))
        let json = try coredata("model", "show", library.modelPath, "--json").object()
        let entities = try #require(json["entities"] as? [[String: Any]])
        #expect(entities.map { $0["name"] as? String } == ["Author", "Book", "Novel", "Shelf"])
        #expect((entities[1]["attributes"] as? [[String: Any]])?.first { $0["name"] as? String == "price" }?["type"] as? String == "Decimal")
        #expect(coredata("model", "show", library.modelPath, "--entity", "Sehlf").errors.contains("Did you mean “Shelf”?"))
        #expect(coredata("model", "show", library.modelPath, "--version", "9").code == 3)
    }

    @Test("hashes equal those a store of the model notes down")
    func hashes() throws {
        let library = try Library()
        try library.fill()
        let json = try coredata("model", "hashes", library.modelPath, "--json").object()
        let stored = try coredata("inspect", library.path, "--json").object()
        #expect(json["hashes"] as? [String: String] == stored["versionHashes"] as? [String: String])
        #expect(json["digest"] as? String == stored["modelDigest"] as? String)
        #expect(coredata("model", "hashes", library.modelPath).output.contains(try #require(json["checksum"] as? String)))
    }

    @Test("schema is the SQL a new store is made with")
    func schema() throws {
        let library = try Library()
        try library.fill()
        let statements = try #require(try coredata("model", "schema", library.modelPath, "--json").json() as? [String])
        let connection = try SQLiteConnection(path: library.path, access: .readOnly)
        var stored: [String] = []
        try connection.withStatement("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL") { row in
            while try row.step() { stored.append(row.text(0) ?? "") }
        }
        #expect(Set(statements) == Set(stored))
        #expect(coredata("model", "schema", library.modelPath).lines.allSatisfy { $0.hasSuffix(";") })
    }

    static let old = """
        <entity name="Person">
        <attribute name="name" attributeType="String"/>
        <attribute name="age" optional="YES" attributeType="Integer 16"/>
        <relationship name="team" optional="YES" maxCount="1" destinationEntity="Team" inverseName="people" inverseEntity="Team"/>
        </entity>
        <entity name="Team">
        <relationship name="people" optional="YES" toMany="YES" destinationEntity="Person" inverseName="team" inverseEntity="Person"/>
        </entity>
        """

    func diff(_ new: String) throws -> (code: Int32, changes: [String], isInferable: Bool, needsMigration: Bool) {
        let outcome = coredata("model", "diff", try model(ModelCommandTests.old, "Old.xcdatamodel"), try model(new, "New.xcdatamodel"), "--json")
        let json = try outcome.object()
        let changes = (json["changes"] as? [[String: Any]] ?? []).map { "\($0["kind"] ?? "") \($0["place"] ?? "")" }
        return (outcome.code, changes, json["isInferable"] as? Bool ?? false, json["needsMigration"] as? Bool ?? false)
    }

    static let changes: [(String, String, [String], Bool, Bool)] = [
        ("", "", [], true, false),
        ("<attribute name=\"age\" ", "<attribute name=\"years\" elementID=\"age\" ", ["renamed Person.years"], true, true),
        ("<attribute name=\"age\" ", "<attribute name=\"nick\" optional=\"YES\" attributeType=\"String\"/>\n<attribute name=\"age\" ", ["added Person.nick"], true, true),
        ("<attribute name=\"age\" ", "<attribute name=\"nick\" attributeType=\"String\"/>\n<attribute name=\"age\" ", ["added Person.nick"], false, true),
        ("<attribute name=\"age\" ", "<attribute name=\"nick\" attributeType=\"String\" defaultValueString=\"n\"/>\n<attribute name=\"age\" ", ["added Person.nick"], true, true),
        ("attributeType=\"Integer 16\"", "attributeType=\"Integer 64\"", ["changed Person.age"], false, true),
        ("optional=\"YES\" attributeType=\"Integer 16\"", "attributeType=\"Integer 16\"", ["changed Person.age"], false, true),
        ("attributeType=\"Integer 16\"", "attributeType=\"Integer 16\" defaultValueString=\"3\"", ["changed Person.age"], true, false),
        ("maxCount=\"1\" destinationEntity=\"Team\"", "toMany=\"YES\" destinationEntity=\"Team\"", ["changed Person.team"], true, true),
        ("toMany=\"YES\" destinationEntity=\"Person\"", "maxCount=\"1\" destinationEntity=\"Person\"", ["changed Team.people"], false, true),
        ("toMany=\"YES\" destinationEntity=\"Person\"", "toMany=\"YES\" ordered=\"YES\" destinationEntity=\"Person\"", ["changed Team.people"], true, true),
        ("<entity name=\"Team\">", "<entity name=\"Root\"/>\n<entity name=\"Team\" parentEntity=\"Root\">", ["added Root", "changed Team"], true, true),
        ("<entity name=\"Team\">", "<entity name=\"Team\" parentEntity=\"Person\">", ["changed Team", "changed Person"], false, true),
    ]

    @Test("diff: what inference can do, and what it cannot", arguments: changes)
    func diffs(_ from: String, _ to: String, _ expected: [String], _ isInferable: Bool, _ needsMigration: Bool) throws {
        let found = try diff(from.isEmpty ? ModelCommandTests.old : ModelCommandTests.old.replacing(from, with: to))
        #expect(Set(found.changes).isSubset(of: Set(expected)) && found.changes.isEmpty == expected.isEmpty, "\(found.changes)")
        #expect(found.isInferable == isInferable && found.needsMigration == needsMigration, "\(found)")
        #expect(found.code == (expected.isEmpty ? 0 : 1))
    }

    @Test("diff of one model's versions: the one before the current, or those named")
    func versions() throws {
        for (name, extra) in [("Shop", ""), ("Shop 2", "<entity name=\"Two\"/>"), ("Shop 10", "<entity name=\"Ten\"/>")] {
            _ = try model(ModelCommandTests.old + extra, "Shop.xcdatamodeld/\(name).xcdatamodel")
        }
        let plist = try PropertyListSerialization.data(fromPropertyList: ["_XCCurrentVersionName": "Shop 10.xcdatamodel"], format: .xml, options: 0)
        try plist.write(to: folder.file("Shop.xcdatamodeld/.xccurrentversion"))
        let path = folder.file("Shop.xcdatamodeld").path
        #expect(coredata("model", "diff", path).output.hasPrefix("- Two  entity removed\n+ Ten  entity added\n"))
        #expect(coredata("model", "diff", path, "--from", "Shop", "--to", "Shop 2").output.hasPrefix("+ Two  entity added\n\nMigration can be inferred."))
    }

    @Test("diagram: Graphviz source, and a message that names the package where Graphviz is missing")
    func diagram() throws {
        let library = try Library()
        let dot = coredata("model", "diagram", library.modelPath, "--format", "dot")
        #expect(dot.code == 0 && dot.output.hasPrefix("digraph \"Library\" {"))
        #expect(dot.output.contains("\"Novel\" -> \"Book\" [style=dashed"))
        #expect(dot.output.contains("\"Author\" -> \"Book\" [label=\"books / author\", dir=both, arrowhead=crow, arrowtail=tee];"))
        #expect(dot.output.components(separatedBy: "arrowtail").count == 6)
        let svg = coredata("model", "diagram", library.modelPath, "-o", folder.file("x.svg").path)
        if GraphvizProgram.find("dot") == nil {
            #expect(svg.code == 3 && svg.errors.contains("apt-get install graphviz"))
        } else {
            #expect(svg.code == 0)
            #expect(try String(contentsOf: folder.file("x.svg"), encoding: .utf8).contains("<svg"))
        }
    }

    @Test("generate writes what the plugin does, and leaves unchanged files alone")
    func generate() throws {
        let library = try Library()
        let output = folder.file("Generated").path
        let first = coredata("generate", library.modelPath, "-o", output)
        #expect(first.code == 0 && first.lines.count == 4, "\(first.errors)")
        let other = folder.file("Other").path
        let program = builtProgram.deletingLastPathComponent().appendingPathComponent("coredata-generate").path
        let process = Process()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = [library.modelPath, "--output", other]
        try process.run()
        process.waitUntilExit()
        for name in try FileManager.default.contentsOfDirectory(atPath: other) {
            #expect(FileManager.default.contents(atPath: "\(other)/\(name)") == FileManager.default.contents(atPath: "\(output)/\(name)"))
        }
        let again = try #require(try coredata("generate", library.modelPath, "-o", output, "--json").json() as? [[String: Any]])
        #expect(again.allSatisfy { $0["changed"] as? Bool == false })
        #expect(coredata("generate", library.modelPath).code == 2)
        #expect(coredata("generate", "/nowhere.xcdatamodeld", "-o", output).code == 3)
    }

    @Test("Every model of the corpus is shown, hashed and laid out, or refused by name")
    func corpus() {
        let models = Corpus.files(below: "corpus/models") { $0.pathExtension == "xcdatamodel" }
        for model in models {
            for command in ["show", "hashes", "schema", "validate"] {
                let outcome = run(["model", command, model.path, "--json"])
                #expect(outcome.code <= 1 || (outcome.code == 3 && outcome.errors.contains("Xcode 3")), "\(command) \(model.path): \(outcome.errors)")
            }
        }
    }

    @Test("A version can be named whatever is wrong with the mark of the current one; validate lists what is")
    func brokenMark() throws {
        let bundle = folder.file("B.xcdatamodeld")
        for (name, attribute) in [("B 1", "x"), ("B 2", "y")] {
            _ = try model("<entity name=\"A\">\n<attribute name=\"\(attribute)\" optional=\"YES\" attributeType=\"String\"/>\n</entity>", "B.xcdatamodeld/\(name).xcdatamodel")
        }
        for mark in ["<plist><dict><key>_XCCurrentVersionName</key><string>B 9.xcdatamodel</string></dict></plist>", "no list", nil] {
            let file = bundle.appendingPathComponent(".xccurrentversion")
            try? FileManager.default.removeItem(at: file)
            if let mark { try Data(mark.utf8).write(to: file) }
            #expect(coredata("model", "show", bundle.path).code == 3)
            let shown = coredata("model", "show", bundle.path, "--version", "B 1")
            #expect(shown.code == 0 && shown.output.contains("version “B 1” of B 1, B 2"), "\(shown)")
            let diff = coredata("model", "diff", bundle.path, "--from", "B 1", "--to", "B 2")
            #expect(diff.code == 1 && diff.output.contains("A.y"), "\(diff)")
            let list = try #require(try coredata("model", "validate", bundle.path, "--json").json() as? [[String: Any]])
            #expect(list.count == 1 && list[0]["severity"] as? String == "error", "\(list)")
            let missing = coredata("model", "show", bundle.path, "--version", "B 3")
            #expect(missing.code == 3 && missing.errors.contains("no version “B 3”") && missing.errors.contains("Did you mean"), "\(missing)")
        }
    }

    @Test("The model of the README has nothing to flag; mistakes are told where a model is used")
    func readme() throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../../README.md")
        let text = try String(contentsOf: root, encoding: .utf8)
        let start = try #require(text.range(of: "<?xml version")), end = try #require(text.range(of: "</model>"))
        let url = folder.file("Shop.xcdatamodel")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        let xml = String(text[start.lowerBound..<end.upperBound])
        try Data(xml.utf8).write(to: url.appendingPathComponent("contents"))
        #expect(coredata("model", "validate", url.path).output == "Nothing to flag.\n")
        #expect(coredata("model", "show", url.path).errors.isEmpty)
        try Data(xml.replacing("inverseEntity=\"Tag\"", with: "inverseEntity=\"Person\"").utf8).write(to: url.appendingPathComponent("contents"))
        #expect(coredata("model", "show", url.path).errors.contains("warning:"))
        #expect(coredata("seed", url.path, "/dev/null", "-o", folder.file("S.sqlite").path).errors.contains("warning:"))
        let drawn = coredata("model", "diagram", url.path, "-o", folder.file("x.png").path)
        #expect(drawn.code == 2 && drawn.errors.contains("PNG"))
    }
}

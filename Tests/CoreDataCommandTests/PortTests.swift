import CoreDataTestSupport
import Foundation
import Testing
@testable import CoreDataCommand

@Suite("coredata port")
struct PortTests {
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("port-\(UUID().uuidString)")

    private func write(_ text: String, _ name: String = "A.swift") throws {
        let url = folder.appendingPathComponent(name)
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: url)
    }

    private func text(_ name: String = "A.swift") -> String {
        String(decoding: FileManager.default.contents(atPath: folder.appendingPathComponent(name).path) ?? Data(), as: UTF8.self)
    }

    private func cleanUp() { try? FileManager.default.removeItem(at: folder) }

    /// The text after porting; porting again and taking back are tried too.
    private func ported(_ source: String, _ others: [String: String] = [:]) throws -> String {
        defer { cleanUp() }
        try write(source)
        for (name, text) in others { try write(text, name) }
        #expect(coredata("port", folder.path, "--dry-run").code == 0 && text() == source)
        #expect(coredata("port", folder.path).code == 0)
        let result = text()
        #expect(coredata("port", folder.path).output.contains("0 files changed") && text() == result)
        if result != source { #expect(coredata("port", folder.path, "--undo").code == 0) }
        #expect(text() == source && !FileManager.default.fileExists(atPath: folder.appendingPathComponent(".coredata-port.json").path))
        return result
    }

    private static let model = """
        import CoreData
        class Base: NSManagedObject { @NSManaged var identifier: String? }
        class Person: Base {
            @NSManaged var name: String?
            @NSManaged public var home: Address?
            @NSManaged var owner: Person
            @NSManaged var tags: NSSet?
            @NSManaged var hash_: String
            var computed: Int { 1 }
        }
        class Address: NSManagedObject { @NSManaged var street: String; @NSManaged var `default`: String }
        """

    @Test("@objc and its kin go between #if and #endif", arguments: [
        ("@objc(Person)\npublic class Person {}\n", "#if canImport(ObjectiveC)\n@objc(Person)\n#endif\npublic class Person {}\n"),
        ("class A {\n    @objc func f() {}\n}\n", "class A {\n    #if canImport(ObjectiveC)\n    @objc\n    #endif\n    func f() {}\n}\n"),
        ("@objcMembers class A {}", "#if canImport(ObjectiveC)\n@objcMembers\n#endif\nclass A {}"),
        ("@objc enum K: Int16 { case a }", "#if canImport(ObjectiveC)\n@objc\n#endif\nenum K: Int16 { case a }"),
        ("@objc // why\nclass A {}", "#if canImport(ObjectiveC)\n@objc // why\n#endif\nclass A {}"),
        ("\tpublic private(set) @objc dynamic var x = 1", "\t#if canImport(ObjectiveC)\n\t@objc\n\t#endif\n\tpublic private(set) dynamic var x = 1"),
        ("class A { @objc func f() {} }", "class A {\n#if canImport(ObjectiveC)\n@objc\n#endif\nfunc f() {} }"),
        ("class A { public @objc func f() {} }", "class A {\n#if canImport(ObjectiveC)\n@objc\n#endif\npublic func f() {} }"),
        ("@NSManaged @objc(addX:) func f()", "@NSManaged\n#if canImport(ObjectiveC)\n@objc(addX:)\n#endif\nfunc f()"),
        ("@objc @IBInspectable var x = 1", "#if canImport(ObjectiveC)\n@objc @IBInspectable\n#endif\nvar x = 1"),
        ("@IBOutlet weak var a: A?", "#if canImport(ObjectiveC)\n@IBOutlet\n#endif\nweak var a: A?"),
        ("@objc(a:b:)\r\nclass A {}\r\n", "#if canImport(ObjectiveC)\r\n@objc(a:b:)\r\n#endif\r\nclass A {}\r\n"),
        ("@objc protocol P { func f() }", "#if canImport(ObjectiveC)\n@objc\n#endif\nprotocol P: AnyObject { func f() }"),
        ("@objc public protocol P: NSObjectProtocol {}", "#if canImport(ObjectiveC)\n@objc\n#endif\npublic protocol P: NSObjectProtocol {}"),
        ("@objc protocol P: A {\n    @objc optional func f(a: Int,\n        b: Int) -> Int\n    func g()\n}",
         "#if canImport(ObjectiveC)\n@objc\n#endif\nprotocol P: A {\n    #if canImport(ObjectiveC)\n    @objc optional func f(a: Int,\n        b: Int) -> Int\n    #endif\n    func g()\n}"),
    ])
    func attributes(source: String, expected: String) throws {
        #expect(try ported(source) == expected)
    }

    @Test("What is no code, or not Linux's, stays", arguments: [
        "// @objc class\n/* #keyPath(Person.name) /* @objc */ */ let a = 1", "let a = \"@objc #keyPath(Person.name)\"",
        "let a = \"\"\"\n    @objc class A {}\n    #keyPath(Person.name)\n    \"\"\"", "let a = #\"\\(#keyPath(Person.name))\"#", "let a = #/@objc/#",
        "#if canImport(ObjectiveC)\n@objc\n#endif\nclass A {}", "#if os(iOS) || os(macOS)\n@objc class A {}\n#else\nclass A {}\n#endif",
        "#if !canImport(ObjectiveC)\nlet a = 1\n#else\nlet a = #keyPath(Person.name)\n#endif", "@nonobjc class func f() {}", "let objc = 1; f(objc)",
        "@IBAction func f() {}", "dynamic var x = 1",
    ])
    func untouched(source: String) throws {
        #expect(try ported(source) == source)
    }

    @Test("#keyPath becomes a key path of what Core Data knows, else a text", arguments: [
        ("f(#keyPath(Person.name))", #"f((\Person.name)._kvcKeyPathString!)"#),
        ("f(#keyPath(Person.identifier))", #"f((\Person.identifier)._kvcKeyPathString!)"#),
        ("f(#keyPath( Shop.Person.home.street ))", #"f((\Shop.Person.home?.street)._kvcKeyPathString!)"#),
        ("f(#keyPath(Person.owner.name))", #"f((\Person.owner.name)._kvcKeyPathString!)"#),
        ("f(#keyPath(Address.default))", #"f((\Address.`default`)._kvcKeyPathString!)"#),
        ("f(#keyPath(Person.tags.name))", #"f("tags.name")"#),
        ("f(#keyPath(Person.computed))", #"f("computed")"#),
        ("f(#keyPath(Operation.isFinished))", #"f("isFinished")"#),
        ("let s = \"\\(#keyPath(Person.name)) == %@\"", "let s = \"\\((\\Person.name)._kvcKeyPathString!) == %@\""),
        ("extension Person { static let k = #keyPath(name)\nfunc f() { if true { g(#keyPath(home.street)) } } }",
         #"extension Person { static let k = (\Person.name)._kvcKeyPathString!"# + "\n" + #"func f() { if true { g((\Person.home?.street)._kvcKeyPathString!) } } }"#),
        ("@objc class A { @objc let k = #keyPath(Person.name) }",
         "#if canImport(ObjectiveC)\n@objc\n#endif\nclass A {\n#if canImport(ObjectiveC)\n@objc\n#endif\nlet k = (\\Person.name)._kvcKeyPathString! }"),
    ])
    func keyPaths(source: String, expected: String) throws {
        #expect(try ported(source, ["Model.swift": Self.model]) == expected)
    }

    @Test("A cast of a request to one of other results is a bit cast; what may be anything is asked", arguments: [
        ("let r = T.fetchRequest() as! NSFetchRequest<T>", "let r = unsafeBitCast(T.fetchRequest(), to: NSFetchRequest<T>.self)"),
        ("NSBatchDeleteRequest(fetchRequest: request as! NSFetchRequest<NSFetchRequestResult>)",
         "NSBatchDeleteRequest(fetchRequest: unsafeBitCast(request, to: NSFetchRequest<NSFetchRequestResult>.self))"),
        ("try c.fetch(self.request(for: [1], #keyPath(x)) as! NSFetchRequest<Person>)",
         "try c.fetch(unsafeBitCast(self.request(for: [1], \"x\"), to: NSFetchRequest<Person>.self))"),
        ("guard let r = Type.fetchRequest() as? NSFetchRequest<Type> else { return }",
         "guard let r = unsafeBitCast(Type.fetchRequest(), to: NSFetchRequest<Type>?.self) else { return }"),
        ("return model.fetchRequestTemplate(forName: n)! as! NSFetchRequest<A.B>", "return unsafeBitCast(model.fetchRequestTemplate(forName: n)!, to: NSFetchRequest<A.B>.self)"),
        ("r = Wrapper<T>.fetchRequest()\n    as! NSFetchRequest<T>", "r = unsafeBitCast(Wrapper<T>.fetchRequest(), to: NSFetchRequest<T>.self)"),
        ("if let f = request as? NSFetchRequest<NSFetchRequestResult> {}", "if let f = request as? NSFetchRequest<NSFetchRequestResult> {}"),
        ("let r = request.copy() as! NSFetchRequest<T>", "let r = request.copy() as! NSFetchRequest<T>"),
        ("let r = options[\"request\"] as! NSFetchRequest<T>", "let r = options[\"request\"] as! NSFetchRequest<T>"),
        ("let r = (x ?? y) as! NSFetchRequest<T>", "let r = (x ?? y) as! NSFetchRequest<T>"),
        ("let r = request as NSFetchRequest<T>", "let r = request as NSFetchRequest<T>"),
    ])
    func requestCasts(source: String, expected: String) throws { #expect(try ported(source) == expected) }

    @Test("Models in the folder tell of properties too")
    func models() throws {
        defer { cleanUp() }
        try write("let a = #keyPath(Cat.owner.name), b = #keyPath(Cat.toys.name)")
        try write("""
            <model><entity name="Cat" representedClassName=".Cat"><relationship name="owner" optional="YES" maxCount="1" destinationEntity="Man"/>\
            <relationship name="toys" toMany="YES" destinationEntity="Man"/></entity>\
            <entity name="Man" representedClassName="Man"><attribute name="name" attributeType="String"/></entity></model>
            """, "M.xcdatamodeld/M.xcdatamodel/contents")
        let outcome = coredata("port", folder.path)
        #expect(text() == #"let a = (\Cat.owner?.name)._kvcKeyPathString!, b = "toys.name""#)
        #expect(outcome.output.contains("A.swift:1: ") && outcome.output.contains("1 file changed, 2 places; 0 places need a hand."))
    }

    @Test("#selector of comparisons is a name; others, and optional requirements, need a hand")
    func hands() throws {
        #expect(try ported("s(#selector(NSString.localizedStandardCompare(_:)))") == "s(NSSelectorFromString(\"localizedStandardCompare:\"))")
        defer { cleanUp() }
        try write("func f() {\n    center.addObserver(self, selector: #selector(changed(_:)), name: nil, object: nil)\n}\n@objc protocol P {\n    @objc optional var x: Int { get }\n}")
        let outcome = coredata("port", folder.path)
        #expect(outcome.output.contains("A.swift:2: needs a hand: #selector") && outcome.output.contains("A.swift:5: needs a hand: An optional requirement"))
        #expect(outcome.output.contains("2 places need a hand."))
        try write("import UIKit\nimport CoreData\n#if canImport(AppKit)\nimport AppKit\n#endif\n", "B.swift")
        let imports = coredata("port", folder.path).output
        #expect(imports.contains("B.swift:1: needs a hand: There is no module UIKit") && !imports.contains("AppKit") && !imports.contains("CoreData on Linux"))
        let notes = try #require(try coredata("port", folder.path, "--json").object()["notes"] as? [[String: Any]])
        #expect(notes.contains { $0["line"] as? Int == 2 && $0["kind"] as? String == "hand" })
    }

    @Test("Taking back is exact over several runs; what was edited since is left alone")
    func undo() throws {
        defer { cleanUp() }
        let first = "@objc class A {}\r\n// ü\r\n", second = "@objc class B {}"
        try write(first)
        try write(second, "Sub/B.swift")
        try write("@objc class No {}", "Pods/C.swift")
        #expect(coredata("port", folder.path).code == 0)
        #expect(text("Pods/C.swift") == "@objc class No {}")
        let once = text()
        try write(once + "@objc class C {}\n")
        #expect(coredata("port", folder.path).code == 0 && text() != once)
        #expect(coredata("port", folder.path, "--undo", "--dry-run").code == 1 && text("Sub/B.swift") != second)
        let outcome = coredata("port", folder.path, "--undo")
        #expect(outcome.code == 1 && outcome.output.contains("A.swift: edited since"))
        // The second run is taken back; the first was edited after it.
        #expect(text() == once + "@objc class C {}\n" && text("Sub/B.swift") == second)
        try write(once)
        #expect(coredata("port", folder.path, "--undo").code == 0 && text() == first)
        #expect(coredata("port", folder.path, "--undo").code == 3)
    }

    @Test("A file alone, nothing there, and text that is no UTF-8")
    func inputs() throws {
        defer { cleanUp() }
        try write("@objc class A {}")
        try write("@objc class B {}", "B.swift")
        #expect(coredata("port", folder.path + "/A.swift").code == 0)
        #expect(text().hasPrefix("#if") && text("B.swift").hasPrefix("@objc"))
        #expect(coredata("port", folder.path + "/none").code == 3)
        let latin = Data([0x2F, 0x2F, 0xFC, 0x0A, 0x40, 0x6F, 0x62, 0x6A, 0x63])
        try latin.write(to: folder.appendingPathComponent("L.swift"))
        let outcome = coredata("port", folder.path)
        #expect(outcome.code == 0 && outcome.errors.contains("L.swift"))
        #expect(FileManager.default.contents(atPath: folder.appendingPathComponent("L.swift").path) == latin)
    }
}

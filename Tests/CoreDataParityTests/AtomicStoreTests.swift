import CoreData
import Testing

/// Binary and XML stores.
@Suite struct AtomicStoreTests {
    private static let types = [NSBinaryStoreType, NSXMLStoreType]
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func file(_ name: String = "Store") -> URL { folder.url.appendingPathComponent(name) }

    private func open(
        _ model: NSManagedObjectModel, _ type: String, _ name: String = "Store", options: [AnyHashable: Any]? = nil
    ) throws -> NSManagedObjectContext {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        try coordinator.addPersistentStore(ofType: type, configurationName: nil, at: file(name), options: options)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        return context
    }

    private func store(_ context: NSManagedObjectContext) throws -> NSPersistentStore {
        try #require(context.persistentStoreCoordinator?.persistentStores.first)
    }

    /// A saved store of the office with two employees in a department.
    private func office(_ type: String, _ name: String = "Store") throws {
        try open(Models.office(), type, name).run { context in
            let sales = context.make("Department", ["name": "Sales"])
            for name in ["Ann", "Bea"] { context.make("Employee", ["name": name, "salary": 7, "dept": sales]) }
            try context.save()
        }
    }

    private func everything() -> NSManagedObjectModel {
        let types: [(String, NSAttributeType)] = [
            ("i16", .integer16AttributeType), ("i32", .integer32AttributeType), ("i64", .integer64AttributeType), ("decimal", .decimalAttributeType),
            ("double", .doubleAttributeType), ("float", .floatAttributeType), ("name", .stringAttributeType), ("flag", .booleanAttributeType),
            ("date", .dateAttributeType), ("data", .binaryDataAttributeType), ("uuid", .UUIDAttributeType), ("uri", .URIAttributeType),
            ("object", .transformableAttributeType),
        ]
        let entity = NSEntityDescription("Everything")
        entity.properties = types.map { NSAttributeDescription($0.0, $0.1) }
        return model(entity)
    }

    private func values() throws -> [[String: Any]] {
        let odd = "\u{0}\u{1}\u{8}\t\r\n \u{FFFE}]]> <&\"'> naïve cafe\u{301} \u{1F468}\u{200D}\u{1F469} "
        return [
            ["name": "all", "i16": Int16.min, "i32": Int32.max, "i64": Int64.min, "double": 0.1 + 0.2, "float": Float(1.1), "flag": true,
             "decimal": NSDecimalNumber(string: "-12345678901234567890123456789.123456789"), "date": Date(timeIntervalSinceReferenceDate: 0.1 + 0.2),
             "data": Data((0..<3000).map { UInt8(truncatingIfNeeded: $0 &* 7) }), "uuid": UUID(), "uri": try #require(URL(string: "https://example.org/a?b=c&d=%20")),
             "object": ["a", ["b": 1]] as NSArray],
            ["name": odd, "data": Data(), "double": -Double.infinity, "float": Float.leastNonzeroMagnitude, "i64": Int64.max, "flag": false],
            ["name": "", "double": Double.greatestFiniteMagnitude, "date": Date.distantPast, "decimal": NSDecimalNumber.zero],
            ["name": "plain\r\nlines\r", "double": -0.0, "date": Date.distantFuture],
            ["name": "   ", "double": Double.leastNonzeroMagnitude],
        ]
    }

    @Test("Values of every attribute type come back exactly, nil stays nil", arguments: types)
    func attributes(_ type: String) throws {
        let values = try values(), model = everything()
        let uris = try open(model, type).run { context in
            let objects = values.map { context.make("Everything", $0) }
            try context.save()
            return objects.map { $0.objectID.uriRepresentation() }
        }
        try open(everything(), type).run { context in
            for (expected, uri) in zip(values, uris) {
                let id = try #require(context.persistentStoreCoordinator?.managedObjectID(forURIRepresentation: uri))
                let object = try context.existingObject(with: id)
                for key in object.entity.attributesByName.keys {
                    let found = object.value(forKey: key) as? NSObject, wanted = expected[key] as? NSObject
                    #expect(found == wanted, "\(type), \(key): \(String(describing: found)) for \(String(describing: wanted))")
                }
                #expect((object.value(forKey: "name") as? String).map { Array($0.unicodeScalars) } == (expected["name"] as? String).map { Array($0.unicodeScalars) })
                #expect((object.value(forKey: "date") as? Date)?.timeIntervalSinceReferenceDate == (expected["date"] as? Date)?.timeIntervalSinceReferenceDate)
            }
        }
    }

    @Test("Relationships of every shape come back, ordered ones in their order", arguments: types)
    func relationships(_ type: String) throws {
        func shapes() -> NSManagedObjectModel {
            let person = NSEntityDescription("Person", NSAttributeDescription("name", .stringAttributeType))
            let manager = NSEntityDescription("Manager", NSAttributeDescription("level", .integer16AttributeType))
            person.subentities = [manager]
            relate(person, .one("boss"), person, .many("staff"))
            relate(person, .one("spouse"), person, .one("spouseOf"))
            relate(person, .many("friends"), person, .many("friendOf"))
            relate(person, .many("steps", ordered: true), person, .one("walker"))
            relate(person, .many("ranks", ordered: true), person, .many("rankedBy", ordered: true))
            person.properties += [End.many("admires").property(to: person), End.many("queue", ordered: true).property(to: person)]
            return model(person, manager)
        }
        try open(shapes(), type).run { context in
            let people = ["a", "b", "c", "d", "e"].map { context.make($0 < "c" ? "Person" : "Manager", ["name": $0]) }
            let (a, b, c, d, e) = (people[0], people[1], people[2], people[3], people[4])
            for member in [a, b] { member.setValue(c, forKey: "boss") }
            a.setValue(d, forKey: "spouse")
            a.setValue(NSSet(array: [b, c, d]), forKey: "friends")
            b.setValue(NSSet(array: [c]), forKey: "friends")
            a.setValue(NSOrderedSet(array: [e, b, d, c]), forKey: "steps")
            a.setValue(NSOrderedSet(array: [d, b, c]), forKey: "ranks")
            e.setValue(NSOrderedSet(array: [c, d]), forKey: "ranks")
            a.setValue(NSSet(array: [b, e]), forKey: "admires")
            a.setValue(NSOrderedSet(array: [e, c, b]), forKey: "queue")
            try context.save()
            a.setValue(NSOrderedSet(array: [c, e, b]), forKey: "steps")
            try context.save()
        }
        for _ in 0..<2 {
            try open(shapes(), type).run { context in
                let a = try context.named("a", "Person"), c = try context.named("c", "Person")
                #expect(a.one("boss") == c && c.entity.name == "Manager" && c.texts("staff", "name") == ["a", "b"])
                #expect(a.one("spouse")?.text("name") == "d" && a.one("spouse")?.one("spouseOf") == a)
                #expect(a.texts("friends", "name") == ["b", "c", "d"] && c.texts("friendOf", "name") == ["a", "b"])
                #expect(a.ordered("steps", "name") == ["c", "e", "b"] && c.one("walker") == a)
                #expect(a.ordered("ranks", "name") == ["d", "b", "c"] && c.texts("rankedBy", "name") == ["a", "e"])
                #expect(a.texts("admires", "name") == ["b", "e"] && a.ordered("queue", "name") == ["e", "c", "b"])
                #expect(try context.names("Manager") == ["c", "d", "e"])
                // Saved again as it is, by an edit of something else.
                a.setValue(a.one("boss"), forKey: "boss")
                c.setValue(3, forKey: "level")
                try context.save()
            }
        }
    }

    @Test("Edits and deletions are saved; IDs stay and are never used again", arguments: types)
    func editing(_ type: String) throws {
        try office(type)
        let gone = try open(Models.office(), type).run { context in
            let bea = try context.named("Bea", "Employee")
            try context.named("Ann", "Employee").setValue(99, forKey: "salary")
            context.delete(bea)
            try context.save()
            return bea.objectID.uriRepresentation()
        }
        try open(Models.office(), type).run { context in
            #expect(try context.named("Ann", "Employee").number("salary") == 99 && context.names("Employee") == ["Ann"])
            #expect(try context.only("Department").texts("employees", "name") == ["Ann"])
            let new = context.make("Employee", ["name": "New"])
            try context.save()
            #expect(new.objectID.uriRepresentation() != gone)
            let id = try #require(context.persistentStoreCoordinator?.managedObjectID(forURIRepresentation: gone))
            #expect(throws: (any Error).self) { try context.existingObject(with: id) }
        }
    }

    @Test("Two contexts conflict as in every store", arguments: types)
    func conflicts(_ type: String) throws {
        try office(type)
        let first = try open(Models.office(), type)
        let second = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        second.persistentStoreCoordinator = first.persistentStoreCoordinator
        try second.run { try $0.named("Ann", "Employee").setValue(1, forKey: "salary") }
        try first.run { context in
            try context.named("Ann", "Employee").setValue(2, forKey: "salary")
            try context.save()
        }
        try second.run { context in
            let error = try failure { try context.save() }
            #expect(error.code == NSManagedObjectMergeError)
            context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
            try context.save()
        }
        #expect(try open(Models.office(), type).run { try $0.named("Ann", "Employee").number("salary") } == 1)
    }

    @Test("Fetches answer as a SQLite store does", arguments: types)
    func fetching(_ type: String) throws {
        func fill(_ context: NSManagedObjectContext) throws {
            try context.run { context in
                let departments = ["Sales", "IT"].map { context.make("Department", ["name": $0]) }
                for index in 0..<30 {
                    let employee = context.make("Employee", ["name": "e\(index)", "salary": index % 7])
                    if index % 3 > 0 { employee.setValue(departments[index % 3 - 1], forKey: "dept") }
                }
                context.make("Employee")
                try context.save()
            }
        }
        try fill(open(Models.office(), type))
        try fill(open(Models.office(), NSSQLiteStoreType, "SQL"))
        let atomic = try open(Models.office(), type), sql = try open(Models.office(), NSSQLiteStoreType, "SQL")
        for format in [
            "salary > 3", "name == nil", "NOT (salary == 2)", "name CONTAINS '1'", "dept.name == 'IT'", "dept == nil", "salary IN {1, 5}",
            "name MATCHES 'e1.'", "dept.employees.@count > 5", "SUBQUERY(dept.employees, $x, $x.salary == 6).@count > 0",
        ] {
            let answers = try [atomic, sql].map { context in
                try context.run { context -> [String] in
                    let request = context.request("Employee", NSPredicate(format: format), by: "salary", "name")
                    request.fetchLimit = 9
                    request.fetchOffset = 1
                    return try context.fetch(request).map { $0.text("name") ?? "nil" } + ["\(try context.count(for: request))"]
                }
            }
            #expect(answers[0] == answers[1], "\(format)")
        }
    }

    @Test("A save that cannot be written changes neither file nor store, and succeeds later", arguments: types)
    func failingSave(_ type: String) throws {
        try office(type)
        let before = try Data(contentsOf: file())
        let context = try open(Models.office(), type)
        try FileManager.default.moveItem(at: folder.url, to: folder.url.appendingPathExtension("aside"))
        try context.run { context in
            context.make("Employee", ["name": "Cid"])
            let error = try failure { try context.save() }
            #expect(error.isCocoa && context.insertedObjects.count == 1)
            try FileManager.default.moveItem(at: folder.url.appendingPathExtension("aside"), to: folder.url)
            #expect(try Data(contentsOf: file()) == before)
            try context.save()
        }
        #expect(try open(Models.office(), type).run { try $0.names("Employee") } == ["Ann", "Bea", "Cid"])
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["Store"])
    }

    @Test("What another program wrote meanwhile is not overwritten; a file that is gone is written again", arguments: types)
    func changedMeanwhile(_ type: String) throws {
        try office(type)
        let first = try open(Models.office(), type), second = try open(Models.office(), type)
        try second.run { context in
            context.make("Employee", ["name": "Cid"])
            try context.save()
        }
        try first.run { context in
            context.make("Employee", ["name": "Dan"])
            #expect(try failure { try context.save() }.isCocoa)
            try FileManager.default.removeItem(at: file())
            try context.save()
        }
        #expect(try open(Models.office(), type).run { try $0.names("Employee") } == ["Ann", "Bea", "Dan"])
    }

    @Test("Cut off anywhere, or with any byte changed, a file gives an error or what it says; it stays as it is", arguments: types)
    func damage(_ type: String) throws {
        try office(type)
        let whole = try Data(contentsOf: file())
        var damaged = stride(from: 0, to: whole.count - 1, by: max(1, whole.count / 60)).map { whole.prefix($0) }
        for place in stride(from: 0, to: whole.count, by: max(1, whole.count / 90)) {
            var copy = whole
            copy[place] ^= 1 << UInt8(place % 8)
            damaged.append(copy)
        }
        for bytes in damaged where !bytes.isEmpty {
            try bytes.write(to: file())
            do {
                let context = try open(Models.office(), type)
                // XML has no checksum: a letter may be another one. Whatever opens can be read.
                #expect(type == NSXMLStoreType)
                _ = try context.run { try $0.fetch($0.request("Employee")).map { $0.text("name") } }
            } catch {
                #expect((error as NSError).isCocoa, "\(error)")
            }
            #expect(try Data(contentsOf: file()) == bytes)
        }
    }

    @Test("Cut off within a long value, a file is an error, not a smaller store", arguments: types)
    func cutWithinLongValue(type: String) throws {
        try open(everything(), type).run { context in
            for number in 0..<3 { context.make("Everything", ["name": "n\(number)", "data": Data(repeating: 7, count: 150_000)]) }
            try context.save()
        }
        let whole = try Data(contentsOf: file())
        for tenth in 1...9 {
            try whole.prefix(whole.count * tenth / 10).write(to: file())
            #expect(throws: (any Error).self) { _ = try open(everything(), type) }
        }
    }

    @Test("A store of another type under the name is 134010, of another model 134100, no store at all 259", arguments: types)
    func refused(_ type: String) throws {
        try office(type)
        let other = try #require(Self.types.first { $0 != type })
        #expect(try failure { _ = try open(Models.office(), other) }.code == NSPersistentStoreTypeMismatchError)
        #expect(try failure { _ = try open(Models.chain(), type) }.code == NSPersistentStoreIncompatibleVersionHashError)
        try Data("Dear store".utf8).write(to: file("letter"))
        #expect(try failure { _ = try open(Models.office(), type, "letter") }.code == CocoaError.Code.fileReadCorruptFile.rawValue)
        try Data("bplist00 and so on".utf8).write(to: file("archive"))
        #expect(try failure { _ = try open(Models.office(), type, "archive") }.localizedDescription.contains("Apple"))
        #expect(try failure { _ = try open(Models.office(), type, "none/Store") }.isCocoa)
    }

    @Test("SM02, SM03, SM04: metadata of atomic stores", arguments: types)
    func metadata(_ type: String) throws {
        try office(type)
        func onDisk() throws -> [String: Any] { try NSPersistentStoreCoordinator.metadataForPersistentStore(ofType: type, at: file(), options: nil) }
        let before = try onDisk()
        #expect(before[NSStoreTypeKey] as? String == type && before[NSStoreUUIDKey] as? String != nil)
        #expect(before[NSStoreModelVersionHashesKey] as? [String: Data] == Models.office().entityVersionHashesByName)
        let context = try open(Models.office(), type), store = try store(context)
        let coordinator = try #require(context.persistentStoreCoordinator)
        #expect(store.identifier == before[NSStoreUUIDKey] as? String && store.type == type)
        coordinator.setMetadata(store.metadata.merging(["mine": ["a <b> & c", 1] as [Any], "data": Data([1, 2])]) { $1 }, for: store)
        #expect(try onDisk()["mine"] == nil)
        try context.run { try $0.save() }
        #expect((try onDisk()["mine"] as? [Any])?.first as? String == "a <b> & c")
        coordinator.setMetadata(["bad": NSObject()], for: store)
        #expect(try failure { try context.run { try $0.save() } }.code == NSCoreDataError)
        coordinator.setMetadata(["mine": 1], for: store)
        try NSPersistentStoreCoordinator.setMetadata(["mine": "there"], forPersistentStoreOfType: type, at: file(), options: nil)
        #expect(try onDisk()["mine"] as? String == "there" && onDisk()[NSStoreUUIDKey] as? String == store.identifier)
        let again = try open(Models.office(), type)
        #expect(try self.store(again).metadata["mine"] as? String == "there" && again.run { try $0.names("Employee") } == ["Ann", "Bea"])
    }

    @Test("A read-only store fetches and is never written; one that is missing is not made", arguments: types)
    func readOnly(_ type: String) throws {
        try office(type)
        let before = try Data(contentsOf: file())
        try open(Models.office(), type, options: [NSReadOnlyPersistentStoreOption: true]).run { context in
            let names = try context.names("Employee")
            context.make("Employee")
            let error = try failure { try context.save() }
            #expect(names == ["Ann", "Bea"] && error.code == CocoaError.Code.fileWriteNoPermission.rawValue)
        }
        #expect(try Data(contentsOf: file()) == before)
        #expect(throws: (any Error).self) { try open(Models.office(), type, "missing", options: [NSReadOnlyPersistentStoreOption: true]) }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["Store"])
    }

    @Test("setURL: the next save goes there, and the old file stays", arguments: types)
    func settingURL(_ type: String) throws {
        try office(type)
        let context = try open(Models.office(), type), store = try store(context)
        #expect(context.persistentStoreCoordinator?.setURL(file("Copy"), for: store) == true && store.url == file("Copy"))
        try context.run { context in
            context.make("Employee", ["name": "Cid"])
            try context.save()
        }
        #expect(try open(Models.office(), type).run { try $0.count("Employee") } == 2)
        #expect(try open(Models.office(), type, "Copy").run { try $0.count("Employee") } == 3)
    }

    @Test("SM05: destroyed and replaced as files of their type only", arguments: types)
    func surgery(_ type: String) throws {
        try office(type)
        try open(Models.office(), type, "Empty").run { try $0.save() }
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Models.office())
        let other = try #require(Self.types.first { $0 != type })
        for wrong in [other, NSSQLiteStoreType] {
            #expect(throws: (any Error).self) { try coordinator.destroyPersistentStore(at: file(), ofType: wrong, options: nil) }
        }
        try coordinator.replacePersistentStore(at: file("Empty"), withPersistentStoreFrom: file(), ofType: type)
        #expect(try open(Models.office(), type, "Empty").run { try $0.names("Employee") } == ["Ann", "Bea"])
        #expect(throws: (any Error).self) { try coordinator.replacePersistentStore(at: file(), withPersistentStoreFrom: file("none"), ofType: type) }
        for name in ["Store", "Empty", "missing"] { try coordinator.destroyPersistentStore(at: file(name), ofType: type, options: nil) }
        #expect(throws: (any Error).self) { try coordinator.destroyPersistentStore(at: file("none/Store"), ofType: type, options: nil) }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).isEmpty)
    }

    @Test("BA16: batch requests are written to the file too", arguments: types)
    func batches(_ type: String) throws {
        try office(type)
        try open(Models.office(), type).run { context in
            try context.execute(NSBatchInsertRequest(entityName: "Employee", objects: [["name": "Cid"], ["name": "Dan"]]))
            let update = NSBatchUpdateRequest(entityName: "Employee")
            update.propertiesToUpdate = ["salary": 1]
            try context.execute(update)
            try context.execute(NSBatchDeleteRequest(fetchRequest: NSFetchRequest(entityName: "Department")))
        }
        try open(Models.office(), type).run { context in
            let names = try context.names("Employee", NSPredicate(format: "salary == 1 AND dept == nil"))
            #expect(names == ["Ann", "Bea", "Cid", "Dan"])
        }
    }

    @Test("An XML store in the form Apple's framework writes is read, and keeps its IDs")
    func appleXML() throws {
        let text = """
            <?xml version="1.0" standalone="yes"?>
            <!DOCTYPE database SYSTEM "file:///System/Library/DTDs/CoreData.dtd">

            <database>
                <databaseInfo>
                    <version>134481920</version>
                    <UUID>0C0FFEE0-1111-4222-8333-444455556666</UUID>
                    <nextObjectID>110</nextObjectID>
                    <metadata>
                        <plist version="1.0">
                            <dict>
                                <key>NSPersistenceFrameworkVersion</key>
                                <integer>640</integer>
                                <key>note</key>
                                <string>made elsewhere</string>
                            </dict>
                        </plist>
                    </metadata>
                </databaseInfo>
                <object type="EMPLOYEE" id="z103">
                    <attribute name="name" type="string">Ann &amp; Co</attribute>
                    <attribute name="salary" type="int64">12</attribute>
                    <relationship name="dept" type="1/1" destination="DEPARTMENT" idrefs="z102"></relationship>
                </object>
                <object type="DEPARTMENT" id="z102">
                    <attribute name="name" type="string">Sales</attribute>
                    <relationship name="employees" type="0/0" destination="EMPLOYEE" idrefs="z104 z103"></relationship>
                </object>
                <object type="EMPLOYEE" id="z104">
                    <attribute name="name" type="string"></attribute>
                    <relationship name="dept" type="1/1" destination="DEPARTMENT"></relationship>
                </object>
            </database>
            """
        try Data(text.utf8).write(to: file())
        for _ in 0..<2 {
            try open(Models.office(), NSXMLStoreType).run { context in
                let store = try store(context)
                #expect(store.identifier == "0C0FFEE0-1111-4222-8333-444455556666" && store.metadata["note"] as? String == "made elsewhere")
                let department = try context.only("Department")
                #expect(department.objectID.uriRepresentation().lastPathComponent == "p102")
                #expect(department.texts("employees", "name").contains("Ann & Co"))
                // Said by one side only: both know.
                #expect(department.texts("employees", "name").count == 2)
                department.setValue("Sales", forKey: "name")
                let new = context.make("Department", ["name": "New"])
                try context.obtainPermanentIDs(for: [new])
                #expect(Int(new.objectID.uriRepresentation().lastPathComponent.dropFirst()) ?? 0 > 110)
                context.delete(new)
                try context.save()
            }
        }
    }

    @Test("XML that says what cannot be is refused with its line", arguments: [
        ("<attribute name=\"salary\" type=\"int64\">12</attribute>", "<attribute name=\"salary\" type=\"int64\">twelve</attribute>"),
        ("type=\"EMPLOYEE\" id=\"z2\"", "type=\"GHOST\" id=\"z2\""), ("id=\"z2\"", "id=\"z1\""), ("name=\"salary\"", "name=\"salami\""),
        ("idrefs=\"z1\"", "idrefs=\"z2\""), ("</object>", "<object>"), ("id=\"z2\"", "id=\"\""),
    ])
    func impossibleXML(_ old: String, _ new: String) throws {
        let text = """
            <?xml version="1.0"?>
            <database>
            <databaseInfo><version>134481920</version><UUID>A</UUID><nextObjectID>2</nextObjectID><metadata></metadata></databaseInfo>
            <object type="DEPARTMENT" id="z1"><attribute name="name" type="string">Sales</attribute></object>
            <object type="EMPLOYEE" id="z2"><attribute name="salary" type="int64">12</attribute>
            <relationship name="dept" type="1/1" destination="DEPARTMENT" idrefs="z1"></relationship></object>
            </database>
            """
        try Data(text.utf8).write(to: file())
        #expect(try open(Models.office(), NSXMLStoreType).run { try $0.only("Employee").one("dept")?.text("name") } == "Sales")
        try Data(text.replacingOccurrences(of: old, with: new).utf8).write(to: file())
        let error = try failure { _ = try open(Models.office(), NSXMLStoreType) }
        #expect(error.isCocoa && error.code == CocoaError.Code.fileReadCorruptFile.rawValue && error.localizedDescription.contains("line"))
    }

    @Test("An ID far beyond all others costs no memory")
    func strayID() throws {
        let text = """
            <?xml version="1.0"?>
            <database><databaseInfo><UUID>A</UUID><nextObjectID>9</nextObjectID><metadata></metadata></databaseInfo>
            <object type="EMPLOYEE" id="z1000000000000000"><attribute name="name" type="string">Far</attribute></object>
            <object type="EMPLOYEE" id="z3"><attribute name="name" type="string">Near</attribute></object>
            </database>
            """
        try Data(text.utf8).write(to: file())
        try open(Models.office(), NSXMLStoreType).run { context in
            #expect(try context.names("Employee") == ["Far", "Near"])
            context.make("Employee", ["name": "New"])
            try context.save()
        }
        #expect(try open(Models.office(), NSXMLStoreType).run { try $0.names("Employee") } == ["Far", "Near", "New"])
    }
}

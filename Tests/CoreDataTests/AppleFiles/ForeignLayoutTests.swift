import CoreData
import CoreDataTestSupport
import Foundation
import SQLiteDriver
import Testing

/// What other programs and migrations leave in a store's file.
@Suite("Stores that are not laid out as the model would have it")
struct ForeignLayoutTests {
    private func execute(_ sql: String, _ url: URL) throws {
        let connection = try SQLiteConnection(path: url.path, access: .readWrite)
        defer { connection.close() }
        try connection.execute(sql)
    }

    /// A closed store of the format's model, changed by SQL, and opened anew.
    private func reopened(_ sql: String) throws -> (store: FormatStore, context: NSManagedObjectContext) {
        let store = try FormatStore()
        let coordinator = try #require(store.context.persistentStoreCoordinator)
        for one in coordinator.persistentStores { try coordinator.remove(one) }
        try execute(sql, store.url)
        return (store, try openAppleStore(store.url, model: store.model))
    }

    private func names(_ value: Any?) -> [String] {
        let members = (value as? NSOrderedSet)?.array ?? (value as? NSSet)?.allObjects ?? []
        return members.compactMap { ($0 as? NSManagedObject)?.value(forKey: "name") as? String }.sorted()
    }

    private func first(_ entity: String, _ format: String, in context: NSManagedObjectContext) throws -> NSManagedObject {
        let request = NSFetchRequest<NSManagedObject>(entityName: entity)
        request.predicate = try NSPredicate(validating: format, arguments: [])
        return try #require(try context.fetch(request).first)
    }

    @Test("Other entity numbers than the model's: those of Z_PRIMARYKEY hold, in rows, keys and names")
    func numbers() throws {
        let (store, context) = try reopened("""
            UPDATE Z_PRIMARYKEY SET Z_ENT = Z_ENT + 10, Z_SUPER = CASE Z_SUPER WHEN 0 THEN 0 ELSE Z_SUPER + 10 END;
            UPDATE ZDOCUMENT SET Z_ENT = Z_ENT + 10; UPDATE ZPAGE SET Z_ENT = Z_ENT + 10, Z1_DOCUMENT = Z1_DOCUMENT + 10; UPDATE ZTAG SET Z_ENT = Z_ENT + 10;
            ALTER TABLE ZPAGE RENAME COLUMN Z1_DOCUMENT TO Z11_DOCUMENT; ALTER TABLE ZPAGE RENAME COLUMN Z1COVERS TO Z11COVERS;
            ALTER TABLE Z_4TAGS RENAME COLUMN Z_4PAGES TO Z_14PAGES; ALTER TABLE Z_4TAGS RENAME COLUMN Z_8TAGS TO Z_18TAGS;
            ALTER TABLE Z_4TAGS RENAME COLUMN Z_FOK_8TAGS TO Z_FOK_18TAGS; ALTER TABLE Z_4TAGS RENAME TO Z_14TAGS;
            ALTER TABLE Z_4TWINS RENAME COLUMN Z_4TWINS TO Z_14TWINS; ALTER TABLE Z_4TWINS RENAME TO Z_14TWINS;
            """)
        try context.performAndWait {
            let book = try first("Book", "title == 'B'", in: context), letter = try first("Letter", "title == 'L'", in: context)
            #expect(names(book.value(forKey: "pages")) == ["p0", "p1"] && names(letter.value(forKey: "covers")) == ["O'Hara"])
            let page = try first("Page", "name == \"O'Hara\"", in: context)
            #expect(page.value(forKey: "document") as? NSManagedObject === letter)
            #expect((page.value(forKey: "tags") as? NSOrderedSet)?.count == 3 && names(page.value(forKey: "twins")) == ["p0"])
            page.setValue(book, forKey: "document")
            page.mutableOrderedSetValue(forKey: "tags").removeObject(at: 0)
            context.insert(NSEntityDescription.insertNewObject(forEntityName: "Letter", into: context))
            try context.save()
        }
        #expect(try store.shell("SELECT Z11_DOCUMENT FROM ZPAGE WHERE Z_PK = 1") == ["12"])
        #expect(try store.shell("SELECT COUNT(*) FROM Z_14TAGS") == ["2"] && store.shell("SELECT MAX(Z_ENT) FROM ZDOCUMENT") == ["13"])
    }

    @Test("Columns whose number is outdated, and a join table under its other side's name, are found")
    func names() throws {
        let (_, context) = try reopened("""
            ALTER TABLE ZPAGE RENAME COLUMN Z1_DOCUMENT TO Z7_DOCUMENT; ALTER TABLE ZPAGE RENAME COLUMN Z1COVERS TO Z7COVERS;
            ALTER TABLE Z_4TAGS RENAME TO Z_8PAGES;
            """)
        try context.performAndWait {
            let letter = try first("Letter", "title == 'L'", in: context)
            #expect(names(letter.value(forKey: "covers")) == ["O'Hara"] && names(letter.value(forKey: "pages")) == ["O'Hara"])
            let page = try first("Page", "name == \"O'Hara\"", in: context)
            #expect((page.value(forKey: "tags") as? NSOrderedSet)?.count == 3)
            #expect(page.value(forKey: "document") as? NSManagedObject === letter)
        }
    }

    @Test("Order keys with gaps, negative ones and equal ones keep the order they say")
    func order() throws {
        let (store, context) = try reopened("UPDATE Z_4TAGS SET Z_FOK_8TAGS = CASE Z_8TAGS WHEN 1 THEN -5 WHEN 2 THEN 1000000 ELSE 7 END")
        func keys(_ page: NSManagedObject) -> [String] {
            ((page.value(forKey: "tags") as? NSOrderedSet)?.array ?? []).compactMap { ($0 as? NSManagedObject)?.objectID.uriRepresentation().lastPathComponent }
        }
        try context.performAndWait {
            let page = try first("Page", "name == \"O'Hara\"", in: context)
            #expect(keys(page) == ["p1", "p3", "p2"])
            page.mutableOrderedSetValue(forKey: "tags").moveObjects(at: IndexSet(integer: 2), to: 0)
            try context.save()
            context.refreshAllObjects()
            #expect(keys(page) == ["p2", "p1", "p3"])
        }
        #expect(try store.shell("SELECT Z_8TAGS FROM Z_4TAGS ORDER BY Z_FOK_8TAGS") == ["2", "1", "3"])
    }

    @Test("Foreign tables, columns, views and triggers stay; a function that is only told something is silent")
    func foreigners() throws {
        let (store, context) = try reopened("""
            ALTER TABLE ZPAGE ADD COLUMN ZLEFTOVER VARCHAR; UPDATE ZPAGE SET ZLEFTOVER = 'kept';
            CREATE TABLE Log (what TEXT); CREATE VIEW Pages AS SELECT ZNAME FROM ZPAGE; CREATE INDEX RADAR_1 ON ZPAGE (ZLEFTOVER);
            CREATE TRIGGER told AFTER UPDATE ON ZPAGE FOR EACH ROW BEGIN SELECT NSCoreDataSomethingNew('ZPAGE', NEW.Z_PK, 'a (b', 1, 2, 3); INSERT INTO Log (what) VALUES (upper(NEW.ZNAME)); END;
            """)
        try context.performAndWait {
            try first("Page", "name == 'p1'", in: context).setValue("p9", forKey: "name")
            try context.save()
        }
        #expect(try store.shell("SELECT what FROM Log") == ["P9"] && store.shell("SELECT DISTINCT ZLEFTOVER FROM ZPAGE") == ["kept"])
        #expect(try store.shell("SELECT COUNT(*) FROM sqlite_master WHERE name IN ('Log', 'Pages', 'RADAR_1', 'told')") == ["4"])
    }

    @Test("A function whose result would go into a row fails the save by name, and nothing is written")
    func unknownFunction() throws {
        let (store, context) = try reopened("""
            CREATE TRIGGER computed AFTER UPDATE ON ZPAGE FOR EACH ROW BEGIN UPDATE ZTAG SET Z_OPT = secret_sauce(NEW.ZNAME); END;
            """)
        try context.performAndWait {
            try first("Page", "name == 'p1'", in: context).setValue("p9", forKey: "name")
            let error = #expect(throws: NSError.self) { try context.save() }
            #expect(error?.localizedDescription.contains("secret_sauce") == true && error?.localizedDescription.contains("computed") == true)
            #expect(error?.domain == NSCocoaErrorDomain)
        }
        #expect(try store.shell("SELECT COUNT(*) FROM ZPAGE WHERE ZNAME = 'p9'") == ["0"])
    }

    @Test("HI16: a store with history opens for reading when history is not asked for; a save says why")
    func history() throws {
        let (store, context) = try reopened("""
            CREATE TABLE ACHANGE (Z_PK INTEGER PRIMARY KEY); CREATE TABLE ATRANSACTION (Z_PK INTEGER PRIMARY KEY);
            INSERT INTO Z_PRIMARYKEY VALUES (16001, 'CHANGE', 0, 0), (16002, 'TRANSACTION', 0, 0);
            """)
        #expect(context.persistentStoreCoordinator?.persistentStores.first?.isReadOnly == true)
        try context.performAndWait {
            let page = try first("Page", "name == 'p1'", in: context)
            page.setValue("p9", forKey: "name")
            let error = #expect(throws: NSError.self) { try context.save() }
            #expect(error?.code == CocoaError.Code.fileWriteNoPermission.rawValue)
            #expect(error?.localizedDescription.contains("NSPersistentHistoryTrackingKey") == true)
        }
        #expect(try store.shell("SELECT COUNT(*) FROM ZPAGE WHERE ZNAME = 'p9'") == ["0"])
    }

    @Test("A transformable of a class nobody knows reads nil, and its bytes stay through saves of other values")
    func strangers() throws {
        let archive = try PropertyListSerialization.data(fromPropertyList: [
            "$version": 100000, "$archiver": "NSKeyedArchiver", "$top": ["root": ["CF$UID": 1]],
            "$objects": ["$null", ["$class": ["CF$UID": 2]], ["$classname": "Alien", "$classes": ["Alien", "NSObject"]]],
        ] as [String: Any], format: .binary, options: 0)
        let hex = archive.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        let (store, context) = try reopened("UPDATE ZPAGE SET ZTHING = x'\(hex)'; UPDATE ZPAGE SET ZTHING = x'00ff' WHERE ZNAME = 'p0'")
        try context.performAndWait {
            for page in try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Page")) {
                #expect(page.value(forKey: "thing") == nil)
                page.setValue(7, forKey: "b16")
            }
            try context.save()
        }
        #expect(try store.shell("SELECT COUNT(*) FROM ZPAGE WHERE ZTHING = x'\(hex)' AND ZB16 = 7") == ["3"])
        #expect(try store.shell("SELECT hex(ZTHING) FROM ZPAGE WHERE ZNAME = 'p0'") == ["00FF"])
    }

    @Test("Made of the tables alone, a model reads and writes what they hold")
    func tablesAlone() throws {
        let store = try FormatStore()
        let coordinator = try #require(store.context.persistentStoreCoordinator)
        for one in coordinator.persistentStores { try coordinator.remove(one) }
        let model = try NSManagedObjectModel(contentsOfStore: store.url)
        let page = try #require(model.entitiesByName["Page"]), document = try #require(model.entitiesByName["Document"])
        #expect(page.relationshipsByName["document"]?.destinationEntity === document)
        #expect(page.relationshipsByName["tags"]?.isOrdered == true && page.relationshipsByName["tags"]?.inverseRelationship?.name == "pages")
        #expect(page.relationshipsByName["sheet"]?.destinationEntity?.name == "Sheet" && document.relationshipsByName["covers"]?.isToMany == true)
        #expect(page.attributesByName["b64"]?.attributeType == .integer64AttributeType && page.attributesByName["day"]?.attributeType == .dateAttributeType)
        #expect(page.attributesByName["image"]?.allowsExternalBinaryDataStorage == true && page.attributesByName["raw"]?.allowsExternalBinaryDataStorage == false)
        #expect(page.attributesByName["flag"] != nil && document.subentities.count == 2)
        let context = try openAppleStore(store.url, model: model)
        try context.performAndWait {
            let one = try first("Page", "name == \"O'Hara\"", in: context)
            #expect((one.value(forKey: "tags") as? NSOrderedSet)?.count == 3)
            one.setValue("changed", forKey: "name")
            try context.save()
        }
        #expect(try store.shell("SELECT ZNAME, hex(ZTOKEN) FROM ZPAGE WHERE Z_PK = 1") == ["changed|00112233445566778899AABBCCDDEEFF"])
    }
}

import CoreData
import Foundation
import Synchronization
import Testing

@Suite("Diagnostics: stored values that cannot be read")
struct UnreadableValueTests {
    /// What was told, from whatever thread.
    private final class Log: Sendable {
        let values = Mutex<[CoreDataDiagnostics.UnreadableValue]>([])
        func add(_ event: CoreDataDiagnostics.Event) {
            if case .unreadableValue(let value) = event { values.withLock { $0.append(value) } }
        }
        func take() -> [CoreDataDiagnostics.UnreadableValue] {
            values.withLock { values in
                defer { values = [] }
                return values
            }
        }
    }

    /// A box with a payload, whose bytes are those of a binary attribute in the model that writes them.
    private static func box(_ type: NSAttributeType, transformer: String? = nil, external: Bool = false) -> NSManagedObjectModel {
        let payload = CompanyModel.attribute("payload", type), entity = NSEntityDescription(), model = NSManagedObjectModel()
        payload.allowsExternalBinaryDataStorage = external
        payload.valueTransformerName = transformer
        entity.name = "Box"
        entity.properties = [CompanyModel.attribute("name", .stringAttributeType), payload]
        model.entities = [entity]
        return model
    }

    private func store(holding data: Data, external: Bool = false) throws -> URL {
        let stack = try RuntimeStack(type: NSSQLiteStoreType, model: Self.box(.binaryDataAttributeType, external: external)), context = stack.context()
        try context.performAndWait {
            let box = context.insert("Box", "a")
            box.setValue(data, forKey: "payload")
            try context.save()
        }
        return try #require(stack.url)
    }

    /// The store with its column taken for a transformable's, as the bytes of another program or version may be anything.
    private func reading(_ url: URL, transformer: String? = nil) throws -> NSManagedObjectContext {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Self.box(.transformableAttributeType, transformer: transformer))
        try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: url, options: [NSIgnorePersistentStoreVersioningOption: true])
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        return context
    }

    /// An archive as Apple's programs write it: its objects, of which number 1 is the root.
    private static func archive(_ objects: [String]) -> Data {
        let list = """
        <?xml version="1.0" encoding="UTF-8"?><plist version="1.0"><dict>
        <key>$archiver</key><string>NSKeyedArchiver</string><key>$version</key><integer>100000</integer>
        <key>$top</key><dict><key>root</key><dict><key>CF$UID</key><integer>1</integer></dict></dict>
        <key>$objects</key><array><string>$null</string>\(objects.joined())</array></dict></plist>
        """
        return Data(list.utf8)
    }

    private static func reference(_ number: Int) -> String { "<dict><key>CF$UID</key><integer>\(number)</integer></dict>" }
    private static func object(_ cls: Int, _ parts: String = "") -> String { "<dict><key>$class</key>\(reference(cls))\(parts)</dict>" }
    private static func classNamed(_ names: String...) -> String {
        "<dict><key>$classname</key><string>\(names[0])</string><key>$classes</key><array>"
            + names.map { "<string>\($0)</string>" }.joined() + "</array></dict>"
    }
    private static func list(_ members: Int...) -> String { "<key>NS.objects</key><array>" + members.map(reference).joined() + "</array>" }

    static let samples: [(name: String, data: Data)] = [
        ("no property list", Data("hello".utf8)),
        ("empty", Data()),
        ("a list without archive", Data("<plist version=\"1.0\"><array/></plist>".utf8)),
        ("an unknown class", archive([object(2), classNamed("NSColor", "NSObject")])),
        ("a class that claims to be an array", archive([object(2, list()), classNamed("NSFileManager", "NSArray", "NSObject")])),
        ("an error", archive([object(2), classNamed("NSError", "NSObject")])),
        ("an unknown class in an array", archive([object(2, list(3)), classNamed("NSArray", "NSObject"), object(4), classNamed("Shop.Cart", "NSObject")])),
        ("an array that holds itself", archive([object(2, list(1)), classNamed("NSArray", "NSObject")])),
        ("a dictionary without values", archive([object(2, "<key>NS.keys</key><array>\(reference(3))</array>" + list()), classNamed("NSDictionary", "NSObject"), "<string>k</string>"])),
        ("a reference to nothing", archive([object(2, list(99)), classNamed("NSArray", "NSObject")])),
        ("a decimal without digits", archive([object(2), classNamed("NSDecimalNumber", "NSNumber", "NSValue", "NSObject")])),
        ("an array whose class is no class", archive([object(3, list()), "<string>x</string>", "<string>NSArray</string>"])),
        ("a UUID of three bytes", archive([object(2, "<key>NS.uuidbytes</key><data>AAEC</data>"), classNamed("NSUUID", "NSObject")])),
        ("a URL without text", archive([object(2), classNamed("NSURL", "NSObject")])),
        ("a date without time", archive([object(2), classNamed("NSDate", "NSObject")])),
    ]

    @Test("TY13: Damaged and foreign archives never stop the program; what cannot be read is told, once for each attempt", arguments: samples.indices)
    func damaged(index: Int) throws {
        let sample = Self.samples[index]
        let context = try reading(store(holding: sample.data))
        let log = Log()
        let observation = CoreDataDiagnostics.observe(.unreadableValues, of: context.persistentStoreCoordinator) { log.add($0) }
        defer { observation.cancel() }
        try context.performAndWait {
            let box = try #require(try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Box")).first)
            let value = box.value(forKey: "payload")
            let told = log.take()
            #expect(told.count == (value == nil ? 1 : 0), "\(sample.name)")
            guard value == nil else { return }
            #expect(told.first?.entityName == "Box" && told.first?.attributeName == "payload" && told.first?.objectID == box.objectID)
            #expect(throws: CocoaError.self) { _ = try context.existingObject(with: box.objectID) }
            box.setValue("b", forKey: "name")
            try context.save()
        }
        #expect(try bytes(of: context.persistentStoreCoordinator?.persistentStores.first?.url) == sample.data)
    }

    private func bytes(of url: URL?) throws -> Data? {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Self.box(.binaryDataAttributeType))
        try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: url, options: [NSIgnorePersistentStoreVersioningOption: true])
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        return try context.performAndWait {
            try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Box")).first?.value(forKey: "payload") as? Data
        }
    }

    @Test("TY14: A transformer that is missing is told of; nothing is thrown")
    func missingTransformer() throws {
        let context = try reading(store(holding: Data([1, 2])), transformer: "NobodyRegisteredThis")
        let log = Log()
        let observation = CoreDataDiagnostics.observe(.unreadableValues, of: context.persistentStoreCoordinator) { log.add($0) }
        defer { observation.cancel() }
        try context.performAndWait {
            let box = try #require(try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Box")).first)
            #expect(box.value(forKey: "payload") == nil)
            #expect(log.take().first?.error.localizedDescription.contains("NobodyRegisteredThis") == true)
            #expect(try context.existingObject(with: box.objectID) === box)
        }
    }

    @Test("TY15: A file that is gone is told of with its name")
    func missingFile() throws {
        let url = try store(holding: Data(repeating: 1, count: 200_000), external: true)
        let folder = url.deletingLastPathComponent().appendingPathComponent(".Store_SUPPORT/_EXTERNAL_DATA")
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Self.box(.binaryDataAttributeType, external: true))
        try coordinator.addPersistentStore(ofType: NSSQLiteStoreType, configurationName: nil, at: url, options: nil)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType), log = Log()
        context.persistentStoreCoordinator = coordinator
        let observation = CoreDataDiagnostics.observe(.unreadableValues, of: coordinator) { log.add($0) }
        defer { observation.cancel() }
        try context.performAndWait {
            let box = try #require(try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Box")).first)
            let name = try #require(try FileManager.default.contentsOfDirectory(atPath: folder.path).first)
            try FileManager.default.removeItem(at: folder.appendingPathComponent(name))
            #expect(box.value(forKey: "payload") == nil)
            let told = log.take()
            #expect(told.count == 1 && (told.first?.error as? NSError)?.code == CocoaError.Code.fileReadNoSuchFile.rawValue)
            #expect(told.first?.error.localizedDescription.contains(name) == true)
        }
    }

    @Test("A decimal that Apple's programs archived is read")
    func foreignDecimal() throws {
        let digits = Data([0x39, 0x30] + Array(repeating: 0, count: 14)).base64EncodedString()
        let parts = "<key>NS.mantissa</key><data>\(digits)</data><key>NS.exponent</key><integer>-2</integer><key>NS.length</key><integer>1</integer>"
            + "<key>NS.negative</key><true/><key>NS.compact</key><true/><key>NS.mantissa.bo</key><integer>1</integer>"
        let archive = Self.archive([
            Self.object(2, Self.list(3)), Self.classNamed("NSArray", "NSObject"), Self.object(4, parts), Self.classNamed("NSDecimalNumber", "NSNumber", "NSValue", "NSObject"),
        ])
        let context = try reading(store(holding: archive))
        try context.performAndWait {
            let box = try #require(try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Box")).first)
            #expect(((box.value(forKey: "payload") as? [Any])?.first as? NSDecimalNumber)?.stringValue == "-123.45")
        }
    }
}

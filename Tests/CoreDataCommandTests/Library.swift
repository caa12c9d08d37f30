import CoreData
import CoreDataTestSupport
import Foundation

/// A model file, and a store of it with books, for tests.
///
/// Every type of attribute, inheritance, each shape of relationship: to-one and ordered to-many, many-to-many, one-to-one,
/// to itself.
final class Library {
    let folder: TemporaryFolder
    var path: String { folder.file("Library.sqlite").path }
    var modelPath: String { folder.file("Library.xcdatamodel").path }

    init() throws {
        folder = try TemporaryFolder()
        try FileManager.default.createDirectory(atPath: modelPath, withIntermediateDirectories: true)
        try Data(Library.model.utf8).write(to: URL(fileURLWithPath: modelPath + "/contents"))
    }

    static let model = """
        <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
        <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0" userDefinedModelVersionIdentifier="Library 1">
            <entity name="Author" representedClassName="Author">
                <attribute name="name" attributeType="String"/>
                <attribute name="born" optional="YES" attributeType="Date" usesScalarValueType="NO"/>
                <relationship name="books" optional="YES" toMany="YES" deletionRule="Nullify" ordered="YES" destinationEntity="Book" inverseName="author" inverseEntity="Book"/>
                <relationship name="friends" optional="YES" toMany="YES" deletionRule="Nullify" destinationEntity="Author" inverseName="friends" inverseEntity="Author"/>
                <relationship name="ownShelf" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="Shelf" inverseName="owner" inverseEntity="Shelf"/>
            </entity>
            <entity name="Book" representedClassName="Book">
                <attribute name="title" attributeType="String"/>
                <attribute name="pages" optional="YES" attributeType="Integer 32" defaultValueString="0" usesScalarValueType="NO"/>
                <attribute name="price" optional="YES" attributeType="Decimal" defaultValueString="0.0"/>
                <attribute name="rating" optional="YES" attributeType="Double" usesScalarValueType="NO"/>
                <attribute name="weight" optional="YES" attributeType="Float" usesScalarValueType="NO"/>
                <attribute name="isRead" optional="YES" attributeType="Boolean" usesScalarValueType="NO"/>
                <attribute name="published" optional="YES" attributeType="Date" usesScalarValueType="NO"/>
                <attribute name="cover" optional="YES" attributeType="Binary" allowsExternalBinaryDataStorage="YES"/>
                <attribute name="code" optional="YES" attributeType="UUID" usesScalarValueType="NO"/>
                <attribute name="link" optional="YES" attributeType="URI"/>
                <attribute name="notes" optional="YES" attributeType="Transformable" valueTransformerName="NSSecureUnarchiveFromData"/>
                <relationship name="author" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="Author" inverseName="books" inverseEntity="Author"/>
                <relationship name="shelves" optional="YES" toMany="YES" deletionRule="Nullify" destinationEntity="Shelf" inverseName="books" inverseEntity="Shelf"/>
                <relationship name="sequel" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="Book" inverseName="prequel" inverseEntity="Book"/>
                <relationship name="prequel" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="Book" inverseName="sequel" inverseEntity="Book"/>
            </entity>
            <entity name="Novel" representedClassName="Novel" parentEntity="Book">
                <attribute name="genre" optional="YES" attributeType="String"/>
            </entity>
            <entity name="Shelf" representedClassName="Shelf">
                <attribute name="label" attributeType="String"/>
                <relationship name="books" optional="YES" toMany="YES" deletionRule="Nullify" ordered="YES" destinationEntity="Book" inverseName="shelves" inverseEntity="Book"/>
                <relationship name="owner" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="Author" inverseName="ownShelf" inverseEntity="Author"/>
                <uniquenessConstraints>
                    <uniquenessConstraint>
                        <constraint value="label"/>
                    </uniquenessConstraint>
                </uniquenessConstraints>
            </entity>
        </model>
        """

    func metadata() throws -> [String: Any] {
        try NSPersistentStoreCoordinator.metadataForPersistentStore(ofType: NSSQLiteStoreType, at: URL(fileURLWithPath: path))
    }

    /// Works in a context on the store, which is closed again afterwards.
    func withContext<Result>(_ body: (NSManagedObjectContext) throws -> Result) throws -> Result {
        let coordinator = NSPersistentStoreCoordinator(
            managedObjectModel: try NSManagedObjectModel(reading: URL(fileURLWithPath: modelPath)))
        let store = try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: URL(fileURLWithPath: path))
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        let result = try context.performAndWait {
            let result = try body(context)
            if context.hasChanges { try context.save() }
            context.reset()
            return result
        }
        try coordinator.remove(store)
        return result
    }

    /// Two authors, four books of which one is a novel, a shelf with three of them in an order of its own.
    func fill() throws {
        try withContext { context in
            func insert(_ entity: String, _ values: [String: Any]) -> NSManagedObject {
                let object = NSEntityDescription.insertNewObject(forEntityName: entity, into: context)
                for (key, value) in values { object.setValue(value, forKey: key) }
                return object
            }
            let ann = insert("Author", ["name": "Ann", "born": Date(timeIntervalSinceReferenceDate: -1_000_000_000.25)])
            let bob = insert("Author", ["name": "Bob, “the \"Writer\"”\nof lines"])
            let first = insert("Book", [
                "title": "First", "pages": 300, "price": Decimal(string: "12.35") ?? 0, "rating": 0.1, "weight": Float(1.33), "isRead": true,
                "published": Date(timeIntervalSinceReferenceDate: 725_846_400.123), "cover": Data([0, 1, 254, 255]),
                "code": UUID(uuidString: "F0E1D2C3-B4A5-9687-7869-5A4B3C2D1E0F") ?? UUID(), "notes": ["a", "b"] as NSArray,
            ])
            if let link = URL(string: "https://example.org/first?x=1") { first.setValue(link, forKey: "link") }
            let second = insert("Book", ["title": "Second", "pages": 120, "rating": 4.5, "cover": Data(repeating: 7, count: 200_000)])
            let third = insert("Book", ["title": "Third"])
            let novel = insert("Novel", ["title": "Zoo", "genre": "fable", "pages": 80, "rating": -2])
            ann.setValue(NSOrderedSet(array: [second, first, novel]), forKey: "books")
            bob.setValue(NSOrderedSet(array: [third]), forKey: "books")
            first.setValue(second, forKey: "sequel")
            let shelf = insert("Shelf", ["label": "Top"])
            shelf.setValue(NSOrderedSet(array: [novel, first, third]), forKey: "books")
            shelf.setValue(ann, forKey: "owner")
            ann.setValue(Set([bob]), forKey: "friends")
        }
    }
}

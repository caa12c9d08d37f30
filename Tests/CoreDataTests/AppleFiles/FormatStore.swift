import CoreData
import CoreDataTestSupport
import Foundation
import SQLiteDriver
import Testing

/// A store this library wrote, with every shape the file format has rules for, and short ways to look into the file.
final class FormatStore {
    let folder: TemporaryFolder
    let url: URL
    let model: NSManagedObjectModel
    let context: NSManagedObjectContext
    let identifier: String

    static let modelText = #"""
        <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
        <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0" userDefinedModelVersionIdentifier="v1">
            <entity name="SyncFeature"><attribute name="text" optional="YES" attributeType="String"/></entity>
            <entity name="SyncableX"><attribute name="text" optional="YES" attributeType="String"/></entity>
            <entity name="Document" isAbstract="YES">
                <attribute name="title" optional="YES" attributeType="String"/>
                <relationship name="pages" optional="YES" toMany="YES" ordered="YES" deletionRule="Cascade" destinationEntity="Page" inverseName="document" inverseEntity="Page"/>
                <relationship name="covers" optional="YES" toMany="YES" deletionRule="Nullify" destinationEntity="Page"/>
            </entity>
            <entity name="Book" parentEntity="Document">
                <attribute name="extra" optional="YES" attributeType="Integer 16"/>
                <attribute name="isbn" optional="YES" attributeType="String"/>
                <uniquenessConstraints><uniquenessConstraint><constraint value="isbn"/><constraint value="title"/></uniquenessConstraint></uniquenessConstraints>
            </entity>
            <entity name="Letter" parentEntity="Document"><attribute name="extra" optional="YES" attributeType="String"/></entity>
            <entity name="Page">
                <attribute name="b16" optional="YES" attributeType="Integer 16"/>
                <attribute name="b32" optional="YES" attributeType="Integer 32"/>
                <attribute name="b64" optional="YES" attributeType="Integer 64"/>
                <attribute name="day" optional="YES" attributeType="Date"/>
                <attribute name="flag" optional="YES" attributeType="Boolean"/>
                <attribute name="half" optional="YES" attributeType="Float"/>
                <attribute name="image" optional="YES" attributeType="Binary" allowsExternalBinaryDataStorage="YES"/>
                <attribute name="link" optional="YES" attributeType="URI"/>
                <attribute name="name" optional="YES" attributeType="String"/>
                <attribute name="price" optional="YES" attributeType="Decimal"/>
                <attribute name="raw" optional="YES" attributeType="Binary"/>
                <attribute name="ratio" optional="YES" attributeType="Double"/>
                <attribute name="scratch" optional="YES" transient="YES" attributeType="String"/>
                <attribute name="thing" optional="YES" attributeType="Transformable"/>
                <attribute name="token" optional="YES" attributeType="UUID"/>
                <relationship name="document" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="Document" inverseName="pages" inverseEntity="Document"/>
                <relationship name="sheet" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="Sheet" inverseName="page" inverseEntity="Sheet"/>
                <relationship name="tags" optional="YES" toMany="YES" ordered="YES" deletionRule="Nullify" destinationEntity="Tag" inverseName="pages" inverseEntity="Tag"/>
                <relationship name="twins" optional="YES" toMany="YES" deletionRule="Nullify" destinationEntity="Page" inverseName="twins" inverseEntity="Page"/>
                <fetchIndex name="byNameAndDay"><fetchIndexElement property="name" type="Binary" order="ascending"/><fetchIndexElement property="day" type="Binary" order="descending"/></fetchIndex>
                <fetchIndex name="byFlag"><fetchIndexElement property="flag" type="Binary" order="ascending"/></fetchIndex>
            </entity>
            <entity name="Sheet"><relationship name="page" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="Page" inverseName="sheet" inverseEntity="Page"/></entity>
            <entity name="Tag"><relationship name="pages" optional="YES" toMany="YES" deletionRule="Nullify" destinationEntity="Page" inverseName="tags" inverseEntity="Page"/></entity>
        </model>
        """#

    init() throws {
        folder = try TemporaryFolder()
        url = folder.file("Format.sqlite")
        let file = folder.file("contents")
        try Data(Self.modelText.utf8).write(to: file)
        model = try NSManagedObjectModel(reading: file)
        context = try openAppleStore(url, model: model)
        identifier = try #require(context.persistentStoreCoordinator?.persistentStores.first?.identifier)
        try context.performAndWait { try fill() }
    }

    private func insert(_ entity: String, _ values: [String: Any]) -> NSManagedObject {
        let object = NSEntityDescription.insertNewObject(forEntityName: entity, into: context)
        for (key, value) in values { object.setValue(value, forKey: key) }
        return object
    }

    private func fill() throws {
        let page = insert("Page", [
            "b16": 3, "b32": 70_000, "b64": 5_000_000_000, "day": Date(timeIntervalSinceReferenceDate: 86_400), "flag": true, "half": Float(1.33),
            "image": Data([9, 8]), "link": URL(fileURLWithPath: "/a"), "name": "O'Hara", "price": NSDecimalNumber(string: "10.11"),
            "raw": Data([9, 8]), "ratio": 0.1, "scratch": "x", "thing": NSArray(object: "a"),
            "token": UUID(uuidString: "00112233-4455-6677-8899-AABBCCDDEEFF") ?? UUID(),
        ])
        try context.save()
        let others = (0..<3).map { insert("Page", ["name": "p\($0)", "b16": $0]) }
        try context.obtainPermanentIDs(for: others)
        let book = insert("Book", ["title": "B", "isbn": "1", "extra": 4])
        let letter = insert("Letter", ["title": "L", "extra": "text"])
        book.setValue(NSOrderedSet(array: [others[0], others[1]]), forKey: "pages")
        page.setValue(letter, forKey: "document")
        letter.setValue(NSSet(array: [page]), forKey: "covers")
        let tags = (0..<3).map { _ in insert("Tag", [:]) }
        try context.obtainPermanentIDs(for: tags)
        page.setValue(NSOrderedSet(array: [tags[2], tags[0], tags[1]]), forKey: "tags")
        page.setValue(NSSet(array: [others[0]]), forKey: "twins")
        page.setValue(insert("Sheet", [:]), forKey: "sheet")
        others[2].setValue(Data(repeating: 5, count: 300_000), forKey: "image")
        try context.save()
        page.mutableOrderedSetValue(forKey: "tags").moveObjects(at: IndexSet(integer: 2), to: 1)
        let gone = insert("Page", ["name": "gone"])
        try context.save()
        context.delete(gone)
        try context.save()
    }

    /// Rows of any SQL as text, columns joined by |.
    func shell(_ sql: String) throws -> [String] {
        let connection = try SQLiteConnection(path: url.path, access: .readOnly)
        defer { connection.close() }
        return try connection.withStatement(sql) { row in
            var lines: [String] = []
            while try row.step() { lines.append((0..<row.columnCount).map { row.text($0) ?? "NULL" }.joined(separator: "|")) }
            return lines
        }
    }

    func plist() throws -> (head: String, values: [String: Any]) {
        let connection = try SQLiteConnection(path: url.path, access: .readOnly)
        defer { connection.close() }
        let bytes = try connection.withStatement("SELECT Z_PLIST FROM Z_METADATA") { row in try row.step() ? row.blob(0) : nil }
        let data = Data(try #require(bytes))
        let values = try PropertyListSerialization.propertyList(from: data, format: nil) as? [String: Any]
        return (String(decoding: data.prefix(8), as: UTF8.self), try #require(values))
    }
}

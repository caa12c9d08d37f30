import CoreDataStorage

/// What stands before the objects of an XML store.
///
/// Found by its tags, without a parser: nothing in it can look like them, for everything else is escaped.
struct XMLStoreHead {
    private let file: Data
    private let path: String

    init(_ file: Data, path: String) throws(StoreError) {
        self.file = file
        self.path = path
    }

    func metadata() throws(StoreError) -> StoreMetadata {
        guard let uuid = content("UUID"), !uuid.isEmpty else { throw .damaged(path: path, reason: "its head names no UUID") }
        var values = try values()
        values[NSStoreUUIDKey] = nil
        values[XMLStoreKeys.metadataKey] = nil
        return StoreMetadata(identifier: uuid.trimmingCharacters(in: .whitespacesAndNewlines), type: NSXMLStoreType, values: values)
    }

    private func values() throws(StoreError) -> [String: Any] {
        guard let list = content("metadata")?.trimmingCharacters(in: .whitespacesAndNewlines), !list.isEmpty else { return [:] }
        guard let read = (try? PropertyListSerialization.propertyList(from: Data(list.utf8), format: nil)) as? [String: Any] else {
            throw .damaged(path: path, reason: "its metadata is not a property list")
        }
        return read
    }

    /// See `XMLStoreKeys`.
    func keySpaces() throws(StoreError) -> [String] { try values()[XMLStoreKeys.metadataKey] as? [String] ?? [] }

    /// The last key handed out; nil when the file does not say.
    var lastKey: Int64? { content("nextObjectID").flatMap { Int64($0.trimmingCharacters(in: .whitespacesAndNewlines)) } }

    func file(with metadata: StoreMetadata) throws -> [UInt8] {
        guard let end = file.range(of: Data("</databaseInfo>".utf8))?.upperBound else {
            throw StoreError.damaged(path: path, reason: "its head has no end")
        }
        let head = try XMLStoreHead.text(metadata, lastKey: lastKey ?? 0, keySpaces: keySpaces())
        var rest = file[end...]
        if rest.first == 10 { rest = rest.dropFirst() }
        return Array(head.utf8) + rest
    }

    private func content(_ tag: String) -> String? {
        let head = file.range(of: Data("</databaseInfo>".utf8)).map { file[..<$0.lowerBound] } ?? file[...]
        guard let start = head.range(of: Data("<\(tag)>".utf8)), let end = head[start.upperBound...].range(of: Data("</\(tag)>".utf8), options: .backwards)
        else { return nil }
        return String(data: head[start.upperBound..<end.lowerBound], encoding: .utf8)
    }

    static func text(_ metadata: StoreMetadata, lastKey: Int64, keySpaces: [String]) throws -> String {
        var values = metadata.values
        if !keySpaces.isEmpty { values[XMLStoreKeys.metadataKey] = keySpaces }
        let list = try PropertyListSerialization.data(fromPropertyList: values, format: .xml, options: 0)
        let plist = String(decoding: list, as: UTF8.self)
        guard let start = plist.range(of: "<plist"), let end = plist.range(of: "</plist>", options: .backwards) else {
            throw StoreError.invalidRequest("The store’s metadata cannot be written as XML.")
        }
        return """
            <?xml version="1.0" standalone="yes"?>
            <!DOCTYPE database SYSTEM "file:///System/Library/DTDs/CoreData.dtd">

            <database>
                <databaseInfo>
                    <version>134481920</version>
                    <UUID>\(XMLText.escaped(metadata.identifier))</UUID>
                    <nextObjectID>\(lastKey)</nextObjectID>
                    <metadata>
            \(plist[start.lowerBound..<end.upperBound])
                    </metadata>
                </databaseInfo>

            """
    }
}

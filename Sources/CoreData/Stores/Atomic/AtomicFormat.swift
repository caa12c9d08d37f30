import CoreDataSchema
import CoreDataStorage

/// The files of atomic stores: read whole, written whole.
enum AtomicFormat: Sendable {
    case binary, xml

    init?(type: String) {
        switch type {
        case NSBinaryStoreType: self = .binary
        case NSXMLStoreType: self = .xml
        default: return nil
        }
    }

    var type: String { self == .binary ? NSBinaryStoreType : NSXMLStoreType }

    /// In XML an object's ID is one of the document's, so that no two rows may have one key.
    var sharesKeys: Bool { self == .xml }

    func encode(_ content: StoreContent, _ metadata: StoreMetadata) throws -> [UInt8] {
        try metadata.check()
        switch self {
        case .binary: return try BinaryStoreWriter(content).file(metadata)
        case .xml: return try XMLStoreWriter(content).file(metadata)
        }
    }

    func decode(_ file: Data, path: String, model: ResolvedModel, number: Int32) throws -> (metadata: StoreMetadata, content: StoreContent) {
        try check(file, path: path)
        switch self {
        case .binary: return try BinaryStoreReader(file, path: path).store(model, number: number)
        case .xml: return try XMLStoreReader.read(file, path: path, model: model, number: number)
        }
    }

    func metadata(of file: Data, path: String) throws -> StoreMetadata {
        try check(file, path: path)
        switch self {
        case .binary: return try BinaryStoreReader(file, path: path).metadata()
        case .xml: return try XMLStoreHead(file, path: path).metadata()
        }
    }

    /// The file with other metadata; its objects byte for byte as they were.
    func replacing(_ metadata: StoreMetadata, in file: Data, path: String) throws -> [UInt8] {
        try check(file, path: path)
        try metadata.check()
        switch self {
        case .binary: return try BinaryStoreReader(file, path: path).file(with: metadata)
        case .xml: return try XMLStoreHead(file, path: path).file(with: metadata)
        }
    }

    /// Refuses the file of another type under its name.
    private func check(_ file: Data, path: String) throws(StoreError) {
        guard let found = AtomicFormat.type(of: file) else {
            if file.starts(with: Data("bplist".utf8)) {
                throw .damaged(path: path, reason: "it is a property list. Binary stores written by Apple’s framework are archives of its private "
                    + "classes, which only that framework reads: migrate it to a SQLite store there")
            }
            throw .damaged(path: path, reason: file.isEmpty ? "it is empty" : "it does not begin as a store of the type \(type) does")
        }
        if found != type { throw .otherType(path: path, wanted: type, found: found) }
    }

    /// What kind of store a file begins like.
    static func type(of file: Data) -> String? {
        if file.starts(with: BinaryStoreWriter.magic) { return NSBinaryStoreType }
        if file.starts(with: Data("SQLite format 3\0".utf8)) { return NSSQLiteStoreType }
        let head = String(decoding: file.prefix(1000), as: UTF8.self)
        return head.contains("<database") || head.contains("<!DOCTYPE database") ? NSXMLStoreType : nil
    }
}

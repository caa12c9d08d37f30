import CoreDataSchema
import Foundation

/// A binary value in a file of its own beside the store, read when somebody asks.
///
/// Invariant: the file's name is new with each value, and the file never changes: equal names are equal values. A value whose
/// file is about to be removed is kept (`keep()`), for rows that others still show.
package final class ExternalData: NSObject, Sendable {
    package let path: String
    /// Entity and attribute, for error texts.
    package let attribute: String
    private let kept = LockedValue<Data?>(nil)

    package init(path: String, attribute: String) {
        self.path = path
        self.attribute = attribute
    }

    package var name: String { (path as NSString).lastPathComponent }
    package var isReadable: Bool { kept.withLock { $0 != nil } || access(path, R_OK) == 0 }

    /// Mapped, where the system can: only what is looked at takes memory.
    package func read() throws(StoreError) -> Data {
        if let kept = kept.withLock({ $0 }) { return kept }
        do { return try Data(contentsOf: URL(fileURLWithPath: path), options: .mappedIfSafe) } catch {
            throw .missingExternalData(path: path, attribute: attribute)
        }
    }

    /// Holds on to the bytes; a mapping outlives the file's name.
    package func keep() {
        guard let data = try? read() else { return }
        kept.withLock { $0 = data }
    }

    package override func isEqual(_ object: Any?) -> Bool { (object as? ExternalData)?.name == name }
    package override var hash: Int { name.hashValue }
}

extension RowBlock {
    /// The file that has the slot's value, if one does.
    package func external(_ slot: Int) -> ExternalData? { object(slot)?.value as? ExternalData }

    /// Throws when a file that has a value of the row is not there.
    package func checkExternalFiles() throws(StoreError) {
        guard let objects = storage.withUnsafeMutablePointerToHeader({ $0.pointee.objects }) else { return }
        for object in objects.values {
            guard let external = object.value as? ExternalData, !external.isReadable else { continue }
            throw .missingExternalData(path: external.path, attribute: external.attribute)
        }
    }

    /// As `value`, without reading a file: its `ExternalData` as an object stands for the bytes.
    package func unreadValue(_ slot: Int) -> AttributeValue {
        if let external = external(slot) { return .object(OpaqueObject(external)) }
        return value(slot)
    }
}

extension RowWriter {
    /// A value that a file has.
    package func setExternal(_ slot: Int, _ external: ExternalData) {
        markPresent(slot)
        setObject(slot, OpaqueObject(external))
    }
}

import CoreDataSchema
import CoreDataStorage
import Foundation

/// How a SQLite store is opened.
package struct SQLiteStoreOptions: Sendable {
    package var isReadOnly = false
    /// With `isReadOnly`: makes no file beside the store, not even for a moment. What another process writes later may go unseen.
    package var leavesNoTrace = false
    /// Run after our own, so that they win.
    package var pragmas: [String: String] = [:]
    /// Seconds to wait for another connection's write lock.
    package var busyTimeout: Double = 10
    /// Collects statistics for the query planner when an existing store is opened.
    package var analyzes = false
    /// Rewrites an existing file without its free pages when it is opened.
    package var vacuums = false
    /// Open whatever the version hashes say (tests, repair).
    package var ignoresVersionHashes = false
    /// Opens a store some of whose tables, columns or rows of `Z_PRIMARYKEY` are missing, to find out what else is wrong with it.
    package var toleratesMissing = false
    /// With `toleratesMissing`: what is missing is left out, so that the rest can be read: columns read as nil, to-manys have no
    /// members, and entities without a table have no `StoreSchema.table(of:)`.
    package var omitsMissing = false
    /// Requests that need more than SQL are errors (the strict mode), instead of being worked out on rows.
    package var isStrict = false
    package static let strictOptionName = "OnlySQLStoreOption"
    /// The model's version hashes where somebody knows them better than they can be computed (`VersionInfo.plist`, another store).
    package var versionHashes: [String: [UInt8]] = [:]
    /// The compiled model a new store keeps in `Z_MODELCACHE`; nil when there is none that would be as Apple writes it.
    package var modelArchive: @Sendable () -> Data? = { nil }
    /// Keeps persistent history. Without it a file that has one is opened for reading only: its history would have gaps (HI16).
    package var tracksHistory = false
    /// Turns the object of a transformable attribute into the bytes to store. Called under the store's lock.
    package var archive: @Sendable (OpaqueObject, ResolvedProperty) throws -> Data = SQLiteStoreOptions.keyedArchive
    /// Blobs of external attributes longer than this get a file of their own.
    package var externalThreshold = 100 * 1024
    /// Told what the store does while anybody listens.
    package var reporter: StoreReporter?

    package init() {}

    /// Apple's default: a keyed archive.
    @Sendable package static func keyedArchive(_ object: OpaqueObject, property: ResolvedProperty) throws -> Data {
        guard object.value is any NSCoding else {
            throw StoreError.invalidRequest(
                "The value of the transformable attribute “\(property.name)” is a \(type(of: object.value)), which is not NSCoding. Name a value transformer in the model, or make the class NSSecureCoding.")
        }
        return try NSKeyedArchiver.archivedData(withRootObject: object.value, requiringSecureCoding: false)
    }
}

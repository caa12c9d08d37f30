import CoreDataSchema

/// What can go wrong in a store, before it is put into Apple's domain and codes at the public surface.
package enum StoreError: DescribedError {
    /// The file cannot be opened or created: permission, missing folder, a directory in its place.
    case cannotOpen(path: String, reason: String)
    /// The file is not a SQLite database, or is damaged.
    case notADatabase(path: String, reason: String)
    /// A SQLite database without Core Data's tables.
    case notACoreDataStore(path: String, reason: String)
    /// The file of an atomic store cannot be understood.
    case damaged(path: String, reason: String)
    /// The file is a store of another type.
    case otherType(path: String, wanted: String, found: String)
    /// The model's version hashes differ from the store's: `differences` has one line an entity.
    case incompatibleModel(path: String, differences: [String], storeHashes: [String: [UInt8]], modelHashes: [String: [UInt8]])
    /// The file that has a binary value is not there, or cannot be read.
    case missingExternalData(path: String, attribute: String)
    case readOnly(path: String)
    /// The file was moved, replaced or deleted while it was open.
    case moved(path: String)
    /// The file has persistent history and was opened without keeping it.
    case historyNotTracked(path: String)
    /// Another process holds the file longer than the timeout.
    case busy(path: String, seconds: Double)
    case diskFull(path: String)
    case closed(path: String)
    /// SQLite refused a statement: our fault or a damaged file.
    case sqlite(path: String, code: Int32, message: String, sql: String?)
    /// The plan or batch is not something this store can do.
    case unsupported(String)
    /// A key path, entity or argument of the request is wrong.
    case invalidRequest(String)

    /// What an incompatible model comes to, without details.
    package static func incompatibility(_ path: String) -> String { "The model used to open the store “\(path)” is not the one it was made with" }

    package var description: String {
        switch self {
        case .cannotOpen(let path, let reason): "The store “\(path)” cannot be opened: \(reason)"
        case .notADatabase(let path, let reason):
            "The file “\(path)” is not a SQLite database, or it is damaged (\(reason)). It was left as it is: choose another file, "
                + "or put a backup in its place."
        case .notACoreDataStore(let path, let reason):
            "The database “\(path)” is not a Core Data store: \(reason). It was left as it is: choose another file for the store."
        case .damaged(let path, let reason):
            "The store “\(path)” cannot be read: \(reason). It was left as it is: put a backup in its place."
        case .otherType(let path, let wanted, let found):
            "The store “\(path)” is of type \(found), not \(wanted): name that type. It was left as it is."
        case .incompatibleModel(let path, let differences, _, _):
            Self.incompatibility(path) + " (\(differences.joined(separator: "; "))). "
                + "Open it with that model, or make a new store for the changed one. The store was left as it is."
        case .missingExternalData(let path, let attribute):
            "A value of “\(attribute)” is kept in the file “\(path)”, which is missing or cannot be read. Put the file back (it belongs to "
                + "the store and moves with it), or delete the object: fetch its object ID, which needs no file."
        case .readOnly(let path):
            "The store “\(path)” is open for reading only. Open it without NSReadOnlyPersistentStoreOption, in a folder that can be "
                + "written, to save."
        case .moved(let path):
            "The file of the store “\(path)” was moved, replaced or deleted while it was open. Nothing was written: put it back and save again, "
                + "or add the store anew."
        case .historyNotTracked(let path):
            "The store “\(path)” keeps persistent history, and was opened without NSPersistentHistoryTrackingKey: it can only be read, for "
                + "changes that its history does not tell would be missed by whoever reads it. Nothing was written."
        case .busy(let path, let seconds):
            "The store “\(path)” \(seconds > 0 ? "stayed locked by another connection for \(seconds) seconds" : "is locked by another connection"). "
                + "Try again when that one is done, or allow more time with NSPersistentStoreTimeoutOption."
        case .diskFull(let path):
            "No room left on the disk while writing the store “\(path)”. Nothing of this save was kept: make room and save again."
        case .closed(let path): "The store “\(path)” was closed."
        case .sqlite(let path, let code, let message, let sql):
            "SQLite error \(code) in “\(path)”: \(message)" + (sql.map { " [\($0)]" } ?? "")
        case .unsupported(let what): what
        case .invalidRequest(let what): what
        }
    }
}

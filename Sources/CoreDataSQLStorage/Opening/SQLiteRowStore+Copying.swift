import CoreDataStorage
import Foundation
import SQLiteDriver

extension SQLiteRowStore {
    /// Puts a copy of the store as it is now, external files included, at another place, with metadata of its own. In one step, as
    /// `StoreFiles.replace`.
    package func copy(to target: URL, metadata: StoreMetadata) throws {
        try StoreFiles.checkTarget(target)
        try StoreFiles.place(at: target, filesOf: url, isForced: false) { copy in
            try serialised(.other) { try $0.backUp(to: copy) }
            try copy.transaction(.immediate) { (try StoreMetadataFile.write(metadata, to: copy), .commit) }
        }
    }

    /// Runs several reading calls without another of this process's between them.
    package func atOnce(_ body: () throws -> Void) throws { try serialised(.other) { _ in try body() } }

    /// The highest key given out to rows of an entity or its relatives.
    package func highestKey(of entity: Int) throws -> Int64 {
        try serialised(.other) { try highestKey(root: model.entities[entity].rootIndex, on: $0) }
    }

    /// Gives out no key of the entity up to this one.
    package func claim(_ key: Int64, of entity: Int) throws {
        try serialised(.other) { connection in
            let root = model.entities[entity].rootIndex
            guard try highestKey(root: root, on: connection) < key else { return }
            try connection.transaction(.immediate) { (try setHighestKey(key, root: root, on: connection), .commit) }
        }
    }
}

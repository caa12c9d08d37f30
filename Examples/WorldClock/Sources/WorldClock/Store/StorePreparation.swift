import NLCoreData

/// Brings a stack to its store: one that is there, a copy of a seed, or a new and empty one.
struct StorePreparation {
    let stack: NLCoreData
    var store: String?
    var seed: String?
    var reset = false

    /// A file that is not what it should be for what was asked.
    struct Refusal: LocalizedError {
        var errorDescription: String?
    }

    /// Throws before anything on disk has changed when what was asked cannot be done.
    func run() throws {
        if let store { stack.storeURL = URL(fileURLWithPath: store) }
        if let seed { try check(seed: seed) }
        if reset {
            // A file that somebody named may be anything, and a reset deletes it.
            if store != nil, stack.storeExists { try checkIsOurs(stack.storePath) }
            try stack.resetDatabase()
        }
        if let seed { try stack.usePreSeededFile(seed) }
    }

    private func check(seed: String) throws {
        guard FileManager.default.fileExists(atPath: seed) else { throw NLCoreDataError.seedMissing(path: seed) }
        guard resolved(seed) != resolved(stack.storePath) else {
            throw Refusal(errorDescription: "The seed \(seed) is the store itself. Name another file with --seed or --store.")
        }
        if stack.storeExists, !reset { throw NLCoreDataError.storeExists(path: stack.storePath) }
        try checkIsOurs(seed)
    }

    private func checkIsOurs(_ path: String) throws {
        let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(
            ofType: NSSQLiteStoreType, at: URL(fileURLWithPath: path))
        guard try stack.loadManagedObjectModel().isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata) else {
            throw Refusal(errorDescription: "\(path) is a store of another model than WorldClock’s. It was left as it is.")
        }
    }

    private func resolved(_ path: String) -> String {
        URL(fileURLWithPath: path).resolvingSymlinksInPath().standardizedFileURL.path
    }
}

extension NLCoreData {
    // MARK: Model

    /// The model, loaded when first asked for; nil when that fails, with the failure reported (`loadManagedObjectModel()`
    /// throws it). Set it to use a model of your own, nil to have it loaded again; a new store coordinator is then made.
    public var managedObjectModel: NSManagedObjectModel! {
        get { reporting { try loadManagedObjectModel() } }
        set {
            locked {
                $0.model = newValue
                $0.isModelGiven = newValue != nil
            }
            storeCoordinator = nil
        }
    }

    /// The model. Throws `NLCoreDataError.modelNotFound`, or what is wrong with the model's file.
    @discardableResult
    public func loadManagedObjectModel() throws -> NSManagedObjectModel {
        lock.lock()
        defer { lock.unlock() }
        if let model = state.model { return model }
        let model = try Platform.model(at: ModelSearch.url(named: modelName, in: state.modelBundle))
        state.model = model
        return model
    }

    // MARK: Coordinator

    /// The coordinator with the store opened, made when first asked for; nil when that fails, with the failure reported
    /// (`loadStoreCoordinator()` throws it). Set it to use one of your own, nil to have it made again; new contexts follow.
    public var storeCoordinator: NSPersistentStoreCoordinator! {
        get { reporting { try loadStoreCoordinator() } }
        set {
            locked { $0.coordinator = newValue }
            rebuildAllContexts()
            if newValue != nil { observeSaves() }
        }
    }

    /// The coordinator with the store opened. Throws what prevents it; nothing is kept then, so that the next call tries again.
    @discardableResult
    public func loadStoreCoordinator() throws -> NSPersistentStoreCoordinator {
        lock.lock()
        defer { lock.unlock() }
        if let coordinator = state.coordinator { return coordinator }
        let coordinator = try Platform.coordinator(loadManagedObjectModel())
        let hasFile = state.storeType != NSInMemoryStoreType
        if hasFile, state.storeURL == nil { try makeFolder(storeURL.deletingLastPathComponent()) }
        try coordinator.addPersistentStore(
            ofType: state.storeType, configurationName: nil, at: hasFile ? storeURL : nil, options: state.options)
        state.coordinator = coordinator
        observeSaves()
        return coordinator
    }

    /// Only the default folder is made; one that was named must be there.
    func makeFolder(_ folder: URL) throws {
        do { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) } catch {
            throw NLCoreDataError.folderUnavailable(path: folder.path, reason: error.localizedDescription)
        }
    }

    func reporting<Value>(_ body: () throws -> Value) -> Value? {
        do { return try body() } catch {
            report(error)
            return nil
        }
    }

    // MARK: File

    /// The path of `storeURL`.
    public var storePath: String { storeURL.path }

    /// Whether there is a store file, to decide about seeding; always false for a store in memory.
    public var storeExists: Bool { persistentStoreType != NSInMemoryStoreType && FileManager.default.fileExists(atPath: storePath) }

    /// Starts from a copy of a pre-seeded SQLite store, with all it holds in its write-ahead log and external data.
    ///
    /// Call it before the first use of Core Data. Throws `seedMissing`, `storeExists` (it never overwrites), `storeInUse`,
    /// `storeWithoutFile` for a store in memory, and Core Data's error for a file that is no store; nothing is copied then.
    public func usePreSeededFile(_ path: String) throws { try usePreSeededFile(URL(fileURLWithPath: path)) }

    /// As the other, by URL.
    public func usePreSeededFile(_ source: URL) throws {
        lock.lock()
        defer { lock.unlock() }
        guard state.storeType == NSSQLiteStoreType else { throw NLCoreDataError.storeWithoutFile(type: state.storeType) }
        guard state.coordinator == nil else { throw NLCoreDataError.storeInUse(path: storePath) }
        guard FileManager.default.fileExists(atPath: source.path) else { throw NLCoreDataError.seedMissing(path: source.path) }
        for suffix in ["", "-wal", "-shm"] where FileManager.default.fileExists(atPath: storePath + suffix) {
            throw NLCoreDataError.storeExists(path: storePath + suffix)
        }
        _ = try NSPersistentStoreCoordinator.metadataForPersistentStore(ofType: NSSQLiteStoreType, at: source, options: nil)
        if state.storeURL == nil { try makeFolder(storeURL.deletingLastPathComponent()) }
        // Copying needs a coordinator, not a model.
        try NSPersistentStoreCoordinator(managedObjectModel: NSManagedObjectModel()).replacePersistentStore(
            at: storeURL, destinationOptions: nil, withPersistentStoreFrom: source, sourceOptions: nil, ofType: NSSQLiteStoreType)
    }

    /// The later name of `usePreSeededFile(_:)`.
    public func useDatabaseFile(_ path: String) throws { try usePreSeededFile(path) }

    /// Deletes all content: the store with its siblings goes, and model, coordinator and contexts are made anew when next asked
    /// for. Let go of every managed object first; contexts you still hold are cut off and throw when used.
    ///
    /// Throws when the store cannot be closed or removed, or when the file is no database, which is then left alone; the stack
    /// opens it again when next used.
    public func resetDatabase() throws {
        lock.lock()
        defer { lock.unlock() }
        let coordinator = state.coordinator
        state.coordinator = nil
        if !state.isModelGiven { state.model = nil }
        rebuildAllContexts()
        let urls = try coordinator.map(closeStores) ?? []
        guard state.storeType != NSInMemoryStoreType else { return }
        for url in urls.isEmpty ? [storeURL] : urls where FileManager.default.fileExists(atPath: url.path) {
            try NSPersistentStoreCoordinator(managedObjectModel: NSManagedObjectModel())
                .destroyPersistentStore(at: url, ofType: state.storeType, options: nil)
            try removeFiles(of: url)
        }
    }

    /// Takes every store off and gives where they were.
    private func closeStores(of coordinator: NSPersistentStoreCoordinator) throws -> [URL] {
        try coordinator.persistentStores.compactMap { store in
            let url = store.type == NSInMemoryStoreType ? nil : store.url
            try coordinator.remove(store)
            return url
        }
    }

    /// Apple's destroys a store by emptying it, and leaves files.
    private func removeFiles(of url: URL) throws {
        for suffix in ["", "-wal", "-shm"] where FileManager.default.fileExists(atPath: url.path + suffix) {
            try FileManager.default.removeItem(atPath: url.path + suffix)
        }
    }

    // MARK: File protection

    /// Whether the store file is encrypted while the device is locked.
    @available(*, unavailable, message: "File protection is a service of iOS: other systems have none. Encrypt the disk, or on iOS set NSPersistentStoreFileProtectionKey in persistentStoreOptions.")
    public var isStoreEncrypted: Bool {
        get { fatalError("unavailable") }
        set { fatalError("unavailable") }
    }
}

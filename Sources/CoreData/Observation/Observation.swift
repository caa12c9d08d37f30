/// One observer of one key path of one object.
///
/// Invariant: it stands among the watches of `root` and of every object in `chain`; an observation that has ended stays there
/// until the object's queue next looks, and says nothing.
///
/// Unchecked Sendable: `receiver`, `chain` and `isActive` are used under `lock`; the rest is immutable. The token that ends an
/// observation may be released on any thread.
final class Observation: @unchecked Sendable {
    let keyPath: String
    let options: NSKeyValueObservingOptions
    /// The observer of the classic form, which may have gone, and what it registered with.
    private(set) weak var observer: (any KeyValueObserver)?
    let context: UnsafeMutableRawPointer?
    private let hasObserver: Bool
    private(set) weak var root: NSManagedObject?

    private let lock = NSLock()
    private var receiver: (any ChangeReceiver)?
    /// The objects the path leads through, and those other values depend on: held, as nobody else may hold them.
    private var chain: [NSManagedObject] = []

    init(
        of root: NSManagedObject, _ keyPath: String, _ options: NSKeyValueObservingOptions, receiver: any ChangeReceiver,
        observer: (any KeyValueObserver)? = nil, context: UnsafeMutableRawPointer? = nil
    ) {
        self.root = root
        self.keyPath = keyPath
        self.options = options
        self.receiver = receiver
        self.observer = observer
        self.context = context
        hasObserver = observer != nil
    }

    var isActive: Bool { lock.withLock { receiver != nil } && !(hasObserver && observer == nil) && root != nil }

    /// From now on nothing is told. The objects' lists are tidied on their queue, later.
    func end() {
        // Released outside the lock: it may be the last reference to anything.
        let parts = lock.withLock { () -> (Any?, [NSManagedObject]) in
            defer {
                receiver = nil
                chain = []
            }
            return (receiver, chain)
        }
        _ = parts
    }

    // MARK: Following the path

    /// Watches the root and whatever else the value depends on.
    func attach() {
        guard let root else { return }
        var reached: [NSManagedObject] = []
        watch(root, keyPath.split(separator: ".").map(String.init)[...], isMain: true, &reached)
        lock.withLock { if receiver != nil { chain = reached } }
    }

    /// Watches anew, after an object on the way gave way to another.
    func attachAgain() {
        detach()
        if isActive { attach() }
    }

    func detach() {
        let former = lock.withLock { () -> [NSManagedObject] in
            defer { chain = [] }
            return chain
        }
        for object in former { ObservationTable.state(of: object)?.remove(self) }
        if let root { ObservationTable.state(of: root)?.remove(self) }
    }

    private func watch(_ object: NSManagedObject, _ path: ArraySlice<String>, isMain: Bool, _ reached: inout [NSManagedObject]) {
        guard let key = path.first else { return }
        guard !key.hasPrefix("@") else { refuse(key) }
        let rest = path.dropFirst()
        let role: Watch.Role = rest.isEmpty ? (isMain ? .value : .dependency) : .link
        guard ObservationTable.ensureState(of: object).add(Watch(key: key, role: role, observation: self)) else { return }
        if object !== root { reached.append(object) }
        for other in type(of: object).keyPathsForValuesAffectingValue(forKey: key) where other != key {
            watch(object, other.split(separator: ".").map(String.init)[...], isMain: false, &reached)
        }
        guard !rest.isEmpty else { return }
        switch object.value(forKey: key) {
        case nil, is NSNull: return
        case let next as NSManagedObject: watch(next, rest, isMain: isMain, &reached)
        default: refuse(key)
        }
    }

    private func refuse(_ key: String) -> Never {
        raise(.invalidArgument, "The key path “\(keyPath)” cannot be observed beyond “\(key)”: only paths through to-one "
            + "relationships can. Observe the collection itself, or each of its objects.")
    }

    // MARK: Telling

    /// A first note, before the registration returns.
    func tellInitially() {
        guard let root, let receiver = current else { return }
        receiver.receive(.setting, old: nil, new: options.contains(.new) ? receiver.value(of: root) : nil, isPrior: false, of: root)
    }

    /// Takes in the value before a change; nil when nobody wants to know.
    func willChange(_ outline: ChangeOutline, through role: Watch.Role) -> OpenNote? {
        guard let root, let receiver = current else { return nil }
        let outline = role == .value ? outline : .setting
        var note = OpenNote(observation: self, outline: outline, role: role)
        if options.contains(.old) {
            note.old = outline.kind == .setting ? receiver.value(of: root) : outline.leaving
        }
        if options.contains(.prior) { receiver.receive(outline, old: note.old, new: nil, isPrior: true, of: root) }
        return note
    }

    /// Tells of a change that has happened. `joining` are the objects an ordered to-many has now at the change's places.
    func didChange(_ note: OpenNote, joining: Any?) {
        if note.role == .link { attachAgain() }
        guard let root, let receiver = current else { return }
        var new: Any?
        if options.contains(.new) { new = note.outline.kind == .setting ? receiver.value(of: root) : note.outline.joining ?? joining }
        receiver.receive(note.outline, old: note.old, new: new, isPrior: false, of: root)
    }

    /// Tells that the object's values were read again; they are what they were.
    func noteRealized() {
        guard let root, let receiver = current else { return }
        let value = options.isDisjoint(with: [.old, .new]) ? nil : receiver.value(of: root)
        receiver.receive(
            .setting, old: options.contains(.old) ? value : nil, new: options.contains(.new) ? value : nil, isPrior: false, of: root)
    }

    private var current: (any ChangeReceiver)? { hasObserver && observer == nil ? nil : lock.withLock { receiver } }
}

/// A change whose end is awaited.
struct OpenNote {
    let observation: Observation
    let outline: ChangeOutline
    let role: Watch.Role
    var old: Any?
}

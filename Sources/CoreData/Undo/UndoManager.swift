/// Records how to take changes back, in groups, and how to make them again: Foundation's class, which Linux lacks.
///
/// Without a run loop nothing says when an event ends: with `groupsByEvent` everything registered outside of a group forms
/// one group until `undo`, `redo` or (in a managed object context) `processPendingChanges`. Groups opened meanwhile are part
/// of it. Use it on one queue, that of the contexts it serves: their unprocessed changes are registered before groups open
/// and close, and before anything is asked or undone.
open class UndoManager: NSObject {
    var undoStack: [UndoGroup] = []
    var redoStack: [UndoGroup] = []
    /// Open groups, outermost first.
    var open: [UndoGroup] = []
    private var openedByEvent = false
    private var disabled = 0
    private var direction = Direction.recording
    /// Contexts whose changes this manager takes back.
    let contexts = WeakContexts()

    private enum Direction { case recording, undoing, redoing }

    public override init() { super.init() }

    /// Whether actions registered outside of a group open one by themselves; without, registering there stops the program.
    open var groupsByEvent = true
    /// The most groups to keep; 0 keeps all.
    open var levelsOfUndo = 0 { didSet { trim() } }

    /// How many groups are open.
    open var groupingLevel: Int { open.count }
    open var isUndoRegistrationEnabled: Bool { disabled == 0 }
    open var isUndoing: Bool { direction == .undoing }
    open var isRedoing: Bool { direction == .redoing }

    /// Nothing is registered until `enableUndoRegistration` was called as often.
    open func disableUndoRegistration() { disabled += 1 }

    open func enableUndoRegistration() {
        guard disabled > 0 else {
            raise(.internalInconsistency, "enableUndoRegistration was called more often than disableUndoRegistration.")
        }
        disabled -= 1
    }

    // MARK: Groups

    /// Opens a group; what is registered until the matching `endUndoGrouping` is taken back together.
    open func beginUndoGrouping() {
        if direction == .recording { checkpoint() }
        open.append(UndoGroup())
        post(.NSUndoManagerDidOpenUndoGroup)
    }

    /// Closes the innermost group.
    open func endUndoGrouping() {
        guard !open.isEmpty else {
            raise(.internalInconsistency, "endUndoGrouping was called without a beginUndoGrouping before it.")
        }
        // What clients register now is part of the group.
        checkpoint()
        guard let group = open.last else { return }
        let info: [AnyHashable: Any]? = group.isDiscardable ? [NSUndoManagerGroupIsDiscardableKey: true] : nil
        post(.NSUndoManagerWillCloseUndoGroup, info)
        open.removeLast()
        if open.isEmpty { openedByEvent = false }
        if direction == .recording, let outer = open.last {
            if !group.isEmpty { outer.actions.append(.group(group)) }
        } else {
            close(group)
        }
        post(.NSUndoManagerDidCloseUndoGroup, info)
    }

    /// Closes the group that an event opened.
    func endEvent() {
        guard openedByEvent, open.count == 1 else { return }
        endUndoGrouping()
    }

    private func close(_ group: UndoGroup) {
        guard !group.isEmpty else { return }
        if direction == .undoing { redoStack.append(group) } else { undoStack.append(group) }
        trim()
    }

    private func trim() {
        guard levelsOfUndo > 0 else { return }
        undoStack.removeFirst(max(0, undoStack.count - levelsOfUndo))
        redoStack.removeFirst(max(0, redoStack.count - levelsOfUndo))
    }

    // MARK: Registering

    /// Notes what takes a change back. The target is not retained; when it is gone, so is the action.
    public func registerUndo<Target: AnyObject>(withTarget target: Target, handler: @escaping (Target) -> Void) {
        guard disabled == 0 else { return }
        if open.isEmpty {
            guard groupsByEvent else {
                raise(.internalInconsistency, "The undo manager must begin a group before registering undo: call beginUndoGrouping, "
                    + "or set groupsByEvent.")
            }
            open.append(UndoGroup())
            openedByEvent = true
            post(.NSUndoManagerDidOpenUndoGroup)
        }
        open.last?.actions.append(.action(ObjectIdentifier(target), { [weak target] in if let target { handler(target) } }))
        if direction == .recording { redoStack = [] }
    }

    /// Forgets everything and enables registration again. Open groups stay open, empty.
    open func removeAllActions() {
        undoStack = []
        redoStack = []
        if openedByEvent, open.count == 1 { open = [] }
        for group in open { group.actions = [] }
        openedByEvent = openedByEvent && !open.isEmpty
        disabled = 0
    }

    /// Forgets the actions on one object.
    open func removeAllActions(withTarget target: Any) {
        let identifier = ObjectIdentifier(target as AnyObject)
        for group in undoStack + redoStack + open { group.remove(identifier) }
        undoStack.removeAll(where: \.isEmpty)
        redoStack.removeAll(where: \.isEmpty)
    }

    // MARK: Undoing

    /// Takes the last group back, closing it first when it is the only open one. More open groups stop the program.
    open func undo() {
        if direction == .recording { checkpoint() }
        guard open.count < 2 else {
            raise(.internalInconsistency, "undo was called with \(open.count) open groups: close all but the outermost first.")
        }
        if open.count == 1 { endUndoGrouping() }
        undoNestedGroup()
    }

    /// Takes the last closed group back, which may be inside an open one.
    open func undoNestedGroup() {
        if direction == .recording { checkpoint() }
        guard let group = takeLastGroup() else { return }
        post(.NSUndoManagerWillUndoChange)
        run(group, .undoing)
        post(.NSUndoManagerDidUndoChange)
    }

    private func takeLastGroup() -> UndoGroup? {
        guard let current = open.last else { return undoStack.popLast() }
        guard let last = current.actions.last else { return nil }
        guard case .group(let group) = last else {
            raise(.internalInconsistency, "undoNestedGroup was called while the open group has actions of its own: close it first.")
        }
        current.actions.removeLast()
        return group
    }

    /// Makes the group last taken back again.
    open func redo() {
        if direction == .recording { checkpoint() }
        endEvent()
        guard let group = redoStack.popLast() else { return }
        post(.NSUndoManagerWillRedoChange)
        run(group, .redoing)
        post(.NSUndoManagerDidRedoChange)
    }

    /// What the actions register is the way back, one group under the same name.
    private func run(_ group: UndoGroup, _ direction: Direction) {
        let outer = (direction: self.direction, openedByEvent: openedByEvent)
        self.direction = direction
        openedByEvent = false
        beginUndoGrouping()
        if let reverse = open.last { reverse.takeDescription(of: group) }
        group.run()
        endUndoGrouping()
        (self.direction, openedByEvent) = outer
    }

    // MARK: What there is to take back

    /// Whether there is anything to take back.
    open var canUndo: Bool {
        settle()
        return !undoStack.isEmpty || open.first?.isEmpty == false
    }

    /// Whether there is anything to make again.
    open var canRedo: Bool {
        checkpoint()
        return !redoStack.isEmpty
    }

    /// How many groups `undo` could take back, one after the other.
    open var undoCount: Int {
        settle()
        return undoStack.count + (open.first?.isEmpty == false ? 1 : 0)
    }

    /// How many groups `redo` could make again.
    open var redoCount: Int { redoStack.count }

    // MARK: Names

    /// Names what the current group does (or the last one, when none is open), for menus; an empty name removes it.
    open func setActionName(_ actionName: String) { described?.name = actionName }

    /// The name of what `undo` would take back; empty when it has none.
    open var undoActionName: String { undoable?.name ?? "" }
    open var redoActionName: String { redoStack.last?.name ?? "" }
    open var undoMenuItemTitle: String { undoMenuTitle(forUndoActionName: undoActionName) }
    open var redoMenuItemTitle: String { redoMenuTitle(forUndoActionName: redoActionName) }
    open func undoMenuTitle(forUndoActionName actionName: String) -> String { actionName.isEmpty ? "Undo" : "Undo \(actionName)" }
    open func redoMenuTitle(forUndoActionName actionName: String) -> String { actionName.isEmpty ? "Redo" : "Redo \(actionName)" }

    /// Marks the current group as one whose loss a user would not mind, such as a change of the selection.
    open func setActionIsDiscardable(_ discardable: Bool) { described?.isDiscardable = discardable }
    open var undoActionIsDiscardable: Bool { undoable?.isDiscardable ?? false }
    open var redoActionIsDiscardable: Bool { redoStack.last?.isDiscardable ?? false }

    /// Keeps a value with the current group; nil removes it.
    open func setActionUserInfoValue(_ info: Any?, forKey key: UserInfoKey) { described?.userInfo[key] = info }
    open func undoActionUserInfoValue(forKey key: UserInfoKey) -> Any? { undoable?.userInfo[key] }
    open func redoActionUserInfoValue(forKey key: UserInfoKey) -> Any? { redoStack.last?.userInfo[key] }

    private var described: UndoGroup? {
        settle()
        return open.first ?? undoStack.last
    }

    private var undoable: UndoGroup? {
        settle()
        if let current = open.first, !current.isEmpty || !current.name.isEmpty { return current }
        return undoStack.last
    }

    // MARK: Clients

    /// Lets clients register what they have not yet, and tells observers.
    func checkpoint() {
        settle()
        post(.NSUndoManagerCheckpoint)
    }

    /// Contexts register their unprocessed changes: those in whose queue the caller is, for the others may be at work.
    func settle() { for context in contexts.all where context.executor.isCurrent { context.processPendingChanges() } }

    private func post(_ name: Notification.Name, _ info: [AnyHashable: Any]? = nil) {
        NotificationCenter.default.post(name: name, object: self, userInfo: info)
    }
}

extension UndoManager {
    /// Names a value kept with a group.
    public struct UserInfoKey: RawRepresentable, Hashable, Sendable {
        public let rawValue: String
        public init(_ rawValue: String) { self.rawValue = rawValue }
        public init(rawValue: String) { self.rawValue = rawValue }
    }

    @available(*, unavailable, message: "Selectors cannot be called on Linux: use registerUndo(withTarget:handler:).")
    public func registerUndo(withTarget target: Any, selector: Selector, object: Any?) {}

    @available(*, unavailable, message: "Invocations cannot be recorded on Linux: use registerUndo(withTarget:handler:).")
    public func prepare(withInvocationTarget target: Any) -> Any { target }

    @available(*, unavailable, message: "Events do not follow a run loop here: group with beginUndoGrouping and endUndoGrouping.")
    public var runLoopModes: [RunLoop.Mode] {
        get { [] }
        set {}
    }
}

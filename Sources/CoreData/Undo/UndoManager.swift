/// Records how to take changes back, in groups, and how to make them again: Foundation's class, which Linux lacks.
///
/// Without a run loop nothing says when an event ends: with `groupsByEvent` everything registered outside of a group forms
/// one group until `undo`, `redo`, `beginUndoGrouping` or (in a managed object context) `processPendingChanges`.
/// Use it on one queue, the context's.
open class UndoManager: NSObject {
    private var undoStack: [UndoGroup] = []
    private var redoStack: [UndoGroup] = []
    /// Open groups, outermost first.
    private var open: [UndoGroup] = []
    private var openedByEvent = false
    private var disabled = 0
    private var direction = Direction.recording

    private enum Direction { case recording, undoing, redoing }

    public override init() { super.init() }

    /// Whether actions registered outside of a group open one by themselves.
    open var groupsByEvent = true
    /// The most groups to keep; 0 keeps all.
    open var levelsOfUndo = 0 { didSet { trim() } }

    public var groupingLevel: Int { open.count }
    public var isUndoRegistrationEnabled: Bool { disabled == 0 }
    open var isUndoing: Bool { direction == .undoing }
    open var isRedoing: Bool { direction == .redoing }
    open var canUndo: Bool { !undoStack.isEmpty || open.first?.isEmpty == false }
    open var canRedo: Bool {
        post(.NSUndoManagerCheckpoint)
        return !redoStack.isEmpty
    }

    open func disableUndoRegistration() { disabled += 1 }

    open func enableUndoRegistration() {
        guard disabled > 0 else {
            raise(.internalInconsistency, "enableUndoRegistration was called more often than disableUndoRegistration.")
        }
        disabled -= 1
    }

    // MARK: Groups

    open func beginUndoGrouping() {
        if openedByEvent, open.count == 1 { endEvent() }
        post(.NSUndoManagerCheckpoint)
        open.append(UndoGroup())
        post(.NSUndoManagerDidOpenUndoGroup)
    }

    open func endUndoGrouping() {
        guard let group = open.popLast() else {
            raise(.internalInconsistency, "endUndoGrouping was called without a beginUndoGrouping before it.")
        }
        post(.NSUndoManagerCheckpoint)
        post(.NSUndoManagerWillCloseUndoGroup)
        if let outer = open.last { outer.actions.append(.group(group)) } else { close(group) }
        post(.NSUndoManagerDidCloseUndoGroup)
    }

    /// Closes the group that an event opened.
    func endEvent() {
        guard openedByEvent, open.count == 1 else { return }
        openedByEvent = false
        endUndoGrouping()
    }

    private func close(_ group: UndoGroup) {
        guard !group.isEmpty else { return }
        if direction == .undoing { redoStack.append(group) } else { undoStack.append(group) }
        trim()
    }

    private func trim() {
        guard levelsOfUndo > 0 else { return }
        undoStack = undoStack.suffix(levelsOfUndo)
        redoStack = redoStack.suffix(levelsOfUndo)
    }

    // MARK: Registering

    /// Notes what takes a change back; `target` is not retained by `removeAllActions(withTarget:)`'s bookkeeping.
    public func registerUndo<Target: AnyObject>(withTarget target: Target, handler: @escaping (Target) -> Void) {
        guard disabled == 0 else { return }
        if open.isEmpty {
            guard groupsByEvent else {
                raise(.internalInconsistency, "must begin a group before registering undo")
            }
            open.append(UndoGroup())
            openedByEvent = true
        }
        open.last?.actions.append(.action(ObjectIdentifier(target), { [weak target] in if let target { handler(target) } }))
        if direction == .recording { redoStack = [] }
    }

    @available(*, unavailable, message: "Selectors do not exist here: use registerUndo(withTarget:handler:).")
    open func registerUndo(withTarget target: Any, selector: Selector, object: Any?) {}

    open func removeAllActions() {
        undoStack = []
        redoStack = []
        open = []
        openedByEvent = false
        disabled = 0
    }

    open func removeAllActions(withTarget target: Any) {
        let identifier = ObjectIdentifier(target as AnyObject)
        for group in undoStack + redoStack + open { group.remove(identifier) }
        undoStack.removeAll(where: \.isEmpty)
        redoStack.removeAll(where: \.isEmpty)
    }

    // MARK: Undoing

    /// Takes the last group back. An open group is closed first when it is the only one.
    open func undo() {
        if open.count == 1 {
            openedByEvent = false
            endUndoGrouping()
        }
        undoNestedGroup()
    }

    /// Takes the last group back, which may be inside an open one.
    open func undoNestedGroup() {
        post(.NSUndoManagerCheckpoint)
        guard let group = undoStack.popLast() else { return }
        post(.NSUndoManagerWillUndoChange)
        run(group, .undoing)
        post(.NSUndoManagerDidUndoChange)
    }

    /// Makes the group last taken back again.
    open func redo() {
        endEvent()
        post(.NSUndoManagerCheckpoint)
        guard let group = redoStack.popLast() else { return }
        post(.NSUndoManagerWillRedoChange)
        run(group, .redoing)
        post(.NSUndoManagerDidRedoChange)
    }

    private func run(_ group: UndoGroup, _ direction: Direction) {
        self.direction = direction
        let name = group.name
        open.append(UndoGroup())
        group.run()
        open.last?.name = name
        if let reverse = open.popLast() { close(reverse) }
        self.direction = .recording
    }

    // MARK: Names

    open func setActionName(_ actionName: String) {
        if let group = open.first { group.name = actionName } else { undoStack.last?.name = actionName }
    }

    open var undoActionName: String { (open.first ?? undoStack.last)?.name ?? "" }
    open var redoActionName: String { redoStack.last?.name ?? "" }
    open var undoMenuItemTitle: String { undoMenuTitle(forUndoActionName: undoActionName) }
    open var redoMenuItemTitle: String { redoMenuTitle(forUndoActionName: redoActionName) }
    open func undoMenuTitle(forUndoActionName actionName: String) -> String { actionName.isEmpty ? "Undo" : "Undo \(actionName)" }
    open func redoMenuTitle(forUndoActionName actionName: String) -> String { actionName.isEmpty ? "Redo" : "Redo \(actionName)" }

    private func post(_ name: Notification.Name) { NotificationCenter.default.post(name: name, object: self) }
}

/// Actions that are taken back together, last first.
final class UndoGroup {
    enum Action {
        case action(ObjectIdentifier, () -> Void)
        case group(UndoGroup)
    }

    var actions: [Action] = []
    var name = ""
    var isEmpty: Bool { actions.isEmpty }

    func run() {
        for action in actions.reversed() {
            switch action {
            case .action(_, let body): body()
            case .group(let group): group.run()
            }
        }
    }

    func remove(_ target: ObjectIdentifier) {
        actions.removeAll { action in
            switch action {
            case .action(let other, _): return other == target
            case .group(let group):
                group.remove(target)
                return group.isEmpty
            }
        }
    }
}

extension Notification.Name {
    public static let NSUndoManagerCheckpoint = Notification.Name("NSUndoManagerCheckpointNotification")
    public static let NSUndoManagerWillUndoChange = Notification.Name("NSUndoManagerWillUndoChangeNotification")
    public static let NSUndoManagerWillRedoChange = Notification.Name("NSUndoManagerWillRedoChangeNotification")
    public static let NSUndoManagerDidUndoChange = Notification.Name("NSUndoManagerDidUndoChangeNotification")
    public static let NSUndoManagerDidRedoChange = Notification.Name("NSUndoManagerDidRedoChangeNotification")
    public static let NSUndoManagerDidOpenUndoGroup = Notification.Name("NSUndoManagerDidOpenUndoGroupNotification")
    public static let NSUndoManagerWillCloseUndoGroup = Notification.Name("NSUndoManagerWillCloseUndoGroupNotification")
    public static let NSUndoManagerDidCloseUndoGroup = Notification.Name("NSUndoManagerDidCloseUndoGroupNotification")
}

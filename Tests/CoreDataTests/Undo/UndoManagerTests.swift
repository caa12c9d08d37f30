import CoreData
import Foundation
import Testing

/// A number whose changes are undoable.
private final class Counter {
    private(set) var value = 0
    let manager: UndoManager
    init(_ manager: UndoManager) { self.manager = manager }

    func set(_ new: Int) {
        let old = value
        manager.registerUndo(withTarget: self) { $0.set(old) }
        value = new
    }

    func set(_ new: Int, named name: String) {
        set(new)
        manager.setActionName(name)
    }

    /// A change in a group of its own.
    func group(_ new: Int) {
        manager.beginUndoGrouping()
        set(new)
        manager.endUndoGrouping()
    }
}

/// Names of a manager's notes, in order.
private final class Notes: @unchecked Sendable {
    private(set) var list: [Notification] = []
    private var tokens: [any NSObjectProtocol] = []

    init(_ manager: UndoManager) {
        let names: [Notification.Name] = [
            .NSUndoManagerCheckpoint, .NSUndoManagerDidOpenUndoGroup, .NSUndoManagerWillCloseUndoGroup, .NSUndoManagerDidCloseUndoGroup,
            .NSUndoManagerWillUndoChange, .NSUndoManagerDidUndoChange, .NSUndoManagerWillRedoChange, .NSUndoManagerDidRedoChange,
        ]
        tokens = names.map { name in
            NotificationCenter.default.addObserver(forName: name, object: manager, queue: nil) { [weak self] in self?.list.append($0) }
        }
    }

    deinit { for token in tokens { NotificationCenter.default.removeObserver(token) } }

    /// Short forms, checkpoints left out.
    var names: [String] {
        list.filter { $0.name != .NSUndoManagerCheckpoint }.map {
            $0.name.rawValue.replacingOccurrences(of: "NSUndoManager", with: "").replacingOccurrences(of: "Notification", with: "")
        }
    }

    var checkpoints: Int { list.count { $0.name == .NSUndoManagerCheckpoint } }
    func clear() { list = [] }
}

@Suite("UndoManager")
struct UndoManagerTests {
    private let manager = UndoManager()
    private var counter: Counter { Counter(manager) }

    @Test("A fresh manager has nothing to undo, groups by event, keeps all levels, and records")
    func fresh() {
        #expect(!manager.canUndo && !manager.canRedo && !manager.isUndoing && !manager.isRedoing)
        #expect(manager.groupsByEvent && manager.isUndoRegistrationEnabled)
        #expect(manager.levelsOfUndo == 0 && manager.groupingLevel == 0 && manager.undoCount == 0 && manager.redoCount == 0)
        #expect(manager.undoActionName.isEmpty && manager.redoActionName.isEmpty)
        manager.undo()
        manager.redo()
    }

    @Test("Undo and redo, back and forth; a new change forgets what could be redone")
    func backAndForth() {
        let counter = counter
        for value in 1...3 { counter.group(value) }
        #expect(manager.undoCount == 3)
        manager.undo()
        manager.undo()
        #expect(counter.value == 1)
        #expect(manager.canUndo && manager.canRedo && manager.undoCount == 1 && manager.redoCount == 2)
        manager.redo()
        #expect(counter.value == 2)
        manager.undo()
        #expect(counter.value == 1)
        counter.group(9)
        #expect(!manager.canRedo)
        manager.redo()
        #expect(counter.value == 9)
        manager.undo()
        manager.undo()
        #expect(counter.value == 0)
        #expect(!manager.canUndo)
    }

    @Test("Without a run loop, what is registered outside of groups is one event until undo")
    func event() {
        let counter = counter
        counter.set(1)
        #expect(manager.groupingLevel == 1)
        counter.set(2)
        #expect(manager.canUndo)
        manager.undo()
        #expect(counter.value == 0)
        #expect(manager.groupingLevel == 0)
        manager.redo()
        #expect(counter.value == 2)
    }

    @Test("A group opened within an event is part of it; the event's actions run last first")
    func groupWithinAnEvent() {
        var order: [Int] = []
        let target = counter
        func register(_ number: Int) { manager.registerUndo(withTarget: target) { _ in order.append(number) } }
        register(1)
        manager.beginUndoGrouping()
        #expect(manager.groupingLevel == 2)
        register(2)
        register(3)
        manager.endUndoGrouping()
        register(4)
        manager.undo()
        #expect(order == [4, 3, 2, 1])
    }

    @Test("Nested groups are taken back with their outermost one")
    func nesting() {
        manager.groupsByEvent = false
        let counter = counter
        manager.beginUndoGrouping()
        counter.set(1)
        manager.beginUndoGrouping()
        counter.set(2)
        manager.beginUndoGrouping()
        counter.set(3)
        #expect(manager.groupingLevel == 3)
        for _ in 0..<3 { manager.endUndoGrouping() }
        #expect(manager.groupingLevel == 0)
        #expect(manager.undoCount == 1)
        manager.undo()
        #expect(counter.value == 0)
        manager.redo()
        #expect(counter.value == 3)
        manager.undo()
        #expect(counter.value == 0)
    }

    @Test("undo closes the outermost group, undoNestedGroup takes back the last closed one inside of it")
    func undoInside() {
        manager.groupsByEvent = false
        let counter = counter
        manager.beginUndoGrouping()
        counter.set(1)
        manager.beginUndoGrouping()
        counter.set(2)
        manager.endUndoGrouping()
        manager.undoNestedGroup()
        #expect(counter.value == 1)
        #expect(manager.canRedo)
        #expect(manager.groupingLevel == 1)
        manager.undo()
        #expect(counter.value == 0)
        #expect(manager.groupingLevel == 0)
    }

    @Test("Empty groups leave nothing to undo")
    func emptyGroups() {
        let counter = counter
        counter.group(1)
        manager.beginUndoGrouping()
        manager.beginUndoGrouping()
        manager.endUndoGrouping()
        manager.endUndoGrouping()
        #expect(manager.undoCount == 1)
        manager.undo()
        #expect(counter.value == 0)
    }

    @Test("levelsOfUndo drops the oldest groups, at once when it is lowered")
    func levels() {
        let counter = counter
        manager.levelsOfUndo = 3
        for value in 1...5 { counter.group(value) }
        #expect(manager.undoCount == 3)
        manager.levelsOfUndo = 2
        #expect(manager.undoCount == 2)
        for _ in 0..<5 { manager.undo() }
        #expect(counter.value == 3)
        #expect(manager.redoCount == 2)
        manager.levelsOfUndo = 1
        #expect(manager.redoCount == 1)
    }

    @Test("Nothing is registered while registration is off, however deep")
    func disabling() {
        let counter = counter
        counter.group(1)
        manager.disableUndoRegistration()
        manager.disableUndoRegistration()
        manager.enableUndoRegistration()
        #expect(!manager.isUndoRegistrationEnabled)
        counter.group(2)
        counter.set(3)
        manager.enableUndoRegistration()
        #expect(manager.isUndoRegistrationEnabled)
        #expect(manager.undoCount == 1)
        manager.undo()
        #expect(counter.value == 0)
    }

    @Test("removeAllActions forgets everything and enables registration; open groups stay balanced")
    func removingAll() {
        let counter = counter
        counter.group(1)
        counter.group(2)
        manager.undo()
        manager.disableUndoRegistration()
        manager.beginUndoGrouping()
        manager.removeAllActions()
        #expect(manager.isUndoRegistrationEnabled)
        #expect(!manager.canUndo && !manager.canRedo)
        #expect(manager.groupingLevel == 1)
        counter.set(7)
        manager.endUndoGrouping()
        manager.undo()
        #expect(counter.value == 1)
        counter.set(8)
        manager.removeAllActions()
        #expect(!manager.canUndo)
        #expect(manager.groupingLevel == 0)
    }

    @Test("removeAllActions(withTarget:) forgets one object's actions, in open and closed groups and to redo")
    func removingATarget() {
        let (first, second) = (counter, counter)
        first.group(1)
        manager.beginUndoGrouping()
        first.set(2)
        second.set(2)
        manager.endUndoGrouping()
        second.group(3)
        manager.undo()
        manager.removeAllActions(withTarget: second)
        #expect(!manager.canRedo)
        #expect(manager.undoCount == 2)
        manager.undo()
        #expect(first.value == 1)
        #expect(second.value == 2)
        manager.removeAllActions(withTarget: first)
        #expect(!manager.canUndo && !manager.canRedo)
    }

    @Test("The manager does not keep targets alive; the actions of one that is gone do nothing")
    func weakTargets() {
        var counter: Counter? = Counter(manager)
        counter?.group(1)
        weak let gone = counter
        counter = nil
        #expect(gone == nil)
        manager.undo()
        #expect(!manager.canRedo)
    }

    @Test("isUndoing and isRedoing are true inside of actions only")
    func phases() {
        var seen: [String] = []
        let target = counter
        func register() {
            manager.registerUndo(withTarget: target) { [manager] _ in
                seen.append("\(manager.isUndoing) \(manager.isRedoing)")
                register()
            }
        }
        register()
        manager.undo()
        manager.redo()
        #expect(seen == ["true false", "false true"])
        #expect(!manager.isUndoing && !manager.isRedoing)
    }

    // MARK: Descriptions

    @Test("Action names follow the group to redo and back, and make the menu titles")
    func names() {
        let counter = counter
        manager.beginUndoGrouping()
        counter.set(1, named: "Typing")
        manager.endUndoGrouping()
        manager.beginUndoGrouping()
        counter.set(2)
        manager.endUndoGrouping()
        manager.setActionName("Paste")
        #expect(manager.undoActionName == "Paste")
        #expect(manager.undoMenuItemTitle == "Undo Paste")
        #expect(manager.redoMenuItemTitle == "Redo")
        manager.undo()
        #expect(manager.undoActionName == "Typing")
        #expect(manager.redoActionName == "Paste")
        #expect(manager.redoMenuItemTitle == "Redo Paste")
        manager.redo()
        #expect(manager.undoActionName == "Paste")
        manager.setActionName("")
        #expect(manager.undoMenuItemTitle == "Undo")
        #expect(manager.undoMenuTitle(forUndoActionName: "X") == "Undo X")
        #expect(manager.redoMenuTitle(forUndoActionName: "X") == "Redo X")
    }

    @Test("Discardability and user info belong to a group and follow it")
    func groupInformation() {
        let key = UndoManager.UserInfoKey("place")
        let counter = counter
        manager.beginUndoGrouping()
        counter.set(1)
        manager.setActionIsDiscardable(true)
        manager.setActionUserInfoValue(42, forKey: key)
        let notes = Notes(manager)
        manager.endUndoGrouping()
        for note in notes.list where note.name != .NSUndoManagerCheckpoint {
            #expect(note.userInfo?[NSUndoManagerGroupIsDiscardableKey] as? Bool == true)
        }
        #expect(manager.undoActionIsDiscardable && !manager.redoActionIsDiscardable)
        #expect(manager.undoActionUserInfoValue(forKey: key) as? Int == 42)
        manager.undo()
        #expect(!manager.undoActionIsDiscardable && manager.redoActionIsDiscardable)
        #expect(manager.redoActionUserInfoValue(forKey: key) as? Int == 42)
        #expect(manager.undoActionUserInfoValue(forKey: key) == nil)
    }

    // MARK: Notes

    @Test("Notes have Foundation's names and come in order")
    func notes() {
        #expect(Notification.Name.NSUndoManagerCheckpoint.rawValue == "NSUndoManagerCheckpointNotification")
        let counter = counter
        let notes = Notes(manager)
        counter.group(1)
        #expect(notes.names == ["DidOpenUndoGroup", "WillCloseUndoGroup", "DidCloseUndoGroup"])
        #expect(notes.checkpoints == 2)
        notes.clear()
        manager.undo()
        #expect(notes.names == ["WillUndoChange", "DidOpenUndoGroup", "WillCloseUndoGroup", "DidCloseUndoGroup", "DidUndoChange"])
        notes.clear()
        manager.redo()
        #expect(notes.names == ["WillRedoChange", "DidOpenUndoGroup", "WillCloseUndoGroup", "DidCloseUndoGroup", "DidRedoChange"])
        notes.clear()
        _ = manager.canRedo
        #expect(notes.checkpoints == 1)
        notes.clear()
        for _ in 0..<2 { manager.undo() }
        manager.redo()
        manager.redo()
        #expect(notes.names.count { $0 == "WillUndoChange" } == 1)
        #expect(notes.names.count { $0 == "WillRedoChange" } == 1)
    }

    @Test("An observer of the checkpoint may still register into the group that closes")
    func registeringAtTheCheckpoint() {
        let counter = counter
        manager.beginUndoGrouping()
        nonisolated(unsafe) let late = counter
        let token = NotificationCenter.default.addObserver(forName: .NSUndoManagerCheckpoint, object: manager, queue: nil) { _ in
            if late.value == 1 { late.set(2) }
        }
        counter.set(1)
        manager.endUndoGrouping()
        NotificationCenter.default.removeObserver(token)
        #expect(counter.value == 2)
        #expect(manager.undoCount == 1)
        manager.undo()
        #expect(counter.value == 0)
    }

    // MARK: Misuse

    @Test("What raises an exception at Apple’s stops the program, saying why")
    func misuse() async {
        func expect(_ text: String, _ exit: ExitTest.Result?, _ location: SourceLocation = #_sourceLocation) {
            let output = String(decoding: exit?.standardErrorContent ?? [], as: UTF8.self)
            #expect(output.contains("NSInternalInconsistencyException"), sourceLocation: location)
            #expect(output.contains(text), sourceLocation: location)
        }
        expect("endUndoGrouping", await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            UndoManager().endUndoGrouping()
        })
        expect("enableUndoRegistration", await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            UndoManager().enableUndoRegistration()
        })
        expect("begin a group", await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let manager = UndoManager()
            manager.groupsByEvent = false
            manager.registerUndo(withTarget: manager) { _ in }
        })
        expect("open groups", await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let manager = UndoManager()
            manager.beginUndoGrouping()
            manager.beginUndoGrouping()
            manager.undo()
        })
    }
}

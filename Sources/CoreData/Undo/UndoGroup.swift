/// Actions that are taken back together, last first.
final class UndoGroup {
    enum Action {
        case action(ObjectIdentifier, () -> Void)
        case group(UndoGroup)
    }

    var actions: [Action] = []
    var name = ""
    var isDiscardable = false
    var userInfo: [UndoManager.UserInfoKey: Any] = [:]
    var isEmpty: Bool { actions.isEmpty }

    func takeDescription(of other: UndoGroup) {
        name = other.name
        isDiscardable = other.isDiscardable
        userInfo = other.userInfo
    }

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

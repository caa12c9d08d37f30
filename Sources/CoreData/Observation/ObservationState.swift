import CoreDataSchema

/// One property of one object an observation has an eye on.
struct Watch {
    enum Role {
        /// The observed value itself.
        case value
        /// An object the path leads through: another one in its place means other watches.
        case link
        /// Something the observed value depends on.
        case dependency
    }

    let key: String
    let role: Role
    let observation: Observation
}

/// Who watches an object, and the changes of it announced by hand that are not over yet.
///
/// Unchecked Sendable: like its object, it is used on the context's queue only. Where that is wrong `end()` of an observation
/// does not come here.
final class ObservationState: @unchecked Sendable {
    private(set) var watches: [Watch] = []
    var openChanges: [OpenChange] = []
    /// The object was turned into a fault while it was watched: firing it is told, too.
    var expectsRealization = false

    /// false when the observation has an eye on the property already.
    func add(_ watch: Watch) -> Bool {
        if watches.contains(where: { $0.key == watch.key && $0.observation === watch.observation }) { return false }
        watches.append(watch)
        return true
    }

    func remove(_ observation: Observation) { watches.removeAll { $0.observation === observation } }

    /// Forgets observations that have ended.
    func tidy() { watches.removeAll { !$0.observation.isActive } }

    var isIdle: Bool { watches.isEmpty && openChanges.isEmpty }
}

/// A change between `willChangeValue(forKey:)` and `didChangeValue(forKey:)`.
struct OpenChange {
    let key: String
    let notes: [OpenNote]
    /// What a relationship held before, whose inverse is kept when the change is over.
    let before: RelationshipBefore?
}

/// A relationship's destinations before a change.
enum RelationshipBefore {
    case one(RowKey?)
    case many([RowKey])
}

/// The states of all objects that have one, by object. An object's `observed` bit says whether to look.
///
/// A table and not a field of each object: hardly any object is observed.
enum ObservationTable {
    private static let states = LockedValue<[ObjectIdentifier: ObservationState]>([:])

    static func state(of object: NSManagedObject) -> ObservationState? {
        guard object.state.contains(.observed) else { return nil }
        return states.withLock { $0[ObjectIdentifier(object)] }
    }

    static func ensureState(of object: NSManagedObject) -> ObservationState {
        if let known = state(of: object) { return known }
        let made = ObservationState()
        states.withLock { $0[ObjectIdentifier(object)] = made }
        object.state.insert(.observed)
        return made
    }

    /// Forgets an object nobody watches any more.
    static func drop(_ object: NSManagedObject) {
        let former = states.withLock { $0.removeValue(forKey: ObjectIdentifier(object)) }
        object.state.remove(.observed)
        _ = former
    }

    /// The object is being released: whoever observed it has nothing to wait for.
    static func forget(_ identifier: ObjectIdentifier) {
        let former = states.withLock { $0.removeValue(forKey: identifier) }
        // Outside the lock: other objects may be released with them.
        for watch in former?.watches ?? [] where !watch.observation.isActive { watch.observation.end() }
    }
}

import CoreDataSchema
import CoreDataStorage

/// Everybody who listens, and the way from an event to them.
///
/// Invariant: `DiagnosticInterests.wanted` is the union of the listeners' interests.
final class DiagnosticHub: Sendable {
    static let shared = DiagnosticHub()

    typealias Handler = @Sendable (CoreDataDiagnostics.Event) -> Void

    private struct Listener: Sendable {
        let number: Int
        let interests: DiagnosticInterests
        /// Whether only one coordinator's events are wanted; none come any more once it is gone.
        let isBound: Bool
        weak var coordinator: NSPersistentStoreCoordinator?
        /// nil when the listener only keeps events coming.
        let handler: Handler?

        func takes(_ interest: DiagnosticInterests, from source: NSPersistentStoreCoordinator?) -> Bool {
            interests.contains(interest) && (!isBound || coordinator != nil && coordinator === source)
        }
    }

    private struct State: Sendable {
        var listeners: [Listener] = []
        var lastNumber = 0
    }

    private let state = LockedValue(State())

    func add(_ interests: DiagnosticInterests, of coordinator: NSPersistentStoreCoordinator?, _ handler: Handler?) -> Int {
        state.withLock { state in
            state.lastNumber += 1
            state.listeners.append(Listener(
                number: state.lastNumber, interests: interests, isBound: coordinator != nil, coordinator: coordinator, handler: handler))
            Self.publish(state)
            return state.lastNumber
        }
    }

    func remove(_ number: Int) {
        // Released after the lock: what a handler holds may end an observation of its own.
        let gone = state.withLock { state -> [Listener] in
            let gone = state.listeners.filter { $0.number == number }
            state.listeners.removeAll { $0.number == number }
            if !gone.isEmpty { Self.publish(state) }
            return gone
        }
        _ = gone
    }

    private static func publish(_ state: State) {
        DiagnosticInterests.want(state.listeners.reduce(into: []) { $0.formUnion($1.interests) })
    }

    /// Hands the event to whoever listens for it; it is made only if somebody does.
    func deliver(
        _ interest: DiagnosticInterests, from coordinator: NSPersistentStoreCoordinator?, _ event: () -> CoreDataDiagnostics.Event
    ) {
        let handlers = state.withLock { state in state.listeners.filter { $0.takes(interest, from: coordinator) }.compactMap(\.handler) }
        let tally = DiagnosticTally.interests.contains(interest) ? DiagnosticTally.current : nil
        if handlers.isEmpty, tally == nil { return }
        let event = event()
        tally?.add(event)
        for handler in handlers { handler(event) }
    }
}

// MARK: Where events come from

extension NSPersistentStoreCoordinator {
    /// What a store of this coordinator reports to.
    func reporter(for url: URL?) -> StoreReporter {
        { [weak self] report in
            DiagnosticHub.shared.deliver(report.interest, from: self) {
                CoreDataDiagnostics.Event(report, store: url, model: self?.runtime)
            }
        }
    }

    /// Sorts rows of several stores in memory: no statement can.
    func noteOutsideSQL(_ part: EvaluationReport.Part, _ plan: FetchPlan, rows: Int) {
        guard DiagnosticInterests.wanted.contains(.evaluations) else { return }
        reporter(for: nil)(.evaluation(EvaluationReport(entity: plan.entity, part: part, rowsTested: rows)))
    }
}

extension NSManagedObject {
    /// Tells that values are loaded because somebody touched the object, or the to-many relationship in `slot`.
    final func noteFault(relationship slot: Int? = nil) {
        let wanted = DiagnosticInterests.wanted
        guard wanted.contains(.faults), let context = managedObjectContext else { return }
        DiagnosticHub.shared.deliver(.faults, from: context.persistentStoreCoordinator) {
            .fault(CoreDataDiagnostics.Fault(
                entityName: runtime.name, objectID: objectID, relationship: slot.map { runtime.resolved.properties[$0].name },
                trace: wanted.contains(.callers) ? CallerTrace() : nil))
        }
    }
}

extension NSManagedObject {
    /// Tells that the attribute's stored value cannot be read, and that it answers nil therefore.
    final func noteUnreadable(_ property: ResolvedProperty, _ error: any Error) {
        guard DiagnosticInterests.wanted.contains(.unreadableValues) else { return }
        DiagnosticHub.shared.deliver(.unreadableValues, from: managedObjectContext?.persistentStoreCoordinator) {
            .unreadableValue(CoreDataDiagnostics.UnreadableValue(
                entityName: runtime.name, attributeName: property.name, objectID: objectID, error: error))
        }
    }

    /// Lists the object among its context's changes; tells that it has none any more, if it had one.
    final func noteChange() {
        if let context = anchor?.context { return context.noteChange(of: self) }
        guard DiagnosticInterests.wanted.contains(.lostChanges), !isOutside || state.contains(.abandoned) else { return }
        let identifier = self.identifier
        DiagnosticHub.shared.deliver(.lostChanges, from: identifier.persistentStore?.persistentStoreCoordinator) {
            .lostChange(CoreDataDiagnostics.LostChange(entityName: runtime.name, objectID: identifier))
        }
    }
}

extension NSManagedObjectContext {
    func noteConflicts(_ conflicts: [NSMergeConflict]) {
        guard DiagnosticInterests.wanted.contains(.conflicts) else { return }
        for conflict in conflicts {
            DiagnosticHub.shared.deliver(.conflicts, from: persistentStoreCoordinator) {
                .conflict(CoreDataDiagnostics.Conflict(
                    kind: .merge(oldVersion: conflict.oldVersionNumber, newVersion: conflict.newVersionNumber),
                    entityName: conflict.sourceObject.runtime.name, objectIDs: [conflict.sourceObject.objectID], contextName: name))
            }
        }
    }

    func noteConflicts(_ conflicts: [NSConstraintConflict]) {
        guard DiagnosticInterests.wanted.contains(.conflicts) else { return }
        for conflict in conflicts {
            let objects = [conflict.databaseObject].compactMap { $0 } + conflict.conflictingObjects
            DiagnosticHub.shared.deliver(.conflicts, from: persistentStoreCoordinator) {
                .conflict(CoreDataDiagnostics.Conflict(
                    kind: .constraint(conflict.constraint), entityName: objects.first?.runtime.name ?? "",
                    objectIDs: objects.map(\.objectID), contextName: name))
            }
        }
    }

    /// Runs a save and tells of it.
    func notingSave(_ body: () throws -> SaveReport) throws {
        let start = RowClock.now
        let outcome = Result { try body() }
        DiagnosticHub.shared.deliver(.saves, from: persistentStoreCoordinator) {
            var save = CoreDataDiagnostics.Save(contextName: name, hasParent: parentStorage != nil, seconds: RowClock.now - start)
            switch outcome {
            case .success(let report):
                save.inserted = report.inserted.count
                save.updated = report.updated.count
                save.deleted = report.deleted.count
            case .failure(let error): save.failure = error.localizedDescription
            }
            return .save(save)
        }
        _ = try outcome.get()
    }
}

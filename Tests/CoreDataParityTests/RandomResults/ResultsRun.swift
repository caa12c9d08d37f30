import CoreData
import Testing

/// One seed: a context under several controllers, a second one whose saves are merged, and random edits in both.
final class ResultsRun {
    private let stack: Stack
    private let context: NSManagedObjectContext
    private var views: [ResultsView] = []
    private var random: ResultsRandom
    private var names = 0
    /// Objects a step changed, by name, and names of objects.
    private var changed = Set<NSManagedObjectID>()
    private(set) var log: [String] = []

    init(seed: UInt64) throws {
        random = ResultsRandom(seed)
        stack = try Stack(Team.model(), seed % 4 == 0 ? .sqlite : .memory)
        context = stack.context
        let size = Int.random(in: 0...14, using: &random)
        try stack.seed { context in
            let departments = ["D0", "D1", "D2"].map { context.make("Department", ["name": $0]) }
            for _ in 0..<size { hire(in: context, departments) }
        }
        try context.run { context in
            context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
            try makeViews()
        }
    }

    private func makeViews() throws {
        try add(ChangesView("team", controller(["team", "name"], "team")))
        try add(ChangesView("well paid", controller(["-salary", "name"], nil, NSPredicate(format: "salary > 4"))))
        try add(ChangesView("department", controller(["department.name", "-salary", "name"], "department.name")))
        try add(ChangesView("window", controller(["salary", "name"], "salary") { $0.fetchOffset = 1; $0.fetchLimit = 5 }))
        try add(ChangesView("initial", controller(["name"], "initial", NSPredicate(format: "team == 'Y' OR team == 'Z'"))))
        try add(DifferenceView("difference", controller(["salary", "team", "name"], nil)))
        #if !canImport(Darwin)
        try add(SnapshotView("snapshot", controller(["-team", "salary", "name"], "team")))
        #endif
    }

    private func controller(
        _ sort: [String], _ section: String?, _ predicate: NSPredicate? = nil, _ configure: (NSFetchRequest<NSManagedObject>) -> Void = { _ in }
    ) throws -> NSFetchedResultsController<NSManagedObject> {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Employee")
        request.predicate = predicate
        request.sortDescriptors = sort.map { NSSortDescriptor(key: $0.replacingOccurrences(of: "-", with: ""), ascending: !$0.hasPrefix("-")) }
        configure(request)
        return NSFetchedResultsController(fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: section, cacheName: nil)
    }

    private func add(_ view: some ResultsView & NSFetchedResultsControllerDelegate) throws {
        view.controller.delegate = view
        try view.controller.performFetch()
        view.reload()
        views.append(view)
    }

    // MARK: Steps

    func run(steps: Int) throws {
        for step in 0..<steps {
            try context.run { context in
                changed = []
                views.forEach { $0.startStep() }
                let before = views.map(\.shown)
                log.append("\(step):")
                try self.step(context)
                context.processPendingChanges()
                for (view, before) in zip(views, before) { try check(view, before) }
            }
        }
    }

    private func step(_ context: NSManagedObjectContext) throws {
        switch Int.random(in: 0..<14, using: &random) {
        case 0...4: for _ in 0..<Int.random(in: 1...5, using: &random) { try edit(context, &changed) }
        case 5...7: try merge(context)
        case 8:
            log.append("save")
            for _ in 0..<Int.random(in: 0...3, using: &random) { try edit(context, &changed) }
            try save(context)
        case 9:
            guard let person = try people(context).randomElement(using: &random) else { return }
            let merges = Bool.random(using: &random)
            log.append("refresh \(name(person)), merging \(merges)")
            try save(context)
            context.refresh(person, mergeChanges: merges)
        case 10:
            log.append("refresh all")
            context.refreshAllObjects()
        case 11: try batch(context)
        case 12:
            // What others deleted is settled first: taking that back is another subject.
            try save(context)
            log.append("edits and a rollback")
            for _ in 0..<2 { try edit(context, &changed) }
            context.processPendingChanges()
            context.rollback()
            changed = []
        default:
            log.append("fetch anew")
            guard let view = views.randomElement(using: &random) else { return }
            context.processPendingChanges()
            view.controller.fetchRequest.predicate = Bool.random(using: &random) ? nil : NSPredicate(format: "salary > %d", Int.random(in: 0..<9, using: &random))
            try view.controller.performFetch()
            view.reload()
        }
    }

    private func save(_ context: NSManagedObjectContext) throws {
        context.processPendingChanges()
        for view in views where !view.problems.isEmpty || !ResultsView.equal(view.shown, view.current) {
            throw ResultsFailure(description: "View “\(view.title)” before the save: \(view.problems.first ?? "what was told does not lead to the results")")
        }
        try context.save()
        // Object IDs become permanent; views that show IDs look at them again.
        views.forEach { $0.reload() }
    }

    private func edit(_ context: NSManagedObjectContext, _ changed: inout Set<NSManagedObjectID>) throws {
        let departments = try context.fetch(context.request("Department", by: "name"))
        guard let person = try people(context).randomElement(using: &random), Int.random(in: 0..<6, using: &random) > 0 else {
            log.append("hire \(name(hire(in: context, departments)))")
            return
        }
        switch Int.random(in: 0..<8, using: &random) {
        case 0:
            log.append("delete \(name(person))")
            context.delete(person)
            return
        case 1, 2: set(person, ["X", "Y", "Z", "W"].randomElement(using: &random), "team")
        case 3, 4: set(person, Int.random(in: 0..<9, using: &random), "salary")
        case 5: set(person, newName(), "name")
        case 6: set(person, departments.randomElement(using: &random), "department")
        default: set(person, "note \(Int.random(in: 0..<1_000_000, using: &random))", "note")
        }
        changed.insert(person.objectID)
    }

    private func set(_ person: NSManagedObject, _ value: Any?, _ key: String) {
        let text = (value as? NSManagedObject).map(name) ?? "\(value ?? "nil")"
        log.append("\(name(person)).\(key) = \(text)")
        person.setValue(value, forKey: key)
    }

    /// Edits in another context arrive with its save, as objects or as IDs.
    private func merge(_ context: NSManagedObjectContext) throws {
        try save(context)
        let other = stack.newContext(), saves = Recorder(.NSManagedObjectContextDidSave, of: other)
        log.append("elsewhere:")
        var touched = Set<NSManagedObjectID>()
        try other.run { other in
            for _ in 0..<Int.random(in: 1...5, using: &random) { try edit(other, &touched) }
            try other.save()
        }
        guard let note = saves.notes.last else { return }
        let updated = Set(note.objects(NSUpdatedObjectsKey).map(\.objectID))
        if Bool.random(using: &random) {
            log.append("merge")
            context.mergeChanges(fromContextDidSave: note)
        } else {
            log.append("merge IDs")
            NSManagedObjectContext.mergeChanges(fromRemoteContextSave: [
                NSInsertedObjectsKey: note.objects(NSInsertedObjectsKey).map(\.objectID), NSUpdatedObjectsKey: Array(updated),
                NSDeletedObjectsKey: note.objects(NSDeletedObjectsKey).map(\.objectID),
            ], into: [context])
        }
        changed = updated
    }

    private func batch(_ context: NSManagedObjectContext) throws {
        guard stack.kind == .sqlite else { return }
        try save(context)
        let limit = Int.random(in: 0..<9, using: &random)
        if Bool.random(using: &random) {
            log.append("batch update of salaries below \(limit)")
            let request = NSBatchUpdateRequest(entityName: "Employee")
            request.predicate = NSPredicate(format: "salary < %d", limit)
            request.propertiesToUpdate = ["salary": Int.random(in: 0..<9, using: &random)]
            request.resultType = .updatedObjectIDsResultType
            let updated = (try context.execute(request) as? NSBatchUpdateResult)?.result as? [NSManagedObjectID] ?? []
            NSManagedObjectContext.mergeChanges(fromRemoteContextSave: [NSUpdatedObjectsKey: updated], into: [context])
            changed = Set(updated)
        } else {
            log.append("batch delete of salary \(limit)")
            let request = NSFetchRequest<NSFetchRequestResult>(entityName: "Employee")
            request.predicate = NSPredicate(format: "salary == %d", limit)
            let deletion = NSBatchDeleteRequest(fetchRequest: request)
            deletion.resultType = .resultTypeObjectIDs
            let deleted = (try context.execute(deletion) as? NSBatchDeleteResult)?.result as? [NSManagedObjectID] ?? []
            NSManagedObjectContext.mergeChanges(fromRemoteContextSave: [NSDeletedObjectsKey: deleted], into: [context])
        }
    }

    // MARK: People

    private func people(_ context: NSManagedObjectContext) throws -> [NSManagedObject] {
        try context.fetch(context.request("Employee", by: "name"))
    }

    private func newName() -> String {
        names += 1
        return (["A", "B", "C", "D"].randomElement(using: &random) ?? "A") + "\(names)"
    }

    @discardableResult
    private func hire(in context: NSManagedObjectContext, _ departments: [NSManagedObject]) -> NSManagedObject {
        let person = context.hire(
            newName(), ["X", "Y", "Z", nil].randomElement(using: &random) ?? nil, Int.random(in: 0..<9, using: &random),
            as: Int.random(in: 0..<5, using: &random) == 0 ? "Boss" : "Employee")
        person.setValue(departments.randomElement(using: &random), forKey: "department")
        return person
    }

    private func name(_ object: NSManagedObject) -> String { object.text("name") ?? "nameless" }

    // MARK: Checking

    private func check(_ view: ResultsView, _ before: [ResultsView.Section]) throws {
        func text(_ sections: [ResultsView.Section]) -> String {
            ResultsView.text(sections) { (try? context.existingObject(with: $0)).map(name) ?? "gone" }
        }
        func fail(_ what: String) -> ResultsFailure {
            ResultsFailure(description: "View “\(view.title)”: \(what)\nbefore: \(text(before))\nshown: \(text(view.shown))\ncurrent: \(text(view.current))")
        }
        if let problem = view.problems.first { throw fail(problem) }
        let current = view.current
        guard ResultsView.equal(view.shown, current) else { throw fail("What was told does not lead to the results.") }
        let old = view.controller
        let fresh = NSFetchedResultsController(
            fetchRequest: old.fetchRequest, managedObjectContext: context, sectionNameKeyPath: old.sectionNameKeyPath, cacheName: nil)
        try fresh.performFetch()
        let expected = ResultsView("fresh", fresh).current
        guard ResultsView.equal(current, expected) else { throw fail("A fetch gives something else: \(text(expected))") }
        guard old.fetchedObjects?.map(\.objectID) == current.flatMap(\.objects) else { throw fail("fetchedObjects differs from the sections.") }
        for (section, contents) in current.enumerated() {
            for (row, identifier) in contents.objects.enumerated() {
                let path = IndexPath(indexes: [section, row]), object = old.object(at: path)
                guard object.objectID == identifier, old.indexPath(forObject: object) == path else { throw fail("Index paths lead nowhere.") }
            }
        }
        if let twice = view.reported.first(where: { $0.value > view.batches }) { throw fail("Reported too often: \(twice)") }
        let stayed = Set(before.flatMap(\.objects)).intersection(current.flatMap(\.objects))
        for object in stayed.intersection(changed) where view.reported[object] == nil {
            throw fail("A change of \(text([("", [object])])) was not reported.")
        }
    }
}

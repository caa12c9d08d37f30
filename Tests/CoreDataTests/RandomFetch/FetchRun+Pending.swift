import CoreData

/// Fetches that see unsaved inserts, edits, links and deletions, against fetches after the save.
extension FetchRun {
    /// Changes some objects in both contexts, asks, saves, and asks the same again.
    func checkPending(_ count: Int, coverage: inout FetchCoverage) -> String? {
        let stored = world
        edit()
        for stack in [sql, memory] { stack.show(world, from: stored) }
        let questions = (0..<count).map { _ in question() }
        for question in questions {
            if let failure = pendingMismatch(question, stored) { return "unsaved: " + failure }
        }
        do { for stack in [sql, memory] { try stack.context.save() } } catch { return "the save throws \(error)" }
        for question in questions {
            if let failure = check(question, coverage: &coverage) { return "after the save: " + failure }
        }
        return nil
    }

    private func edit() {
        for _ in 0..<4 + pick(6) {
            let numbers = world.things.keys.sorted()
            let number = numbers[pick(numbers.count)]
            guard let kind = world.things[number]?.kind else { continue }
            switch pick(8) {
            case 0, 1:
                let kinds = FetchKind.allCases.filter { $0 != .site }
                lastNumber += 1
                insert(lastNumber, kinds[pick(kinds.count)])
                linkAll(lastNumber)
            case 2: world.delete(number)
            case 3, 4: relink(number, kind.links[pick(kind.links.count)])
            default:
                let fields = kind.fields.filter { $0.name != "ident" }
                let field = fields[pick(fields.count)]
                world.set(number, field.name, chance(20) ? .none : pools.value(of: field, &random))
            }
        }
    }

    /// Objects that were changed, if only there and back, go by what they are now and by memory's rules, the others by what is
    /// stored.
    private func pendingMismatch(_ question: Question, _ stored: PlainWorld) -> String? {
        let note = { (text: String) in "\(question.kind): \(PlainFormat.description(question.predicate)): \(text)" }
        let now = PlainEvaluation(world, .memory), before = PlainEvaluation(stored, .sql)
        let numbers = world.numbers(of: question.kind, subentities: question.subentities)
        let different = Set(numbers.filter { number in
            guard let thing = world.things[number], let old = stored.things[number] else { return true }
            return thing.differs(from: old)
        })
        do {
            for stack in [sql, memory] {
                let changed = Set(numbers.filter { stack.objects[$0]?.hasChanges ?? false })
                if !changed.isSuperset(of: different) { return note("knows only changes of \(changed) and not \(different)") }
                let expected = numbers.filter { (changed.contains($0) ? now : before).holds(question.predicate, $0) }
                let asked = try predicate(question, question.predicate, on: stack, asFormat: question.isSwapped)
                let request = request(question, asked)
                let found = try stack.context.fetch(request).map(\.ident).sorted()
                if found != expected {
                    let wrong = Set(found).symmetricDifference(expected).sorted()
                    return note("finds \(found) and not \(expected); \(wrong.map { "\($0) \(changed.contains($0) ? "changed" : "unchanged"): \(world.things[$0]?.description ?? "deleted")" })")
                }
                let count = try stack.context.count(for: request)
                if count != expected.count { return note("counts \(count) and not \(expected.count)") }
                if let failure = try checkPendingWindow(request, question, expected, on: stack) { return note(failure) }
                request.includesPendingChanges = false
                let old = try stack.context.count(for: request)
                let oldNumbers = stored.numbers(of: question.kind, subentities: question.subentities).filter { before.holds(question.predicate, $0) }
                if old != oldNumbers.count { return note("without pending changes counts \(old) and not \(oldNumbers.count)") }
            }
            return nil
        } catch {
            return note("throws \(error)")
        }
    }

    /// Sorted by number, which nobody shares, so that the window is certain; of a child, which sees what its parent has not saved.
    private func checkPendingWindow(
        _ request: NSFetchRequest<NSManagedObject>, _ question: Question, _ expected: [Int], on stack: FetchStack
    ) throws -> String? {
        let child = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
        child.parent = stack.context
        for context in [stack.context, child] {
            let sorted = NSFetchRequest<NSManagedObject>(entityName: question.kind.rawValue)
            sorted.predicate = request.predicate
            sorted.includesSubentities = question.subentities
            sorted.sortDescriptors = [NSSortDescriptor(key: "ident", ascending: question.literal)]
            (sorted.fetchOffset, sorted.fetchLimit) = (1, 3)
            let window = try context.fetch(sorted).map(\.ident)
            let all = question.literal ? expected : expected.reversed()
            if window != Array(all.dropFirst().prefix(3)) {
                return "\(context === child ? "of a child, " : "")window shows \(window) of \(Array(all))"
            }
        }
        return nil
    }
}

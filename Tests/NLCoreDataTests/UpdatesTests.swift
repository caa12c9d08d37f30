import NLCoreData
import Testing

/// `updates(where:sortedBy:)`: live results as an asynchronous sequence. Nothing here runs a run loop.
@Suite(.timeLimit(.minutes(1))) struct UpdatesTests {
    /// Saves people in a context of its own.
    private func hire(_ people: [(String, Int)], _ stack: NLCoreData) async throws {
        try await stack.performBackgroundTask { context in
            for (name, age) in people {
                let person = try Person.insert(in: context)
                person.name = name
                person.age = Int64(age)
            }
        }
    }

    private func edit(_ name: String, _ stack: NLCoreData, _ change: @escaping @Sendable (Person) throws -> Void) async throws {
        try await stack.performBackgroundTask { context in
            for person in try Person.fetch("name == %@", name, in: context) { try change(person) }
        }
    }

    private func names(_ snapshot: ResultSnapshot<Person>?, _ stack: NLCoreData) async throws -> [String] {
        let context = stack.newContext()
        return try await context.perform { try snapshot?.objects(in: context).map { $0.name ?? "nil" } ?? ["no snapshot"] }
    }

    @Test("The first snapshot is what there is; each save that matters brings another, with what leads to it", arguments: StoreKind.allCases)
    func follows(_ kind: StoreKind) async throws {
        try await withOffice(kind) { stack in
            try await hire([("Ada", 36), ("Bob", 17), ("Cleo", 52)], stack)
            var updates = Person.updates(where: #Predicate { $0.age > 20 }, sortedBy: [SortDescriptor(\.name)]).makeAsyncIterator()
            let first = try #require(try await updates.next())
            #expect(try await names(first, stack) == ["Ada", "Cleo"])
            #expect(first.difference.insertions.count == 2 && first.difference.removals.isEmpty && first.updatedObjectIDs.isEmpty)
            try await hire([("Young", 3), ("Bea", 40)], stack)
            let second = try #require(try await updates.next())
            #expect(try await names(second, stack) == ["Ada", "Bea", "Cleo"])
            #expect(first.objectIDs.applying(second.difference) == second.objectIDs && second.difference.count == 1)
            try await edit("Ada", stack) { $0.age = 37 }
            let third = try #require(try await updates.next())
            #expect(third.updatedObjectIDs == [third.objectIDs[0]] && third.difference.isEmpty)
            try await edit("Ada", stack) { $0.name = "Zoe" }
            let fourth = try #require(try await updates.next())
            #expect(try await names(fourth, stack) == ["Bea", "Cleo", "Zoe"])
            #expect(third.objectIDs.applying(fourth.difference) == fourth.objectIDs)
            #expect(fourth.difference.count == 2 && fourth.difference.insertions.first?.isMove == true && fourth.updatedObjectIDs.count == 1)
            try await edit("Cleo", stack) { $0.age = 2 }
            try await edit("Bea", stack) { $0.managedObjectContext?.delete($0) }
            var last = fourth
            while last.objectIDs.count > 1 { last = try #require(try await updates.next()) }
            #expect(try await names(last, stack) == ["Zoe"])
        }
    }

    @Test("What happens while the consumer is busy comes in one snapshot; what ends where it began is none", arguments: StoreKind.allCases)
    func coalesces(_ kind: StoreKind) async throws {
        try await withOffice(kind) { stack in
            try await hire([("Ada", 36), ("Bob", 17)], stack)
            var updates = Person.updates(sortedBy: [SortDescriptor(\.name)]).makeAsyncIterator()
            let first = try #require(try await updates.next())
            for number in 0..<20 { try await hire([("P\(10 + number)", number)], stack) }
            try await edit("Ada", stack) { $0.age = 1 }
            try await hire([("Brief", 5)], stack)
            try await edit("Brief", stack) { $0.managedObjectContext?.delete($0) }
            // The last saves may reach the watching context after a snapshot was taken, then there is one more; never twenty.
            var last = first, count = 0, sawAda = false
            while !sawAda || last.objectIDs.count != 22 {
                let next = try #require(try await updates.next())
                #expect(last.objectIDs.applying(next.difference) == next.objectIDs)
                sawAda = sawAda || next.updatedObjectIDs.contains(first.objectIDs[0])
                count += 1
                last = next
            }
            #expect(count <= 4)
        }
    }

    @Test("A typed predicate, an order and sections together", arguments: StoreKind.allCases)
    func sections(_ kind: StoreKind) async throws {
        try await withOffice(kind) { stack in
            try await hire([("Ada", 36), ("Bob", 17), ("Cleo", 52), ("Dan", 17)], stack)
            var updates = Person.updates(
                where: #Predicate { $0.age < 50 }, sortedBy: [SortDescriptor(\.age), SortDescriptor(\.name, order: .reverse)], sectionedBy: "age"
            ).makeAsyncIterator()
            let first = try #require(try await updates.next())
            #expect(try await names(first, stack) == ["Dan", "Bob", "Ada"])
            #expect(first.sections.map(\.name) == ["17", "36"] && first.sections.map(\.range) == [0..<2, 2..<3])
            try await edit("Bob", stack) { $0.age = 36 }
            let second = try #require(try await updates.next())
            #expect(try await names(second, stack) == ["Dan", "Bob", "Ada"])
            #expect(second.sections.map(\.range) == [0..<1, 1..<3])
        }
    }

    @Test("A cancelled task's loop ends, while it waits and before it began")
    func cancels() async throws {
        try await withOffice { stack in
            try await hire([("Ada", 36)], stack)
            let seen = Calls<Int>()
            let task = Task {
                for try await snapshot in Person.updates(sortedBy: [SortDescriptor(\.name)]) { seen.note(snapshot.objectIDs.count) }
                return "ended"
            }
            while seen.all.isEmpty { try await Task.sleep(for: .milliseconds(2)) }
            task.cancel()
            #expect(try await task.value == "ended")
            try await hire([("Bob", 17)], stack)
            #expect(seen.all == [1])
            let early = Task {
                while !Task.isCancelled { await Task.yield() }
                var updates = Person.updates().makeAsyncIterator()
                return try await updates.next() == nil
            }
            early.cancel()
            #expect(try await early.value)
        }
    }

    @Test("Several consumers of one sequence each get everything, at their own pace")
    func severalConsumers() async throws {
        try await withOffice { stack in
            try await hire([("Ada", 36)], stack)
            let updates = Person.updates("age > %@", 10, sortedBy: [SortDescriptor(\.name)])
            try await withThrowingTaskGroup(of: [Int].self) { group in
                let ready = Calls<Int>()
                for consumer in 0..<3 {
                    group.addTask {
                        var counts: [Int] = []
                        for try await snapshot in updates {
                            counts.append(snapshot.objectIDs.count)
                            if counts.count == 1 { ready.note(consumer) }
                            if consumer == 2 { try await Task.sleep(for: .milliseconds(20)) }
                            if snapshot.objectIDs.count == 4 { break }
                        }
                        return counts
                    }
                }
                while ready.all.count < 3 { try await Task.sleep(for: .milliseconds(2)) }
                for name in ["Bob", "Cleo", "Dan"] { try await hire([(name, 20), ("Child of \(name)", 2)], stack) }
                for try await counts in group {
                    #expect(counts.first == 1 && counts.last == 4 && counts == counts.sorted() && Set(counts).count == counts.count)
                }
            }
        }
    }

    @Test("Sections, with the places of their objects")
    func sections() async throws {
        try await withOffice { stack in
            try await hire([("Ada", 36), ("Bob", 17), ("Dan", 17)], stack)
            var updates = Person.updates(
                sortedBy: [SortDescriptor(\.age), SortDescriptor(\.name)], sectionedBy: "age").makeAsyncIterator()
            #expect(try await updates.next()?.sections == [.init(name: "17", range: 0..<2), .init(name: "36", range: 2..<3)])
            try await edit("Bob", stack) { $0.age = 40 }
            let next = try #require(try await updates.next())
            #expect(next.sections.map(\.name) == ["17", "36", "40"] && next.sections.map(\.range) == [0..<1, 1..<2, 2..<3])
            #expect(try await names(next, stack) == ["Dan", "Ada", "Bob"])
            var plain = Person.updates(with: NSPredicate(format: "age < 30")).makeAsyncIterator()
            #expect(try await plain.next()?.sections == [.init(name: "", range: 0..<1)])
        }
    }

    @Test("A context that is named is watched with its unsaved changes, by IDs that last, and after a reset", arguments: StoreKind.allCases)
    func namedContext(_ kind: StoreKind) async throws {
        try await withOffice(kind) { stack in
            try await hire([("Ada", 36)], stack)
            let context = stack.newContext()
            var updates = Person.updates(in: context, sortedBy: [SortDescriptor(\.name)]).makeAsyncIterator()
            #expect(try await updates.next()?.objectIDs.count == 1)
            try await context.perform {
                try Person.insert(in: context).name = "Bob"
                context.processPendingChanges()
            }
            let second = try #require(try await updates.next())
            #expect(second.objectIDs.count == 2 && !second.objectIDs.contains { $0.isTemporaryID })
            try await context.perform { try context.save() }
            #expect(try await names(second, stack) == ["Ada", "Bob"])
            try await context.perform {
                let bob = try Person.fetchSingle("name == 'Bob'", in: context)
                bob?.name = "Zed"
                context.reset()
                try Person.insert(in: context).name = "Cid"
                context.processPendingChanges()
            }
            var third = try #require(try await updates.next())
            if third.objectIDs.count < 3 { third = try #require(try await updates.next()) }
            #expect(third.objectIDs.count == 3 && third.objectIDs.prefix(2) == second.objectIDs.prefix(2))
            try await context.perform {
                try Person.fetchSingle("name == 'Cid'", in: context)?.age = 9
                context.processPendingChanges()
            }
            #expect(try await updates.next()?.updatedObjectIDs == [third.objectIDs[2]])
        }
    }

    @Test("What cannot be fetched is thrown by the first step; then there is nothing more")
    func failures() async throws {
        try await withOffice { stack in
            try await hire([("Ada", 36)], stack)
            func fails(_ updates: ResultUpdates<Person>) async throws -> Bool {
                var iterator = updates.makeAsyncIterator()
                do { _ = try await iterator.next() } catch { return try await iterator.next() == nil }
                return false
            }
            #expect(try await fails(Person.updates("nme == %@", "Ada")))
            #expect(try await fails(Person.updates("name ==")))
            #expect(try await fails(Person.updates(sortedBy: [SortDescriptor(\.name)], sectionedBy: "agee")))
        }
    }

    @Test("Nothing watches on once the iterator is gone")
    func released() async throws {
        try await withOffice { stack in
            try await hire([("Ada", 36)], stack)
            weak var context: NSManagedObjectContext?
            do {
                let watched = stack.newContext()
                context = watched
                var updates = Person.updates(in: watched).makeAsyncIterator()
                _ = try await updates.next()
                #expect(context != nil)
            }
            // The queue may hold on to its last block for a moment.
            for _ in 0..<500 where context != nil { try await Task.sleep(for: .milliseconds(2)) }
            #expect(context == nil)
        }
    }

    @Test("Whatever is reordered at once, the difference leads from one snapshot to the next")
    func reordered() async throws {
        try await withOffice(.memory) { stack in
            try await hire((0..<12).map { ("P\($0)", $0) }, stack)
            var updates = Person.updates(where: #Predicate { $0.age < 50 }, sortedBy: [SortDescriptor(\.age), SortDescriptor(\.name)]).makeAsyncIterator()
            var last = try #require(try await updates.next())
            for round in 0..<40 {
                try await stack.performBackgroundTask { context in
                    for person in try Person.fetch(in: context) where (round + Int(person.age)) % 3 > 0 {
                        person.age = Int64((Int(person.age) * 31 + round * 17) % 60)
                    }
                }
                let next = try #require(try await updates.next())
                #expect(last.objectIDs.applying(next.difference) == next.objectIDs)
                #expect(next.updatedObjectIDs.isSubset(of: last.objectIDs))
                last = next
            }
        }
    }
}

extension CollectionDifference.Change {
    fileprivate var isMove: Bool {
        switch self {
        case .insert(_, _, let partner), .remove(_, _, let partner): partner != nil
        }
    }
}

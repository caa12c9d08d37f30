import CoreData
import Foundation
import Testing

@Suite("Observing generated classes by Swift key paths")
@MainActor
struct ObservingTests {
    @Test("Values come as the property's own type: optionals, numbers, sets, arrays")
    func types() throws {
        let store = try Store(), golden = try store.insert(Golden.self), tags = try (0..<2).map { _ in try store.insert(Tag.self) }
        var names: [String??] = [], old: [String??] = [], numbers: [Int16?] = [], sets: [(NSKeyValueChange, Set<Tag>?)] = []
        var orders: [(NSKeyValueChange, IndexSet?, [Tag]?)] = []
        let tokens = [
            golden.observe(\.stringOptional, options: [.old, .new]) { object, change in
                #expect(object === golden && change.kind == .setting && !change.isPrior)
                names.append(change.newValue)
                old.append(change.oldValue)
            },
            golden.observe(\.int16Required, options: .new) { numbers.append($1.newValue) },
            golden.observe(\.many, options: [.old, .new]) { sets.append(($1.kind, $1.newValue ?? $1.oldValue)) },
            golden.observe(\.ordered, options: .new) { orders.append(($1.kind, $1.indexes, $1.newValue)) },
        ]
        golden.stringOptional = "a"
        golden.stringOptional = nil
        golden.int16Required = 7
        golden.addToMany(tags[0])
        golden.removeFromMany(tags[0])
        golden.many = Set(tags)
        golden.insertIntoOrdered(tags[1], at: 0)
        golden.ordered = tags
        #expect(names == ["a", .some(nil)] && old == [.some(nil), "a"] && numbers == [7])
        #expect(sets.map(\.0) == [.insertion, .removal, .setting] && sets.map(\.1) == [[tags[0]], [tags[0]], Set(tags)])
        #expect(orders.map(\.0) == [.insertion, .setting] && orders.map(\.1) == [[0], nil] && orders.map(\.2) == [[tags[1]], tags])
        #expect(tokens.count == 4)
    }

    @Test("Without options a change has no values; a token ends with its release or invalidation")
    func tokens() throws {
        let golden = try Store().insert(Golden.self)
        var count = 0
        var token: NSKeyValueObservation? = golden.observe(\.int64Optional) { _, change in
            count += 1
            #expect(change.newValue == nil && change.oldValue == nil)
        }
        golden.int64Optional = 1
        #expect(count == 1)
        token?.invalidate()
        golden.int64Optional = 2
        #expect(count == 1)
        token = golden.observe(\.int64Optional, options: .initial) { _, _ in count += 1 }
        #expect(count == 2)
        withExtendedLifetime(token) { golden.int64Optional = 3 }
        #expect(count == 3)
        token = nil
        golden.int64Optional = 4
        #expect(count == 3)
    }

    @Test("A handler is released with its token, though the object lives on")
    func handlers() throws {
        final class Marker {}
        let golden = try Store().insert(Golden.self)
        var marker: Marker? = Marker()
        weak let witness = marker
        var token: NSKeyValueObservation? = golden.observe(\.int64Optional) { [marker] _, _ in _ = marker }
        marker = nil
        #expect(witness != nil && token != nil)
        token = nil
        #expect(witness == nil)
    }

    @Test("Paths through optionals, and the renamed and inherited properties of families")
    func paths() throws {
        let store = try Store(), golden = try store.insert(Golden.self), tag = try store.insert(Tag.self)
        var names: [String??] = []
        let token = golden.observe(\.one?.name, options: [.new]) { names.append($1.newValue) }
        golden.one = tag
        tag.name = "t"
        let puppy = try store.insert(Puppy.self), words = try store.insert(Words.self)
        var legs: [Int16?] = [], texts: [String??] = []
        let others = [
            puppy.observe(\.legs, options: .new) { legs.append($1.newValue.map { Int16($0) }) },
            words.observe(\.description_, options: .new) { texts.append($1.newValue) },
        ]
        puppy.legs = 3
        words.description_ = "d"
        #expect(names == [.some(nil), "t"] && legs == [3] && texts == ["d"])
        withExtendedLifetime((token, others)) {}
    }

    @Test("The inverse side, key-value coding and prior notes reach the same observers")
    func everyRoute() throws {
        let store = try Store(), golden = try store.insert(Golden.self), tag = try store.insert(Tag.self)
        var owners: [Golden??] = [], priors: [Bool] = []
        let token = tag.observe(\.orderedOwner, options: [.new, .prior]) { _, change in
            priors.append(change.isPrior)
            if !change.isPrior { owners.append(change.newValue) }
        }
        golden.addToOrdered(tag)
        tag.setValue(nil, forKey: "orderedOwner")
        #expect(owners == [golden, .some(nil)] && priors == [true, false, true, false])
        withExtendedLifetime(token) {}
    }
}

import CoreData
import Foundation
import Testing

@Suite("Values through generated classes")
@MainActor
struct GoldenValuesTests {
    private let store: Store

    init() throws { store = try Store() }

    @Test("A composite attribute is a dictionary; elements are read, set and found by key path, and survive a save and a refresh")
    func composite() throws {
        let golden = try store.insert(Golden.self)
        fillRequired(golden)
        golden.place = ["x": 1.5, "y": -2.0]
        try store.context.save()
        store.context.refresh(golden, mergeChanges: false)
        #expect(golden.place?["x"] as? Double == 1.5 && golden.place?["y"] as? Double == -2)
        #expect(golden.value(forKeyPath: "place.x") as? Double == 1.5)
        golden.setValue(3.0, forKeyPath: "place.x")
        #expect(golden.place?["x"] as? Double == 3 && golden.changedValues().keys.contains("place"))
        try store.context.save()
        let request = Golden.fetchRequest() as NSFetchRequest<Golden>
        request.predicate = NSPredicate(format: "place.x > 2 AND place.y < 0")
        request.sortDescriptors = [NSSortDescriptor(key: "place.y", ascending: true)]
        #expect(try store.context.fetch(request).first === golden)
        golden.place = nil
        try store.context.save()
        store.context.refresh(golden, mergeChanges: false)
        #expect(golden.place == nil)
        #expect(try store.context.fetch(request).isEmpty)
    }

    @Test("Every kind of value survives a save and a refresh")
    func roundTrip() throws {
        let golden = try store.insert(Golden.self), uuid = UUID(), moment = Foundation.Date(timeIntervalSinceReferenceDate: 12.5)
        golden.int16Optional = -5
        golden.int32Optional = .max
        golden.int64Optional = .min
        golden.boolOptional = false
        golden.doubleOptional = 0.1
        golden.floatOptional = 0.1
        golden.decimalOptional = Decimal(string: "0.1")
        golden.stringOptional = "žluťoučký"
        golden.dateOptional = moment
        golden.dateOptionalScalar = 99.25
        golden.dataOptional = Data([1, 2])
        golden.uuidOptional = uuid
        golden.urlOptional = URL(string: "https://swift.org/a?b=c")
        golden.objectList = ["a", "b"]
        fillRequired(golden)
        try store.context.save()
        store.context.refresh(golden, mergeChanges: false)
        #expect(golden.int16Optional == -5 && golden.int32Optional == .max && golden.int64Optional == .min && golden.boolOptional == false)
        #expect(golden.doubleOptional == 0.1 && golden.floatOptional == 0.1 && golden.decimalOptional == Decimal(string: "0.1"))
        #expect(golden.stringOptional == "žluťoučký" && golden.dateOptional == moment && golden.dateOptionalScalar == 99.25)
        #expect(golden.dataOptional == Data([1, 2]) && golden.uuidOptional == uuid && golden.objectList == ["a", "b"])
        #expect(golden.urlOptional?.absoluteString == "https://swift.org/a?b=c")
        golden.int16Optional = nil
        golden.stringOptional = nil
        #expect(golden.value(forKey: "int16Optional") == nil && golden.stringOptional == nil)
    }

    private func fillRequired(_ golden: Golden) {
        golden.int16Required = 1
        golden.int16RequiredScalar = 1
        golden.int32Required = 1
        golden.int32RequiredScalar = 1
        golden.int64Required = 1
        golden.int64RequiredScalar = 1
        golden.boolRequired = true
        golden.boolRequiredScalar = true
        golden.doubleRequired = 1
        golden.doubleRequiredScalar = 1
        golden.floatRequired = 1
        golden.floatRequiredScalar = 1
        golden.decimalRequired = 1
        golden.decimalRequiredScalar = 1
        golden.stringRequired = "x"
        golden.stringRequiredScalar = "x"
        golden.dateRequired = Foundation.Date(timeIntervalSinceReferenceDate: 1)
        golden.dateRequiredScalar = 1
        golden.dataRequired = Data([1])
        golden.dataRequiredScalar = Data([1])
        golden.uuidRequired = UUID()
        golden.uuidRequiredScalar = UUID()
        golden.urlRequired = URL(string: "a:b")
        golden.urlRequiredScalar = URL(string: "a:b")
        golden.objectRequired = "archived" as NSString
        golden.objectRequiredScalar = "archived" as NSString
    }

    @Test("Sets and their mutators keep both sides")
    func sets() throws {
        let golden = try store.insert(Golden.self), tags = try (0..<3).map { _ in try store.insert(Tag.self) }
        golden.addToMany(tags[0])
        golden.addToMany([tags[1], tags[2]] as Set)
        #expect(golden.many == Set(tags) && tags[1].golden == [golden])
        golden.removeFromMany(tags[0])
        golden.removeFromMany([tags[1]] as Set)
        #expect(golden.many == [tags[2]] && tags[0].golden.isEmpty)
        golden.many = [tags[0]]
        #expect(tags[0].golden == [golden] && tags[2].golden.isEmpty)
        golden.one = tags[1]
        #expect(tags[1].oneOwner === golden)
        golden.one = nil
        #expect(tags[1].oneOwner == nil)
    }

    @Test("Ordered sets and their mutators keep order and both sides")
    func orderedSets() throws {
        let golden = try store.insert(Golden.self), tags = try (0..<5).map { _ in try store.insert(Tag.self) }
        golden.addToOrdered([tags[0], tags[1]])
        golden.insertIntoOrdered(tags[2], at: 0)
        #expect(golden.ordered == [tags[2], tags[0], tags[1]] && tags[2].orderedOwner === golden)
        golden.insertIntoOrdered([tags[3], tags[4]], at: IndexSet([1, 3]))
        #expect(golden.ordered == [tags[2], tags[3], tags[0], tags[4], tags[1]])
        golden.removeFromOrdered(at: 0)
        golden.removeFromOrdered(at: IndexSet([0, 1]))
        #expect(golden.ordered == [tags[4], tags[1]] && tags[2].orderedOwner == nil)
        golden.replaceOrdered(at: 0, with: tags[0])
        golden.replaceOrdered(at: IndexSet([0, 1]), with: [tags[2], tags[3]])
        #expect(golden.ordered == [tags[2], tags[3]])
        golden.removeFromOrdered(tags[2])
        golden.removeFromOrdered([tags[3]])
        golden.addToOrdered(tags[4])
        #expect(golden.ordered == [tags[4]])
    }

    @Test("Inherited properties, plain ancestors and handwritten classes share one layout")
    func inheritance() throws {
        let puppy = try store.insert(Puppy.self), below = try store.insert(BelowPlain.self), handmade = try store.insert(Handmade.self)
        puppy.breed = "Pointer"
        below.note = "n"
        below.more = "m"
        handmade.craft = "wood"
        #expect(puppy.legs == 4 && puppy.age == 1 && puppy.value(forKey: "breed") as? String == "Pointer" && handmade.legs == 4)
        #expect(below.value(forKey: "note") as? String == "n" && below.value(forKey: "more") as? String == "m")
        #expect(handmade.value(forKey: "craft") as? String == "wood")
        try store.context.save()
        #expect(try store.context.fetch(Animal.fetchRequest()).count == 2)
        #expect(try store.context.fetch(Dog.fetchRequest()).map(\.breed) == ["Pointer"])
    }

    @Test("A class called Date and properties named like Swift's words work")
    func awkwardNames() throws {
        let date = try store.insert(Date.self), words = try store.insert(Words.self), moment = Foundation.Date(timeIntervalSinceReferenceDate: 5)
        date.day = moment
        words.class = "c"
        words.in = "i"
        words.description_ = "d"
        words.self_ = "s"
        #expect(date.value(forKey: "day") as? Foundation.Date == moment)
        #expect(words.value(forKey: "class") as? String == "c" && words.value(forKey: "in") as? String == "i")
        #expect(words.value(forKey: "description") as? String == "d" && words.value(forKey: "self") as? String == "s")
    }

    @Test("Typed predicates go over generated properties")
    func typedPredicates() throws {
        for number in 1...3 {
            let golden = try store.insert(Golden.self)
            fillRequired(golden)
            golden.int64Optional = Int64(number)
            golden.stringOptional = number == 2 ? nil : "n\(number)"
            let tag = try store.insert(Tag.self)
            tag.name = "tag \(number)"
            golden.addToMany(tag)
        }
        try store.context.save()
        let request = Golden.fetchRequest()
        request.predicate = NSPredicate(#Predicate<Golden> { golden in
            golden.many.contains { $0.name == "tag 3" } || golden.stringOptional == nil
        })
        #expect(Set(try store.context.fetch(request).map(\.int64Optional)) == [2, 3])
    }

    @Test("DD04: A typed inequality has Swift's meaning: nil is not equal to a value, in the store and among pending objects")
    func typedInequality() throws {
        for text in ["A", "B", nil] {
            let golden = try store.insert(Golden.self)
            fillRequired(golden)
            golden.stringOptional = text
        }
        let request = Golden.fetchRequest()
        for isSaved in [false, true] {
            if isSaved { try store.context.save() }
            request.predicate = NSPredicate(#Predicate<Golden> { $0.stringOptional != "A" })
            #expect(Set(try store.context.fetch(request).map(\.stringOptional)) == ["B", nil], "saved: \(isSaved)")
            request.predicate = NSPredicate(#Predicate<Golden> { !($0.stringOptional == "A") })
            #expect(Set(try store.context.fetch(request).map(\.stringOptional)) == ["B", nil], "saved: \(isSaved)")
            request.predicate = NSPredicate(#Predicate<Golden> { $0.stringOptional != nil })
            #expect(Set(try store.context.fetch(request).map(\.stringOptional)) == ["A", "B"], "saved: \(isSaved)")
        }
        // PR06: the format string has SQL's meaning in the store.
        request.predicate = NSPredicate(format: "stringOptional != %@", "A")
        #expect(try store.context.fetch(request).map(\.stringOptional) == ["B"])
    }
}

import CoreData
import Foundation
import Shop
import Testing

// The container's context belongs to the main queue.
@MainActor @Suite("Handwritten classes with @NSManaged properties")
struct ShopTests {
    let container: NSPersistentContainer
    var context: NSManagedObjectContext { container.viewContext }

    init() throws { container = try Shop.container() }

    @Test("attributes of every type keep what they are given, over a save and a refresh")
    func attributes() throws {
        let customer = Customer(context: context), identifier = UUID()
        #expect(customer.active && customer.age == 0 && customer.credit == nil && customer.name == "" && customer.kind == .person)
        #expect(customer.joined == Date(timeIntervalSinceReferenceDate: 0) && customer.seen == 0)
        customer.active = false
        customer.age += 41
        customer.balance = NSDecimalNumber(string: "12.34")
        customer.credit = 7
        customer.identifier = identifier
        customer.joined = Date(timeIntervalSinceReferenceDate: 100)
        customer.kind = .school
        customer.name = "Ann"
        customer.name.append("a")
        customer.nicknames = ["A", "B"]
        customer.photo = Data([1, 2, 3])
        customer.points = 1 << 40
        customer.rating = 4.5
        customer.seen = 200
        customer.site = URL(string: "https://example.org/a")
        customer.weight = 61.5
        try context.save()
        context.refreshAllObjects()
        #expect(customer.isFault)
        #expect(!customer.active && customer.age == 41 && customer.balance == NSDecimalNumber(string: "12.34") && customer.credit == 7)
        #expect(customer.identifier == identifier && customer.joined == Date(timeIntervalSinceReferenceDate: 100) && customer.kind == .school)
        #expect(customer.name == "Anna" && customer.nicknames == ["A", "B"] && customer.photo == Data([1, 2, 3]) && customer.points == 1 << 40)
        #expect(customer.rating == 4.5 && customer.seen == 200 && customer.site?.path == "/a" && customer.weight == 61.5)
        #expect(customer.value(forKey: "kind") as? Int16 == 6 && customer.value(forKey: "seen") as? Date == Date(timeIntervalSinceReferenceDate: 200))
        #expect(customer.shoutedName == "ANNA")
        customer.shoutedName = "BOB"
        #expect(customer.name == "bob" && customer.hasChanges)
        customer.photo = nil
        customer.balance = nil
        #expect(customer.photo == nil && customer.balance == nil)
    }

    @Test("relationships: to-one, sets of classes the test cannot see, ordered sets")
    func relationships() throws {
        let ann = Customer(context: context), bob = Customer(context: context), member = Member(context: context)
        (ann.name, bob.name, member.name) = ("Ann", "Bob", "Mel")
        bob.referrer = ann
        ann.addToReferred(NSSet(object: member))
        #expect(ann.referred == NSSet(array: [bob, member]) && member.referrer === ann)
        ann.removeFromReferred(bob)
        #expect(bob.referrer == nil)
        Shop.label(ann, "new", "old")
        Shop.label(member, "old")
        #expect(Shop.labels(of: ann) == ["new", "old"])
        Shop.removeLabel("new", of: ann)
        #expect(Shop.labels(of: ann) == ["old"])
        let orders = (0..<5).map { number in
            let order = Order(context: context)
            order.number = Int32(number)
            return order
        }
        ann.addToOrders(NSOrderedSet(array: [orders[0], orders[1]]))
        ann.insertIntoOrders(orders[2], at: 0)
        ann.insertIntoOrders([orders[3], orders[4]], at: NSIndexSet(indexesIn: NSRange(location: 1, length: 2)))
        #expect(ann.orders?.array.compactMap { ($0 as? Order)?.number } == [2, 3, 4, 0, 1])
        ann.removeFromOrders(at: 0)
        ann.removeFromOrders(at: NSIndexSet(index: 3))
        ann.replaceOrders(at: 0, with: orders[1])
        #expect(ann.orders?.array.compactMap { ($0 as? Order)?.number } == [1, 4, 0] && orders[1].customer === ann && orders[3].customer == nil)
        ann.orders = NSOrderedSet(array: [orders[3]])
        #expect(orders[3].customer === ann && orders[0].customer == nil)
        try context.save()
        #expect(try Shop.customers(labelled: "old", in: context).map(\.name) == ["Ann"] + ["Mel"])
    }

    @Test("subclasses, fetching, sorting by key path, predicates and observing")
    func fetching() throws {
        for (name, age) in [("Cid", 30), ("Ann", 40), ("Bob", 20)] {
            let customer = name == "Bob" ? Member(context: context) : Customer(context: context)
            customer.name = name
            customer.age = Int16(age)
        }
        try context.save()
        let request = Customer.fetchRequest()
        request.sortDescriptors = [NSSortDescriptor(keyPath: \Customer.age, ascending: true)]
        #expect(try context.fetch(request).map(\.name) == ["Bob", "Cid", "Ann"])
        request.predicate = NSPredicate(format: "age > 25 AND name BEGINSWITH 'A'")
        #expect(try context.fetch(request).map(\.age) == [40])
        let members = NSFetchRequest<Member>(entityName: "Member")
        members.sortDescriptors = [NSSortDescriptor(keyPath: \Member.name, ascending: true), NSSortDescriptor(keyPath: \Member.card, ascending: true)]
        let bob = try #require(try context.fetch(members).first)
        #expect(bob.name == "Bob" && bob.card == "")
        #expect(NSSortDescriptor(keyPath: \Member.referrer?.name, ascending: true).key == "referrer.name")
        let changes = Box()
        let token = bob.observe(\.age) { customer, _ in changes.values.append(customer.age) }
        bob.age = 21
        token.invalidate()
        #expect(changes.values == [21])
    }

    @Test("Foundation's own types, wider and narrower ones, and enumerations kept by texts")
    func foundation() throws {
        let note = Note(context: context), code = UUID()
        #expect(note.count == 0 && note.facts.isEmpty && note.colour == nil && note.thing == nil && note.next == nil && note.previous == [])
        note.blob = NSData(data: Data([7]))
        note.code = NSUUID(uuidString: code.uuidString)
        note.colour = .green
        note.count = .max
        note.facts = ["a": 1, "b": "two"]
        note.link = NSURL(string: "https://example.org/b")
        note.list = ["x", "y"]
        note.placed = NSDate(timeIntervalSinceReferenceDate: 5)
        note.small = 300
        note.text = "text"
        note.thing = NSNumber(value: 9)
        try context.save()
        context.refreshAllObjects()
        #expect(note.blob?.length == 1 && note.code?.uuidString == code.uuidString && note.colour == .green && note.count == .max)
        #expect(note.facts["a"] as? Int == 1 && note.facts["b"] as? String == "two" && note.link?.path == "/b" && note.list?.count == 2)
        #expect(note.placed?.timeIntervalSinceReferenceDate == 5 && note.small == 300 && note.text?.length == 4 && note.thing == NSNumber(value: 9))
        #expect(note.value(forKey: "colour") as? String == "grün")
        note.primitivePlaced = Date(timeIntervalSinceReferenceDate: 6)
        #expect(note.placed?.timeIntervalSinceReferenceDate == 6)
        note.colour = nil
        #expect(note.colour == nil && note.value(forKey: "colour") == nil)
    }

    @Test("arrays of objects, and the names of key paths")
    func arrays() throws {
        let notes = (0..<3).map { _ in Note(context: context) }
        notes[0].previous = [notes[2], notes[1]]
        #expect(notes[0].previous == [notes[2], notes[1]] && notes[1].next == notes[0])
        notes[0].addPreviousObject(notes[0])
        notes[0].removeFromPrevious([notes[2]])
        #expect(notes[0].previous == [notes[1], notes[0]])
        func key<Value>(_ path: KeyPath<Note, Value>) -> String? { NSSortDescriptor(keyPath: path, ascending: true).key }
        #expect(key(\.blob) == "blob" && key(\.colour) == "colour" && key(\.count) == "count" && key(\.facts) == "facts")
        #expect(key(\.list) == "list" && key(\.placed) == "placed" && key(\.small) == "small" && key(\.text) == "text")
        #expect(key(\.next) == "next" && key(\.previous) == "previous")
        #expect(NSSortDescriptor(keyPath: \Customer.referrer?.referrer?.joined, ascending: true).key == "referrer.referrer.joined")
        #expect(NSSortDescriptor(keyPath: \Order.customer?.orders, ascending: true).key == "customer.orders")
    }

    final class Box { var values: [Int16] = [] }
}

import CoreData
import Foundation
import Testing

@Suite("Key-value observing: attributes, registration, life")
struct KeyValueObservingTests {
    private let taker = NoteTaker()

    @Test("Each set is told once, with what was asked for, whether the value differs or not")
    func sets() throws {
        try ObservedOffice().run { context in
            let person = context.insert("Employee", "a")
            person.addObserver(taker, forKeyPath: "name", options: [.old, .new], context: nil)
            person.setValue("b", forKey: "name")
            person.setValue("b", forKey: "name")
            person.setValue(nil, forKey: "name")
            person.setValue(5, forKey: "salary")
            #expect(taker.notes.map(\.kind) == [.setting, .setting, .setting])
            #expect(taker.notes.map { $0.old as? String } == ["a", "b", "b"])
            #expect(taker.notes.map { $0.new as? String } == ["b", "b", nil] && taker.notes[2].new is NSNull)
            #expect(taker.notes.allSatisfy { $0.object === person && $0.keyPath == "name" && $0.indexes == nil && !$0.isPrior })
        }
    }

    @Test("Without options a note has its kind alone; initial and prior notes come before the change's own")
    func options() throws {
        try ObservedOffice().run { context in
            let person = context.insert("Employee", "a")
            person.addObserver(taker, forKeyPath: "name", context: nil)
            person.setValue("b", forKey: "name")
            #expect(taker.notes.count == 1 && taker.notes[0].change.count == 1 && taker.notes[0].kind == .setting)
            person.removeObserver(taker, forKeyPath: "name")
            taker.clear()

            person.addObserver(taker, forKeyPath: "name", options: [.initial, .prior, .old, .new], context: nil)
            #expect(taker.notes.count == 1 && taker.notes[0].new as? String == "b" && taker.notes[0].old == nil)
            person.setValue("c", forKey: "name")
            #expect(taker.notes.map(\.isPrior) == [false, true, false])
            #expect(taker.notes[1].old as? String == "b" && taker.notes[1].new == nil)
            #expect(taker.notes[2].old as? String == "b" && taker.notes[2].new as? String == "c")
        }
    }

    @Test("An observer registered twice is told twice, and its context says which one ends")
    func contexts() throws {
        try ObservedOffice().run { context in
            let person = context.insert("Employee", "a")
            var marks: (Int8, Int8) = (0, 0)
            withUnsafeMutableBytes(of: &marks) { bytes in
                let (first, second) = (bytes.baseAddress, bytes.baseAddress.map { $0 + 1 })
                person.addObserver(taker, forKeyPath: "name", context: first)
                person.addObserver(taker, forKeyPath: "name", context: second)
                person.setValue("b", forKey: "name")
                #expect(taker.notes.map(\.context) == [first, second])
                taker.clear()
                person.removeObserver(taker, forKeyPath: "name", context: first)
                person.setValue("c", forKey: "name")
                #expect(taker.notes.map(\.context) == [second])
                person.removeObserver(taker, forKeyPath: "name")
                person.setValue("d", forKey: "name")
                #expect(taker.notes.count == 1)
            }
        }
    }

    @Test("Removing an observer that is not registered stops the program, as at Apple's")
    func removingNobody() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try ObservedOffice().run { context in
                context.insert("Employee").removeObserver(NoteTaker(), forKeyPath: "name")
            }
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains("NSRangeException"))
    }

    @Test("An observer that is gone is forgotten; one that removes itself while being told is told no more")
    func goneObservers() throws {
        try ObservedOffice().run { context in
            let person = context.insert("Employee", "a")
            var gone: NoteTaker? = NoteTaker()
            weak let witness = gone
            person.addObserver(try #require(gone), forKeyPath: "name", context: nil)
            gone = nil
            #expect(witness == nil)
            person.setValue("b", forKey: "name")

            taker.onNote = { note in note.object?.removeObserver(taker, forKeyPath: "name") }
            person.addObserver(taker, forKeyPath: "name", context: nil)
            person.setValue("c", forKey: "name")
            person.setValue("d", forKey: "name")
            #expect(taker.notes.count == 1)
            taker.onNote = nil
        }
    }

    @Test("An observed object stays registered while somebody observes it, and goes with the last observer")
    func registration() throws {
        let office = try ObservedOffice()
        try office.run { context in
            context.insert("Employee", "a")
            try context.save()
        }
        try office.run { context in
            let request = NSFetchRequest<NSManagedObject>(entityName: "Employee")
            try context.fetch(request).first?.addObserver(taker, forKeyPath: "name", options: .new, context: nil)
            #expect(context.registeredObjects.count == 1)
            try context.fetch(request).first?.setValue("b", forKey: "name")
            #expect(taker.notes.map { $0.new as? String } == ["b"])
            try context.save()
            // The notes hold the object.
            taker.clear()
            #expect(context.registeredObjects.count == 1)
            try context.fetch(request).first?.removeObserver(taker, forKeyPath: "name")
        }
        try office.run { context in #expect(context.registeredObjects.isEmpty) }
    }

    @Test("Releasing an observed object, or its whole context, is safe")
    func released() throws {
        var office: ObservedOffice? = try ObservedOffice()
        weak var observed: NSManagedObject?
        try office?.run { context in
            let person = context.insert("Employee", "a")
            person.addObserver(taker, forKeyPath: "dept.name", context: nil)
            person.setValue(context.insert("Department", "d"), forKey: "dept")
            observed = person
        }
        taker.clear()
        try office?.run { context in context.reset() }
        office = nil
        #expect(observed == nil && taker.notes.isEmpty)
    }

    @Test("Primitive sets are told between will and did; outside they are silent")
    func byHand() throws {
        try ObservedOffice().run { context in
            let person = context.insert("Employee", "a")
            person.addObserver(taker, forKeyPath: "name", options: [.old, .new], context: nil)
            person.setPrimitiveValue("quiet", forKey: "name")
            #expect(taker.notes.isEmpty)
            person.willChangeValue(forKey: "name")
            person.setPrimitiveValue("loud", forKey: "name")
            #expect(taker.notes.isEmpty)
            person.didChangeValue(forKey: "name")
            #expect(taker.notes.map { $0.old as? String } == ["quiet"] && taker.notes.map { $0.new as? String } == ["loud"])
            // A change that was never announced is not told.
            person.didChangeValue(forKey: "name")
            #expect(taker.notes.count == 1)
        }
    }
}

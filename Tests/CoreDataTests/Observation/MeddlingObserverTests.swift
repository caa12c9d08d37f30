import CoreData
import Foundation
import Testing

/// Observers that change the relationship whose change they are told of, while its inverse is being kept.
@Suite("Key-value observing: observers that meddle")
struct MeddlingObserverTests {
    /// What the observer of the first department does when somebody leaves or joins.
    enum Meddling: CaseIterable {
        case putBack, moveOn, empty, dismissAll, takeEverybody, delete
    }

    /// How the first employee moves from the first department to the second.
    enum Move: CaseIterable {
        case toOne, add, assign, remove, nothing
    }

    private func department(_ name: String, in context: NSManagedObjectContext) -> NSManagedObject { context.insert("Department", name) }

    private func meddle(_ how: Meddling, _ person: NSManagedObject, _ departments: [NSManagedObject], _ people: [NSManagedObject]) {
        switch how {
        case .putBack: person.setValue(departments[0], forKey: "dept")
        case .moveOn: departments[2].mutableSetValue(forKey: "employees").add(person)
        case .empty: person.setValue(nil, forKey: "dept")
        case .dismissAll: departments[1].setValue(NSSet(), forKey: "employees")
        case .takeEverybody: departments[2].setValue(NSSet(array: people), forKey: "employees")
        case .delete: person.managedObjectContext?.delete(person)
        }
    }

    private func move(_ how: Move, _ person: NSManagedObject, _ departments: [NSManagedObject], _ people: [NSManagedObject]) {
        switch how {
        case .toOne: person.setValue(departments[1], forKey: "dept")
        case .add: departments[1].mutableSetValue(forKey: "employees").add(person)
        case .assign: departments[1].setValue(NSSet(array: people), forKey: "employees")
        case .remove: departments[0].mutableSetValue(forKey: "employees").remove(person)
        case .nothing: person.setValue(nil, forKey: "dept")
        }
    }

    private func expectAgreement(_ context: NSManagedObjectContext, _ location: SourceLocation = #_sourceLocation) throws {
        for department in try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Department")) {
            for person in try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Employee")) {
                let isMember = (department.value(forKey: "employees") as? NSSet)?.contains(person) == true
                #expect(isMember == (person.value(forKey: "dept") as? NSManagedObject === department), sourceLocation: location)
            }
        }
    }

    @Test("A to-one and its to-many agree whatever the observer does, and are saved so", arguments: Meddling.allCases, [
        NSKeyValueObservingOptions.new, [.new, .prior],
    ])
    func inverses(meddling: Meddling, options: NSKeyValueObservingOptions) throws {
        for how in Move.allCases {
            for watched in ["departments", "person", "everybody"] {
                let office = try ObservedOffice(NSSQLiteStoreType)
                try office.run { context in
                    let departments = ["d0", "d1", "d2"].map { department($0, in: context) }
                    let people = ["a", "b", "c"].map { context.insert("Employee", $0) }
                    for person in people { person.setValue(departments[0], forKey: "dept") }
                    try context.save()
                    let meddler = Meddler { meddle(meddling, people[0], departments, people) }
                    if watched != "person" {
                        for department in departments { department.addObserver(meddler, forKeyPath: "employees", options: options, context: nil) }
                    }
                    if watched != "departments" { people[0].addObserver(meddler, forKeyPath: "dept", options: options, context: nil) }
                    move(how, people[0], departments, people)
                    #expect(meddler.calls > 0)
                    try expectAgreement(context)
                    try context.save()
                    try expectAgreement(context)
                }
                let fresh = office.stack.context()
                try fresh.performAndWait { try expectAgreement(fresh) }
                try office.run { try expectAgreement($0) }
            }
        }
    }

    @Test("Observers that always answer with the opposite do not hold the program")
    func pingPong() throws {
        try ObservedOffice().run { context in
            let departments = ["d0", "d1"].map { department($0, in: context) }, person = context.insert("Employee", "a")
            person.setValue(departments[0], forKey: "dept")
            var turns = 0
            let meddler = Meddler(limit: 40) {
                turns += 1
                person.setValue(departments[turns % 2], forKey: "dept")
            }
            for department in departments { department.addObserver(meddler, forKeyPath: "employees", options: [], context: nil) }
            person.setValue(departments[1], forKey: "dept")
            try expectAgreement(context)
        }
    }

    @Test("An ordered relationship keeps its order and its inverse when the observer removes or moves what joins")
    func ordered() throws {
        try ObservedOffice().run { context in
            let list = context.insert("Playlist"), other = context.insert("Playlist")
            let songs = ["a", "b", "c"].map { context.insert("Song", $0) }
            let meddler = Meddler { other.mutableOrderedSetValue(forKey: "songs").insert(songs[1], at: 0) }
            for song in songs { song.addObserver(meddler, forKeyPath: "list", options: [], context: nil) }
            list.mutableOrderedSetValue(forKey: "songs").addObjects(from: songs)
            func names(_ list: NSManagedObject) -> [String] {
                (list.value(forKey: "songs") as? NSOrderedSet)?.array.compactMap { ($0 as? NSManagedObject)?.value(forKey: "name") as? String } ?? []
            }
            #expect(names(list) + names(other) == ["a", "c", "b"] || names(list) == ["a", "b", "c"])
            for song in songs {
                let owner = song.value(forKey: "list") as? NSManagedObject
                #expect(owner.map { names($0).contains(song.value(forKey: "name") as? String ?? "") } == true)
            }
        }
    }
}

/// Does the same again at each note, but not within itself, and not without end.
private final class Meddler: NSObject, KeyValueObserver {
    private(set) var calls = 0
    private var isBusy = false
    private let limit: Int
    private let action: () -> Void

    init(limit: Int = 0, _ action: @escaping () -> Void) {
        self.limit = limit
        self.action = action
    }

    func observeValue(
        forKeyPath keyPath: String?, of object: Any?, change: [NSKeyValueChangeKey: Any]?, context: UnsafeMutableRawPointer?
    ) {
        calls += 1
        if limit > 0 ? calls > limit : isBusy { return }
        isBusy = true
        action()
        isBusy = false
    }
}

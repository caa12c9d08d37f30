import CoreData
import CoreDataTestSupport
import Foundation
import Testing

/// Fetches by a value among many unsaved objects, which are found by an index, against looking at each object.
@MainActor
@Suite("Fetches by key among many unsaved objects")
struct PendingIndexTests {
    @Test("FE02: whatever happens to unsaved objects, a fetch by key finds those that have the value", arguments: 1...12)
    func anything(seed: UInt64) throws {
        var run = try KeyedRun(seed: seed)
        for _ in 0..<40 {
            for _ in 0..<run.below(12) { try run.change() }
            try run.check()
        }
    }

    @Test("A value that is equal in another way than by its bytes is found among many")
    func equalValues() throws {
        let context = try KeyedRun.context()
        for number in 0..<20 {
            let object = NSEntityDescription.insertNewObject(forEntityName: "Piece", into: context)
            object.setValue(number == 7 ? "e\u{301}" : "\u{e9}", forKey: "name")
            object.setValue(Date(timeIntervalSinceReferenceDate: number == 9 ? -0.0 : 1), forKey: "day")
        }
        func count(_ predicate: NSPredicate) throws -> Int {
            let request = NSFetchRequest<NSManagedObject>(entityName: "Piece")
            request.predicate = predicate
            return try context.count(for: request)
        }
        #expect(try count(NSPredicate(format: "day == %@", Date(timeIntervalSinceReferenceDate: 0) as NSDate)) == 1)
        #expect(try count(NSPredicate(format: "name == %@", "e\u{301}")) == 1)
        #expect(try count(NSPredicate(format: "name == nil")) == 0)
    }

    @Test("A stored object that was edited among many leaves its old value and a window of one is filled")
    func editedAmongMany() throws {
        let context = try KeyedRun.context()
        let objects = (0..<40).map { number in
            let object = NSEntityDescription.insertNewObject(forEntityName: "Piece", into: context)
            object.setValue(number / 2, forKey: "number")
            return object
        }
        try context.save()
        for (index, object) in objects.enumerated() where index % 2 == 0 { object.setValue(100 + index, forKey: "number") }
        func found(_ number: Int) throws -> [NSManagedObject] {
            let request = NSFetchRequest<NSManagedObject>(entityName: "Piece")
            request.predicate = NSPredicate(format: "number == %d", number)
            request.fetchLimit = 1
            return try context.fetch(request)
        }
        #expect(try found(4) == [objects[9]])
        #expect(try found(108) == [objects[8]])
        context.delete(objects[9])
        #expect(try found(4) == [])
    }
}

/// Changes of all kinds to some objects, with one question after them: which have a value.
@MainActor
private struct KeyedRun {
    private var random: SeededGenerator
    private let context: NSManagedObjectContext
    private let coordinator: NSPersistentStoreCoordinator
    private static let names = (0..<6).map { "name \($0)" }
    private static let codes = (0..<6).map { UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, UInt8($0))) }

    init(seed: UInt64) throws {
        random = SeededGenerator(seed)
        context = try Self.context()
        context.undoManager = UndoManager()
        coordinator = try #require(context.persistentStoreCoordinator)
    }

    /// Piece ← Part; Piece.owner ⇄ Piece.pieces.
    static func context() throws -> NSManagedObjectContext {
        let piece = ModelSamples.entity("Piece", [
            ModelSamples.attribute("name", .stringAttributeType), ModelSamples.attribute("number", .integer64AttributeType, default: 0),
            ModelSamples.attribute("code", .UUIDAttributeType), ModelSamples.attribute("day", .dateAttributeType),
            ModelSamples.attribute("flag", .booleanAttributeType),
        ])
        let part = ModelSamples.entity("Part")
        piece.subentities = [part]
        let owner = ModelSamples.relationship("owner", to: piece, max: 1)
        let pieces = ModelSamples.relationship("pieces", to: piece, max: 0)
        (owner.inverseRelationship, pieces.inverseRelationship) = (pieces, owner)
        piece.properties += [owner, pieces]
        let model = NSManagedObjectModel()
        model.entities = [piece, part]
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        try coordinator.addPersistentStore(ofType: NSInMemoryStoreType, configurationName: nil, at: nil)
        let context = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        return context
    }

    mutating func below(_ count: Int) -> Int { Int.random(in: 0..<count, using: &random) }

    private func all(_ entity: String = "Piece") throws -> [NSManagedObject] {
        try context.fetch(NSFetchRequest<NSManagedObject>(entityName: entity))
    }

    mutating func change() throws {
        let objects = try all()
        let object = objects.isEmpty ? nil : objects[below(objects.count)]
        switch below(24) {
        case 0..<7: set(NSEntityDescription.insertNewObject(forEntityName: below(3) == 0 ? "Part" : "Piece", into: context), objects)
        case 7..<14: if let object { set(object, objects) }
        // A primitive value alone does not make a change of an object.
        case 14: if let object, object.hasChanges { object.setPrimitiveValue(Self.names[below(6)], forKey: "name") }
        case 15: if let object { context.delete(object) }
        case 16: if let object { context.refresh(object, mergeChanges: below(2) == 0) }
        case 17: context.undoManager?.undo()
        case 18: context.undoManager?.redo()
        case 19: if below(3) == 0 { try context.save() }
        case 20: if below(6) == 0 { context.rollback() }
        case 21: try context.obtainPermanentIDs(for: objects.filter { $0.objectID.isTemporaryID })
        case 22: try changeElsewhere()
        default: context.processPendingChanges()
        }
    }

    private mutating func set(_ object: NSManagedObject, _ objects: [NSManagedObject]) {
        switch below(6) {
        case 0: object.setValue(below(4) == 0 ? nil : Self.names[below(6)], forKey: "name")
        case 1: object.setValue(below(6), forKey: "number")
        case 2: object.setValue(Self.codes[below(6)], forKey: "code")
        case 3: object.setValue(Date(timeIntervalSinceReferenceDate: Double(below(6))), forKey: "day")
        case 4: object.setValue(below(2) == 0, forKey: "flag")
        default: object.setValue(objects.isEmpty ? nil : objects[below(min(6, objects.count))], forKey: "owner")
        }
    }

    /// Another context's save, merged.
    private mutating func changeElsewhere() throws {
        let other = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
        other.persistentStoreCoordinator = coordinator
        other.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
        let objects = try other.fetch(NSFetchRequest<NSManagedObject>(entityName: "Piece"))
        guard !objects.isEmpty else { return }
        context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
        let token = NotificationCenter.default.addObserver(forName: .NSManagedObjectContextDidSave, object: other, queue: nil) { [context] in
            context.mergeChanges(fromContextDidSave: $0)
        }
        defer { NotificationCenter.default.removeObserver(token) }
        set(objects[below(objects.count)], objects)
        try other.save()
    }

    mutating func check() throws {
        let objects = try all()
        let owner: NSManagedObject? = objects.isEmpty ? nil : objects[below(min(6, objects.count))]
        let name = Self.names[below(6)], number = below(6), code = Self.codes[below(6)], flag = below(2) == 0
        let day = Date(timeIntervalSinceReferenceDate: Double(below(6)))
        try check(NSPredicate(format: "name == %@", name), objects) { $0.value(forKey: "name") as? String == name }
        try check(NSPredicate(format: "number == %d", number), objects) { $0.value(forKey: "number") as? Int == number }
        try check(NSPredicate(format: "code == %@", code as NSUUID), objects) { $0.value(forKey: "code") as? UUID == code }
        try check(NSPredicate(format: "day == %@", day as NSDate), objects) { $0.value(forKey: "day") as? Date == day }
        try check(NSPredicate(format: "flag == %@", NSNumber(value: flag)), objects) { $0.value(forKey: "flag") as? Bool == flag }
        try check(NSPredicate(format: "number == %d AND name == %@", number, name), objects) {
            $0.value(forKey: "number") as? Int == number && $0.value(forKey: "name") as? String == name
        }
        if let owner { try check(NSPredicate(format: "owner == %@", owner), objects) { $0.value(forKey: "owner") as? NSManagedObject == owner } }
    }

    private func check(_ predicate: NSPredicate, _ objects: [NSManagedObject], _ holds: (NSManagedObject) -> Bool) throws {
        for entity in ["Piece", "Part"] {
            let expected = Set(objects.filter { entity == "Piece" || $0.entity.name == entity }.filter(holds))
            let request = NSFetchRequest<NSManagedObject>(entityName: entity)
            request.predicate = predicate
            let found = try context.fetch(request)
            try #require(Set(found) == expected && found.count == expected.count, "\(entity), \(predicate): \(found.filter { !expected.contains($0) }) \(expected.subtracting(found))")
            request.fetchLimit = 1
            let first = try context.fetch(request)
            try #require(first.count == min(1, expected.count) && expected.isSuperset(of: first))
            let count = try context.count(for: request)
            try #require(count == first.count)
        }
    }
}

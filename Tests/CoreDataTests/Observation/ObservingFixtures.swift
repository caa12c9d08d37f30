import CoreData
import Foundation

/// A department with employees, and a playlist of songs in order; one context on a store in memory.
final class ObservedOffice {
    let stack: RuntimeStack
    let context: NSManagedObjectContext

    init(_ type: String = NSInMemoryStoreType) throws {
        stack = try RuntimeStack(type: type, model: Self.model())
        context = stack.context()
    }

    deinit { if let url = stack.url { try? FileManager.default.removeItem(at: url.deletingLastPathComponent()) } }

    func run<Result>(_ body: (NSManagedObjectContext) throws -> Result) throws -> Result {
        try context.performAndWait { try body(context) }
    }

    static func model() -> NSManagedObjectModel {
        let model = CompanyModel.make()
        let playlist = NSEntityDescription(), song = NSEntityDescription()
        playlist.name = "Playlist"
        song.name = "Song"
        let songs = NSRelationshipDescription(), list = NSRelationshipDescription()
        songs.name = "songs"
        songs.destinationEntity = song
        songs.isOrdered = true
        songs.maxCount = 0
        songs.deleteRule = .nullifyDeleteRule
        list.name = "list"
        list.destinationEntity = playlist
        list.maxCount = 1
        list.deleteRule = .nullifyDeleteRule
        songs.inverseRelationship = list
        list.inverseRelationship = songs
        playlist.properties = [songs]
        song.properties = [CompanyModel.attribute("name", .stringAttributeType), list]
        model.entities += [playlist, song]
        return model
    }
}

extension NSManagedObjectContext {
    @discardableResult
    func insert(_ entity: String, _ name: String? = nil) -> NSManagedObject {
        let object = NSEntityDescription.insertNewObject(forEntityName: entity, into: self)
        if let name { object.setValue(name, forKey: "name") }
        return object
    }
}

/// Writes down every note it gets.
final class NoteTaker: NSObject, KeyValueObserver {
    struct Note {
        let keyPath: String?
        let object: NSManagedObject?
        let change: [NSKeyValueChangeKey: Any]
        let context: UnsafeMutableRawPointer?

        var kind: NSKeyValueChange? { (change[.kindKey] as? NSNumber).flatMap { NSKeyValueChange(rawValue: $0.uintValue) } }
        var old: Any? { change[.oldKey] }
        var new: Any? { change[.newKey] }
        var indexes: IndexSet? { change[.indexesKey] as? IndexSet }
        var isPrior: Bool { change[.notificationIsPriorKey] as? Bool ?? false }
        /// The names of the objects that left or joined.
        var left: [String] { Self.names(old) }
        var joined: [String] { Self.names(new) }

        private static func names(_ value: Any?) -> [String] {
            let objects: [Any] = switch value {
            case let set as NSOrderedSet: set.array
            case let set as NSSet: set.allObjects
            case let list as NSArray: list.map { $0 }
            default: []
            }
            let names = objects.compactMap { ($0 as? NSManagedObject)?.value(forKey: "name") as? String }
            return value is NSSet ? names.sorted() : names
        }
    }

    private(set) var notes: [Note] = []
    var onNote: ((Note) -> Void)?

    func observeValue(
        forKeyPath keyPath: String?, of object: Any?, change: [NSKeyValueChangeKey: Any]?, context: UnsafeMutableRawPointer?
    ) {
        let note = Note(keyPath: keyPath, object: object as? NSManagedObject, change: change ?? [:], context: context)
        notes.append(note)
        onNote?(note)
    }

    func clear() { notes = [] }
}

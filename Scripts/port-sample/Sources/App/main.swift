import CoreData
import Notes

final class Counter: NSObject, Listening {
    var heard: [String] = []
    @objc func listened(to note: Note) { heard.append(note.text ?? "") }
}

let container = NSPersistentContainer(name: "Notes", managedObjectModel: Store.model)
container.persistentStoreDescriptions[0].type = NSInMemoryStoreType
container.loadPersistentStores { _, error in if let error { fatalError("\(error)") } }
let context = container.viewContext
let folder = Folder(context: context)
folder.title = "Trips"
folder.kind = .locked
for text in ["Note 10", "Note 9"] {
    let note = Note(context: context)
    note.text = text
    folder.addToNotes(note)
}
try context.save()
let notes = try context.fetch(Note.inFolder(titled: "Trips"))
func all<T: NSManagedObject>(_ type: T.Type) throws -> [T] { try context.fetch(T.fetchRequest() as! NSFetchRequest<T>) }
let request: NSFetchRequest<Note> = NSFetchRequest(entityName: "Note")
let erased = request as! NSFetchRequest<NSFetchRequestResult>
precondition(try all(Note.self).count == 2 && context.count(for: erased) == 2)
let listener = Listener(), counter = Counter()
listener.delegate = counter
notes.forEach(listener.hear)
precondition(counter.heard == ["Note 9", "Note 10"] && listener.count == 2 && folder.kind == .locked)
precondition(Folder.advice == "@objc and #keyPath(Folder.title)" && Folder.long == "@objc class Never {}\ntitle")
print(#keyPath(Note.folder.title), notes.map(\.length))

import CoreData
import Foundation

@objc public enum Kind: Int16 { case plain, locked }

@objc(Folder)
public final class Folder: NSManagedObject {
    @nonobjc public class func fetchRequest() -> NSFetchRequest<Folder> { NSFetchRequest<Folder>(entityName: "Folder") }

    @NSManaged public var kind: Kind
    @NSManaged public var title: String?
    @NSManaged public var notes: Set<Note>

    /// "@objc in a text", and /* in a comment */: not rewritten.
    public static let advice = "@objc and #keyPath(Folder.title)"
    public static let long = """
        @objc class Never {}
        \(#keyPath(Folder.title))
        """
}

// MARK: Generated accessors for notes
extension Folder {
    @objc(addNotesObject:)
    @NSManaged public func addToNotes(_ value: Note)
    @NSManaged @objc(removeNotesObject:) public func removeFromNotes(_ value: Note)
}

@objcMembers public class Note: NSManagedObject {
    @NSManaged public var text: String?
    @NSManaged public var written: Date?
    @NSManaged public var folder: Folder?

    public private(set) static var saved = 0
    @objc dynamic public var length: Int { text?.count ?? 0 }
    public override func didSave() { Note.saved += 1 }
    @objc class func keyPathsForValuesAffectingLength() -> Set<String> { [#keyPath(text)] }

    public static func inFolder(titled title: String) -> NSFetchRequest<Note> {
        let request = NSFetchRequest<Note>(entityName: "Note")
        request.predicate = NSPredicate(format: "%K == %@ AND \(#keyPath(Note.text)) != nil", #keyPath(Note.folder.title), title)
        request.sortDescriptors = [
            NSSortDescriptor(key: #keyPath(Note.text), ascending: true, selector: #selector(NSString.localizedStandardCompare(_:))),
            NSSortDescriptor(key: #keyPath(Note.written), ascending: false),
        ]
        return request
    }
}

@objc public protocol Listening {
    func listened(to note: Note)
}

public final class Listener: NSObject {
    public weak var delegate: Listening?
    @objc public override init() { super.init() }
    @IBAction func tapped(_ sender: Any) { }
    public @objc dynamic var count = 0
    @objc public func hear(_ note: Note) {
        count += 1
        delegate?.listened(to: note)
    }
}

public enum Store {
    public static let model = NSManagedObjectModel(contentsOf: Bundle.module.url(forResource: "Notes", withExtension: "xcdatamodeld")!)!
}

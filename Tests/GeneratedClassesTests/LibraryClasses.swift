import CoreData

/// Classes that the model Library leaves to the program.
public class Author: NSManagedObject {
    public enum Level: Int16 {
        case pupil = 1, master
    }

    public enum Mood: String {
        case glad, sad
    }

    public var isMaster: Bool { level == .master }
}

public typealias Level = Author.Level
public typealias Mood = Author.Mood

public class Novelist: Author {}

/// The superclass the configuration names.
public class Record: NSManagedObject {
    public var isRecord: Bool { true }
}

public enum BookKind: Int {
    case paper = 1, audio
}

public struct BookFlags: OptionSet, Sendable {
    public let rawValue: Int
    public init(rawValue: Int) { self.rawValue = rawValue }
    public static let lent = BookFlags(rawValue: 1), torn = BookFlags(rawValue: 4)
}

/// The model says nothing of its code: it is the program's.
public class Memo: NSManagedObject, Identifiable {
    public var id: String { "memo" }
    public var text: String? {
        get { value(forKey: "text") as? String }
        set { setValue(newValue, forKey: "text") }
    }
}

/// Known to this target alone.
class Sheet: NSManagedObject {}
final class Title: Sheet {}

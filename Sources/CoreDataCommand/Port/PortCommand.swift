import CoreDataCodeGeneration
import Foundation

/// `coredata port DIR`.
enum PortCommand: Command {
    static let spec = CommandSpec(
        path: ["port"], summary: "make sources compile without Objective-C: @objc, #keyPath, #selector",
        operands: [OperandSpec("DIR", "a folder with Swift sources, or one file; models in it tell which key paths Core Data knows")],
        options: [
            OptionSpec("dry-run", "say what would be changed, and change nothing"),
            OptionSpec("undo", "take back what was changed, exactly"),
        ],
        details: [
            "@objc, @objcMembers, @IBOutlet and their kin go between #if canImport(ObjectiveC) and #endif. #keyPath(Person.name) becomes "
                + "(\\Person.name)._kvcKeyPathString!, which the compiler checks on every platform, or a text where a key path has no name. "
                + "Comments, texts, and what is not compiled on Linux anyway stay as they are. Everything goes on meaning the same on Apple’s platforms.",
            "Each change is printed with its file and line, and so is what needs a hand (optional requirements, #selector). What was changed is "
                + "kept in \(PortJournal.fileName), from which --undo takes it back; files that have been edited since are left to you.",
        ],
        examples: ["coredata port Sources/Shop --dry-run", "coredata port Sources/Shop", "coredata port Sources/Shop --undo"])

    private struct Change {
        var path: String
        var original: [UInt8]
        var edits: [SourceEdit]
        var notes: [SourcePort.Note]
    }

    static func run(_ arguments: Arguments, _ console: Console) throws -> ExitCode {
        let path = arguments.operands[0]
        guard let folder = SourceFolder(URL(fileURLWithPath: path)) else { throw CommandFailure(.unusable, "There is nothing at “\(path)”.") }
        var journal: PortJournal
        do { journal = try PortJournal(of: folder.root) } catch {
            throw CommandFailure(.unusable, "“\(folder.root.appendingPathComponent(PortJournal.fileName).path)” cannot be read: \(ErrorText.text(of: error))")
        }
        if arguments.flag("undo") { return try undo(&journal, folder, isDry: arguments.flag("dry-run"), console) }
        let changes = try changes(folder, console)
        if !arguments.flag("dry-run") {
            for change in changes where !change.edits.isEmpty { journal.add(change.path, original: change.original, change.edits) }
            // First, so that there is a way back whatever happens.
            if changes.contains(where: { !$0.edits.isEmpty }) { try journal.write(to: folder.root) }
            for change in changes where !change.edits.isEmpty {
                try write(SourceEdit.apply(change.edits, to: change.original), change.path, folder)
            }
        }
        try report(changes, isDry: arguments.flag("dry-run"), console)
        return .done
    }

    private static func changes(_ folder: SourceFolder, _ console: Console) throws -> [Change] {
        var texts: [(path: String, text: String)] = []
        for path in folder.sources {
            guard let data = FileManager.default.contents(atPath: folder.root.appendingPathComponent(path).path) else {
                throw CommandFailure(.unusable, "“\(path)” cannot be read.")
            }
            guard let text = String(validating: data, as: UTF8.self) else {
                try console.warn("“\(path)” is not UTF-8 and stays as it is.")
                continue
            }
            texts.append((path, text))
        }
        let knowledge = PortKnowledge(sources: texts, models: folder.models)
        return texts.map { file in
            let (edits, notes) = SourcePort.port(file.text, knowledge)
            return Change(path: file.path, original: Array(file.text.utf8), edits: edits, notes: notes)
        }
    }

    private static func write(_ bytes: [UInt8], _ path: String, _ folder: SourceFolder) throws {
        let url = folder.root.appendingPathComponent(path)
        let permissions = try? FileManager.default.attributesOfItem(atPath: url.path)[.posixPermissions]
        try Data(bytes).write(to: url, options: .atomic)
        if let permissions { try? FileManager.default.setAttributes([.posixPermissions: permissions], ofItemAtPath: url.path) }
    }

    private static func report(_ changes: [Change], isDry: Bool, _ console: Console) throws {
        let notes = changes.flatMap { change in change.notes.map { (change.path, $0) } }
        let files = changes.filter { !$0.edits.isEmpty }.count, hands = notes.filter { $0.1.kind == .hand }.count
        if console.isJSON {
            try console.print(.object([
                "changed": .array(changes.filter { !$0.edits.isEmpty }.map { .string($0.path) }),
                "notes": .array(notes.map { path, note in
                    .object([
                        "file": .string(path), "line": .count(note.line), "kind": .string(note.kind.rawValue), "message": .string(note.message),
                    ])
                }),
            ]))
            return
        }
        for (path, note) in notes {
            try console.output.line("\(path):\(note.line): \(note.kind == .hand ? "needs a hand: " : "")\(note.message)")
        }
        let verb = isDry ? "would be changed" : "changed"
        let places = notes.count - hands
        try console.output.line(
            "\(files) \(files == 1 ? "file" : "files") \(verb), \(places) \(places == 1 ? "place" : "places"); "
                + "\(hands) \(hands == 1 ? "place needs" : "places need") a hand.")
    }

    private static func undo(_ journal: inout PortJournal, _ folder: SourceFolder, isDry: Bool, _ console: Console) throws -> ExitCode {
        guard !journal.layers.isEmpty else {
            throw CommandFailure(.unusable, "Nothing is known to have been ported in “\(folder.root.path)”: there is no \(PortJournal.fileName).")
        }
        let (texts, changed) = journal.undo { path in FileManager.default.contents(atPath: folder.root.appendingPathComponent(path).path).map(Array.init) }
        if !isDry {
            for (path, text) in texts.sorted(by: { $0.key < $1.key }) { try write(text, path, folder) }
            try journal.write(to: folder.root)
        }
        if console.isJSON {
            try console.print(.object([
                "restored": .array(texts.keys.sorted().map { .string($0) }), "edited": .array(changed.map { .string($0) }),
            ]))
        } else {
            for path in texts.keys.sorted() { try console.output.line("\(path): \(isDry ? "would be as it was" : "as it was")") }
            for path in changed { try console.output.line("\(path): edited since, or gone; left as it is") }
        }
        return changed.isEmpty ? .done : .findings
    }
}

import CoreDataCodeGeneration
import Foundation

/// The command line: `coredata-generate MODEL --output DIR [--access LEVEL] [--single-file NAME]`, or the companion of a module with
/// `@NSManaged` declarations (`ManagedArguments`).
struct Arguments {
    var model: URL
    var output: URL
    var access = GenerationOptions.Access.public
    /// All classes in one file of this name.
    var singleFile: String?

    static let usage = """
        usage: coredata-generate MODEL --output DIR [--access public|package|internal] [--single-file NAME]
               coredata-generate --managed MODULE --output DIR [-D NAME] FILE... [--dependency MODULE FILE...]

        Writes Swift classes for the entities of a Core Data model (.xcdatamodeld, .xcdatamodel, .momd or .mom).
        The second form writes DIR/MODULE+Managed.swift: the accessors that the @NSManaged declarations of a module leave out, to be
        built in a module of its own. Types may come from the modules it depends on.

          --output DIR        the folder for the source; it is made if it does not exist
          --access LEVEL      access level of the classes and their members (default: public)
          --single-file NAME  put all classes into DIR/NAME instead of one file a class
          --help              print this

        Exit codes: 0 written, 1 the model or the folder is at fault, 2 the command line is.
        """

    /// What is wrong with a command line.
    struct Mistake: Error { var text: String }

    /// nil when help is asked for.
    init?(_ words: [String]) throws(Mistake) {
        var model: String?, output: String?, rest = words[...]
        while let word = rest.popFirst() {
            switch word {
            case "--help", "-h": return nil
            case "--output", "-o": output = try Self.value(of: word, &rest)
            case "--single-file": singleFile = try Self.value(of: word, &rest)
            case "--access":
                let text = try Self.value(of: word, &rest)
                guard let level = GenerationOptions.Access(rawValue: text) else {
                    throw Mistake(text: "--access takes public, package or internal, not “\(text)”")
                }
                access = level
            case _ where word.hasPrefix("-"): throw Mistake(text: "unknown option \(word)")
            case _ where model == nil: model = word
            default: throw Mistake(text: "“\(word)” is one model too many: name one")
            }
        }
        guard let model else { throw Mistake(text: "no model is named") }
        guard let output else { throw Mistake(text: "--output is missing") }
        if let singleFile, singleFile.contains("/") || singleFile.isEmpty {
            throw Mistake(text: "--single-file takes a file name, not a path")
        }
        self.model = URL(fileURLWithPath: model)
        self.output = URL(fileURLWithPath: output)
    }

    private static func value(of option: String, _ rest: inout ArraySlice<String>) throws(Mistake) -> String {
        guard let value = rest.popFirst() else { throw Mistake(text: "\(option) needs a value") }
        return value
    }
}

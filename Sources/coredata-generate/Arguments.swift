import CoreDataCodeGeneration
import Foundation

/// The command line: `coredata-generate MODEL --output DIR [options]`, or the companion of a module with `@NSManaged` declarations
/// (`ManagedArguments`).
struct Arguments {
    var model: URL
    var output: URL
    var request = GenerationRequest()

    static let usage = """
        usage: coredata-generate MODEL --output DIR [options]
               coredata-generate --managed MODULE --output DIR [-D NAME] FILE... [--dependency MODULE FILE...]

        Writes Swift classes for the entities of a Core Data model (.xcdatamodeld, .xcdatamodel, .momd or .mom).
        The second form writes DIR/MODULE+Managed.swift: the accessors that the @NSManaged declarations of a module leave out, to be
        built in a module of its own. Types may come from the modules it depends on.

          --output DIR        the folder for the source; it is made if it does not exist
          --single-file NAME  put all classes into DIR/NAME instead of one file a class
          --access LEVEL      access level of the classes and their members: public (default), package or internal
          --codegen KIND      for entities that do not say: class, category or manual
          --types STYLE       swift (default), or xcode: NSSet?, NSOrderedSet?, NSNumber?
          --embed-model       put the model itself into the source
          --config FILE       a configuration, instead of NAME.codegen.json beside the model
          --source FILE       source of the program: classes it declares are not generated unless the model says so
          --beside MODEL      another model of the program, whose classes may be named like types of a library
          -D NAME             a condition that source is compiled with
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
            case _ where try Self.read(word, &rest, into: &request): break
            case _ where word.hasPrefix("-"): throw Mistake(text: "unknown option \(word)")
            case _ where model == nil: model = word
            default: throw Mistake(text: "“\(word)” is one model too many: name one")
            }
        }
        guard let model else { throw Mistake(text: "no model is named") }
        guard let output else { throw Mistake(text: "--output is missing") }
        if let name = request.singleFile, name.contains("/") || name.isEmpty {
            throw Mistake(text: "--single-file takes a file name, not a path")
        }
        self.model = URL(fileURLWithPath: model)
        self.output = URL(fileURLWithPath: output)
    }

    /// Reads one option that is part of the request; false when it is none.
    private static func read(_ word: String, _ rest: inout ArraySlice<String>, into request: inout GenerationRequest) throws(Mistake) -> Bool {
        switch word {
        case "--single-file": request.singleFile = try value(of: word, &rest)
        case "--access": request.access = try choice(word, &rest)
        case "--codegen": request.codegen = try choice(word, &rest)
        case "--types": request.types = try choice(word, &rest)
        case "--embed-model": request.embedsModel = true
        case "--config": request.configuration = URL(fileURLWithPath: try value(of: word, &rest))
        case "--source": request.sources.append(URL(fileURLWithPath: try value(of: word, &rest)))
        case "--beside": request.neighbours.append(URL(fileURLWithPath: try value(of: word, &rest)))
        case "-D": request.conditions.append(try value(of: word, &rest))
        default: return false
        }
        return true
    }

    private static func choice<T: RawRepresentable & CaseIterable>(
        _ option: String, _ rest: inout ArraySlice<String>
    ) throws(Mistake) -> T where T.RawValue == String {
        let text = try value(of: option, &rest)
        guard let choice = T(rawValue: text) else {
            throw Mistake(text: "\(option) takes one of \(T.allCases.map(\.rawValue).joined(separator: ", ")), not “\(text)”")
        }
        return choice
    }

    private static func value(of option: String, _ rest: inout ArraySlice<String>) throws(Mistake) -> String {
        guard let value = rest.popFirst() else { throw Mistake(text: "\(option) needs a value") }
        return value
    }
}

import CoreDataCodeGeneration
import Foundation

/// `coredata-generate --managed MODULE --output DIR [-D NAME] FILE... [--dependency MODULE FILE...]`
struct ManagedArguments {
    var module: ManagedGeneration.Module
    var dependencies: [ManagedGeneration.Module] = []
    var output: URL
    var defined: [String] = []
    var singleFile: String

    /// nil when the command line is the other form.
    init?(_ words: [String]) throws(Arguments.Mistake) {
        guard words.first == "--managed" else { return nil }
        var rest = words.dropFirst(), output: String?, singleFile: String?
        guard let name = rest.popFirst() else { throw Arguments.Mistake(text: "--managed needs a module's name") }
        module = ManagedGeneration.Module(name: name, files: [])
        while let word = rest.popFirst() {
            switch word {
            case "--output", "-o": output = rest.popFirst()
            case "--single-file": singleFile = rest.popFirst()
            case "-D": if let condition = rest.popFirst() { defined.append(condition) }
            case "--dependency":
                guard let name = rest.popFirst() else { throw Arguments.Mistake(text: "--dependency needs a module's name") }
                dependencies.append(ManagedGeneration.Module(name: name, files: []))
            case _ where word.hasPrefix("-"): throw Arguments.Mistake(text: "unknown option \(word)")
            case _ where dependencies.isEmpty: module.files.append(URL(fileURLWithPath: word))
            default: dependencies[dependencies.count - 1].files.append(URL(fileURLWithPath: word))
            }
        }
        guard let output else { throw Arguments.Mistake(text: "--output is missing") }
        self.output = URL(fileURLWithPath: output)
        self.singleFile = singleFile ?? "\(name)+Managed.swift"
    }

    /// The exit code.
    func run() -> Int32 {
        do {
            let file = try ManagedGeneration.run(module, dependencies: dependencies, defined: defined, fileName: singleFile)
            try GeneratedFile.write([file], to: output)
            return 0
        } catch let problems as ManagedGeneration.Problems {
            report(problems.description)
        } catch {
            report("\(output.path): error: The source cannot be written: \((error as NSError).localizedDescription)")
        }
        return 1
    }
}

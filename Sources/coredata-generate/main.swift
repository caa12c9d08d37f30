import CoreDataCodeGeneration
import Foundation

func report(_ text: String) { FileHandle.standardError.write(Data((text + "\n").utf8)) }

/// Unchanged files are left alone, so that what depends on them is not built again.
func write(_ file: GeneratedFile, to folder: URL) throws {
    let url = folder.appendingPathComponent(file.name), data = Data(file.text.utf8)
    if FileManager.default.contents(atPath: url.path) == data { return }
    try data.write(to: url, options: .atomic)
}

func run() -> Int32 {
    let arguments: Arguments
    do {
        guard let parsed = try Arguments(Array(CommandLine.arguments.dropFirst())) else {
            print(Arguments.usage)
            return 0
        }
        arguments = parsed
    } catch {
        report("coredata-generate: error: \(error.text)\n\n\(Arguments.usage)")
        return 2
    }
    do {
        let result = try ModelGeneration.run(arguments.model, access: arguments.access, singleFile: arguments.singleFile)
        for warning in result.warnings { report(warning.description) }
        try FileManager.default.createDirectory(at: arguments.output, withIntermediateDirectories: true)
        for file in result.files { try write(file, to: arguments.output) }
        return 0
    } catch let diagnostic as ModelGeneration.Diagnostic {
        report(diagnostic.description)
    } catch {
        report("\(arguments.output.path): error: The source cannot be written: \((error as NSError).localizedDescription)")
    }
    return 1
}

exit(run())

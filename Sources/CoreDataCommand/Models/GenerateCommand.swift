import CoreDataCodeGeneration
import Foundation

/// `coredata generate MODEL -o DIR`.
enum GenerateCommand: Command {
    static let spec = CommandSpec(
        path: ["generate"], summary: "write Swift classes for a model’s entities, as the build plugin makes them",
        operands: [ModelInput.operand],
        options: [
            OptionSpec("output", short: "o", value: "DIR", "the folder for the source; it is made if it does not exist"),
            OptionSpec("access", value: "LEVEL", "access level of the classes and members: public (default), package or internal"),
            OptionSpec("codegen", value: "KIND", "for entities that do not say: class, category or manual"),
            OptionSpec("types", value: "STYLE", "swift (default), or xcode: NSSet?, NSOrderedSet?, NSNumber?"),
            OptionSpec("embed-model", "put the model itself into the source, so that the program needs no file"),
            OptionSpec("config", value: "FILE", "a configuration, instead of NAME.codegen.json beside the model"),
            OptionSpec("machine-dir", value: "DIR", "two layers a class: _Person, written anew each time, goes here, …"),
            OptionSpec("human-dir", value: "DIR", "… and Person, begun once and yours from then on, here"),
            OptionSpec("force", "replace files of those names that were not generated"),
            OptionSpec("single-file", value: "NAME", "all classes into DIR/NAME instead of one file a class"),
        ],
        details: [
            "As in Xcode an entity gets a class, an extension of your own class, or nothing, as its codegen setting says; where no entity of "
                + "the model has one, all get classes.",
            "Files whose text would stay the same are left alone. Their paths are printed, one a line.",
        ],
        examples: [
            "coredata generate Shop.xcdatamodeld -o Sources/Shop/Generated --access internal",
            "coredata generate Shop.xcdatamodeld --machine-dir Sources/Shop/Machine --human-dir Sources/Shop/Model",
        ])

    static func run(_ arguments: Arguments, _ console: Console) throws -> ExitCode {
        let (output, starts) = try folders(arguments)
        for path in [output, starts].compactMap(\.self) {
            var status = stat()
            if path.isEmpty || stat(path, &status) == 0 && status.st_mode & S_IFMT != S_IFDIR {
                throw CommandFailure(.unusable, "“\(path)” is no folder: name one for the source.")
            }
        }
        let folder = URL(fileURLWithPath: output), request = try request(arguments, isLayered: starts != nil)
        do {
            let result = try ModelGeneration.run(URL(fileURLWithPath: arguments.operands[0]), request)
            for warning in result.warnings { try console.errors.line(warning.description) }
            if !arguments.flag("force") { try refuseOthers(result.files, output) }
            let files = try GeneratedFile.write(result.files, to: folder, starts: starts.map { URL(fileURLWithPath: $0) })
            if console.isJSON {
                try console.print(.array(files.map { .object(["path": .string($0.url.path), "changed": .bool($0.changed)]) }))
            } else {
                for file in files { try console.output.line(file.url.path) }
            }
        } catch let diagnostic as ModelGeneration.Diagnostic {
            throw CommandFailure(.unusable, "\(diagnostic.location): \(diagnostic.message)")
        }
        return .done
    }

    /// Where generated source goes, and where the beginnings of the program's own layer do.
    private static func folders(_ arguments: Arguments) throws -> (output: String, starts: String?) {
        switch (arguments.value("machine-dir"), arguments.value("human-dir")) {
        case (nil, nil): return (try arguments.required("output"), nil)
        case (let machine?, let human?):
            if arguments.value("output") != nil || arguments.value("single-file") != nil {
                throw UsageError("--machine-dir and --human-dir take the place of --output, and classes then have files of their own.", spec)
            }
            return (machine, human)
        default: throw UsageError("--machine-dir and --human-dir go together: a class has two layers, or one.", spec)
        }
    }

    private static func request(_ arguments: Arguments, isLayered: Bool) throws -> GenerationRequest {
        var request = GenerationRequest(singleFile: arguments.value("single-file"))
        if let name = request.singleFile, name.contains("/") || name.isEmpty {
            throw UsageError("--single-file takes a file name, not a path.", spec)
        }
        func choice<T: RawRepresentable & CaseIterable>(_ name: String) throws -> T? where T.RawValue == String {
            try arguments.choice(name, among: T.allCases.map(\.rawValue)).flatMap(T.init(rawValue:))
        }
        request.access = try choice("access")
        request.codegen = try choice("codegen")
        request.types = try choice("types")
        request.embedsModel = arguments.flag("embed-model") ? true : nil
        request.configuration = arguments.value("config").map { URL(fileURLWithPath: $0) }
        request.isLayered = isLayered
        return request
    }

    /// A file somebody wrote by hand under a name that a class needs must not be lost.
    private static func refuseOthers(_ files: [GeneratedFile], _ folder: String) throws {
        for file in files where !file.isStart {
            let path = "\(folder)/\(file.name)"
            guard let data = FileManager.default.contents(atPath: path), !data.isEmpty, data != Data(file.text.utf8) else { continue }
            if data.starts(with: "// Generated by coredata-generate".utf8) { continue }
            throw CommandFailure(.unusable, "“\(path)” was not generated. Say --force to replace it, or name another folder.")
        }
    }
}

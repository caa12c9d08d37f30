import CoreDataModelFile
import CoreDataSchema
import Foundation

/// What to make of a model on disk. What is nil here a configuration file may say.
package struct GenerationRequest: Sendable {
    package var access: GenerationOptions.Access?
    /// All classes in one file of this name.
    package var singleFile: String?
    /// A configuration; where none is named, `NAME.codegen.json` beside the model counts, if it is there.
    package var configuration: URL?
    /// The sources of the program the code becomes part of, and the conditions it is built with: classes that it declares are its own.
    package var sources: [URL] = []
    package var conditions: [String] = []
    /// Other models of the program: their classes may have names of library types.
    package var neighbours: [URL] = []
    package var embedsModel: Bool?
    /// For entities that do not say.
    package var codegen: CodeGenerationChoice?
    package var types: TypeStyle?
    package var isLayered = false

    package init(access: GenerationOptions.Access? = nil, singleFile: String? = nil) {
        self.access = access
        self.singleFile = singleFile
    }
}

/// From a model on disk to files of source: what the tool and the plugin run.
package enum ModelGeneration {
    /// Why there is no source, and what is odd but does not stand in the way, as a compiler would print it.
    package struct Diagnostic: Error, Sendable, Equatable, CustomStringConvertible {
        package enum Severity: String, Sendable { case error, warning }

        package var severity: Severity
        /// `file` or `file:line`.
        package var location: String
        package var message: String

        package var description: String { "\(location): \(severity.rawValue): \(message)" }
    }

    package typealias Result = (files: [GeneratedFile], warnings: [Diagnostic])

    /// The classes of a model's current version: one file each, or all in one when it is given a name.
    package static func run(
        _ url: URL, access: GenerationOptions.Access? = nil, singleFile: String? = nil
    ) throws(Diagnostic) -> Result {
        try run(url, GenerationRequest(access: access, singleFile: singleFile))
    }

    package static func run(_ url: URL, _ request: GenerationRequest) throws(Diagnostic) -> Result {
        do {
            let contents = try ModelFile.readCurrent(at: url)
            let source = contents.sources[contents.currentVersionName]
            let model = try contents.resolved(contents.currentVersionName)
            let options = try options(url, request, contents)
            let files = if let singleFile = request.singleFile {
                [try CodeGenerator.generateSingleFile(model, named: singleFile, options)]
            } else {
                try CodeGenerator.generate(model, options)
            }
            var warnings = contents.warnings.map { Diagnostic(severity: .warning, location: $0.location, message: $0.message) }
            if model.entities.allSatisfy({ $0.schema.className == nil }) {
                warnings.append(Diagnostic(
                    severity: .warning, location: source?.path ?? url.path,
                    message: "No entity names a class, so there is none to generate. Set each entity's class (representedClassName)."))
            }
            return (files, warnings)
        } catch let error as ModelFileError {
            throw Diagnostic(severity: .error, location: error.location, message: error.message)
        } catch let error as GenerationError {
            throw Diagnostic(severity: .error, location: error.location, message: error.message)
        } catch {
            throw Diagnostic(severity: .error, location: url.path, message: "\(error)")
        }
    }

    private static func options(
        _ url: URL, _ request: GenerationRequest, _ contents: ModelFileContents
    ) throws(GenerationError) -> GenerationOptions {
        var options = GenerationOptions(modelName: url.lastPathComponent, source: contents.sources[contents.currentVersionName])
        if let file = request.configuration ?? configuration(beside: url) { options.configuration = try GenerationConfiguration(at: file) }
        // Whoever asks for something says more than the file does of the model as a whole.
        var general = options.configuration.general
        general.access = request.access ?? general.access
        general.codegen = request.codegen ?? general.codegen
        general.types = request.types ?? general.types
        options.configuration.general = general
        options.access = general.access ?? .public
        options.isLayered = request.isLayered
        readSources(request, into: &options)
        options.neighbours = Set(request.neighbours.flatMap { url -> [String] in
            // What is wrong with them is said where they are generated.
            ((try? ModelFile.readCurrent(at: url))?.current.entities ?? []).compactMap { SwiftName.bare($0.className) }
        })
        if request.embedsModel ?? options.configuration.embedsModel ?? false {
            options.embedded = try embedded(contents)
            options.embeddedNeighbours = embeddedNeighbours(of: url, request)
        }
        return options
    }

    /// `Shop.codegen.json` beside `Shop.xcdatamodeld`, where that is.
    package static func configuration(beside model: URL) -> URL? {
        let url = model.deletingPathExtension().appendingPathExtension("codegen.json")
        return FileManager.default.fileExists(atPath: url.path) ? url : nil
    }

    /// The classes the sources declare at their outermost level, and what they say these inherit.
    private static func readSources(_ request: GenerationRequest, into options: inout GenerationOptions) {
        let conditions = BuildConditions(defined: Set(request.conditions))
        func add(_ inherited: [TypeSyntax], to name: String) {
            // "Swift.Identifiable" is Identifiable.
            options.inheritance[name, default: []].formUnion(inherited.compactMap { $0.text.split(separator: ".").last.map(String.init) })
        }
        for url in request.sources {
            guard let data = FileManager.default.contents(atPath: url.path) else { continue }
            let declarations = SourceScanner.scan(String(decoding: data, as: UTF8.self), file: url.path, conditions)
            for type in declarations.types where type.kind == .class && type.path.count == 1 {
                options.handwritten[type.path[0]] = type.access == "package" ? .package : type.access == nil ? .internal : .public
                add(type.inherited, to: type.path[0])
            }
            for one in declarations.conformances where one.path.count == 1 { add(one.inherited, to: one.path[0]) }
        }
    }

    /// The models beside this one that are kept in the program too, by the names they get.
    private static func embeddedNeighbours(of model: URL, _ request: GenerationRequest) -> [String: String] {
        var result: [String: String] = [:]
        // A file of the model's own name is not for its neighbours.
        let common = request.configuration.flatMap { $0 == configuration(beside: model) ? nil : $0 }
        for url in request.neighbours {
            let file = configuration(beside: url) ?? common
            let settings = file.flatMap { try? GenerationConfiguration(at: $0) } ?? GenerationConfiguration()
            guard request.embedsModel ?? settings.embedsModel ?? false else { continue }
            result[settings.embeddedName ?? EmbeddedModel.name(of: url.lastPathComponent)] = url.path
        }
        return result
    }

    /// The current version as its file has it; compiled models are written out.
    private static func embedded(_ contents: ModelFileContents) throws(GenerationError) -> String {
        let path = contents.sources[contents.currentVersionName]?.path ?? ""
        if (path as NSString).pathExtension != "mom", let data = FileManager.default.contents(atPath: path) {
            return String(decoding: data, as: UTF8.self)
        }
        do { return try XMLModelWriter.text(of: contents.current) } catch {
            throw GenerationError(.embedding, path: path, line: nil, "The model cannot be kept in the program: \(error)")
        }
    }
}

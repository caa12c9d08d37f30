import CoreDataModelFile
import CoreDataSchema
import Foundation

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

    /// The classes of a model's current version: one file each, or all in one when it is given a name.
    package static func run(
        _ url: URL, access: GenerationOptions.Access = .public, singleFile: String? = nil
    ) throws(Diagnostic) -> (files: [GeneratedFile], warnings: [Diagnostic]) {
        do {
            let contents = try ModelFile.readCurrent(at: url)
            let source = contents.sources[contents.currentVersionName]
            let model = try contents.resolved(contents.currentVersionName)
            let options = GenerationOptions(modelName: url.lastPathComponent, access: access, source: source)
            let files = if let singleFile {
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
}

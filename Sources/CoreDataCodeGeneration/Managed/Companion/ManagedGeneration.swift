import Foundation

/// From the sources of a module with `@NSManaged` declarations to the companion that supplies what they leave out: what the tool and
/// the plugin run.
package enum ManagedGeneration {
    package struct Module: Sendable {
        package var name: String
        package var files: [URL]

        package init(name: String, files: [URL]) {
            self.name = name
            self.files = files
        }
    }

    /// The companion of `module`; types of `dependencies` are known by name. Throws all that cannot be supplied, each with its place.
    package static func run(
        _ module: Module, dependencies: [Module] = [], defined: [String] = [], fileName: String
    ) throws(Problems) -> GeneratedFile {
        let conditions = BuildConditions(defined: Set(defined), modules: Set(dependencies.map(\.name)))
        do {
            let managed = try read(module, conditions), others = try dependencies.map { try read($0, conditions) }
            var source = CompanionSource(managed, dependencies: others)
            let text = source.text()
            guard source.problems.isEmpty else { throw Problems(diagnostics: source.problems) }
            return GeneratedFile(name: fileName, text: text)
        } catch let problems as Problems {
            throw problems
        } catch {
            throw Problems(diagnostics: [.init(severity: .error, location: module.name, message: "\(error)")])
        }
    }

    package struct Problems: Error, Sendable, CustomStringConvertible {
        package var diagnostics: [ModelGeneration.Diagnostic]
        package var description: String { diagnostics.map(\.description).joined(separator: "\n") }
    }

    private static func read(_ module: Module, _ conditions: BuildConditions) throws -> ManagedModule {
        var files: [(path: String, text: String)] = []
        for url in module.files {
            guard let data = FileManager.default.contents(atPath: url.path) else {
                throw Problems(diagnostics: [.init(severity: .error, location: url.path, message: "The file cannot be read.")])
            }
            files.append((url.path, String(decoding: data, as: UTF8.self)))
        }
        return ManagedModule(name: module.name, files: files, conditions)
    }
}

import Foundation
import PackagePlugin

/// Generates the classes of every model among a target's resources: one source file a model, written by
/// `coredata-generate`, again whenever something inside the model changes.
@main
struct CoreDataModelPlugin: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        guard let target = target as? SwiftSourceModuleTarget else { return [] }
        // Files the manifest excludes are in neither list.
        let models = Models.among(target.sourceFiles.filter { $0.type == .resource }.map(\.url))
        let stray = Models.among(target.sourceFiles.filter { $0.type == .unknown }.map(\.url))
        for model in stray { Diagnostics.error(Models.undeclared(model, in: target)) }
        guard stray.isEmpty else { return [] }

        let tool = try context.tool(named: "coredata-generate").url
        var taken: [String: URL] = [:]
        return models.compactMap { model in
            let name = model.deletingPathExtension().lastPathComponent + "+CoreData.swift"
            if let other = taken.updateValue(model, forKey: name.lowercased()) {
                Diagnostics.error("\(model.path) and \(other.path) have the same name. Rename one, or move it to another target.")
                return nil
            }
            let folder = context.pluginWorkDirectoryURL.appending(path: "Generated")
            var arguments = [model.path, "--output", folder.path, "--single-file", name], inputs = Models.inputs(of: model)
            if let configuration = Models.configuration(of: model, in: target) {
                arguments += ["--config", configuration.path]
                inputs.append(configuration)
            }
            for other in models where other != model {
                arguments += ["--beside", other.path]
                inputs += Models.inputs(of: other)
            }
            if Models.dependsOnSources(model) {
                // Classes the target declares itself are not generated, and extensions are as accessible as they.
                let sources = target.sourceFiles.filter { $0.type == .source && $0.url.pathExtension == "swift" }.map(\.url).sorted { $0.path < $1.path }
                arguments += sources.flatMap { ["--source", $0.path] } + target.compilationConditions.flatMap { ["-D", $0] }
                inputs += sources
            }
            return .buildCommand(
                displayName: "Generating the classes of \(model.lastPathComponent)", executable: tool,
                arguments: arguments, inputFiles: inputs, outputFiles: [folder.appending(path: name)])
        }
    }
}

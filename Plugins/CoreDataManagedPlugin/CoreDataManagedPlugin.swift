import Foundation
import PackagePlugin

/// Makes its target the companion of the targets it depends on: one source file for each, with the accessors that their `@NSManaged`
/// declarations leave out, written again whenever a source of theirs changes.
@main
struct CoreDataManagedPlugin: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        let models = target.dependencies.compactMap { dependency -> SwiftSourceModuleTarget? in
            guard case .target(let target) = dependency else { return nil }
            return target as? SwiftSourceModuleTarget
        }
        if models.isEmpty {
            Diagnostics.error("The target “\(target.name)” uses CoreDataManagedPlugin but depends on no target of this package. Let it depend "
                + "on the target whose classes have @NSManaged properties.")
        }
        let tool = try context.tool(named: "coredata-generate").url
        return models.map { command($0, tool, context.pluginWorkDirectoryURL.appending(path: "Managed")) }
    }

    private func command(_ model: SwiftSourceModuleTarget, _ tool: URL, _ folder: URL) -> Command {
        let name = "\(model.moduleName)+Managed.swift", own = sources(of: model)
        var arguments = ["--managed", model.moduleName, "--output", folder.path, "--single-file", name], inputs = own
        for condition in model.compilationConditions { arguments += ["-D", condition] }
        arguments += own.map(\.path)
        // Types of properties may be declared there; the engine's own are known.
        for case let other as SwiftSourceModuleTarget in model.recursiveTargetDependencies where !Self.isEngine(other) {
            let files = sources(of: other)
            arguments += ["--dependency", other.moduleName] + files.map(\.path)
            inputs += files
        }
        return .buildCommand(
            displayName: "Generating the accessors of \(model.name)", executable: tool, arguments: arguments, inputFiles: inputs,
            outputFiles: [folder.appending(path: name)])
    }

    private func sources(of target: SwiftSourceModuleTarget) -> [URL] {
        target.sourceFiles.filter { $0.type == .source && $0.url.pathExtension == "swift" }.map(\.url).sorted { $0.path < $1.path }
    }

    private static func isEngine(_ target: SwiftSourceModuleTarget) -> Bool {
        target.moduleName == "NLCoreData" || target.moduleName == "SQLiteDriver" || target.moduleName.hasPrefix("CoreData")
    }
}

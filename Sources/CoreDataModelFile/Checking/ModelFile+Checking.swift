import CoreDataSchema
import Foundation

extension ModelFile {
    /// Everything wrong with a version of a model, in the order of its lines: one mistake does not hide the next. nil checks the
    /// current version. Throws only when there is no model to look at.
    package static func problems(at url: URL, version: String? = nil) throws(ModelFileError) -> [ModelProblem] {
        let bundle = try ModelBundle(url, unmarked: version ?? "")
        let name = version ?? bundle.currentVersionName
        guard let file = bundle.files.first(where: { $0.name == name })?.file else {
            throw ModelFileError(
                .noCurrentVersion, path: url.path, reason: "The model has no version “\(name)”.",
                advice: "Its versions are: \(bundle.files.map(\.name).joined(separator: ", ")).")
        }
        var problems = bundle.warnings.map { problem($0, .warning) } + [bundle.markMistake].compactMap { $0 }.map { problem($0, .error) }
        let data = try load(file)
        let schema: ModelSchema, source: ModelSource
        if bundle.isCompiled {
            let reader = try ArchivedModelReader(data, path: file.path)
            (schema, source) = (reader.schema, ModelSource(path: file.path))
            problems += reader.warnings.map { problem($0, .warning) }
        } else {
            let reader = try XMLModelReader(data, path: file.path, collectsMistakes: true)
            (schema, source) = (reader.schema, reader.source)
            problems += reader.warnings.map { problem($0, .warning) } + (reader.mistakes ?? []).map { problem($0, .error) }
        }
        problems += ModelLint.problems(of: schema, source)
        return problems.enumerated()
            .sorted { ($0.element.line ?? 0, $0.offset) < ($1.element.line ?? 0, $1.offset) }.map(\.element)
    }

    private static func problem(_ error: ModelFileError, _ severity: ModelProblem.Severity) -> ModelProblem {
        let kind = if case .reference(let error) = error.kind { ModelLint.kind(of: error) } else { "content" }
        return ModelProblem(severity, kind, path: error.path, line: error.line, place: error.line.map { "line \($0)" } ?? "", error.message)
    }
}

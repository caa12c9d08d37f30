import Foundation

/// Where an export goes: standard output, a file, or for CSV a folder with a file for each entity.
struct ExportOutput {
    private let arguments: Arguments
    private let console: Console
    private let inputs: [String]
    private let file: OutputFile?
    private let folder: String?
    var isFolder: Bool { folder != nil }
    var isStandardOutput: Bool { folder == nil && file?.isStandardOutput != false }

    init(_ arguments: Arguments, format: String, _ console: Console) throws {
        self.arguments = arguments
        self.console = console
        inputs = [arguments.operands[0]] + arguments.all("model")
        guard let path = arguments.value("output") else {
            (file, folder) = (nil, nil)
            return
        }
        if format == "csv", !path.isEmpty, ExportOutput.meansFolder(path, arguments) {
            (file, folder) = (nil, path)
        } else {
            (file, folder) = (try OutputFile(path, arguments, inputs: inputs, console), nil)
        }
    }

    /// A file is meant by the name `….csv` when one entity is asked for, and by what stands there and is neither file nor folder.
    private static func meansFolder(_ path: String, _ arguments: Arguments) -> Bool {
        var status = stat()
        if path == "-" { return false }
        if stat(path, &status) == 0, status.st_mode & S_IFMT != S_IFREG { return status.st_mode & S_IFMT == S_IFDIR }
        return !(arguments.all("entity").count == 1 && path.lowercased().hasSuffix(".csv"))
    }

    func write<Result>(_ body: (TextOutput) throws -> Result) throws -> Result {
        if let file { try file.write(body) } else { try body(console.output) }
    }

    /// Files of these names in the folder, which is made if it does not exist. An import of the folder would read every CSV file in
    /// it: those of another export must not be among them unnoticed.
    func files(_ names: [String]) throws -> [OutputFile] {
        guard let folder else { return [] }
        do {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        } catch {
            let isFile = FileManager.default.fileExists(atPath: folder)
            throw CommandFailure(.unusable, "The folder “\(folder)” cannot be made: \(isFile ? "there is a file of that name" : error.localizedDescription).")
        }
        let others = try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".csv") && !names.contains($0) }.sorted()
        if !others.isEmpty {
            let text = "“\(folder)” has other CSV files, which an import of the folder would read too: \(others.prefix(5).joined(separator: ", "))"
                + (others.count > 5 ? " and \(others.count - 5) more" : "")
            guard arguments.flag("force") else {
                throw CommandFailure(.unusable, text + ". Name another folder, or say --force to leave them there.")
            }
            try console.warn(text + ".")
        }
        return try names.map { try OutputFile("\(folder)/\($0)", arguments, inputs: inputs, console) }
    }
}

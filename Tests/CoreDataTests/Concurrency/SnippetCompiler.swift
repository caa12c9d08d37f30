import Foundation

/// Compiles source text against the modules this test program was built from.
struct SnippetCompiler {
    private let compiler: URL
    private let modules: URL
    private let sources: URL

    /// nil, with the reason, when there is no compiler or the modules are not beside the test program.
    static func find() -> Swift.Result<SnippetCompiler, Missing> {
        let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
        guard let compiler = folders.map({ URL(fileURLWithPath: "\($0)/swiftc") })
            .first(where: { FileManager.default.isExecutableFile(atPath: $0.path) })
        else { return .failure(Missing(what: "swiftc is not on the PATH")) }
        let program = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        let modules = program.deletingLastPathComponent().appendingPathComponent("Modules")
        guard FileManager.default.fileExists(atPath: modules.appendingPathComponent("CoreData.swiftmodule").path) else {
            return .failure(Missing(what: "there is no CoreData.swiftmodule in \(modules.path)"))
        }
        var sources = URL(fileURLWithPath: #filePath)
        for _ in 0..<4 { sources.deleteLastPathComponent() }
        return .success(SnippetCompiler(compiler: compiler, modules: modules, sources: sources.appendingPathComponent("Sources")))
    }

    struct Missing: Error { let what: String }

    static var isThere: Bool { (try? find().get()) != nil }

    /// The errors and warnings: their lines and texts. Checks of data flow run only on code that is otherwise right.
    func diagnose(_ source: String, mode: Int) throws -> [(line: Int, text: String)] {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("snippet-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent("Snippet.swift"), output = folder.appendingPathComponent("output")
        try Data(source.utf8).write(to: file)
        _ = FileManager.default.createFile(atPath: output.path, contents: nil)
        let process = Process()
        process.executableURL = compiler
        process.arguments = [
            "-emit-sil", "-parse-as-library", "-swift-version", "\(mode)", "-module-name", "Snippet", "-o", "/dev/null",
            "-module-cache-path", folder.path, "-I", modules.path,
        ] + ["CSQLite", "CZlib", "CCrypto"].flatMap {
            ["-Xcc", "-fmodule-map-file=\(sources.appendingPathComponent($0).path)/module.modulemap"]
        } + [file.path]
        let handle = try FileHandle(forWritingTo: output)
        process.standardError = handle
        process.standardOutput = handle
        try process.run()
        process.waitUntilExit()
        let text = String(decoding: try Data(contentsOf: output), as: UTF8.self)
        let found = text.split(separator: "\n").compactMap { line -> (line: Int, text: String)? in
            let parts = line.split(separator: ":", maxSplits: 4)
            guard parts.count == 5, parts[0].hasSuffix("Snippet.swift"), let number = Int(parts[1]),
                  parts[3] == " error" || parts[3] == " warning"
            else { return nil }
            return (number, parts[3].dropFirst() + ":" + String(parts[4]))
        }
        if found.isEmpty, process.terminationStatus != 0 { return [(0, text)] }
        return found
    }
}

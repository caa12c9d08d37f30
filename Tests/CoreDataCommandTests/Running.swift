import CoreDataTestSupport
import Foundation
import Testing
@testable import CoreDataCommand

/// What one run of the command gave.
struct Outcome {
    var code: Int32
    var output: String
    var errors: String

    /// The output as Foundation reads it: what any program would.
    func json() throws -> Any { try JSONSerialization.jsonObject(with: Data(output.utf8), options: .fragmentsAllowed) }
    func object() throws -> [String: Any] { try #require(try json() as? [String: Any]) }
    var lines: [String] { output.split(separator: "\n", omittingEmptySubsequences: false).map(String.init).dropLast(output.hasSuffix("\n") ? 1 : 0) }
}

/// Runs the command inside the test's process.
func coredata(_ words: String..., asTerminal: Bool = false, environment: [String: String] = [:]) -> Outcome {
    run(words, asTerminal: asTerminal, environment: environment)
}

func run(_ words: [String], asTerminal: Bool = false, environment: [String: String] = [:]) -> Outcome {
    let console = Console(
        output: TextOutput(isTerminal: asTerminal), errors: TextOutput(isTerminal: asTerminal), environment: environment)
    let code = CommandProgram.run(words, console)
    return Outcome(code: code, output: console.output.text, errors: console.errors.text)
}

/// The program that was built beside these tests.
let builtProgram: URL = {
    let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }?.bundleURL
    let folder = bundle?.deletingLastPathComponent() ?? URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
    return folder.appendingPathComponent("coredata")
}()

/// Runs a shell line in which `coredata` is the built program.
func shell(_ line: String, in folder: URL? = nil, environment: [String: String] = [:]) throws -> Outcome {
    let process = Process(), output = Pipe(), errors = Pipe()
    process.executableURL = URL(fileURLWithPath: "/bin/bash")
    process.arguments = ["-c", "set -o pipefail; coredata() { '\(builtProgram.path)' \"$@\"; }; " + line]
    if let folder { process.currentDirectoryURL = folder }
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    process.standardOutput = output
    process.standardError = errors
    process.standardInput = FileHandle.nullDevice
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    let errorText = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return Outcome(code: process.terminationStatus, output: text, errors: errorText)
}

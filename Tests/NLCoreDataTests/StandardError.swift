import Foundation
import NLCoreData
#if canImport(Glibc)
import Glibc
#endif

/// What is written to standard error while the body runs, by anyone.
func capturingStandardError(_ body: () throws -> Void) throws -> String {
    let folder = try TemporaryFolder(), file = folder.file("stderr")
    _ = FileManager.default.createFile(atPath: file.path, contents: nil)
    let saved = dup(STDERR_FILENO)
    let handle = try FileHandle(forWritingTo: file)
    dup2(handle.fileDescriptor, STDERR_FILENO)
    defer {
        dup2(saved, STDERR_FILENO)
        close(saved)
    }
    try body()
    return try String(contentsOf: file, encoding: .utf8)
}

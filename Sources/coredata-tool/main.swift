import CoreDataCommand
import Foundation

// A reader that went away is an error of `write`, not the end of the process.
signal(SIGPIPE, SIG_IGN)
// So is a file that would grow beyond a limit set for the process (ulimit -f).
signal(SIGXFSZ, SIG_IGN)
Interruption.shared.listen()
// What is no UTF-8 would arrive with other letters, and name other files.
let isReadable = CommandLine.unsafeArgv.withMemoryRebound(to: UnsafeMutablePointer<CChar>?.self, capacity: Int(CommandLine.argc)) { words in
    (0..<Int(CommandLine.argc)).allSatisfy { index in words[index].map { String(validatingCString: $0) != nil } ?? true }
}
if !isReadable {
    FileHandle.standardError.write(Data("coredata: error: A word of the command line is not UTF-8, and the command takes no other names. Rename the file (mv), or convert the text.\n".utf8))
    exit(ExitCode.usage.rawValue)
}
exit(CommandProgram.run(Array(CommandLine.arguments.dropFirst()), .standard()))

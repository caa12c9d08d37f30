import CoreDataCommand
import Foundation

// A reader that went away is an error of `write`, not the end of the process.
signal(SIGPIPE, SIG_IGN)
Interruption.shared.listen()
exit(CommandProgram.run(Array(CommandLine.arguments.dropFirst()), .standard()))

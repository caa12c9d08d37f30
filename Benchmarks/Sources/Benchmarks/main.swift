import Foundation

do {
    let options = try Options(CommandLine.arguments.dropFirst())
    try Session(options).run()
} catch {
    FileHandle.standardError.write(Data("\(error)\n".utf8))
    exit(1)
}

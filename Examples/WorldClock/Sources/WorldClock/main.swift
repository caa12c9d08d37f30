import Foundation
import NLCoreData
import ZoneData

do {
    let options = try Options(Array(CommandLine.arguments.dropFirst()))
    if options.showsHelp {
        print(Options.help, terminator: "")
        exit(0)
    }

    NLCoreData.shared.modelName = "WorldClock"
    NLCoreData.shared.modelBundle = .module
    if let store = options.store { NLCoreData.shared.storeURL = URL(fileURLWithPath: store) }
    if options.resets { try NLCoreData.shared.resetDatabase() }
    if let seed = options.seed, !NLCoreData.shared.storeExists { try NLCoreData.shared.usePreSeededFile(seed) }

    if try Zone.count() == 0 {
        let data = try ZoneData()
        try Importer.run(data)
        print("Imported \(try Zone.count()) zones of \(try Country.count()) countries into \(NLCoreData.shared.storePath)\n")
    }

    // The question first: a predicate that is wrong should not be found below pages of answers.
    let clocks = try Report.clocks(where: options.condition ?? "country.code IN {'BR', 'DE', 'IN', 'JP', 'NZ'}")
    print(try Report.areas(), try Report.sharedZones(), clocks, separator: "\n\n")
} catch {
    FileHandle.standardError.write(Data("WorldClock: \(error.localizedDescription)\n".utf8))
    exit(error is UsageError ? 2 : 1)
}

import NLCoreData

/// Imports the machine's time zone database once, then answers questions about it from its own store.
@main
struct WorldClock {
    static func main() {
        do {
            let options = try Options(CommandLine.arguments.dropFirst())
            options.help ? print(Options.helpText) : try run(options)
        } catch let problem as Options.Problem {
            Terminal.complain("\(problem)\nTry --help.")
            exit(64)
        } catch {
            Terminal.complain(ErrorReport.text(error))
            exit(1)
        }
    }

    private static func run(_ options: Options) throws {
        // A predicate that is none should not have to wait for an import.
        let predicate = try options.predicate.map { try NSPredicate(validating: $0) }

        let stack = NLCoreData.shared
        stack.modelName = "WorldClock"
        try StorePreparation(stack: stack, store: options.store, seed: options.seed, reset: options.reset).run()
        if try !stack.holdsZones() { try importZones(into: stack) }

        let answers = try Answers(where: predicate, sortedByKey: options.sortKey, at: .now)
        print(options.json ? try answers.json() : Report(answers, question: options.predicate).text)
    }

    /// First run: a thread of its own fills the store, while the main thread draws how far it is.
    private static func importZones(into stack: NLCoreData) throws {
        let start = ContinuousClock.now
        let folder = ZoneFolder.ofThisMachine
        let tables = try folder.readTables()
        let bar = ProgressBar(title: "Importing \(folder.path)")
        try ImportJob(tables).run(in: stack) { bar.draw($0) }
        bar.clear()
        let count = try "\(Country.count()) countries and \(Zone.count()) zones"
        let time = (ContinuousClock.now - start).formatted(.units(allowed: [.seconds, .milliseconds], width: .narrow))
        Terminal.note("Imported \(count) from \(folder.path) in \(time), to \(stack.storePath)")
    }
}

extension NLCoreData {
    /// False for a store that is not there, and for one whose import was interrupted: an import is one save, all or nothing.
    func holdsZones() throws -> Bool {
        guard storeExists else { return false }
        try loadStoreCoordinator()
        return try Zone.count() > 0
    }
}

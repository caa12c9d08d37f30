import CoreData

/// What is said, and refused, where a store keeps no model and one is made of its tables.
///
/// Such a model has no rules, no ordered or one-to-many relationships, another spelling of some names, and keys that are plain numbers
/// where nothing tells where they lead: enough to look at a store, not to write into one.
enum GuessedModel {
    static let option = OptionSpec("guessed-model", "write with a model guessed from a store’s tables, when that store keeps none")

    static func reason(_ obstacle: String?) -> String {
        obstacle.map { "the model this store keeps \($0)" } ?? "this store keeps no model"
    }

    static func warning(_ obstacle: String?) -> String {
        "\(reason(obstacle)), and one was guessed from its tables: ordered and one-to-many relationships, rules, types and some names are "
            + "missing. Give the store’s model with --model."
    }

    /// Of a command that only reads.
    static func warn(_ session: StoreSession, _ console: Console) throws {
        if !session.modelIsExact { try console.warn(warning(session.keptObstacle)) }
    }

    /// Said before the store is opened for writing.
    static func refuseOrWarn(importingInto arguments: Arguments, _ console: Console) throws {
        // Binary and XML stores are opened with a model only.
        if try AtomicCopy.Source(StoreFile.existing(arguments.operands[0], takesAtomic: true)) != nil { return }
        let isExact: Bool, obstacle: String?
        if let model = arguments.value("model") {
            let input = try ModelInput.fitting(model, store: StoreFile.existing(arguments.operands[0]))
            (isExact, obstacle) = (input.isExact, input.keptObstacle)
        } else {
            let stored = try StoredModel(StoreFile.existing(arguments.operands[0]), evenIfTablesMissing: true)
            (isExact, obstacle) = (stored.source == .modelCache, stored.keptObstacle)
        }
        if isExact { return }
        guard arguments.flag(option.name) else {
            let why = obstacle.map { "has a model that \($0)" } ?? "keeps no model"
            throw CommandFailure(.unusable, "“\(arguments.value("model") ?? arguments.operands[0])” \(why), and with one guessed from its "
                + "tables values could go wrong and relationships lead nowhere. Give the store’s model with --model, or say --\(option.name).")
        }
        try console.warn(warning(obstacle))
    }

    static func refuseOrWarn(seedingFrom arguments: Arguments, _ console: Console) throws {
        guard arguments.flag(option.name) else {
            throw CommandFailure(.unusable, "“\(arguments.operands[0])” is a store that keeps no model. One guessed from its tables would have other "
                + "version hashes than the app’s model, and Core Data would refuse the new store. Give the model, or say --\(option.name).")
        }
        try console.warn("the model was guessed from the tables of “\(arguments.operands[0])”: Core Data may refuse the new store, and ordered and "
            + "one-to-many relationships, rules, types and some names are missing in it.")
    }
}

import CoreData

/// What is said, and refused, where a store keeps no model and one is made of its tables.
///
/// Such a model has no rules, no ordered or one-to-many relationships, another spelling of some names, and keys that are plain numbers
/// where nothing tells where they lead: enough to look at a store, not to write into one.
enum GuessedModel {
    static let option = OptionSpec("guessed-model", "write with a model guessed from a store’s tables, when that store keeps none")

    static let warning = "this store keeps no model, and one was guessed from its tables: ordered and one-to-many relationships, rules, types "
        + "and some names are missing. Give the store’s model with --model."

    /// Of a command that only reads.
    static func warn(_ session: StoreSession, _ console: Console) throws {
        if !session.modelIsExact { try console.warn(warning) }
    }

    /// Said before the store is opened for writing.
    static func refuseOrWarn(importingInto arguments: Arguments, _ console: Console) throws {
        let isExact = if let model = arguments.value("model") {
            try ModelInput.fitting(model, store: StoreFile.existing(arguments.operands[0])).isExact
        } else { try StoredModel(StoreFile.existing(arguments.operands[0])).source == .modelCache }
        if isExact { return }
        guard arguments.flag(option.name) else {
            throw CommandFailure(.unusable, "“\(arguments.value("model") ?? arguments.operands[0])” keeps no model, and with one guessed from its "
                + "tables values could go wrong and relationships lead nowhere. Give the store’s model with --model, or say --\(option.name).")
        }
        try console.warn(warning)
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

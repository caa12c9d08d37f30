import CoreDataModelFile
import CoreDataSQLStorage
import CoreDataSchema

/// The model a store keeps of itself, so that it can be opened without another.
enum KeptModel {
    /// Has a new store keep its model, or says why it does not. A model made of another store's tables is not worth keeping.
    static func keep(_ model: ResolvedModel, of input: ModelInput, in options: inout SQLiteStoreOptions, _ console: Console) throws {
        guard input.isExact else { return }
        if let obstacle = ArchivedModelWriter.obstacle(in: model) {
            try console.note("The store does not keep its model, for \(obstacle): name the model with --model when you use the store.")
        } else {
            options.modelArchive = { ArchivedModelWriter.archive(of: model) }
        }
    }
}

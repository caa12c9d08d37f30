import CoreDataSchema
import CoreDataStorage

extension NSManagedObjectContext {
    func saveChanges() throws {
        checkQueue()
        guard DiagnosticInterests.wanted.contains(.saves) else { return _ = try SavePipeline.run(self) }
        try notingSave { try SavePipeline.run(self) }
    }

    /// The version a deletion expects; nil when the row is gone already.
    func versionForDeletion(of object: NSManagedObject) throws -> Int64? {
        if let row = object.row { return row.version }
        return try rows(for: [object.key]).first?.version
    }
}

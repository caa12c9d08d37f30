import CoreDataSchema
import CoreDataStorage

extension NSManagedObjectContext {
    /// Writes all changes to the stores, or to the parent context; throws with everything still pending when any is refused.
    ///
    /// Errors: validation (1550–1680, several as 1560), 133020 and 133021 conflicts under the error policy, store errors.
    public func save() throws {
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

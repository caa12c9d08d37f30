import CoreDataSchema
import CoreDataStorage

extension NSManagedObject {
    /// The bytes of a value in a file. A file that went with a newer version of the row, saved by another program, gives way to
    /// what that version holds. nil when the row is gone, and, told of, when the file is missing though the row names it: fetches
    /// and `existingObject(with:)` throw 260 then.
    final func data(of external: ExternalData, at slot: Int) -> Data? {
        do { return try external.read() } catch {
            guard let newer = newerRow() else { return nil }
            if let data = newer.data(slot) { return data }
            if !newer.isNull(slot) { noteUnreadable(runtime.resolved.properties[slot], ErrorTranslation.error(error)) }
            return nil
        }
    }

    /// The row as the store has it now; the one shown when nobody can say.
    private final func newerRow() -> RowBlock? {
        guard let coordinator = anchor?.context?.persistentStoreCoordinator, !key.isTemporary else { return row }
        do { return try coordinator.rows(for: [key], staleAfter: 0).first } catch { return row }
    }
}

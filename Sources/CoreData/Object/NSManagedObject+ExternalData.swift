import CoreDataSchema
import CoreDataStorage

extension NSManagedObject {
    /// The bytes of a value in a file. A file that went with a newer version of the row, saved by another program, gives way to
    /// what that version holds; nil when the row is gone. Like any other failed read, a file that is missing though the row
    /// names it stops the program here: fetches and `existingObject(with:)` throw 260 before it comes to that.
    final func data(of external: ExternalData, at slot: Int) -> Data? {
        do { return try external.read() } catch {
            guard let newer = newerRow() else { return nil }
            if let data = newer.data(slot) { return data }
            if newer.isNull(slot) { return nil }
            raise(.objectInaccessible, "CoreData could not read “\(external.attribute)” of ‘\(objectID.uriRepresentation())’: \(error)")
        }
    }

    /// The row as the store has it now; the one shown when nobody can say.
    private final func newerRow() -> RowBlock? {
        guard let coordinator = anchor?.context?.persistentStoreCoordinator, !key.isTemporary else { return row }
        do { return try coordinator.rows(for: [key], staleAfter: 0).first } catch { return row }
    }
}

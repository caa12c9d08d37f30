import CoreData

/// The IDs of ten times the rows: an instance each, on both sides.
final class IdentifierWorkload: PairedWorkload {
    /// What a program without object IDs would keep.
    private final class Identifier {
        let entity: Int64, key: Int64

        init(_ row: RawStatement) { (entity, key) = (row.int(0), row.int(1)) }
    }

    let name = "fetch IDs"
    let goal = Goal.ratio(1.3)
    let grows = false
    private var url: URL?
    private var statement: RawStatement?
    private var store: Engine?
    private var rows: [Identifier] = []
    private var identifiers: [NSManagedObjectID] = []

    func setUp(_ bench: Bench, rows: Int) throws -> Int {
        url = try bench.store(.repeatedRecords, rows: rows * 10)
        return rows * 10
    }

    func prepare(_ bench: Bench) throws {
        (rows, identifiers) = ([], [])
        guard let url else { return }
        statement = RawConnection(url).prepare("SELECT Z_ENT, Z_PK FROM ZRECORD")
        store = try Engine(store: url, model: bench.model)
    }

    func raw() throws {
        guard let statement else { return }
        while statement.step() { rows.append(Identifier(statement)) }
        statement.reset()
    }

    func engine() throws {
        guard let context = store?.context else { return }
        identifiers = try context.performAndWait {
            let request = NSFetchRequest<NSManagedObjectID>(entityName: "Record")
            request.resultType = .managedObjectIDResultType
            return try context.fetch(request)
        }
    }

    /// The number at an ID's end is the primary key.
    func results() throws -> (raw: Digest, engine: Digest) {
        func sample<Element>(_ all: [Element], _ key: (Element) -> Int) -> Digest {
            Digest(rows: all.count, sum: stride(from: 0, to: all.count, by: 997).reduce(0) { $0 + key(all[$1]) })
        }
        return (
            sample(rows) { Int($0.key) },
            sample(identifiers) { Int($0.uriRepresentation().lastPathComponent.dropFirst()) ?? 0 }
        )
    }
}

import CoreData

/// Sums over all records as dictionaries: one for all, or one a rank.
final class AggregateWorkload: PairedWorkload {
    /// What a program without dictionaries would make of a result row.
    private final class Totals {
        let rank: Int64, count: Int64, total: Int64
        let average: Double

        init(_ row: RawStatement) { (rank, count, total, average) = (row.int(0), row.int(1), row.int(2), row.double(3)) }
    }

    let name: String
    let goal = Goal.ratio(1.1)
    private let groups: Bool
    private var url: URL?
    private var statement: RawStatement?
    private var store: Engine?
    private var found = (raw: Digest(), engine: Digest())

    init(groups: Bool) {
        self.groups = groups
        name = groups ? "dictionaries, group by" : "dictionary, aggregate"
    }

    func setUp(_ bench: Bench, rows: Int) throws -> Int {
        url = try bench.store(.records, rows: rows)
        return rows
    }

    func prepare(_ bench: Bench) throws {
        found = (Digest(), Digest())
        guard let url else { return }
        statement = RawConnection(url).prepare(
            groups
                ? "SELECT ZRANK, COUNT(ZCOUNT), SUM(ZSIZE), AVG(ZHEIGHT) FROM ZRECORD GROUP BY ZRANK"
                : "SELECT 0, COUNT(ZCOUNT), SUM(ZSIZE), AVG(ZHEIGHT) FROM ZRECORD")
        store = try Engine(store: url, model: bench.model)
    }

    func raw() throws {
        guard let statement else { return }
        var all: [Totals] = []
        while statement.step() { all.append(Totals(statement)) }
        statement.reset()
        for one in all { found.raw.add(Int(one.rank &+ one.count &+ one.total) &+ Int(one.average)) }
    }

    func engine() throws {
        guard let context = store?.context else { return }
        try context.performAndWait {
            let request = NSFetchRequest<NSDictionary>(entityName: "Record")
            request.resultType = .dictionaryResultType
            let sums: [Any] = [
                column("number", "count:", "count", .integer64AttributeType), column("total", "sum:", "size", .integer64AttributeType),
                column("mean", "average:", "height", .doubleAttributeType),
            ]
            request.propertiesToFetch = groups ? ["rank"] + sums : sums
            if groups { request.propertiesToGroupBy = ["rank"] }
            for one in try context.fetch(request) {
                let whole = ["rank", "number", "total"].compactMap { (one[$0] as? NSNumber)?.intValue }.reduce(0, &+)
                found.engine.add(whole &+ Int((one["mean"] as? NSNumber)?.doubleValue ?? 0))
            }
        }
    }

    private func column(_ name: String, _ function: String, _ key: String, _ type: NSAttributeType) -> NSExpressionDescription {
        let description = NSExpressionDescription()
        description.name = name
        description.expression = NSExpression(forFunction: function, arguments: [NSExpression(forKeyPath: key)])
        description.expressionResultType = type
        return description
    }

    func results() throws -> (raw: Digest, engine: Digest) { found }
}

/// What the two files hold after a run.
enum Stored {
    /// The engine's file is read by a connection of its own.
    static func digests(_ twin: RawConnection?, _ store: Engine?, _ tables: [String]) throws -> (raw: Digest, engine: Digest) {
        guard let twin, let url = store?.coordinator.persistentStores.first?.url else {
            throw BenchmarkError("There is nothing to compare.")
        }
        return (digest(twin, tables), digest(RawConnection(url), tables))
    }

    private static func digest(_ connection: RawConnection, _ tables: [String]) -> Digest {
        tables.map(connection.digest(of:)).reduce(Digest()) { Digest(rows: $0.rows + $1.rows, sum: $0.sum &+ $1.sum) }
    }
}

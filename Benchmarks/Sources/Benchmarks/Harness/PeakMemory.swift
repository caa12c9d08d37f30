import AllocationCount
import RawSQLite

/// The most memory a piece of work holds at once.
enum PeakMemory {
    /// Bytes of the heap, at their highest, above where they were before; SQLite's own (its page cache) are not among them,
    /// because both sides have the same. Nothing else should run meanwhile.
    static func of(_ body: () throws -> Void) rethrows -> Int {
        let before = sqlite3_memory_used()
        memory_follow()
        defer { _ = memory_unfollow() }
        try body()
        return max(0, Int(memory_unfollow()) - Int(sqlite3_memory_used() - before))
    }
}

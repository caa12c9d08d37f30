import CoreData
import Testing

/// What a piece of work may cost. Lower a number when the engine got better; raise one only with a reason in the commit.
struct CostLimit: Sendable, CustomTestStringConvertible {
    let name: String
    /// Allocations a row, in a debug build whose contexts are checked; an optimised one makes fewer.
    let allocations: Double
    /// At most so many SQL statements, whatever the number of rows.
    let statements: Int
    /// And at most so many a row.
    let statementsARow: Double
    /// Whether each row is inserted besides: sixteen by one statement, what is left one by one.
    let inserts: Bool
    /// Prepares, and answers what is measured, on the context's queue.
    let work: @Sendable (CostStore, Int) throws -> () throws -> Void

    init(
        _ name: String, allocations: Double, statements: Int, aRow: Double = 0, inserts: Bool = false,
        _ work: @escaping @Sendable (CostStore, Int) throws -> () throws -> Void
    ) {
        (self.name, self.allocations, self.statements, statementsARow, self.work) = (name, allocations, statements, aRow, work)
        self.inserts = inserts
    }

    func statements(for rows: Int) -> Int {
        statements + Int(statementsARow * Double(rows)) + (inserts ? rows / 16 + rows % 16 : 0)
    }

    var testDescription: String { name }

    static let all = reading + asking + writing + batches
}

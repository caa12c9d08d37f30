import CoreDataPredicate
import CoreDataStorage
import SQLiteDriver

/// A statement kept for requests of one shape, with what binding their constants takes. Used under the store's lock.
final class KnownSelect {
    enum Form { case rows, keys, count }

    private let shape: RequestShape
    private let form: Form
    private let entity: Int
    private let includesSubentities: Bool
    private let sort: [SortTerm]
    private let hasWindow: Bool
    private let compiler: SelectCompiler
    private let forms: [BoundForm]
    /// `key == nil` has nothing to bind.
    private let skipsNulls: Bool
    private let statement: SQLiteStatement
    private var isInUse = false

    /// nil when the statement is more than its text and the constants in their order.
    init?(_ select: SelectStatement, _ form: Form, _ builder: SelectBuilder, on connection: SQLiteConnection) throws {
        let plan = builder.plan
        guard let shape = plan.shape, select.rest == nil, select.lists.isEmpty else { return nil }
        self.shape = shape
        self.form = form
        entity = plan.entity
        includesSubentities = plan.includesSubentities
        sort = plan.sort
        hasWindow = KnownSelect.hasWindow(plan)
        compiler = builder.compiler
        forms = compiler.boundForms
        skipsNulls = forms.count != plan.constants.count
        statement = try connection.prepare(select.sql.text)
        guard try values(of: plan) == select.sql.values else { return nil }
    }

    private static func hasWindow(_ plan: FetchPlan) -> Bool { plan.limit > 0 || plan.offset > 0 }

    func serves(_ plan: FetchPlan, _ form: Form) -> Bool {
        shape === plan.shape && !isInUse && self.form == form && entity == plan.entity && includesSubentities == plan.includesSubentities
            && hasWindow == KnownSelect.hasWindow(plan) && sort == plan.sort
    }

    /// Puts it on a list that does not grow without end.
    static func keep(_ made: KnownSelect, in list: inout [KnownSelect]) {
        if list.count >= 64 { list.removeFirst() }
        list.append(made)
    }

    /// nil when the constants are not as many as were bound.
    private func values(of plan: FetchPlan) throws -> [SQLValue]? {
        let constants = skipsNulls ? plan.constants.filter { !$0.isNull } : plan.constants
        guard constants.count == forms.count else { return nil }
        var values: [SQLValue] = []
        values.reserveCapacity(forms.count + 2)
        for index in forms.indices {
            guard let value = try compiler.form(constants[index], as: forms[index]) else { return nil }
            values.append(value)
        }
        if hasWindow {
            values.append(.integer(plan.limit > 0 ? Int64(plan.limit) : -1))
            values.append(.integer(Int64(max(0, plan.offset))))
        }
        return values
    }

    /// Runs the statement with the plan's constants; false when it cannot.
    func run(_ plan: FetchPlan, _ body: (SQLiteStatement) throws -> Void) throws -> Bool {
        guard let values = try values(of: plan) else { return false }
        isInUse = true
        defer {
            statement.reset()
            statement.clearBindings()
            isInUse = false
        }
        for (index, value) in values.enumerated() { try value.bind(to: statement, at: Int32(index + 1)) }
        try body(statement)
        return true
    }
}

extension SQLiteRowStore {
    func known(_ plan: FetchPlan, _ form: KnownSelect.Form) -> KnownSelect? {
        plan.shape == nil ? nil : selects.last { $0.serves(plan, form) }
    }

    /// Keeps a statement that was compiled for the next request of its shape.
    func keep(_ select: SelectStatement, _ form: KnownSelect.Form, _ builder: SelectBuilder, on connection: SQLiteConnection) throws {
        guard builder.plan.shape != nil, let made = try KnownSelect(select, form, builder, on: connection) else { return }
        KnownSelect.keep(made, in: &selects)
    }
}

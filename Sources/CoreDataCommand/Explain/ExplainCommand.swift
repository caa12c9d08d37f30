import CoreDataPredicate
import CoreDataSQLStorage
import CoreDataSchema
import CoreDataStorage

/// `coredata explain STORE ENTITY PREDICATE`.
enum ExplainCommand: Command {
    static let spec = CommandSpec(
        path: ["explain"], summary: "print the SQL of a fetch and SQLite’s plan for it",
        operands: [
            OperandSpec("STORE", "the store’s file"), OperandSpec("ENTITY", "the entity to fetch"),
            OperandSpec("PREDICATE", "in the language of NSPredicate(format:); none: all rows", isOptional: true),
        ],
        options: [
            .model, OptionSpec("sort", value: "KEY[:desc]", "the order: a key path, “:desc” for falling; may be given several times"),
            OptionSpec("limit", value: "N", "at most so many rows"), OptionSpec("offset", value: "N", "leave out so many rows first"),
            OptionSpec("only", "rows of the entity itself, not of its subentities"),
        ],
        details: [
            "A plan that reads a whole table, or all rows of an entity, is marked. An index that would spare that is suggested only if SQLite, asked on an empty copy of "
                + "the tables with the index, would use it.",
        ],
        examples: ["coredata explain App.sqlite Person \"team.name == 'red' AND age > 30\" --sort name"])

    static func run(_ arguments: Arguments, _ console: Console) throws -> ExitCode {
        let session = try StoreSession.reading(arguments.operands[0], model: arguments.value("model"))
        defer { session.close() }
        try GuessedModel.warn(session, console)
        let entity = try session.entity(arguments.operands[1])
        var plan = try FetchCommand.plan(arguments, entity, session)
        if let text = arguments.operand(2) {
            plan.predicate = try PredicateText.read(text, entity, session)
            do { try FetchPlanCheck.check(&plan, session.model) } catch { throw CommandFailure(.usage, error.description) }
        }
        let explanation = try session.store.explain(plan)
        let suggestion = try IndexSuggestion.find(plan, explanation, session)
        if console.isJSON {
            try console.print(json(explanation, suggestion, plan))
        } else {
            for line in lines(explanation, suggestion, plan, console.styles) { try console.output.line(line) }
        }
        return .done
    }

    /// A fetch of everything reads everything.
    private static func isAvoidable(_ step: FetchExplanation.Step, _ plan: FetchPlan) -> Bool {
        (step.isScan || step.isEntitySearch) && plan.predicate != nil && !step.detail.contains("list")
    }

    private static func json(_ explanation: FetchExplanation, _ suggestion: IndexSuggestion?, _ plan: FetchPlan) -> JSONValue {
        .object([
            "sql": .string(explanation.sql), "bindings": .array(explanation.bindings.map(JSONValue.string)),
            "plan": .array(explanation.steps.map { step in
                .object([
                    "id": .count(step.id), "parent": .count(step.parent), "detail": .string(step.detail),
                    "isFullScan": .bool(isAvoidable(step, plan)),
                ])
            }),
            "testedInMemory": explanation.rest.map(JSONValue.string),
            "suggestedIndex": suggestion.map { .object([
                "entity": .string($0.entity), "attributes": .array($0.attributes.map(JSONValue.string)), "sql": .string($0.sql),
            ]) },
        ])
    }

    private static func lines(
        _ explanation: FetchExplanation, _ suggestion: IndexSuggestion?, _ plan: FetchPlan, _ style: Style
    ) -> [String] {
        var lines = [explanation.sql]
        if !explanation.bindings.isEmpty {
            lines += [""] + explanation.bindings.enumerated().map { "  ?\($0 + 1) = \($1)" }
        }
        lines += ["", style.bold("Plan")]
        var depths: [Int: Int] = [:]
        for step in explanation.steps {
            let depth = (depths[step.parent] ?? 0) + 1
            depths[step.id] = depth
            let mark = isAvoidable(step, plan) ? "  " + style.yellow(step.isScan ? "← reads the whole table" : "← reads all rows of the entity") : ""
            lines.append(String(repeating: "  ", count: depth) + step.detail + mark)
        }
        if let rest = explanation.rest { lines += ["", style.yellow("Not said in SQL, tested on every row found:") + " \(rest)"] }
        if let suggestion {
            let names = suggestion.attributes.joined(separator: ", ")
            lines += ["", "An index would spare the scan: in the model, a fetch index of \(suggestion.entity) over \(names). Its SQL:",
                      "  " + suggestion.sql + ";"]
        }
        return lines
    }
}

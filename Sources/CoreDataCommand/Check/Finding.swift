/// One kind of thing wrong with a store, in one place.
struct Finding {
    enum Severity: String { case error, warning }

    /// Stable, for scripts.
    let kind: String
    let severity: Severity
    /// `Entity.property`, a table or a file.
    let place: String
    let message: String
    let count: Int
    /// Some of the rows concerned, as `Entity/key`.
    var examples: [String] = []
    /// Statements that put it right with what the store itself proves; empty when a person must decide.
    var repair: [String] = []

    var json: JSONValue { json(isRepaired: nil) }

    func json(isRepaired: Bool?) -> JSONValue {
        .object([
            "kind": .string(kind), "severity": .string(severity.rawValue), "place": .string(place), "message": .string(message),
            "count": .count(count), "examples": .array(examples.map(JSONValue.string)), "isRepairable": .bool(!repair.isEmpty),
            "repaired": isRepaired.map(JSONValue.bool),
        ])
    }

    var withoutRepair: Finding {
        var finding = self
        finding.repair = []
        return finding
    }

    /// The same trouble in the same place.
    func isLike(_ other: Finding) -> Bool { kind == other.kind && place == other.place && severity == other.severity }

    func lines(_ style: Style) -> [String] {
        let mark = severity == .error ? style.red("error:") : style.yellow("warning:")
        var line = "\(mark) \(place): \(message)"
        if !examples.isEmpty { line += " (\(examples.joined(separator: ", "))\(count > examples.count ? ", …" : ""))" }
        if !repair.isEmpty { line += style.dim(" [--repair can]") }
        return [line]
    }
}

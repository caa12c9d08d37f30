/// One option of a command. Without a `value` it is a flag.
struct OptionSpec: Sendable {
    let name: String
    let short: Character?
    /// What stands for the value in the help: `N`, `FILE`.
    let value: String?
    let help: String
    /// Whether several values make sense.
    let isRepeatable: Bool

    init(_ name: String, short: Character? = nil, value: String? = nil, isRepeatable: Bool = false, _ help: String) {
        self.name = name
        self.short = short
        self.value = value
        self.isRepeatable = isRepeatable
        self.help = help
    }

    static let json = OptionSpec("json", "print the result as JSON")
    static let help = OptionSpec("help", short: "h", "print this help")
    static let model = OptionSpec(
        "model", value: "MODEL", "open the store with this model (.xcdatamodeld, .xcdatamodel, .momd, .mom, or another store) instead of its own")
}

/// One word a command takes by position.
struct OperandSpec: Sendable {
    let name: String
    let help: String
    var isOptional = false

    init(_ name: String, _ help: String, isOptional: Bool = false) {
        self.name = name
        self.help = help
        self.isOptional = isOptional
    }
}

/// What a command is called, takes and does: its help is made of this, and its words are read by it.
struct CommandSpec: Sendable {
    /// `["model", "show"]`.
    let path: [String]
    let summary: String
    var operands: [OperandSpec] = []
    var options: [OptionSpec] = []
    /// Paragraphs.
    var details: [String] = []
    var examples: [String] = []

    var name: String { path.joined(separator: " ") }
    var allOptions: [OptionSpec] { options + [.json, .help] }
    var usage: String {
        let words = operands.map { $0.isOptional ? "[\($0.name)]" : $0.name }
        return (["coredata", name] + words).joined(separator: " ") + " [options]"
    }
}

/// One command.
protocol Command: SendableMetatype {
    static var spec: CommandSpec { get }
    static func run(_ arguments: Arguments, _ console: Console) throws -> ExitCode
}

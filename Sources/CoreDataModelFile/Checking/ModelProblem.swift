/// Something about a model that Xcode would flag.
package struct ModelProblem: Sendable, Equatable {
    package enum Severity: String, Sendable { case error, warning }

    package var severity: Severity
    /// Stable, for scripts: `noInverse`, `unknownDestination`, …
    package var kind: String
    package var path: String
    package var line: Int?
    /// `Entity`, `Entity.property`, or another part's name.
    package var place: String
    package var message: String

    package init(_ severity: Severity, _ kind: String, path: String, line: Int?, place: String, _ message: String) {
        self.severity = severity
        self.kind = kind
        self.path = path
        self.line = line
        self.place = place
        self.message = message
    }

    /// `file:line: error: …`, as compilers print it.
    package var description: String { "\(path)\(line.map { ":\($0)" } ?? ""): \(severity.rawValue): \(message)" }
}

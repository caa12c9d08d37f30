import Foundation

/// Where a command writes: results to `output`, everything else to `errors`.
///
/// Invariant: colours and progress go to terminals only, so that what is piped holds text alone.
package final class Console {
    package let output: TextOutput
    package let errors: TextOutput
    /// Results as JSON (`--json`).
    package internal(set) var isJSON = false
    private let allowsColour: Bool
    var styles: Style { Style(isOn: allowsColour && output.isTerminal && !isJSON) }
    var errorStyles: Style { Style(isOn: allowsColour && errors.isTerminal) }

    package init(output: TextOutput, errors: TextOutput, environment: [String: String] = [:]) {
        self.output = output
        self.errors = errors
        // https://no-color.org: set to anything but nothing.
        allowsColour = (environment["NO_COLOR"] ?? "").isEmpty && environment["TERM"] != "dumb"
    }

    package static func standard() -> Console {
        Console(
            output: TextOutput(descriptor: STDOUT_FILENO), errors: TextOutput(descriptor: STDERR_FILENO),
            environment: ProcessInfo.processInfo.environment)
    }

    func note(_ text: String) throws { try errors.line(text) }

    func warn(_ text: String) throws { try errors.line("\(errorStyles.yellow("warning:")) \(text)") }

    /// A result, printed so that people can read it and programs too.
    func print(_ value: JSONValue) throws {
        try output.append { value.write(to: &$0, indent: 0) }
        try output.line()
    }
}

/// Terminal colours, or nothing.
struct Style {
    let isOn: Bool

    private func wrap(_ code: String, _ text: String) -> String { isOn ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text }
    func bold(_ text: String) -> String { wrap("1", text) }
    func dim(_ text: String) -> String { wrap("2", text) }
    func red(_ text: String) -> String { wrap("31", text) }
    func green(_ text: String) -> String { wrap("32", text) }
    func yellow(_ text: String) -> String { wrap("33", text) }
}

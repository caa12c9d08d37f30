/// The help of the program, of a group of commands and of each command.
enum HelpText {
    static let exitCodes = [
        "0  done, and nothing was found that is wrong or different",
        "1  done, and something was found: problems (check, model validate), differences (model diff), or",
        "   values whose files are missing (export)",
        "2  the command line is at fault; nothing was done",
        "3  a store, model or file cannot be used, or a program that is needed is not installed",
        "4  the data of an import is refused; nothing was written",
    ]

    static func program(_ commands: [any Command.Type], _ style: Style) -> [String] {
        let width = commands.map { $0.spec.name.count }.max() ?? 0
        var lines = ["Looks into Core Data stores and models, and makes them.", "", style.bold("Usage:") + " coredata COMMAND …", ""]
        lines.append(style.bold("Commands:"))
        for command in commands { lines.append("  \(pad(command.spec.name, width))  \(command.spec.summary)") }
        lines += ["", "“coredata COMMAND --help” tells more of each; all take --json.", ""]
        lines.append(style.bold("Exit codes:"))
        lines += exitCodes.map { "  " + $0 }
        lines += ["", "Colours and progress go to terminals only; NO_COLOR turns colours off."]
        return lines
    }

    static func command(_ spec: CommandSpec, _ style: Style) -> [String] {
        var lines = [spec.summary.prefix(1).uppercased() + spec.summary.dropFirst() + ".", "", style.bold("Usage:") + " " + spec.usage]
        if !spec.operands.isEmpty {
            lines.append("")
            let width = spec.operands.map(\.name.count).max() ?? 0
            for operand in spec.operands { lines += wrapped("  \(pad(operand.name, width))  ", operand.help) }
        }
        lines += ["", style.bold("Options:")]
        let names = spec.allOptions.map { option in
            "--\(option.name)" + (option.value.map { " " + $0 } ?? "") + (option.short.map { ", -\($0)" } ?? "")
        }
        let width = names.map(\.count).max() ?? 0
        for (name, option) in zip(names, spec.allOptions) { lines += wrapped("  \(pad(name, width))  ", option.help) }
        for paragraph in spec.details { lines += [""] + wrapped("", paragraph) }
        if !spec.examples.isEmpty {
            lines += ["", style.bold("Examples:")]
            lines += spec.examples.map { "  " + $0 }
        }
        return lines
    }

    private static func pad(_ text: String, _ width: Int) -> String { text + String(repeating: " ", count: max(0, width - text.count)) }

    /// The text in lines of up to 100 characters, those after the first below its beginning.
    private static func wrapped(_ head: String, _ text: String) -> [String] {
        var lines: [String] = [], line = head, isEmpty = true
        for word in text.split(separator: " ") {
            if !isEmpty, line.count + word.count + 1 > 100 {
                lines.append(line)
                line = String(repeating: " ", count: head.count)
                isEmpty = true
            }
            line += (isEmpty ? "" : " ") + word
            isEmpty = false
        }
        return lines + [line]
    }
}

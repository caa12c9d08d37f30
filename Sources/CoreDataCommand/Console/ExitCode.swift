/// What the process's exit code says. Scripts rely on the numbers: they stay.
package enum ExitCode: Int32, Sendable {
    /// Done, and nothing was found that is wrong or different.
    case done = 0
    /// Done, and something was found: problems (`check`, `model validate`), differences (`model diff`).
    case findings = 1
    /// The command line is at fault. Nothing was done.
    case usage = 2
    /// A store, model or other file cannot be used, or a program that is needed is not installed.
    case unusable = 3
    /// The data of an import is refused. Nothing was written.
    case refused = 4
}

/// Why a command ends early: what, where, and what to do.
package struct CommandFailure: Error, Sendable {
    package var code: ExitCode
    package var message: String

    package init(_ code: ExitCode = .unusable, _ message: String) {
        self.code = code
        self.message = message
    }
}

/// Nobody reads the output any more (`coredata … | head`): no failure, there is only no more to do.
package struct OutputClosed: Error {}

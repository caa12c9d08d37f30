import CoreData
import Testing
import TestProcess

extension Optional<ExitTest.Result> {
    var standardError: String { String(decoding: self?.standardErrorContent ?? [], as: UTF8.self) }

    /// What a copy of the process said on standard error; empty when it survived.
    func section(_ name: String) -> String {
        let text = standardError
        guard let start = text.range(of: "<\(name)>")?.upperBound, let end = text.range(of: "</\(name)>")?.lowerBound, start < end else { return "" }
        return String(text[start..<end])
    }
}

/// In an exit test: runs the body in a copy of the process, with its standard error marked.
func inCopy(_ name: String, _ body: @escaping () -> Void) {
    func say(_ text: String) { FileHandle.standardError.write(Data(text.utf8)) }
    final class Work {
        let body: () -> Void
        init(_ body: @escaping () -> Void) { self.body = body }
    }
    say("<\(name)>")
    let work = Work(body)
    let status = withExtendedLifetime(work) {
        testProcessFork({ argument in
            if let argument { Unmanaged<Work>.fromOpaque(argument).takeUnretainedValue().body() }
        }, Unmanaged.passUnretained(work).toOpaque())
    }
    // A survivor's section is never closed.
    if status != 0 { say("</\(name)>") }
}

/// Runs on a thread of its own and waits for its end.
func onThread<Result>(named name: String = "other", _ body: @escaping () throws -> Result) -> Swift.Result<Result, any Error> {
    let done = DispatchSemaphore(value: 0)
    let work = UncheckedBox(body)
    let box = ResultBox<Result>()
    let thread = Thread {
        // Foundation's setter may come before the thread object knows its thread.
        try? Data(name.utf8).write(to: URL(fileURLWithPath: "/proc/thread-self/comm"))
        box.result = Swift.Result { try work.value() }
        done.signal()
    }
    thread.start()
    done.wait()
    return box.result ?? .failure(CancellationError())
}

/// Unchecked Sendable: written by the thread that the reader waits for.
private final class ResultBox<Value>: @unchecked Sendable { var result: Result<Value, any Error>? }

import CoreData
import Foundation
import Testing

/// Random steps over a graph with every shape of relationship, against plain dictionaries.
///
/// `COREDATA_RANDOM_SEED=n` replays one seed; `COREDATA_RANDOM_FIRST` and `COREDATA_RANDOM_COUNT` say which to run
/// (`Scripts/random-graph.sh` is the long form), `COREDATA_RANDOM_FAILURES` after how many failures to stop. A failure names its seed and the steps that matter.
@Suite("Random graphs")
struct RandomGraphTests {
    private static let stepCount = 100
    private static let defaultCount: UInt64 = 60

    private static func number(_ name: String) -> UInt64? { ProcessInfo.processInfo.environment[name].flatMap { UInt64($0) } }

    @Test("Random changes in one context and in families: memory, invariants and store say what plain dictionaries say")
    func randomSteps() throws {
        let first = Self.number("COREDATA_RANDOM_SEED") ?? Self.number("COREDATA_RANDOM_FIRST") ?? 1
        let count = Self.number("COREDATA_RANDOM_SEED") != nil ? 1 : Self.number("COREDATA_RANDOM_COUNT") ?? Self.defaultCount
        // Should a step stop the program, this file still names the seed.
        let trace = ProcessInfo.processInfo.environment["COREDATA_RANDOM_TRACE"]
        var patience = Self.number("COREDATA_RANDOM_FAILURES") ?? 1
        for seed in first..<(first + count) {
            if let trace { try Data("\(seed)".utf8).write(to: URL(fileURLWithPath: trace)) }
            guard let failure = Self.failure(of: seed, Array(0..<Self.stepCount)) else { continue }
            Issue.record("\(Self.report(seed, failure))")
            patience -= 1
            if patience == 0 { return }
        }
    }

    private struct Failure {
        let message: String
        let log: [String]
    }

    private static func failure(of seed: UInt64, _ steps: [Int]) -> Failure? {
        do {
            let run = try RandomRun(seed: seed)
            do { try run.run(steps) } catch { return Failure(message: "\(error)", log: run.log) }
            return nil
        } catch {
            return Failure(message: "the run could not start: \(error)", log: [])
        }
    }

    /// Leaves steps out, ever fewer at a time, as long as the seed still fails.
    private static func report(_ seed: UInt64, _ failure: Failure) -> String {
        var steps = Array(0..<stepCount), least = failure
        var length = stepCount / 2
        while length >= 1 {
            var start = 0
            while start < steps.count {
                let shorter = Array(steps[..<start] + steps[min(start + length, steps.count)...])
                if let still = Self.failure(of: seed, shorter) {
                    (steps, least) = (shorter, still)
                } else {
                    start += length
                }
            }
            length /= 2
        }
        return """
            Seed \(seed) fails; replay it with COREDATA_RANDOM_SEED=\(seed).
            All \(stepCount) steps: \(failure.message)
            With \(steps.count) of them: \(least.message)
            \(least.log.joined(separator: "\n"))
            """
    }
}

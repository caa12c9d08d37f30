import CoreData
import Testing

/// Random edits under results controllers of several kinds at once.
///
/// `COREDATA_RANDOM_SEED=n` replays one seed; `COREDATA_RANDOM_FIRST` and `COREDATA_RANDOM_COUNT` say which to run
/// (`Scripts/random-results.sh` is the long form). A failure names its seed, the step and the steps before it.
@Suite("Random results")
struct RandomResultsTests {
    private static func number(_ name: String) -> UInt64? { ProcessInfo.processInfo.environment[name].flatMap { UInt64($0) } }

    @Test("FR06 FR10 FR12 FR13 FR17 FR22: Random edits, merges and refreshes: what delegates are told leads from the old results to the new ones, which are what a fetch gives")
    func randomEdits() throws {
        let first = Self.number("COREDATA_RANDOM_SEED") ?? Self.number("COREDATA_RANDOM_FIRST") ?? 1
        let count = Self.number("COREDATA_RANDOM_SEED") != nil ? 1 : Self.number("COREDATA_RANDOM_COUNT") ?? 40
        // Should a step stop the program, this file still names the seed.
        let trace = ProcessInfo.processInfo.environment["COREDATA_RANDOM_TRACE"]
        for seed in first..<(first + count) {
            if let trace { try Data("\(seed)".utf8).write(to: URL(fileURLWithPath: trace)) }
            let run = try ResultsRun(seed: seed)
            do { try run.run(steps: 14) } catch {
                Issue.record("""
                    Seed \(seed) fails; replay it with COREDATA_RANDOM_SEED=\(seed).
                    \(error)
                    \(run.log.joined(separator: "\n"))
                    """)
                return
            }
        }
    }
}

struct ResultsFailure: Error, CustomStringConvertible {
    let description: String
}

struct ResultsRandom: RandomNumberGenerator {
    private var state: UInt64
    init(_ seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var word = state
        word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
        word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
        return word ^ (word >> 31)
    }
}

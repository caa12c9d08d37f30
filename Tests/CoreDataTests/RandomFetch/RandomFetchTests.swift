import CoreData
import Foundation
import Testing

enum FetchEnvironment {
    static func number(_ name: String) -> UInt64? { ProcessInfo.processInfo.environment[name].flatMap { UInt64($0) } }
}

/// Random predicates over random data, three ways: by SQL, in memory, and by a reference of plain values.
///
/// `COREDATA_FETCH_SEED=n` replays one seed; `COREDATA_FETCH_FIRST` and `COREDATA_FETCH_COUNT` say which to run
/// (`Scripts/random-fetch.sh` is the long form), `COREDATA_FETCH_FAILURES` after how many failures to stop.
@Suite("Random fetches") @MainActor
struct RandomFetchTests {
    private static let predicateCount = 50
    private static let defaultCount: UInt64 = 8

    @Test("SQL, memory and plain values agree on random predicates, but for the listed rules of nil")
    func randomPredicates() async throws {
        let first = FetchEnvironment.number("COREDATA_FETCH_SEED") ?? FetchEnvironment.number("COREDATA_FETCH_FIRST") ?? 1
        let count = FetchEnvironment.number("COREDATA_FETCH_SEED") != nil ? 1 : FetchEnvironment.number("COREDATA_FETCH_COUNT") ?? Self.defaultCount
        var patience = FetchEnvironment.number("COREDATA_FETCH_FAILURES") ?? 1
        var coverage = FetchCoverage()
        for seed in first..<(first + count) {
            let run = try FetchRun(seed: seed)
            for number in 0..<Self.predicateCount {
                // Others need the main thread too.
                await Task.yield()
                guard let failure = Self.failure(of: run, number, &coverage) else { continue }
                Issue.record("Seed \(seed) fails at predicate \(number); replay it with COREDATA_FETCH_SEED=\(seed).\n\(failure)")
                patience -= 1
                if patience == 0 { return }
                // Changes that are not saved would speak to what follows.
                if run.sql.context.hasChanges || run.memory.context.hasChanges { break }
            }
        }
        print("\(coverage.predicates) predicates, \(coverage.found) of them find something\n\(coverage.table)")
        #expect(coverage.found * 10 >= coverage.predicates * 3)
        guard coverage.predicates >= 5000 else { return }
        for type in FetchType.allCases {
            for operation in PlainGenerator.operators(type) { #expect(coverage.count(operation, type) > 0, "\(operation) \(type)") }
        }
    }

    /// Most steps ask one predicate; every fourth is asked sorted and as dictionaries too, every tenth changes objects first.
    private static func failure(of run: FetchRun, _ number: Int, _ coverage: inout FetchCoverage) -> String? {
        if number % 10 == 9 { return run.checkPending(4, coverage: &coverage) }
        let question = run.question()
        if let failure = run.check(question, coverage: &coverage) { return failure }
        if number % 4 == 1 { return run.checkSorted(question) }
        if number % 4 == 3 { return run.checkDictionaries(question) }
        return nil
    }
}

import CoreDataTestSupport
import Testing

@testable import CoreDataSQLStorage

@Suite struct OrderKeyTests {
    private func written(_ known: [Int64?]) -> [Int64?] {
        var result = known
        for (position, key) in OrderKeys.changes(known) { result[position] = key }
        return result
    }

    @Test("New members begin at 2048 and step by 1024; what is in order is not written", arguments: [
        ([], []), ([nil, nil, nil], [2048, 3072, 4096]), ([5, 7, 9], [5, 7, 9]), ([5, nil], [5, 1029]), ([nil, 5], [-1019, 5]),
        ([2048, nil, 3072], [2048, 2560, 3072]), ([2048, 4096, 3072], [2048, 2560, 3072]), ([3072, 2048], [1024, 2048]),
        ([5, nil, 6], [2048, 3072, 4096]), ([7, 7], [-1017, 7]), ([1, nil, nil, 10], [1, 4, 7, 10]),
        ([Int64.max, nil], [2048, 3072]), ([Int64.min, nil, Int64.max], [2048, 3072, 4096]),
    ] as [([Int64?], [Int64?])])
    func keys(known: [Int64?], expected: [Int64?]) {
        #expect(written(known) == expected)
    }

    @Test("Whatever is there, what comes out is in order, and as few keys are written as can be")
    func random() {
        var random = SeededGenerator(7)
        for _ in 0..<2_000 {
            let known = (0..<Int.random(in: 0...12, using: &random)).map { _ -> Int64? in
                Bool.random(using: &random) ? nil : Int64.random(in: -20...20, using: &random) * [1, 1_000, 1 << 58].randomElement(using: &random)!
            }
            let result = written(known).compactMap { $0 }
            #expect(result.count == known.count && zip(result, result.dropFirst()).allSatisfy { $0 < $1 }, "\(known) → \(result)")
        }
    }
}

import CoreDataSchema
import CoreDataStorage

/// What every store must do. A store's tests run each of `cases` against a fresh store and expect no failures.
package enum StoreConformance {
    package static let cases: [ConformanceCase] =
        valueCases + changeCases + relationshipCases + constraintCases + predicateCases + sortCases + resultCases + batchCases

    /// What was not as it should be; empty when the store conforms.
    package static func failures(
        of conformanceCase: ConformanceCase, makeStore: (ResolvedModel) throws -> any RowStore
    ) -> [String] {
        do {
            let run = try ConformanceRun(makeStore)
            do {
                try conformanceCase.body(run)
            } catch {
                run.fail("threw \(error)")
            }
            do {
                try run.store.close()
            } catch {
                run.fail("close threw \(error)")
            }
            return run.failures
        } catch {
            return ["the store could not be made: \(error)"]
        }
    }
}

package struct ConformanceCase: Sendable, CustomStringConvertible {
    package let description: String
    let body: @Sendable (ConformanceRun) throws -> Void

    package init(_ description: String, _ body: @escaping @Sendable (ConformanceRun) throws -> Void) {
        self.description = description
        self.body = body
    }
}

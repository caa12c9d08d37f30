import Foundation

/// A fetch inside a predicate or a column. Not here: fetch first, and pass what was found.
@available(*, unavailable, message: """
    There are no fetches inside predicates here. Fetch the IDs first and pass them (“SELF IN %@”, “owner IN %@”), pass a count(for:) as a number, \
    or use SUBQUERY or ANY on a relationship.
    """)
public final class NSFetchRequestExpression {
    public static func expression(forFetch fetch: NSExpression, context: NSExpression, countOnly: Bool) -> NSExpression { fatalError("unavailable") }
}

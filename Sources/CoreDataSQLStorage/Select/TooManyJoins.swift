import CoreDataSchema

/// A part of a request follows more relationships than SQLite joins in one query.
struct TooManyJoins: DescribedError {
    /// The predicate that does; nil for an order or a column.
    var predicate: String?

    var description: String {
        let subject = predicate.map { "The predicate “\($0.count > 400 ? $0.prefix(400) + "…" : $0[...])”" } ?? "The request"
        return "\(subject) follows more relationships than SQLite joins in one query (\(SelectScope.mostJoins)). Shorten its key paths, or "
            + "fetch the objects at their end first and pass those (IN %@)."
    }
}

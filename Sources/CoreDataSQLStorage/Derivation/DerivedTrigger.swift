/// One trigger that keeps a derived attribute.
struct DerivedTrigger: Equatable {
    let name: String
    /// What follows the name.
    let body: String
    /// Calls a function that only our connections have. In the file it would lock every other program out of its table.
    var isOurs = false

    var sql: String { "CREATE TRIGGER \(name) \(body)" }
    var temporarySQL: String { "CREATE TEMP TRIGGER \(name) \(body)" }
}

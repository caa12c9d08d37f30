/// The triggers of one derived attribute.
///
/// Invariant: either all of them are of Apple's kind and stand in the file, or all are ours and stand in each connection.
struct DerivedColumn {
    let table: String
    let entityName: String
    let attributeName: String
    let form: DerivedFunction?
    let triggers: [DerivedTrigger]

    /// Whether a trigger of this name keeps the attribute, whoever made it.
    func isKept(by trigger: String) -> Bool {
        guard trigger.hasPrefix("Z_DA_"), let part = trigger.range(of: "_\(entityName)_\(attributeName)_") else { return false }
        // What follows is Apple's: SOURCE_INSERT, PARAMETER_UPDATE, …
        return trigger[part.upperBound...].allSatisfy { $0.isUppercase || $0.isNumber || $0 == "_" }
    }
}

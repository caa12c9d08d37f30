import CoreDataSQLStorage
import CoreDataSchema
import CoreDataStorage

/// What a store has and an export cannot tell: rows that are of no entity, values of another type than their attribute's.
enum ExportDoubts {
    /// `file`: opened before the session, or looking at it would leave traces.
    static func find(_ session: StoreSession, _ file: StoreFile, _ entities: [ResolvedEntity]) throws -> [String] {
        var check = try StoreCheck(session, file)
        check.entities = entities.map(\.index)
        do { try check.checkReadable() } catch {
            // A damaged database: the rows themselves tell what can be read of them.
            return []
        }
        return check.findings.map { finding in
            let examples = finding.examples.isEmpty ? "" : " (\(finding.examples.joined(separator: ", "))\(finding.count > finding.examples.count ? ", …" : ""))"
            return ["unknownEntity", "key"].contains(finding.kind) ? "left out: \(finding.place): \(finding.message)\(examples)"
                : "not told exactly: \(finding.place): \(finding.message)\(examples)"
        }
    }
}

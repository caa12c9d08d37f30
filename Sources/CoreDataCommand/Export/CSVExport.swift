import CoreDataSQLStorage
import CoreDataSchema
import CoreDataStorage
import Foundation

/// Entities as CSV: `Entity.csv` in a folder, or one entity on standard output.
struct CSVExport {
    private let session: StoreSession
    private let plans: [ExportPlan]
    private let folder: String?
    private let console: Console

    init(_ session: StoreSession, _ plans: [ExportPlan], _ arguments: Arguments, _ console: Console) throws {
        self.session = session
        self.plans = plans
        self.console = console
        folder = arguments.value("output")
        guard folder != nil || plans.count == 1 else {
            throw UsageError("CSV has one entity a file: name a folder with --output, or one entity with --entity.", ExportCommand.spec)
        }
    }

    func run(_ progress: Progress) throws -> [String] {
        guard let folder else { return try write(plans[0], to: console.output, progress) }
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        var missing: [String] = []
        for plan in plans {
            missing += try OutputFile.write("\(folder)/\(plan.entity.name).csv") { try write(plan, to: $0, progress) }
        }
        return missing
    }

    private func write(_ plan: ExportPlan, to output: TextOutput, _ progress: Progress) throws -> [String] {
        let encoder = RowEncoder(plan, session, namesEntity: false)
        var missing: [String] = []
        try output.line((["$id"] + plan.properties.map { CSVText.quoted($0.name) }).joined(separator: ","))
        try session.store.scan(plan.entity.index) { rows in
            let members = try encoder.members(of: rows)
            for (index, row) in rows.enumerated() {
                var fields = [String(row.key.primaryKey)]
                for property in plan.properties {
                    if let keys = members[property.slot] {
                        fields.append(CSVText.field(.array(keys[index].map { .string(ValueJSON.reference($0, session.model)) })))
                    } else {
                        if let file = row.external(property.slot), !file.isReadable { missing.append("\(file.path) (\(file.attribute))") }
                        fields.append(CSVText.field(ValueJSON.value(row, property, session.model)))
                    }
                }
                try output.line(fields.joined(separator: ","))
            }
            try progress.advance(rows.count)
        }
        return missing
    }
}

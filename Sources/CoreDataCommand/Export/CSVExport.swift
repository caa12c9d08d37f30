import CoreDataSQLStorage
import CoreDataSchema
import CoreDataStorage
import Foundation

/// Entities as CSV: `Entity.csv` in a folder, or one entity on standard output.
struct CSVExport {
    private let session: StoreSession
    private let plans: [ExportPlan]
    private let output: ExportOutput

    init(_ session: StoreSession, _ plans: [ExportPlan], _ output: ExportOutput) throws {
        self.session = session
        self.plans = plans
        self.output = output
        guard output.isFolder || plans.count == 1 else {
            throw UsageError("CSV has one entity a file: name a folder with --output, or one entity with --entity.", ExportCommand.spec)
        }
    }

    func run(_ progress: Progress) throws -> [String] {
        if !output.isFolder { return try output.write { try write(plans[0], to: $0, progress) } }
        // All files are looked at before the first is written.
        let files = try output.files(plans.map { $0.entity.name + ".csv" })
        var missing: [String] = []
        for (plan, file) in zip(plans, files) {
            missing += try file.write { try write(plan, to: $0, progress) }
        }
        return missing
    }

    private func write(_ plan: ExportPlan, to output: TextOutput, _ progress: Progress) throws -> [String] {
        let encoder = RowEncoder(plan, session, namesEntity: false)
        var missing: [String] = []
        try output.line((["$id"] + plan.properties.map { CSVText.quoted($0.name) }).joined(separator: ","))
        try encoder.rows { rows in
            let members = try encoder.members(of: rows)
            for (index, row) in rows.enumerated() {
                var fields = [String(row.key.primaryKey)]
                for property in plan.properties {
                    if let keys = members[property.slot] {
                        fields.append(CSVText.field(.array(keys[index].map { .string(ValueJSON.reference($0, session.model)) })))
                    } else {
                        if let file = row.external(property.slot), (try? file.read())?.isEmpty ?? true {
                            missing.append(RowEncoder.loss(of: file))
                            fields.append("")
                        } else {
                            fields.append(CSVText.field(ValueJSON.value(row, property, session.model)))
                        }
                    }
                }
                try output.line(fields.joined(separator: ","))
            }
            try progress.advance(rows.count)
        }
        return missing + encoder.losses
    }
}

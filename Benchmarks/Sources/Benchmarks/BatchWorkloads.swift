import CoreData

/// Batch requests beside the statements they come to.
struct BatchWorkloads {
    private(set) var measurements: [Measurement]
    private let samples: [Sample]
    private let dictionaries: [[String: Any]]

    init(_ samples: [Sample]) {
        self.samples = samples
        dictionaries = samples.map(\.dictionary)
        let names = ["batch insert, dictionaries", "batch insert, object handler", "batch insert, dict. handler", "batch update", "batch delete"]
        measurements = names.map { Measurement($0, rows: samples.count, target: $0.contains("dict. h") ? nil : 1.1) }
    }

    /// Each way of inserting on files of its own; the last one's rows are then changed and deleted.
    mutating func measure(_ run: Int, in folder: URL, model: NSManagedObjectModel) throws {
        let inserts: [(Engine) throws -> Void] = [
            { [dictionaries] in try $0.insertBatch(dictionaries) }, { [samples] in try $0.insertBatch(filling: samples) },
            { [samples] in try $0.insertBatch(naming: samples) },
        ]
        for (index, insert) in inserts.enumerated() {
            let rawURL = folder.appendingPathComponent("raw-\(run)-\(index)"), engineURL = folder.appendingPathComponent("engine-\(run)-\(index)")
            _ = try Engine(store: rawURL, model: model)
            let twin = RawTwin(path: rawURL.path), engine = try Engine(store: engineURL, model: model)
            measurements[index].raw.append(Cost.of { twin.insert(samples) })
            measurements[index].engine.append(try Cost.of { try insert(engine) })
            guard index == inserts.count - 1 else { continue }
            measurements[3].raw.append(Cost.of { twin.updateAll() })
            measurements[3].engine.append(try Cost.of { try engine.updateBatch() })
            measurements[4].raw.append(Cost.of { twin.deleteAll() })
            measurements[4].engine.append(try Cost.of { try engine.deleteBatch() })
        }
    }
}

import CoreData
import Foundation

/// The model and the files of a benchmark run. Every file's schema is made by the engine, so that it is the same on both sides
/// to the last index.
final class Bench {
    /// What is in a file when a workload begins. Owners have ten records each; repeated records come from few samples.
    enum Content: String {
        case empty, records, repeatedRecords, ownedRecords, entries, plain, items, wide
    }

    let folder: URL
    let model: NSManagedObjectModel
    private var samples: [Sample] = []
    private var templates: [String: URL] = [:]
    private var copies: [URL] = []

    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("Benchmarks-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        guard let url = Bundle.module.url(forResource: "Bench", withExtension: "xcdatamodeld") else {
            throw BenchmarkError("The model is not in the bundle.")
        }
        model = try NSManagedObjectModel(reading: url)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    func samples(_ count: Int) -> [Sample] {
        if samples.count != count { samples = Sample.make(count) }
        return samples
    }

    /// A file that workloads only read: made once.
    func store(_ content: Content, rows: Int) throws -> URL {
        let name = "\(content.rawValue)-\(rows).sqlite"
        if let url = templates[name] { return url }
        let url = folder.appendingPathComponent(name)
        try Engine(store: url, model: model).close()
        let twin = RawConnection(url)
        fill(twin, content, rows)
        twin.run("PRAGMA wal_checkpoint(TRUNCATE)")
        templates[name] = url
        return url
    }

    private func fill(_ twin: RawConnection, _ content: Content, _ rows: Int) {
        switch content {
        case .empty: break
        case .records: RawRecords(twin, .records).insert(samples(rows))
        case .repeatedRecords:
            let records = RawRecords(twin, .records), part = Sample.make(min(rows, 10_000))
            for start in stride(from: 0, to: rows, by: part.count) { records.insert(part.prefix(rows - start)) }
        case .ownedRecords:
            RawOwners(twin).insert((rows + 9) / 10)
            RawRecords(twin, .records).insert(samples(rows), recordsPerOwner: 10)
        case .entries: RawRecords(twin, .entries).insert(samples(rows))
        case .plain: RawRecords(twin, .plain).insert(samples(rows))
        case .items: RawRecords(twin, .items).insert(samples(rows))
        case .wide: RawWides(twin).insert(rows)
        }
    }

    /// A file to write to; gone at the next `discardCopies`.
    func copy(_ content: Content, rows: Int) throws -> URL {
        let copy = folder.appendingPathComponent("copy-\(UUID().uuidString).sqlite")
        try FileManager.default.copyItem(at: store(content, rows: rows), to: copy)
        copies.append(copy)
        return copy
    }

    func discardCopies() {
        for copy in copies {
            for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: copy.path + suffix) }
        }
        copies = []
    }

    /// Lets go of files of another number of rows.
    func discardAll() {
        discardCopies()
        for template in templates.values { try? FileManager.default.removeItem(at: template) }
        templates = [:]
        samples = []
    }
}

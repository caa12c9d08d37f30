import CoreData
import CoreDataTestSupport
import Foundation
import Testing

/// A store of the corpus, and a model for it when an XML one is there.
struct AppleStore: Sendable, CustomTestStringConvertible {
    let url: URL
    let model: URL?
    /// Framework version that wrote it, for the record.
    let framework: Int
    var testDescription: String { url.deletingPathExtension().lastPathComponent }

    /// Read from the corpus' index, the large ones only when asked for; empty, and said aloud, without one.
    static let all: [AppleStore] = {
        guard let corpus = Corpus.url("corpus"),
              let index = try? String(contentsOf: corpus.appendingPathComponent("INDEX.tsv"), encoding: .utf8)
        else {
            Corpus.skip("stores")
            return []
        }
        var stores: [AppleStore] = []
        for line in index.split(whereSeparator: \.isNewline) {
            let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
            guard fields.count > 6, fields[0] == "store" else { continue }
            let notes = fields[6]
            let model = notes.range(of: "PAIR=").map { notes[$0.upperBound...].prefix { $0 != "(" } }
            let framework = notes.range(of: "fw=").flatMap { Int(notes[$0.upperBound...].prefix(while: \.isNumber)) }
            stores.append(AppleStore(
                url: corpus.appendingPathComponent(fields[1]), model: model.map { corpus.appendingPathComponent(String($0)) },
                framework: framework ?? 0))
        }
        stores = stores.filter { FileManager.default.fileExists(atPath: $0.url.path) }
        let isWhole = ProcessInfo.processInfo.environment["COREDATA_CORPUS_WHOLE"] != nil
        let share = isWhole ? stores : stores.filter { $0.size <= 400_000 }
        Corpus.say("stores: \(share.count) of \(stores.count), of them \(share.count { $0.model != nil }) with a model"
            + (isWhole ? "" : " (COREDATA_CORPUS_WHOLE=1 takes the large ones too)"))
        return share
    }()

    private var size: Int {
        ["", "-wal"].reduce(0) { $0 + ((try? FileManager.default.attributesOfItem(atPath: url.path + $1)[.size] as? Int) ?? nil ?? 0) }
    }

    /// A copy with its siblings, to be written to.
    func copy(in folder: TemporaryFolder, named name: String = "Store.sqlite") throws -> URL {
        let target = folder.file(name)
        for suffix in ["", "-wal", "-shm"] where FileManager.default.fileExists(atPath: url.path + suffix) {
            try FileManager.default.copyItem(atPath: url.path + suffix, toPath: target.path + suffix)
        }
        return target
    }

    /// What an independent program reads; nil where there is no Python.
    static func rows(_ store: URL, model: URL? = nil, raw: Bool = false) throws -> [String: [String: [String: Any]]]? {
        guard let python = ["/usr/bin/python3", "/usr/local/bin/python3"].first(where: FileManager.default.isExecutableFile) else { return nil }
        let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../../../Scripts/store-rows.py")
        let process = Process()
        process.executableURL = URL(fileURLWithPath: python)
        process.arguments = [script.standardizedFileURL.path, store.path] + (model.map { ["--model", $0.path] } ?? []) + (raw ? ["--raw"] : [])
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw AppleStoreError(text: "the script failed on \(store.path)") }
        let list = try JSONSerialization.jsonObject(with: data)
        return try #require(list as? [String: [String: [String: Any]]])
    }
}

struct AppleStoreError: Error { let text: String }

/// Opens a store on a coordinator of its own.
func openAppleStore(_ url: URL, model: NSManagedObjectModel, options: [AnyHashable: Any]? = nil) throws -> NSManagedObjectContext {
    let coordinator = try NSPersistentStoreCoordinator(validating: model)
    try coordinator.addPersistentStore(ofType: NSSQLiteStoreType, configurationName: nil, at: url, options: options)
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    return context
}

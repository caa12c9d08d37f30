import CoreData
import Foundation

// Usage: Benchmarks [--rows N] [--runs N] [--json]
func option(_ name: String, _ fallback: Int) -> Int {
    guard let index = CommandLine.arguments.firstIndex(of: name), index + 1 < CommandLine.arguments.count else { return fallback }
    return Int(CommandLine.arguments[index + 1]) ?? fallback
}

let rows = option("--rows", 100_000)
let runs = max(1, option("--runs", 7))
let samples = Sample.make(rows)
let folder = FileManager.default.temporaryDirectory.appendingPathComponent("Benchmarks-\(UUID().uuidString)")
try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
defer { try? FileManager.default.removeItem(at: folder) }
guard let url = Bundle.module.url(forResource: "Bench", withExtension: "xcdatamodeld") else { fatalError("The model is not in the bundle.") }
let model = try NSManagedObjectModel(reading: url)

var insert = Measurement(name: "insert \(rows) and save", rows: rows)
var faults = Measurement(name: "fetch \(rows) as faults, not read", rows: rows)
var fetch = Measurement(name: "fetch \(rows), every value read", rows: rows)
var update = Measurement(name: "update one property of \(rows)", rows: rows)

for run in 0..<runs {
    // Both sides write to a schema the engine made, so that it is the same to the last index.
    let rawURL = folder.appendingPathComponent("raw-\(run).sqlite"), engineURL = folder.appendingPathComponent("engine-\(run).sqlite")
    _ = try Engine(store: rawURL, model: model)
    let twin = RawTwin(path: rawURL.path)
    insert.raw.append(Measurement.time { twin.insert(samples) })
    var rawRows: [RawTwin.Row] = []
    let rawFetch = Measurement.time { rawRows = twin.fetch() }
    fetch.raw.append(rawFetch)
    faults.raw.append(rawFetch)
    update.raw.append(Measurement.time { twin.update(rawRows) })
    rawRows = []

    var engine = try Engine(store: engineURL, model: model)
    insert.engine.append(try Measurement.time { try engine.insert(samples) })
    // A new coordinator: nothing is cached.
    engine = try Engine(store: engineURL, model: model)
    var records: [Record] = []
    let faultTime = try Measurement.time { records = try engine.fetch() }
    faults.engine.append(faultTime)
    var sum = 0
    fetch.engine.append(faultTime + Measurement.time { sum = engine.read(records) })
    precondition(records.count == rows && sum != 0)
    update.engine.append(try Measurement.time { try engine.update(records) })
}

let all = [insert, faults, fetch, update]
if CommandLine.arguments.contains("--json") {
    let data = try JSONSerialization.data(withJSONObject: all.map(\.json), options: [.prettyPrinted, .sortedKeys])
    print(String(decoding: data, as: UTF8.self))
} else {
    print("median of \(runs)".padding(toLength: 34, withPad: " ", startingAt: 0) + "  raw ns/row  ours ns/row  ratio")
    for measurement in all { print(measurement.line) }
}

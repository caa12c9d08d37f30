import CoreData
import Foundation

func fail(_ message: String) -> Never {
    FileHandle.standardError.write(Data((message + "\nUsage: Benchmarks [--rows N] [--runs N] [--json] [--lists]\n").utf8))
    exit(64)
}

var (rows, runs, isJSON, listsOnly) = (100_000, 7, false, false)
var arguments = CommandLine.arguments.dropFirst().makeIterator()
while let argument = arguments.next() {
    func number() -> Int {
        guard let text = arguments.next(), let value = Int(text), value > 0 else { fail("\(argument) takes a number above 0.") }
        return value
    }
    switch argument {
    case "--rows": rows = number()
    case "--runs": runs = number()
    case "--json": isJSON = true
    case "--lists": listsOnly = true
    default: fail("Unknown argument \(argument).")
    }
}

let samples = Sample.make(rows)
let folder = FileManager.default.temporaryDirectory.appendingPathComponent("Benchmarks-\(UUID().uuidString)")
try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
defer { try? FileManager.default.removeItem(at: folder) }
guard let url = Bundle.module.url(forResource: "Bench", withExtension: "xcdatamodeld") else { fail("The model is not in the bundle.") }
let model = try NSManagedObjectModel(reading: url)
if listsOnly {
    try ResultsWorkload.run([1_000, 10_000, 100_000].filter { $0 <= rows }, in: folder, model: model)
    try? FileManager.default.removeItem(at: folder)
    exit(0)
}

var insert = Measurement("insert and save", rows: rows, target: 1.4)
var faults = Measurement("fetch, nothing read", rows: rows)
var fetch = Measurement("fetch, every value read", rows: rows, target: 1.5)
var update = Measurement("update one property and save", rows: rows)
var batches = BatchWorkloads(samples)

for run in 0..<runs {
    try batches.measure(run, in: folder, model: model)
    // Both sides write to a schema the engine made, so that it is the same to the last index.
    let rawURL = folder.appendingPathComponent("raw-\(run).sqlite"), engineURL = folder.appendingPathComponent("engine-\(run).sqlite")
    _ = try Engine(store: rawURL, model: model)
    let twin = RawTwin(path: rawURL.path)
    insert.raw.append(Cost.of { twin.insert(samples) })
    twin.reopen()
    var rawRows: [RawTwin.Row] = []
    let rawFetch = Cost.of { rawRows = twin.fetch() }
    fetch.raw.append(rawFetch)
    faults.raw.append(rawFetch)
    update.raw.append(Cost.of { twin.update(rawRows) })
    rawRows = []

    var engine = try Engine(store: engineURL, model: model)
    insert.engine.append(try Cost.of { try engine.insert(samples) })
    // A new coordinator: nothing is cached.
    engine = try Engine(store: engineURL, model: model)
    var records: [Record] = []
    let faultCost = try Cost.of { records = try engine.fetch() }
    faults.engine.append(faultCost)
    var sum = 0
    fetch.engine.append(faultCost + Cost.of { sum = engine.read(records) })
    precondition(records.count == rows && sum != 0)
    update.engine.append(try Cost.of { try engine.update(records) })
}

let all = [insert, faults, fetch, update] + batches.measurements
if isJSON {
    let data = try JSONSerialization.data(withJSONObject: all.map(\.json), options: [.prettyPrinted, .sortedKeys])
    print(String(decoding: data, as: UTF8.self))
} else {
    print("\(rows) rows of 13 columns, medians of \(runs) runs")
    print(Measurement.head)
    for measurement in all { print(measurement.line) }
}

import CoreData
import CoreDataTestSupport
import Foundation
import Testing

/// Compares every row of a store, read through the object graph, with what an independent program reads.
enum RowComparison {
    /// What differs, empty when nothing does. `done` is told how many rows and values were compared.
    static func run(
        _ url: URL, model: NSManagedObjectModel, xml: URL?, done: (Int, Int) -> Void = { _, _ in }
    ) throws -> [String] {
        guard let expected = try AppleStore.rows(url, model: xml) else {
            Corpus.say("SKIPPED rows: no python3")
            return []
        }
        let context = try openAppleStore(url, model: model, options: [NSReadOnlyPersistentStoreOption: true])
        return try context.performAndWait {
            var rows = 0, values = 0
            var differences: [String] = []
            var seen: [String: Set<String>] = [:]
            for entity in model.entities where entity.superentity == nil {
                for object in try context.fetch(NSFetchRequest<NSManagedObject>(entityName: entity.name ?? "")) {
                    let name = ObjectImage.name(of: object).split(separator: "/").map(String.init)
                    seen[name[0], default: []].insert(name[1])
                    rows += 1
                    guard let row = expected[name[0]]?[name[1]] else {
                        differences.append("\(name) is not in the file")
                        continue
                    }
                    for (key, value) in ObjectImage.values(of: object) {
                        values += 1
                        let right: String? = (row[key] as? String) ?? (row[key] as? [String])?.joined(separator: ",")
                        // What a transformable's bytes mean is its transformer's business.
                        let isOpaque = object.entity.attributesByName[key]?.attributeType == .transformableAttributeType
                        if isOpaque ? right == nil && value != nil : !isSame(value, right) {
                            differences.append("\(name) \(key): \(value ?? "nil") ≠ \(right ?? "nil")")
                        }
                    }
                }
            }
            for (entity, keys) in expected where seen[entity] ?? [] != Set(keys.keys) {
                differences.append("\(entity): \(seen[entity]?.count ?? 0) of \(keys.count) rows")
            }
            done(rows, values)
            return differences
        }
    }

    private static func isSame(_ value: String?, _ right: String?) -> Bool {
        // A value in a file: the script names the file, the graph has its bytes.
        if let right, right.hasPrefix("f"), UUID(uuidString: String(right.dropFirst())) != nil { return value?.hasPrefix("b") == true }
        return value == right
    }
}

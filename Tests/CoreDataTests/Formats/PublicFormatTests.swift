import CoreData
import CoreDataPredicate
import CoreDataTestSupport
import Testing

/// What a fetched property's variables stand for.
private final class FetchSource: NSObject {
    let alias = "text"
    let k1 = "text"
    let userInfo = ["search": "text"]
}

@Suite("Formats of public code")
struct PublicFormatTests {
    /// Formats about a collection or a text that is itself evaluated: no fetch has such a subject.
    private static let subjectless: Set<String> = ["SELF CONTAINS %@"]

    private func arguments(_ format: String, _ fitting: FittingModel) -> [Any?] {
        PublicFormats.arguments(for: format).enumerated().map { index, argument in
            switch argument {
            case .value(.string(let text)) where PublicFormats.isMark(text): fitting.values[PublicFormats.mark(index)] ?? "text"
            case .value(.string(let text)): text
            default: 1
            }
        }
    }

    @Test("Each parses, prints, parses back, and runs on both kinds of store with a model that fits")
    func everyFormat() throws {
        guard let formats = PublicFormats.read() else { return Corpus.skip("predicates.txt") }
        var ran = 0
        for format in formats {
            let fitting = FittingModel(try PredicateFormat.parse(format, arguments: PublicFormats.arguments(for: format)))
            let arguments = arguments(format, fitting)
            let predicate = try NSPredicate(validating: format, arguments: arguments)
            #expect(try NSPredicate(validating: predicate.formatText) == predicate, "\(format)")
            let bound = predicate.withSubstitutionVariables([
                "FETCH_SOURCE": FetchSource(), "FETCHED_PROPERTY": FetchSource(),
            ])
            if Self.subjectless.contains(format) {
                _ = bound.evaluate(with: "text")
                continue
            }
            for type in [NSInMemoryStoreType, NSSQLiteStoreType] { try run(bound, fitting, type: type, format) }
            ran += 1
        }
        print("predicates.txt: \(formats.count) formats parsed and printed, \(ran) run on two stores")
        #expect(ran > 300)
    }

    private func run(_ predicate: NSPredicate, _ fitting: FittingModel, type: String, _ format: String) throws {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: fitting.make())
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("formats-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let url = type == NSSQLiteStoreType ? folder.appendingPathComponent("Formats.sqlite") : nil
        try coordinator.addPersistentStore(ofType: type, configurationName: nil, at: url)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        context.performAndWait {
            NSEntityDescription.insertNewObject(forEntityName: "Root", into: context)
            let request = NSFetchRequest<NSManagedObject>(entityName: "Root")
            request.predicate = predicate
            do {
                try context.save()
                let found = try context.fetch(request).count
                #expect(try context.count(for: request) == found, "\(format)")
            } catch {
                Issue.record("\(type): \(format) → \(predicate.formatText): \((error as NSError).localizedDescription)")
            }
        }
    }
}

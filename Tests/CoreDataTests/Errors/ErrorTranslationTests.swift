import CoreData
import CoreDataPredicate
import CoreDataSchema
import CoreDataStorage
import Testing

@Suite("Errors at the public surface")
struct ErrorTranslationTests {
    @Test("Store errors get Apple's codes, keep text, path and cause", arguments: [
        (StoreError.notADatabase(path: "/x/a.sqlite", reason: "bad header"), 259, 26), (.notACoreDataStore(path: "/x/a.sqlite", reason: "no tables"), 259, nil),
        (.readOnly(path: "/x/a.sqlite"), 513, 8), (.busy(path: "/x/a.sqlite", seconds: 2), 134090, 5),
        (.diskFull(path: "/x/a.sqlite"), 640, 13), (.closed(path: "/x/a.sqlite"), 134070, nil),
        (.sqlite(path: "/x/a.sqlite", code: 11, message: "malformed", sql: "SELECT 1"), 134180, 11),
    ] as [(StoreError, Int, Int?)])
    func store(error: StoreError, code: Int, sqlite: Int?) {
        let translated = ErrorTranslation.error(error)
        #expect(translated.domain == NSCocoaErrorDomain && translated.code == code)
        #expect(translated.localizedDescription == error.description)
        #expect(translated.userInfo[NSFilePathErrorKey] as? String == "/x/a.sqlite")
        #expect((translated.userInfo[NSSQLiteErrorDomain] as? NSNumber)?.intValue == sqlite)
        #expect(translated.userInfo[NSUnderlyingErrorKey] is StoreError)
    }

    @Test("Requests a store does not understand, and wrong ones, have codes of their own")
    func requests() {
        #expect(ErrorTranslation.error(StoreError.unsupported("no")).code == 134091)
        let wrong = ErrorTranslation.error(StoreError.invalidRequest("There is no property “x”."))
        #expect(wrong.code == 134060 && wrong.localizedDescription == "There is no property “x”." && wrong.userInfo[NSFilePathErrorKey] == nil)
    }

    @Test("A file that cannot be opened gets the code of what stands in the way")
    func opening() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("open-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        func code(_ path: String) -> Int { ErrorTranslation.error(StoreError.cannotOpen(path: path, reason: "why")).code }
        #expect(code(folder.path) == 256, "a folder in its place")
        #expect(code(folder.appendingPathComponent("none/a.sqlite").path) == 512, "no such folder")
        #expect(code(folder.appendingPathComponent("a.sqlite").path) == 513, "the folder does not take files")
    }

    @Test("134100 carries both lists of hashes and names the entities that differ")
    func incompatible() {
        let error = ErrorTranslation.error(StoreError.incompatibleModel(
            path: "/x/a.sqlite", differences: ["Person changed"], storeHashes: ["Person": [1]], modelHashes: ["Person": [2]]))
        #expect(error.code == NSPersistentStoreIncompatibleVersionHashError && error.localizedDescription.contains("Person changed"))
        let metadata = error.userInfo[ErrorTranslation.metadataKey] as? [String: Any]
        #expect(metadata?[NSStoreModelVersionHashesKey] as? [String: Data] == ["Person": Data([1])])
        #expect(error.userInfo[ErrorTranslation.modelHashesKey] as? [String: Data] == ["Person": Data([2])])
    }

    @Test("Model and format errors are in Apple's domain too, others stay what they are")
    func rest() {
        let model = ErrorTranslation.error(ModelError.duplicateEntity("A"))
        #expect(model.domain == NSCocoaErrorDomain && model.code == 134060 && model.localizedDescription.contains("“A”"))
        let format = ErrorTranslation.error(PredicateFormatError(format: "a =", position: 3, reason: "no value"))
        #expect(format.code == 2048 && format.userInfo[ErrorTranslation.positionKey] as? Int == 3)
        let foreign = NSError(domain: "Elsewhere", code: 5)
        #expect(ErrorTranslation.error(foreign) === foreign)
        let cocoa = ErrorTranslation.error(CocoaError(.managedObjectMerge))
        #expect(cocoa.domain == NSCocoaErrorDomain && cocoa.code == 133020)
    }
}

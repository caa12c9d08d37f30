import CoreDataModelFile
import CoreDataSchema
import Foundation

extension NSManagedObjectModel {
    /// The current version of the model in a file: `.momd`, `.mom`, `.xcdatamodeld` or `.xcdatamodel`. nil when it cannot
    /// be read; `init(reading:)` says why.
    public convenience init?(contentsOf url: URL) { try? self.init(reading: url) }

    /// The current version of the model in a file: `.momd`, `.mom`, `.xcdatamodeld` or `.xcdatamodel`.
    ///
    /// Throws an error in `NSCocoaErrorDomain` whose text says which file and line, what is wrong and what to do:
    /// `NSFileReadNoSuchFileError` when nothing is there, `NSFileReadCorruptFileError` when it is no model.
    public convenience init(reading url: URL) throws {
        do {
            let contents = try ModelFile.readCurrent(at: url)
            self.init(contents, version: contents.currentVersionName, url: url)
        } catch {
            throw ErrorTranslation.error(error)
        }
    }

    /// Glue for models kept in generated code: Xcode's XML form, which the generator has checked.
    public convenience init(_contents text: StaticString) {
        do {
            self.init(schema: try ModelFile.read(contents: Data(text.description.utf8), name: "generated code"))
        } catch {
            raise(.generic, "A model in generated code cannot be read: \(error.message) Generate it again.")
        }
    }

    /// One version of what a file holds.
    package convenience init(_ contents: ModelFileContents, version: String, url: URL) {
        let schema = contents.versions[version] ?? ModelSchema()
        self.init(schema: schema)
        origin = ModelOrigin(
            url: url, versionName: version, schema: schema, recordedHashes: contents.recordedHashes[version] ?? [:],
            recordedChecksum: contents.recordedChecksums[version])
    }

    /// Every version in a file, by name. Throws as `init(reading:)` does.
    package static func versions(at url: URL) throws -> [String: NSManagedObjectModel] {
        do {
            let contents = try ModelFile.read(at: url)
            return Dictionary(uniqueKeysWithValues: contents.versions.keys.map {
                ($0, NSManagedObjectModel(contents, version: $0, url: url))
            })
        } catch {
            throw ErrorTranslation.error(error)
        }
    }
}

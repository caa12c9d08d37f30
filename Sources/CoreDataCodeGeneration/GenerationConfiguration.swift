import CoreDataModelFile
import Foundation

/// What a configuration file says of a model's code:
///
///     {
///         "access": "internal", "codegen": "class", "types": "xcode", "superclass": "Record", "imports": ["Base"],
///         "embedModel": true,
///         "entities": { "Person": { "codegen": "category", "access": "public" } }
///     }
///
/// Everything may be left out. What an entity says counts for it alone.
package struct GenerationConfiguration: Sendable, Equatable {
    package struct Settings: Sendable, Equatable {
        package var access: GenerationOptions.Access?
        /// For a model: of entities that do not say. For an entity: whatever the model says.
        package var codegen: CodeGenerationChoice?
        package var types: TypeStyle?
        /// For a model: of classes without a superclass in the model.
        package var superclass: String?
    }

    package var general = Settings()
    package var entities: [String: Settings] = [:]
    package var imports: [String] = []
    package var embedsModel: Bool?
    /// What the model in the code is called, where its own name will not do.
    package var embeddedName: String?

    package init() {}

    /// Reads a file. Throws what is wrong with it, so that a typing mistake does not pass for a setting.
    package init(_ data: Data, path: String) throws(GenerationError) {
        let reader = Reader(path: path)
        let root = try reader.object(data)
        try reader.check(root, known: Reader.settings + ["embedModel", "entities", "imports"], "")
        general = try reader.settings(root, "")
        embeddedName = (root["embedModel"] as? String).flatMap { SwiftName.isIdentifier($0) ? $0 : nil }
        embedsModel = try reader.value(root, "embedModel", "true, false or a name for the model", "") { value in
            value as? Bool ?? (embeddedName == nil ? nil : true)
        }
        imports = try reader.value(root, "imports", "a list of modules", "") { value in
            (value as? [String]).flatMap { $0.allSatisfy(SwiftName.isIdentifier) ? $0 : nil }
        } ?? []
        let named = try reader.value(root, "entities", "an object with a member for each entity", "") { $0 as? [String: [String: Any]] } ?? [:]
        for (name, members) in named.sorted(by: { $0.key < $1.key }) {
            try reader.check(members, known: Reader.settings, name)
            entities[name] = try reader.settings(members, name)
        }
    }

    /// Reads the file at a place.
    package init(at url: URL) throws(GenerationError) {
        guard let data = FileManager.default.contents(atPath: url.path) else {
            throw GenerationError(.configuration, path: url.path, line: nil, "The configuration cannot be read.")
        }
        try self.init(data, path: url.path)
    }

    private struct Reader {
        let path: String
        static let settings = ["access", "codegen", "types", "superclass"]

        func object(_ data: Data) throws(GenerationError) -> [String: Any] {
            let value: Any
            do { value = try JSONSerialization.jsonObject(with: data) } catch {
                throw mistake("The configuration is no JSON: \((error as NSError).userInfo[NSDebugDescriptionErrorKey] ?? error.localizedDescription)")
            }
            guard let object = value as? [String: Any] else { throw mistake("The configuration is no JSON object: write { … }.") }
            return object
        }

        func check(_ object: [String: Any], known: [String], _ entity: String) throws(GenerationError) {
            guard let stray = object.keys.filter({ !known.contains($0) }).min() else { return }
            throw mistake("There is no setting “\(stray)”\(place(entity)). There are: \(known.joined(separator: ", ")).")
        }

        func settings(_ object: [String: Any], _ entity: String) throws(GenerationError) -> Settings {
            var settings = Settings()
            settings.access = try choice(object, "access", entity)
            settings.codegen = try choice(object, "codegen", entity)
            settings.types = try choice(object, "types", entity)
            settings.superclass = try value(object, "superclass", "the name of a class", entity) { value in
                (value as? String).flatMap { SwiftName.isTypeText($0) ? $0 : nil }
            }
            return settings
        }

        private func choice<T: RawRepresentable & CaseIterable>(
            _ object: [String: Any], _ key: String, _ entity: String
        ) throws(GenerationError) -> T? where T.RawValue == String {
            try value(object, key, T.allCases.map(\.rawValue).joined(separator: ", "), entity) { ($0 as? String).flatMap(T.init(rawValue:)) }
        }

        func value<T>(
            _ object: [String: Any], _ key: String, _ expected: String, _ entity: String, _ convert: (Any) -> T?
        ) throws(GenerationError) -> T? {
            guard let value = object[key] else { return nil }
            if let result = convert(value) { return result }
            throw mistake("“\(key)”\(place(entity)) is \(value), which is not what it takes: \(expected).")
        }

        private func place(_ entity: String) -> String { entity.isEmpty ? "" : " of “\(entity)”" }

        func mistake(_ message: String) -> GenerationError { GenerationError(.configuration, path: path, line: nil, message) }
    }
}

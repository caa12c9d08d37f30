import CoreDataModelFile
import CoreDataPredicate
import CoreDataSQLStorage
import CoreDataSchema
import CoreDataStorage

/// What the model a store keeps tells beyond its version hashes, when those differ from the model's it is to be opened with.
struct StoredModelComparison {
    private let model: ModelSchema
    private let kept: ModelSchema
    private let storeHashes: [String: [UInt8]]
    private let modelHashes: [String: [UInt8]]

    /// nil when the store keeps no model that can be read.
    init?(of url: URL, with model: ModelSchema, storeHashes: [String: [UInt8]], modelHashes: [String: [UInt8]]) {
        guard let archive = try? StoreContents.read(url).modelArchive,
              let kept = try? ArchivedModelReader(archive, path: url.path).schema else { return nil }
        self.model = model
        self.kept = kept
        self.storeHashes = storeHashes
        self.modelHashes = modelHashes
    }

    private var differing: [String] { storeHashes.keys.filter { modelHashes[$0] != storeHashes[$0] } }

    /// The model's hashes with the store's for entities whose hash nobody but Apple can compute; nil unless the models say the same
    /// of all of them.
    func adoptedHashes() -> [String: [UInt8]]? {
        let uncomputable = Set(VersionHash.uncomputable(in: model))
        guard Set(storeHashes.keys) == Set(modelHashes.keys), !uncomputable.isDisjoint(with: differing),
              differing.allSatisfy(uncomputable.contains), let mine = try? VersionHash.entityHashes(of: model),
              let theirs = try? VersionHash.entityHashes(of: kept),
              differing.allSatisfy({ mine[$0] == theirs[$0] && derivations(of: $0, in: model) == derivations(of: $0, in: kept) })
        else { return nil }
        return modelHashes.merging(storeHashes) { $1 }
    }

    private func derivations(of entity: String, in schema: ModelSchema) -> [String: String] {
        let attributes = schema.entity(named: entity)?.attributes ?? []
        return Dictionary(attributes.compactMap { attribute in
            attribute.derivationFormat.map { (attribute.name, normalized($0)) }
        }) { first, _ in first }
    }

    /// Archives write `pages.@count` as `count:(pages)`.
    private func normalized(_ format: String) -> String {
        guard let tree = try? PredicateFormat.parseExpression(format) else { return format }
        if case .function(let name, let arguments) = tree, arguments.count == 1, case .keyPath(.evaluatedObject, let path) = arguments[0] {
            if name == "count:" || name == "sum:" { return (path + ["@" + name.dropLast()]).joined(separator: ".") }
        }
        return PredicatePrinter.text(of: tree)
    }

    /// The lines about changed entities, each with what changed in it.
    func detailed(_ differences: [String]) -> [String] {
        differences.map { line in
            guard let name = differing.first(where: { line.hasPrefix($0 + ": changed") }), let old = kept.entity(named: name),
                  let new = model.entity(named: name) else { return line }
            let changes = changes(from: old, to: new)
            return changes.isEmpty ? line : "\(name): changed (\(changes.joined(separator: ", ")))"
        }
    }

    private func changes(from old: EntitySchema, to new: EntitySchema) -> [String] {
        var changes = named("attribute", old.attributes.filter { !$0.isTransient }.map { ($0.name, $0.versionHash) },
                            new.attributes.filter { !$0.isTransient }.map { ($0.name, $0.versionHash) })
        changes += named("relationship", old.relationships.filter { !$0.isTransient }.map { ($0.name, $0.versionHash) },
                         new.relationships.filter { !$0.isTransient }.map { ($0.name, $0.versionHash) })
        if old.superentityName != new.superentityName { changes.append("another superentity") }
        if old.isAbstract != new.isAbstract { changes.append(new.isAbstract ? "now abstract" : "no longer abstract") }
        if Set(old.uniquenessConstraints) != Set(new.uniquenessConstraints) { changes.append("other uniqueness constraints") }
        if old.versionHashModifier != new.versionHashModifier { changes.append("another hash modifier") }
        return changes
    }

    private func named(_ kind: String, _ old: [(String, [UInt8])], _ new: [(String, [UInt8])]) -> [String] {
        let (before, after) = (Dictionary(old) { $1 }, Dictionary(new) { $1 })
        return Set(before.keys).union(after.keys).sorted().compactMap { name in
            switch (before[name], after[name]) {
            case (nil, _): "\(kind) “\(name)” is new"
            case (_, nil): "\(kind) “\(name)” is gone"
            case (let a, let b): a == b ? nil : "\(kind) “\(name)” is declared otherwise"
            }
        }
    }
}

import CoreDataSchema
import Foundation

/// The entities of an application and how they hang together.
///
/// A model can be changed until a coordinator uses it; changing it later stops the program. Change a copy instead.
///
/// Unchecked Sendable: the lock guards everything until the model is frozen; from then on only class bindings change,
/// which have a lock of their own.
open class NSManagedObjectModel: NSObject, NSCopying, @unchecked Sendable {
    private let lock = NSRecursiveLock()
    private var members: [NSEntityDescription] = []
    private var subsets: [(name: String, entities: [NSEntityDescription])] = []
    private var templates: [String: FetchTemplate] = [:]
    private var identifiers: Set<AnyHashable> = []
    private var localization: [String: String]?
    private var frozen: Frozen?
    private var knownHashes: [String: Data]?
    private var hashesOfStores: [String: [UInt8]] = [:]
    /// The file the model was read from; nil for one built in code, merged or copied.
    package internal(set) var origin: ModelOrigin?
    /// Which class stands for which entity in this model.
    package let classes = EntityClassTable()
    package let runtimeCache = LockedValue(RuntimeCache())

    /// What is made once when the model is first used.
    private struct Frozen {
        let resolved: ResolvedModel
        let byIndex: [NSEntityDescription]
        let byName: [String: NSEntityDescription]
    }

    /// An empty model, to be filled in code.
    public override init() { super.init() }

    /// The entities. An entity is part of one model only.
    open var entities: [NSEntityDescription] {
        get { locked { members } }
        set {
            locked {
                requireMutable()
                for entity in members where entity.owningModel === self { entity.owningModel = nil }
                for entity in newValue {
                    if let other = entity.owningModel, other !== self { entity.requireMutable() }
                    entity.owningModel = self
                }
                members = newValue
                subsets = subsets.map { subset in (subset.name, subset.entities.filter { $0.owningModel === self }) }
                knownHashes = nil
            }
            // Outside the lock: the table takes it when it looks for entities.
            classes.forget()
        }
    }

    /// The entities by name.
    open var entitiesByName: [String: NSEntityDescription] {
        locked { frozen?.byName ?? NSEntityDescription.byName(members) { $0.name } }
    }

    /// The names of the configurations, subsets of the entities that stores can be opened with.
    open var configurations: [String] { locked { subsets.map(\.name) } }

    /// The entities of a configuration: all for nil, nil for a name the model has not.
    open func entities(forConfigurationName configuration: String?) -> [NSEntityDescription]? {
        locked {
            guard let configuration, configuration != Self.defaultConfigurationName else { return members }
            return subsets.first { $0.name == configuration }?.entities
        }
    }

    /// The name by which Apple's framework calls the configuration that nil stands for.
    package static let defaultConfigurationName = "PF_DEFAULT_CONFIGURATION_NAME"

    /// Makes some of the model's entities a configuration.
    open func setEntities(_ entities: [NSEntityDescription], forConfigurationName configuration: String) {
        locked {
            requireMutable()
            for entity in entities where entity.owningModel !== self {
                fatalError("The entity “\(entity.name ?? "?")” cannot be in the configuration “\(configuration)” of a model it is not part of.")
            }
            if let index = subsets.firstIndex(where: { $0.name == configuration }) {
                subsets[index].entities = entities
            } else {
                subsets.append((configuration, entities))
            }
        }
    }

    /// Names by which an application tells versions of the model apart; they are not compared with a store.
    open var versionIdentifiers: Set<AnyHashable> {
        get { locked { identifiers } }
        set { locked { identifiers = newValue } }
    }

    /// Texts for names of entities, properties and errors, by keys such as "Entity/Person"; nil is none.
    open var localizationDictionary: [String: String]? {
        get { locked { localization } }
        set { locked { localization = newValue } }
    }

    // MARK: What subclasses may override, as at Apple's; the work is done in the files of each aspect

    /// The models in some bundles as one; nil bundles are the main bundle and, when that has none, the resource bundles
    /// beside the executable. nil when no model is found, one cannot be read, or they contradict one another.
    open class func mergedModel(from bundles: [Bundle]?) -> NSManagedObjectModel? { merged(bundles) }

    /// The version of the models in some bundles that a store was made with; nil when there is none.
    open class func mergedModel(from bundles: [Bundle]?, forStoreMetadata metadata: [String: Any]) -> NSManagedObjectModel? {
        merged(bundles, for: metadata)
    }

    /// Entity name to version hash; empty when the model is not sound.
    open var entityVersionHashesByName: [String: Data] { (try? versionHashes()) ?? [:] }

    /// A text that differs when any entity's hash does; empty when the model is not sound.
    open var versionChecksum: String { checksum() }

    /// Whether a store with this metadata can be opened with a configuration of the model: the store was made with the
    /// same entities, and each has the same version hash.
    open func isConfiguration(withName configuration: String?, compatibleWithStoreMetadata metadata: [String: Any]) -> Bool {
        fits(configuration, metadata)
    }

    /// The fetch request templates by name, as requests that can be executed or changed.
    open var fetchRequestTemplatesByName: [String: NSFetchRequest<NSFetchRequestResult>] { templateRequests }

    /// A fetch request template as a request that can be executed or changed; nil for a name the model has not. Use
    /// `fetchRequestFromTemplate(withName:substitutionVariables:)` for one whose predicate has variables.
    open func fetchRequestTemplate(forName name: String) -> NSFetchRequest<NSFetchRequestResult>? { templateRequest(named: name) }

    /// Keeps a copy of a request under a name; nil removes what is kept.
    open func setFetchRequestTemplate(_ fetchRequestTemplate: NSFetchRequest<NSFetchRequestResult>?, forName name: String) {
        keep(fetchRequestTemplate, as: name)
    }

    /// A fetch request template with values for the variables of its predicate; nil for a name the model has not.
    /// - Parameter substitutionVariables: a value for each variable, without the dollar sign; `NSNull` stands for nil.
    open func fetchRequestFromTemplate(
        withName name: String, substitutionVariables variables: [String: Any]
    ) -> NSFetchRequest<NSFetchRequestResult>? { templateRequest(named: name, with: variables) }

    /// A copy that can be changed, with copies of all descriptions.
    open func copy(with zone: NSZone? = nil) -> Any {
        let copy = NSManagedObjectModel()
        locked {
            copy.entities = ModelCopying.copies(of: members)
            copy.adopt(subsets: subsets.map { ($0.name, $0.entities.compactMap(\.name)) })
            copy.templates = templates.mapValues { $0.copy(in: copy) }
            copy.identifiers = identifiers
            copy.localization = localization
            copy.origin = origin
        }
        return copy
    }

    func adopt(subsets: [(name: String, entityNames: [String])]) {
        let byName = entitiesByName
        locked { self.subsets = subsets.map { ($0.name, $0.entityNames.compactMap { byName[$0] }) } }
    }

    var fetchTemplates: [String: FetchTemplate] {
        get { locked { templates } }
        set {
            locked {
                requireMutable()
                templates = newValue
            }
        }
    }

    func entitiesDidChange() {
        locked { knownHashes = nil }
        classes.forget()
    }

    // MARK: Freezing

    /// The checked form of the model, which freezes it: from now on a change stops the program. Throws `ModelError` or
    /// `ModelDescriptionError` when the model is not sound; it can then still be changed.
    package func resolved() throws -> ResolvedModel {
        try locked {
            if let frozen { return frozen.resolved }
            let resolved = try ResolvedModel(schema())
            let byName = NSEntityDescription.byName(members) { $0.name }
            for entity in resolved.entities { byName[entity.name]?.freeze(as: entity) }
            frozen = Frozen(resolved: resolved, byIndex: resolved.entities.compactMap { byName[$0.name] }, byName: byName)
            return resolved
        }
    }

    package var isFrozen: Bool { locked { frozen != nil } }

    /// The entity at an index of the resolved model. Whoever asks has called `resolved()` before.
    package func entity(at index: Int) -> NSEntityDescription {
        guard let frozen else { fatalError("An entity of the model was asked for by index before the model was resolved.") }
        return frozen.byIndex[index]
    }

    /// The hashes, computed once for a given state of the model.
    func hashes(_ compute: () throws -> [String: Data]) rethrows -> [String: Data] {
        try locked {
            if let knownHashes { return knownHashes }
            let hashes = try compute()
            if frozen != nil { knownHashes = hashes }
            return hashes
        }
    }

    /// Hashes that stores opened with the model told; none before it is frozen.
    var learnedHashes: [String: [UInt8]] { locked { hashesOfStores } }

    func adoptHashes(_ hashes: [String: [UInt8]]) {
        locked {
            guard frozen != nil else { return }
            hashesOfStores.merge(hashes) { $1 }
            knownHashes = nil
        }
    }

    private func requireMutable() {
        if frozen != nil { ModelFreezing.refuse("the model") }
    }

    private func locked<Value>(_ body: () throws -> Value) rethrows -> Value {
        lock.lock()
        defer { lock.unlock() }
        return try body()
    }

    open override var description: String { "<NSManagedObjectModel of \(entities.count) entities>" }
}

import CoreDataSchema
import Foundation

/// An entity of a model: what kind of objects there are, and which properties they have.
///
/// A description can be changed until a coordinator uses its model; changing it later stops the program.
///
/// Unchecked Sendable: it is built by one thread, frozen before it is shared, and read-only from then on, except for the
/// class binding, which its model guards with a lock.
open class NSEntityDescription: NSObject, NSCopying, @unchecked Sendable {
    /// The model the entity is part of; nil until it is put into one, and once that is gone.
    package internal(set) weak var owningModel: NSManagedObjectModel?
    /// The checked form of the entity; nil until its model is used.
    package internal(set) var resolvedEntity: ResolvedEntity?
    package let runtimeToken = RuntimeToken()
    package private(set) var isFrozen = false
    /// Own properties, in the order declared.
    package private(set) var ownProperties: [NSPropertyDescription] = []
    /// Own and inherited properties by name, made once when frozen.
    private var lookups: Lookups?
    private var className: String?
    private var explicitRenamingIdentifier: String?
    private weak var parent: NSEntityDescription?
    /// What the generator makes of the entity; kept for writing the model back.
    package internal(set) var codeGeneration = CodeGenerationKind.manual

    public override init() { super.init() }

    /// The entity's name; unique in its model.
    open var name: String? {
        willSet { requireMutable() }
        didSet { owningModel?.entitiesDidChange() }
    }

    /// The model the entity is part of.
    open var managedObjectModel: NSManagedObjectModel {
        guard let owningModel else {
            fatalError("The entity “\(name ?? "?")” belongs to no model, or its model is gone: keep the model or its coordinator.")
        }
        return owningModel
    }

    /// The class of the entity's objects: "Class", "Module.Class", or "NSManagedObject" when none is set.
    open var managedObjectClassName: String! {
        get { className ?? "NSManagedObject" }
        set {
            requireMutable()
            className = newValue == "NSManagedObject" ? nil : newValue
            owningModel?.entitiesDidChange()
        }
    }

    package var schemaClassName: String? { className }

    /// Whether objects may only be of a subentity. Default false.
    open var isAbstract: Bool = false { willSet { requireMutable() } }
    /// Anything an application attaches to the entity.
    open var userInfo: [AnyHashable: Any]? = [:] { willSet { requireMutable() } }
    /// Part of the version hash: change it to mark a change of meaning that the hash would not show.
    open var versionHashModifier: String? { willSet { requireMutable() } }
    /// Indexes of the store over the entity's rows.
    open var indexes: [NSFetchIndexDescription] = [] {
        willSet { requireMutable() }
        didSet {
            oldValue.forEach { $0.owningEntity = nil }
            indexes.forEach { $0.owningEntity = self }
        }
    }
    /// Property names (or attribute descriptions) whose values together must be unique among the entity's rows.
    open var uniquenessConstraints: [[Any]] = [] { willSet { requireMutable() } }
    /// Property names (or descriptions) indexed together. `indexes` took its place.
    open var compoundIndexes: [[Any]] = [] { willSet { requireMutable() } }

    /// The name under which an earlier version of the model is searched for this entity; the name itself unless set.
    open var renamingIdentifier: String? {
        get { explicitRenamingIdentifier ?? name }
        set {
            requireMutable()
            explicitRenamingIdentifier = newValue
        }
    }

    package var schemaRenamingIdentifier: String? { explicitRenamingIdentifier }

    /// The entity it inherits from.
    open var superentity: NSEntityDescription? { parent }

    /// Entities that inherit from it directly.
    open var subentities: [NSEntityDescription] = [] {
        willSet { requireMutable() }
        didSet {
            for old in oldValue where old.parent === self { old.parent = nil }
            for new in subentities { new.parent = self }
        }
    }

    /// Direct subentities by name.
    open var subentitiesByName: [String: NSEntityDescription] { Self.byName(subentities) { $0.name } }

    /// Own and inherited properties; setting it sets the own ones.
    open var properties: [NSPropertyDescription] {
        get { (parent?.properties ?? []) + ownProperties }
        set {
            requireMutable()
            let ancestors = sequence(first: self) { $0.parent }.dropFirst()
            let own = newValue.filter { property in
                !ancestors.contains { ancestor in ancestor.ownProperties.contains { $0 === property } }
            }
            for old in ownProperties where !own.contains(where: { $0 === old }) { old.owningEntity = nil }
            own.forEach { $0.requireMutable() }
            own.forEach { $0.owningEntity = self }
            ownProperties = own
        }
    }

    /// Own and inherited properties by name.
    open var propertiesByName: [String: NSPropertyDescription] { (lookups ?? Lookups(self)).properties }
    /// Own and inherited attributes by name.
    open var attributesByName: [String: NSAttributeDescription] { (lookups ?? Lookups(self)).attributes }
    /// Own and inherited relationships by name.
    open var relationshipsByName: [String: NSRelationshipDescription] { (lookups ?? Lookups(self)).relationships }

    /// Own and inherited relationships that lead to an entity.
    open func relationships(forDestination entity: NSEntityDescription) -> [NSRelationshipDescription] {
        properties.compactMap { $0 as? NSRelationshipDescription }.filter { $0.destinationEntity === entity }
    }

    /// Whether it is `entity` or inherits from it.
    open func isKindOf(entity: NSEntityDescription) -> Bool {
        sequence(first: self) { $0.parent }.contains { $0 === entity }
    }

    /// 32 bytes by which a store recognises the entity; empty for an entity outside a model or in one that is not sound.
    open var versionHash: Data { owningModel?.entityVersionHashesByName[name ?? ""] ?? Data() }

    /// The entity of a name in the model of a context's coordinator; nil when there is none, or no coordinator.
    open class func entity(forEntityName entityName: String, in context: NSManagedObjectContext) -> NSEntityDescription? {
        context.persistentStoreCoordinator?.managedObjectModel.entitiesByName[entityName]
    }

    /// A new object of the entity of that name, inserted into the context (on its queue). An entity that the context's
    /// model does not have stops the program, as Apple's exception does.
    @discardableResult
    open class func insertNewObject(forEntityName entityName: String, into context: NSManagedObjectContext) -> NSManagedObject {
        context.insertNew(entityName)
    }

    /// How Spotlight shows an object; kept, not acted on outside Apple's systems.
    open var coreSpotlightDisplayNameExpression: NSExpression? { willSet { requireMutable() } }

    /// A copy that belongs to no model, without superentity, with copies of the own properties and of the subentities.
    open func copy(with zone: NSZone? = nil) -> Any { ModelCopying.copy(of: self) }

    /// Copies everything but the links to other entities.
    func copyFields(to copy: NSEntityDescription) {
        copy.name = name
        copy.className = className
        copy.isAbstract = isAbstract
        copy.userInfo = userInfo
        copy.versionHashModifier = versionHashModifier
        copy.explicitRenamingIdentifier = explicitRenamingIdentifier
        copy.codeGeneration = codeGeneration
        copy.coreSpotlightDisplayNameExpression = coreSpotlightDisplayNameExpression
        copy.properties = ownProperties.compactMap { $0.copy() as? NSPropertyDescription }
    }

    func freeze(as resolved: ResolvedEntity) {
        resolvedEntity = resolved
        lookups = Lookups(self)
        indexes.forEach { $0.freeze() }
        ownProperties.forEach { $0.freeze() }
        isFrozen = true
    }

    package func requireMutable() {
        if isFrozen { ModelFreezing.refuse("the entity “\(name ?? "?")”") }
    }

    static func byName<Item>(_ items: [Item], name: (Item) -> String?) -> [String: Item] {
        Dictionary(items.compactMap { item in name(item).map { ($0, item) } }) { first, _ in first }
    }

    open override var description: String { "<\(type(of: self)) \(name ?? "?") (\(managedObjectClassName ?? ""))>" }

    private struct Lookups {
        let properties: [String: NSPropertyDescription]
        let attributes: [String: NSAttributeDescription]
        let relationships: [String: NSRelationshipDescription]

        init(_ entity: NSEntityDescription) {
            properties = byName(entity.properties) { $0.name }
            attributes = properties.compactMapValues { $0 as? NSAttributeDescription }
            relationships = properties.compactMapValues { $0 as? NSRelationshipDescription }
        }
    }
}

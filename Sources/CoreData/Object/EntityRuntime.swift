import CoreDataGraph
import CoreDataSchema
import CoreDataStorage

/// Everything an object needs to know of its entity, computed once for a model.
///
/// Invariant: immutable after `ModelRuntime` built it, but for `slotMap`, `objectClass` and `coding`, set when the class is bound
/// (before the first object of the entity exists).
///
/// Unchecked Sendable: the late fields are written under `ModelRuntime`'s lock and only before objects are made.
package final class EntityRuntime: @unchecked Sendable {
    package let entity: NSEntityDescription
    package let resolved: ResolvedEntity
    package let layout: RowLayout
    package let resolvedModel: ResolvedModel
    /// Values of a new object: the defaults.
    package let defaults: ContiguousArray<AttributeValue>
    package let toManySlots: [Int]
    package let toOneSlots: [Int]
    let relationshipSlots: [Int]
    package let transientSlots: [Int]
    /// Transient slots with a default, which rows do not hold.
    package let defaultedTransientSlots: [Int]
    /// Transformable and object ID attributes.
    package let objectSlots: [Int]
    /// Stored slots whose row value needs no unarchiving to be compared.
    let plainSlots: SlotSet
    package let validation: CompiledValidation
    /// What must not be nil; nil where more can be wrong than that.
    let requiredOnly: [Int]?
    /// Whether a relationship's rule can deny a deletion.
    let deniesDeletion: Bool
    /// Class slot → entity slot, when a generated class was made from another version of the model; nil when they agree.
    // Unchecked exclusivity, here and below: written before the first object exists, read by every accessor.
    @exclusivity(unchecked) package private(set) var slotMap: ContiguousArray<Int>?
    @exclusivity(unchecked) package private(set) var objectClass: NSManagedObject.Type
    /// How key-value coding reaches the properties of `objectClass`.
    @exclusivity(unchecked) private(set) var coding = ClassCoding.none
    /// For classes whose accessors know their properties by name (`@NSManaged`).
    let managedSlots = ManagedSlots()
    init(entity: NSEntityDescription, resolved: ResolvedEntity, in resolvedModel: ResolvedModel) throws {
        self.entity = entity
        self.resolved = resolved
        self.resolvedModel = resolvedModel
        layout = RowLayout(resolved, in: resolvedModel)
        defaults = ContiguousArray(resolved.properties.map { $0.attribute.map(resolvedModel.schema.defaultValue) ?? .null })
        toManySlots = resolved.properties.filter { $0.storage == .toMany }.map(\.slot)
        toOneSlots = resolved.properties.filter { $0.storage == .toOne }.map(\.slot)
        relationshipSlots = toOneSlots + toManySlots
        transientSlots = resolved.properties.filter { $0.isTransient && $0.storage != .fetched && $0.storage != .toMany }.map(\.slot)
        defaultedTransientSlots = transientSlots.filter { [defaults] in defaults[$0] != .null }
        objectSlots = resolved.properties.filter { $0.storage == .object || $0.storage == .objectID }.map(\.slot)
        var plain = SlotSet()
        for property in resolved.properties where property.isStored && property.storage != .object { plain.insert(property.slot) }
        plainSlots = plain
        validation = try CompiledValidation(resolved, in: resolvedModel.schema)
        deniesDeletion = resolved.properties.contains { $0.relationship?.schema.deleteRule == .deny }
        requiredOnly = validation.isOnlyRequired ? validation.required : nil
        objectClass = NSManagedObject.self
        entity.runtimeToken.runtime = Unmanaged.passUnretained(self)
    }

    deinit {
        // Objects may keep this one beyond the making of the next.
        let token = entity.runtimeToken
        if token.runtime?.toOpaque() == Unmanaged.passUnretained(self).toOpaque() { token.runtime = nil }
    }

    package var index: Int { resolved.index }
    package var name: String { resolved.name }
    /// Whether objects have values a row cannot hold: transients, live transformables.
    var keepsLiveValues: Bool { !objectSlots.isEmpty || !transientSlots.isEmpty }
    package var hasRelationships: Bool { !toManySlots.isEmpty || !toOneSlots.isEmpty }

    func bind(_ cls: NSManagedObject.Type) {
        objectClass = cls
        coding = ClassCoding.of(cls)
        let names = cls._propertyNames
        let agrees = names.indices.allSatisfy { $0 < resolved.properties.count && names[$0] == resolved.properties[$0].name }
        slotMap = agrees ? nil : ContiguousArray(names.map { resolved.slotByName[$0] ?? -1 })
    }

    /// The entity's slot for a slot number in generated code.
    @inline(__always)
    package func slot(_ classSlot: Int) -> Int {
        guard let slotMap else { return classSlot }
        return mapped(classSlot, slotMap)
    }

    private func mapped(_ classSlot: Int, _ map: ContiguousArray<Int>) -> Int {
        guard classSlot < map.count, map[classSlot] >= 0 else {
            let name = classSlot < objectClass._propertyNames.count ? objectClass._propertyNames[classSlot] : "\(classSlot)"
            raise(.invalidArgument, "The entity “\(self.name)” of this model has no property “\(name)”, which the class \(objectClass) "
                + "was generated with. Load the model the class was generated from, or generate it again.")
        }
        return map[classSlot]
    }
}

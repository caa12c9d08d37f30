import CoreDataSchema
import Foundation

/// A property of an entity: the superclass of attributes, relationships, fetched properties and expressions.
///
/// A description can be changed until a coordinator uses its model; changing it later stops the program.
///
/// Unchecked Sendable: it is built by one thread, frozen before it is shared, and read-only from then on.
open class NSPropertyDescription: NSObject, NSCopying, @unchecked Sendable {
    /// The entity that declares the property; nil until it is put into one.
    package internal(set) weak var owningEntity: NSEntityDescription?
    package internal(set) var isFrozen = false
    /// Validation predicates with their warnings, in the order set.
    package internal(set) var validations: [PropertyValidation] = []
    private var explicitRenamingIdentifier: String?

    public override init() { super.init() }

    /// The entity that declares the property (an ancestor of the entity it was asked of, when inherited).
    open var entity: NSEntityDescription {
        guard let owningEntity else {
            fatalError("The property “\(name)” belongs to no entity, or its entity is gone: keep the model that holds it.")
        }
        return owningEntity
    }

    /// The property's name; unique in its entity and the entity's ancestors.
    open var name: String = "" { willSet { requireMutable() } }
    /// Whether the value may be nil (or a relationship empty) when saved. Default true.
    open var isOptional: Bool = true { willSet { requireMutable() } }
    /// Whether the value is kept in memory only. Default false.
    open var isTransient: Bool = false { willSet { requireMutable() } }
    /// Anything an application attaches to the property.
    open var userInfo: [AnyHashable: Any]? = [:] { willSet { requireMutable() } }
    /// Part of the version hash: change it to mark a change of meaning that the hash would not show.
    open var versionHashModifier: String? { willSet { requireMutable() } }
    /// Whether Spotlight indexes the property; kept, not acted on outside Apple's systems.
    open var isIndexedBySpotlight: Bool = false { willSet { requireMutable() } }
    /// Whether the store has an index on the property alone. `NSEntityDescription.indexes` took its place.
    open var isIndexed: Bool = false { willSet { requireMutable() } }
    /// Kept for old models; nothing acts on it.
    open var isStoredInExternalRecord: Bool = false { willSet { requireMutable() } }

    /// The name under which an earlier version of the model is searched for this property; the name itself unless set.
    open var renamingIdentifier: String? {
        get { explicitRenamingIdentifier ?? name }
        set {
            requireMutable()
            explicitRenamingIdentifier = newValue
        }
    }

    package var schemaRenamingIdentifier: String? { explicitRenamingIdentifier }

    /// 32 bytes by which two versions of the property are compared.
    open var versionHash: Data { Data() }

    /// Predicates a value must satisfy to be saved.
    open var validationPredicates: [NSPredicate] { validations.map(\.predicate) }

    /// For each validation predicate, the text to show or the error code (`NSNumber`) to use when it fails.
    open var validationWarnings: [Any] {
        validations.map {
            switch $0.warning {
            case .code(let code): NSNumber(value: code)
            case .text(let text): text
            }
        }
    }

    /// Sets what a value must satisfy to be saved.
    /// - Parameter validationWarnings: one for each predicate: a text, or a validation error code as a number.
    open func setValidationPredicates(_ validationPredicates: [NSPredicate]?, withValidationWarnings validationWarnings: [Any]?) {
        requireMutable()
        let warnings = validationWarnings ?? []
        validations = (validationPredicates ?? []).enumerated().map { index, predicate in
            PropertyValidation(predicate: predicate, warning: .init(index < warnings.count ? warnings[index] : nil))
        }
    }

    /// A copy that belongs to no entity and can be changed.
    open func copy(with zone: NSZone? = nil) -> Any {
        let copy = type(of: self).blank()
        copyFields(to: copy)
        return copy
    }

    class func blank() -> NSPropertyDescription { NSPropertyDescription() }

    /// Subclasses copy what they add.
    func copyFields(to copy: NSPropertyDescription) {
        copy.name = name
        copy.isOptional = isOptional
        copy.isTransient = isTransient
        copy.userInfo = userInfo
        copy.versionHashModifier = versionHashModifier
        copy.isIndexedBySpotlight = isIndexedBySpotlight
        copy.isIndexed = isIndexed
        copy.isStoredInExternalRecord = isStoredInExternalRecord
        copy.explicitRenamingIdentifier = explicitRenamingIdentifier
        copy.validations = validations
    }

    func freeze() { isFrozen = true }

    package func requireMutable() {
        if isFrozen { ModelFreezing.refuse("the property “\(owningEntity?.name ?? "?").\(name)”") }
    }

    open override var description: String {
        "<\(type(of: self)) \(owningEntity?.name ?? "?").\(name)\(isOptional ? ", optional" : "")\(isTransient ? ", transient" : "")>"
    }
}

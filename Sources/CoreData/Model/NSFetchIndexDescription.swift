import CoreDataPredicate
import CoreDataSchema
import Foundation

/// An index of an entity's rows in the store.
///
/// Unchecked Sendable: built by one thread, frozen with its model before it is shared.
open class NSFetchIndexDescription: NSObject, NSCopying, @unchecked Sendable {
    package internal(set) weak var owningEntity: NSEntityDescription?
    private var isFrozen = false
    private var partial: PredicateSource?

    /// An index under a name that is unique in the entity, over elements in this order.
    public init(name: String, elements: [NSFetchIndexElementDescription]?) {
        self.name = name
        self.elements = elements ?? []
        super.init()
        self.elements.forEach { $0.index = self }
    }

    init(_ schema: FetchIndexSchema, elements: [NSFetchIndexElementDescription]) {
        name = schema.name
        self.elements = elements
        partial = schema.partialPredicateFormat.map(PredicateSource.init(format:))
        super.init()
        elements.forEach { $0.index = self }
    }

    open var name: String { willSet { requireMutable() } }
    /// What is indexed, in order.
    open var elements: [NSFetchIndexElementDescription] {
        willSet { requireMutable() }
        didSet { elements.forEach { $0.index = self } }
    }
    /// The entity the index belongs to; nil until it is put into one.
    open var entity: NSEntityDescription? { owningEntity }
    /// Which rows are indexed; nil is all.
    open var partialIndexPredicate: NSPredicate? {
        get { partial?.predicate }
        set {
            requireMutable()
            partial = newValue.map(PredicateSource.init)
        }
    }

    open func copy(with zone: NSZone? = nil) -> Any {
        let copy = NSFetchIndexDescription(name: name, elements: elements.compactMap { $0.copy() as? NSFetchIndexElementDescription })
        copy.partial = partial
        return copy
    }

    var schema: FetchIndexSchema {
        FetchIndexSchema(name: name, elements: elements.map(\.schema), partialPredicateFormat: partial?.format)
    }

    func freeze() {
        isFrozen = true
        elements.forEach { $0.freeze() }
    }

    private func requireMutable() {
        if isFrozen { ModelFreezing.refuse("the index “\(name)” of “\(owningEntity?.name ?? "?")”") }
    }
}

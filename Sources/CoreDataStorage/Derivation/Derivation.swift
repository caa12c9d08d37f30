import CoreDataSchema

/// How a derived attribute's value comes about: its expression, resolved from the entity that declares it.
///
/// Invariant: every property in it is stored; `Derivation.all(in:entities:)` is the only maker.
package struct Derivation: Sendable, Equatable {
    /// A form of a text.
    package enum TextForm: String, Sendable { case canonical = "canonical:", uppercase = "uppercase:", lowercase = "lowercase:" }

    package enum Source: Sendable, Equatable {
        /// An attribute of the row itself (no path), or of the row at the end of a path of to-one relationships.
        case value(path: [PropertyReference], attribute: PropertyReference, form: TextForm?)
        case count(PropertyReference)
        case sum(PropertyReference, of: PropertyReference)
        /// When the row was last written.
        case now
    }

    package let attribute: PropertyReference
    package let source: Source

    /// The derivations of all stored derived attributes that `entities` declare. Throws for the first that no store can keep.
    package static func all(in model: ResolvedModel, entities: (Int) -> Bool) throws(DerivationError) -> [Derivation] {
        var result: [Derivation] = []
        for entity in model.entities where entities(entity.index) {
            for property in entity.properties where property.declaringEntity == entity.index && property.isDerived {
                result.append(try DerivationReading(model: model, entity: entity, property: property).derivation())
            }
        }
        return result
    }

    /// Every derivation of a model that no store can keep up, with where it stands.
    package static func failures(in model: ResolvedModel) -> [(entity: String, property: String, error: DerivationError)] {
        var result: [(entity: String, property: String, error: DerivationError)] = []
        for entity in model.entities {
            for property in entity.properties where property.declaringEntity == entity.index && property.isDerived {
                do throws(DerivationError) { _ = try DerivationReading(model: model, entity: entity, property: property).derivation() } catch {
                    result.append((entity.name, property.name, error))
                }
            }
        }
        return result
    }
}

/// Why a derived attribute cannot be kept; `description` says what, where and what to do.
package enum DerivationError: DescribedError, Equatable {
    /// Stores that are no databases have nothing that could keep the values.
    case storeCannotDerive(store: String, attribute: String)
    case unreadable(attribute: String, expression: String, reason: String)

    package var description: String {
        switch self {
        case .storeCannotDerive(let store, let attribute):
            "A store of type \(store) does not support derived attributes, and the model has “\(attribute)”. Use a SQLite store (at "
                + "/dev/null for one that leaves no file), or a configuration without the entity."
        case .unreadable(let attribute, let expression, let reason):
            "The derived attribute “\(attribute)” has the derivation “\(expression)”, which cannot be kept: \(reason). Derivations are "
                + "a key path through to-one relationships (author.name), canonical:, uppercase: or lowercase: of one, "
                + "relationship.@count, relationship.attribute.@sum, and now()."
        }
    }
}

extension ResolvedProperty {
    /// A stored attribute whose value the store computes.
    package var isDerived: Bool { attribute?.derivationFormat != nil && isStored }
}

import CoreDataModelFile
import CoreDataSchema
import Foundation

/// What the sources and models of a program say of its managed classes: which properties a key path can name.
package struct PortKnowledge: Sendable {
    /// What a key path goes on with after a property.
    enum Property: Sendable, Equatable {
        case value
        case toOne(String, isOptional: Bool)
        case toMany
    }

    private struct ManagedClass: Sendable {
        var superclass: String?
        var properties: [String: Property] = [:]
    }

    private var classes: [String: ManagedClass] = [:]

    package init() {}

    package init(sources: [(path: String, text: String)], models: [URL]) {
        let scanned = sources.map { SourceScanner.scan($0.text, file: $0.path, BuildConditions()) }
        for model in models {
            if let contents = try? ModelFile.readCurrent(at: model), let resolved = try? contents.resolved(contents.currentVersionName) { add(resolved) }
        }
        for declarations in scanned {
            for type in declarations.types where type.kind == .class {
                guard let name = type.path.last else { continue }
                classes[name, default: ManagedClass()].superclass = type.inherited.first.flatMap(Self.lastName) ?? classes[name]?.superclass
            }
        }
        for declarations in scanned {
            for managed in declarations.managed {
                guard case .property(let type) = managed.form, let owner = managed.context.last else { continue }
                classes[owner, default: ManagedClass()].properties[managed.name] = property(type)
            }
        }
    }

    private mutating func add(_ model: ResolvedModel) {
        let names = model.entities.map { SwiftName.bare($0.schema.className) }
        for entity in model.entities {
            guard let name = names[entity.index] else { continue }
            var one = ManagedClass(superclass: entity.superIndex.flatMap { names[$0] } ?? "NSManagedObject")
            for property in entity.properties {
                if let relationship = property.relationship {
                    let destination = names[relationship.destination] ?? "NSManagedObject"
                    one.properties[property.name] = relationship.isToMany ? .toMany : .toOne(destination, isOptional: true)
                } else {
                    one.properties[property.name] = property.fetched == nil ? .value : .toMany
                }
            }
            classes[name] = one
        }
    }

    private static func lastName(_ type: TypeSyntax) -> String? {
        guard case .named(let components) = type else { return nil }
        return components.last?.name
    }

    private func property(_ type: TypeSyntax) -> Property {
        let wrapped: TypeSyntax = if case .optional(let inner) = type { inner } else { type }
        guard let name = Self.lastName(wrapped) else { return .toMany }
        if isManaged(name) { return .toOne(name, isOptional: wrapped != type) }
        return ["NSSet", "NSOrderedSet", "Set", "Array"].contains(name) ? .toMany : .value
    }

    func isManaged(_ name: String) -> Bool {
        var seen: Set<String> = [], current: String? = name
        while let one = current, seen.insert(one).inserted {
            if one == "NSManagedObject" { return true }
            current = classes[one]?.superclass
        }
        return false
    }

    /// A property of a managed class, inherited ones too, under a name that Swift leaves it.
    func property(_ name: String, of type: String) -> Property? {
        guard isManaged(type), SwiftName.property(name) == SwiftName.escaped(name) else { return nil }
        var seen: Set<String> = [], current: String? = type
        while let one = current, seen.insert(one).inserted {
            if let found = classes[one]?.properties[name] { return found }
            current = classes[one]?.superclass
        }
        return nil
    }
}

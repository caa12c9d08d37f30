import CoreDataSchema

extension PropertyDeclaration {
    /// A to-one is always optional, whatever the model says: the destination may be gone or not yet set.
    init(_ relationship: RelationshipSchema, to destination: String, at address: PropertyAddress, style: TypeStyle, _ type: TypeNames) {
        let kind = !relationship.isToMany ? "ToOne" : relationship.isOrdered ? "Ordered" : "ToMany"
        let read: String, written: (String) -> String
        switch address {
        case .slot(let slot):
            read = "_\(kind.prefix(1).lowercased() + kind.dropFirst())(at: \(slot), as: \(destination).self)"
            written = { "_set\(kind)(\($0), at: \(slot))" }
        case .name(let name):
            let name = SourceText.literal(name)
            read = "_managed\(kind)(\(name), as: \(destination).self)"
            written = { kind == "ToOne" ? "_setManaged(object: \($0), \(name))" : "_setManaged(\(kind == "ToMany" ? "set" : "list"): \($0), \(name))" }
        }
        if !relationship.isToMany {
            self.init(type: "\(destination)?", getter: read, setter: written("newValue"))
        } else if style == .xcode {
            let name = type(relationship.isOrdered ? "NSOrderedSet" : "NSSet")
            let list = "newValue?.\(relationship.isOrdered ? "array" : "allObjects").compactMap { $0 as? \(destination) } ?? []"
            self.init(
                type: "\(name)?", getter: relationship.isOrdered ? "\(name)(array: \(read))" : "\(name)(array: \(type("Array"))(\(read)))",
                setter: written(relationship.isOrdered ? list : "\(type("Set"))(\(list))"))
        } else {
            let collection = relationship.isOrdered ? "[\(destination)]" : "\(type("Set"))<\(destination)>"
            self.init(type: collection, getter: read, setter: written("newValue"))
        }
    }

    init(fetched destination: String, at address: PropertyAddress) {
        let getter = switch address {
        case .slot(let slot): "_fetched(at: \(slot), as: \(destination).self)"
        case .name(let name): "_managedFetched(\(SourceText.literal(name)), as: \(destination).self)"
        }
        self.init(type: "[\(destination)]", getter: getter, setter: nil)
    }
}

/// The mutators of a to-many relationship, named and labelled as Xcode does.
struct RelationshipMutators {
    let destination: String
    let isOrdered: Bool
    let address: PropertyAddress
    let style: TypeStyle
    let types: TypeNames

    typealias Mutator = (signature: String, body: String)

    func declare(_ name: String) -> [Mutator] {
        let suffix = SwiftName.capitalized(name), index = types("Int"), indexes = types(style == .xcode ? "NSIndexSet" : "IndexSet")
        let collection = if style == .xcode { types(isOrdered ? "NSOrderedSet" : "NSSet") } else { isOrdered ? list : "\(types("Set"))<\(destination)>" }
        var result: [Mutator] = [
            ("addTo\(suffix)(_ value: \(destination))", add("value", isOne: true)),
            ("removeFrom\(suffix)(_ value: \(destination))", remove("value", isOne: true)),
            ("addTo\(suffix)(_ values: \(collection))", add(objects("values"), isOne: false)),
            ("removeFrom\(suffix)(_ values: \(collection))", remove(objects("values"), isOne: false)),
        ]
        guard isOrdered else { return result }
        let places = style == .xcode ? "\(types("IndexSet"))(indexes)" : "indexes", place = style == .xcode ? "idx" : "index"
        let at = place == "index" ? "at index" : "at idx"
        result += [
            ("insertInto\(suffix)(_ value: \(destination), \(at): \(index))", insert("value", at: place, isOne: true)),
            ("removeFrom\(suffix)(\(at): \(index))", remove(at: place, isOne: true)),
            ("insertInto\(suffix)(_ values: \(list), at indexes: \(indexes))", insert("values", at: places, isOne: false)),
            ("removeFrom\(suffix)(at indexes: \(indexes))", remove(at: places, isOne: false)),
            ("replace\(suffix)(\(at): \(index), with value: \(destination))", replace(at: place, "value", isOne: true)),
            ("replace\(suffix)(at indexes: \(indexes), with values: \(list))", replace(at: places, "values", isOne: false)),
        ]
        return result
    }

    private var list: String { "[\(destination)]" }

    /// A collection as the array of its objects.
    private func objects(_ name: String) -> String {
        if style == .xcode { return "\(name).\(isOrdered ? "array" : "allObjects").compactMap { $0 as? \(destination) }" }
        return isOrdered ? name : "\(types("Array"))(\(name))"
    }

    private func add(_ value: String, isOne: Bool) -> String {
        switch address {
        case .slot(let slot): isOne ? "_add(\(value), toMany: \(slot))" : "_add(all: \(value), toMany: \(slot))"
        case .name(let name): "_managedAdd(\(isOne ? "[\(value)]" : value), to: \(SourceText.literal(name)))"
        }
    }

    private func remove(_ value: String, isOne: Bool) -> String {
        switch address {
        case .slot(let slot): isOne ? "_remove(\(value), fromMany: \(slot))" : "_remove(all: \(value), fromMany: \(slot))"
        case .name(let name): "_managedRemove(\(isOne ? "[\(value)]" : value), from: \(SourceText.literal(name)))"
        }
    }

    private func insert(_ value: String, at places: String, isOne: Bool) -> String {
        switch address {
        case .slot(let slot): isOne ? "_insert(\(value), at: \(places), inOrdered: \(slot))" : "_insert(all: \(value), at: \(places), inOrdered: \(slot))"
        case .name(let name): "_managedInsert(\(isOne ? "[\(value)]" : value), at: \(set(places, isOne)), in: \(SourceText.literal(name)))"
        }
    }

    private func remove(at places: String, isOne: Bool) -> String {
        switch address {
        case .slot(let slot): "_remove(at: \(places), fromOrdered: \(slot))"
        case .name(let name): "_managedRemove(at: \(set(places, isOne)), from: \(SourceText.literal(name)))"
        }
    }

    private func replace(at places: String, _ value: String, isOne: Bool) -> String {
        switch address {
        case .slot(let slot): "_replace(at: \(places), with: \(value), inOrdered: \(slot))"
        case .name(let name): "_managedReplace(at: \(set(places, isOne)), with: \(isOne ? "[\(value)]" : value), in: \(SourceText.literal(name)))"
        }
    }

    private func set(_ places: String, _ isOne: Bool) -> String { isOne ? "\(types("IndexSet"))(integer: \(places))" : places }
}

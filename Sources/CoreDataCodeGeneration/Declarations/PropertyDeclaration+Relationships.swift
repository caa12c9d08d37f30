import CoreDataSchema

extension PropertyDeclaration {
    /// A to-one is always optional, whatever the model says: the destination may be gone or not yet set.
    init(_ relationship: RelationshipSchema, to destination: String, slot: Int, _ type: TypeNames) {
        let arguments = "(at: \(slot), as: \(destination).self)"
        if !relationship.isToMany {
            self.init(type: "\(destination)?", getter: "_toOne\(arguments)", setter: "_setToOne(newValue, at: \(slot))")
        } else if relationship.isOrdered {
            self.init(type: "[\(destination)]", getter: "_ordered\(arguments)", setter: "_setOrdered(newValue, at: \(slot))")
        } else {
            self.init(
                type: "\(type("Set"))<\(destination)>", getter: "_toMany\(arguments)", setter: "_setToMany(newValue, at: \(slot))")
        }
    }

    init(fetched destination: String, slot: Int) {
        self.init(type: "[\(destination)]", getter: "_fetched(at: \(slot), as: \(destination).self)", setter: nil)
    }
}

/// The mutators of a to-many relationship, named and labelled as Xcode does.
enum RelationshipMutators {
    static func declare(_ name: String, of destination: String, isOrdered: Bool, slot: Int, _ types: TypeNames) -> [(signature: String, body: String)] {
        let suffix = SwiftName.capitalized(name), indexes = types("IndexSet"), index = types("Int")
        let collection = isOrdered ? "[\(destination)]" : "\(types("Set"))<\(destination)>"
        let values = isOrdered ? "values" : "\(types("Array"))(values)"
        var result: [(String, String)] = [
            ("addTo\(suffix)(_ value: \(destination))", "_add(value, toMany: \(slot))"),
            ("removeFrom\(suffix)(_ value: \(destination))", "_remove(value, fromMany: \(slot))"),
            ("addTo\(suffix)(_ values: \(collection))", "_add(all: \(values), toMany: \(slot))"),
            ("removeFrom\(suffix)(_ values: \(collection))", "_remove(all: \(values), fromMany: \(slot))"),
        ]
        guard isOrdered else { return result }
        result += [
            ("insertInto\(suffix)(_ value: \(destination), at index: \(index))", "_insert(value, at: index, inOrdered: \(slot))"),
            ("removeFrom\(suffix)(at index: \(index))", "_remove(at: index, fromOrdered: \(slot))"),
            ("insertInto\(suffix)(_ values: [\(destination)], at indexes: \(indexes))", "_insert(all: values, at: indexes, inOrdered: \(slot))"),
            ("removeFrom\(suffix)(at indexes: \(indexes))", "_remove(at: indexes, fromOrdered: \(slot))"),
            ("replace\(suffix)(at index: \(index), with value: \(destination))", "_replace(at: index, with: value, inOrdered: \(slot))"),
            ("replace\(suffix)(at indexes: \(indexes), with values: [\(destination)])", "_replace(at: indexes, with: values, inOrdered: \(slot))"),
        ]
        return result
    }
}

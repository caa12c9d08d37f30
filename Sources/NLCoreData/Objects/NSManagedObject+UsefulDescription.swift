extension ManagedObjectConvenience {
    /// The object with its attributes, and the objects it is related to by class and ID, one a line.
    public var usefulDescription: String {
        var lines = ["\(type(of: self)) (\(Unmanaged.passUnretained(self).toOpaque())) \(objectIDString)"]
        for name in managedAttributeNames { lines.append("\t\(name): \(attributeText(value(forKey: name)))") }
        for name in managedRelationshipNames { lines += relationshipLines(name) }
        return lines.joined(separator: "\n")
    }

    private func attributeText(_ value: Any?) -> String {
        switch value {
        case nil: "NULL"
        case is NSNull: "NULL"
        case let data as Data: "DATA (length \(data.count))"
        case .some(let value): "\(value)"
        }
    }

    private func relationshipLines(_ name: String) -> [String] {
        let value = value(forKey: name)
        if let object = value as? NSManagedObject { return ["\t\(name): \(reference(object))"] }
        let members = (value as? NSOrderedSet)?.array ?? (value as? NSSet)?.allObjects
        guard let members else { return ["\t\(name): NULL"] }
        return ["\t\(name): (\(members.count))"] + members.compactMap { $0 as? NSManagedObject }.map { "\t\t\(reference($0))" }
    }

    private func reference(_ object: NSManagedObject) -> String { "\(type(of: object)) \(object.objectIDString)" }
}

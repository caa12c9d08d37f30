import CoreDataSchema

/// Elements of composite attributes, by key path.
extension NSManagedObject {
    /// Sets an element of a composite attribute of this object, or of one behind its to-ones: the whole is set with the element
    /// in its place, made where there was none. False when the path leads elsewhere.
    final func setElement(_ value: Any?, along keyPath: String) -> Bool {
        let path = keyPath.split(separator: ".").map(String.init)
        var owner = self
        for index in path.indices.dropLast() {
            guard let property = owner.runtime.resolved.property(named: path[index]) else { return false }
            switch property.storage {
            case .composite:
                let whole = owner.value(forKey: path[index]) as? [String: Any]
                owner.setValue(Self.replacing(path[(index + 1)...], in: whole, with: value), forKey: path[index])
                return true
            case .toOne:
                guard let next = owner.value(forKey: path[index]) as? NSManagedObject else { return false }
                owner = next
            default: return false
            }
        }
        return false
    }

    /// nil when nothing is left.
    private static func replacing(_ path: ArraySlice<String>, in whole: [String: Any]?, with value: Any?) -> [String: Any]? {
        guard let name = path.first else { return whole }
        var result = whole ?? [:]
        let rest = path.dropFirst()
        let new: Any? = rest.isEmpty ? value : replacing(rest, in: result[name] as? [String: Any], with: value)
        result[name] = new is NSNull ? nil : new
        return result.isEmpty ? nil : result
    }
}

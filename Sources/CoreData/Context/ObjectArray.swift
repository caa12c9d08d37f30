/// Arrays of objects as arrays of another class, without making them anew: off Apple's platforms the language casts each element.
///
/// `unsafeBitCast` between arrays of class references: the elements are single references of one size whatever their static type,
/// every element was checked to be of the new one, and an array's buffer looks at its elements by the type of whoever reads it.
enum ObjectArray {
    static func erased<Object: AnyObject>(_ objects: [Object]) -> [AnyObject] { unsafeBitCast(objects, to: [AnyObject].self) }

    /// nil when the type is no class, or an element is not of it.
    static func cast<Result>(_ objects: [AnyObject], to type: Result.Type) -> [Result]? {
        guard let wanted = type as? AnyClass else { return nil }
        var last: AnyClass?
        for object in objects {
            let found: AnyClass = Swift.type(of: object)
            if found == last { continue }
            guard ClassInheritance.leads(from: found, to: wanted) else { return nil }
            last = found
        }
        return unsafeBitCast(objects, to: [Result].self)
    }

    /// Objects of a relationship, as the class that its accessor is declared with; others are left out.
    static func objects<Object: NSManagedObject>(_ objects: [NSManagedObject], of type: Object.Type) -> [Object] {
        cast(erased(objects), to: type) ?? objects.compactMap { $0 as? Object }
    }

    /// As an array's elements, a set's are single references whoever reads it, and all objects hash alike.
    static func set<Object: NSManagedObject>(_ objects: [NSManagedObject], of type: Object.Type) -> Set<Object> {
        guard cast(erased(objects), to: type) != nil else { return Set(objects.lazy.compactMap { $0 as? Object }) }
        return unsafeBitCast(Set(objects), to: Set<Object>.self)
    }
}

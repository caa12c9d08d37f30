import CoreDataSchema

/// A class, or a collection of such, that the companion of an `@NSManaged` class knows by its mangled name alone: one reference
/// in memory, whatever it is called.
///
/// Unchecked Sendable: immutable; metatypes are immutable too.
public final class _ManagedType: @unchecked Sendable {
    let type: Any.Type?
    let object: AnyObject.Type?
    let objects: (any ManagedCollection.Type)?

    /// The run time does not know private types; a reference to one is taken as it comes.
    public init(_ mangledName: StaticString) {
        type = _typeByName(mangledName.description)
        object = type as? AnyObject.Type
        objects = type as? any ManagedCollection.Type
    }
}

/// A collection of managed objects with the element type that a class declares.
protocol ManagedCollection {
    init(of objects: [NSManagedObject])
    var objects: [NSManagedObject] { get }
}

extension Set: ManagedCollection where Element: NSManagedObject {
    init(of objects: [NSManagedObject]) { self = Set(objects.lazy.compactMap { $0 as? Element }) }
    var objects: [NSManagedObject] { Array(self) }
}

extension Array: ManagedCollection where Element: NSManagedObject {
    init(of objects: [NSManagedObject]) { self = objects.compactMap { $0 as? Element } }
    var objects: [NSManagedObject] { self }
}

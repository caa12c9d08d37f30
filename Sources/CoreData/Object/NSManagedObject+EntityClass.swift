import CoreDataSchema

// `NSManagedObject(entity:insertInto:)` of an entity with a class of its own gives an object of that class, as at Apple's.

extension NSManagedObject {
    /// Makes an object that was created as one of a superclass one of its entity's class, before anybody else sees it.
    ///
    /// Only classes that add no stored properties can be put on: the memory was measured for the class that was named, and
    /// initial values would never be set. An object of another class stays what it was made as.
    ///
    /// Never inlined: the caller must not conclude from what it allocated which class the object has afterwards.
    @inline(never)
    final func adoptEntityClass() {
        let named = type(of: self), wanted = runtime.objectClass
        guard ClassInheritance.leads(from: wanted, to: named), instanceExtents(wanted).positive == instanceExtents(named).positive else { return }
        // Unsafe pointer: a Swift object begins with the address of its class, on every platform. The object is referenced by
        // its initialiser alone, both classes have the same fields at the same places, and methods, casts and deinitialisation
        // go by this word.
        Unmanaged.passUnretained(self).toOpaque().storeBytes(of: unsafeBitCast(wanted, to: UInt.self), as: UInt.self)
    }
}

/// Bytes of a class's instances before and behind the address of the object; the Swift runtime's own function.
@_silgen_name("_swift_getSwiftClassInstanceExtents")
private func instanceExtents(_ cls: AnyClass) -> (negative: UInt, positive: UInt)

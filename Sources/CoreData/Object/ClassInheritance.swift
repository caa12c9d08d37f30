enum ClassInheritance {
    /// Whether a class is another one or inherits from it, which no cast tells of classes that are only known as values.
    static func leads(from found: AnyClass, to wanted: AnyClass) -> Bool {
        var next: AnyClass? = found
        while let current = next {
            if current == wanted { return true }
            next = _getSuperclass(current)
        }
        return false
    }
}

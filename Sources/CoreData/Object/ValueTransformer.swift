import CoreDataSchema

/// The name a transformer is registered under.
public struct NSValueTransformerName: RawRepresentable, Hashable, Sendable, ExpressibleByStringLiteral {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public init(_ rawValue: String) { self.rawValue = rawValue }
    public init(stringLiteral value: String) { rawValue = value }

    public static let secureUnarchiveFromDataTransformerName = NSValueTransformerName("NSSecureUnarchiveFromData")
    public static let keyedUnarchiveFromDataTransformerName = NSValueTransformerName("NSKeyedUnarchiveFromData")
}

/// Turns values of one kind into another; Foundation's class, which Linux lacks.
///
/// Register subclasses under the name the model gives. Sendable as far as subclasses keep no mutable state.
open class ValueTransformer: NSObject {
    public override init() { super.init() }

    open class func transformedValueClass() -> AnyClass { NSObject.self }
    open class func allowsReverseTransformation() -> Bool { true }

    open func transformedValue(_ value: Any?) -> Any? { value }
    open func reverseTransformedValue(_ value: Any?) -> Any? { transformedValue(value) }

    /// The secure-unarchive family runs backwards on saving (DD05).
    var isArchiving: Bool { self is NSSecureUnarchiveFromDataTransformer }

    // Unchecked: transformers are registered once and then only called, as at Apple's.
    private struct Registry: @unchecked Sendable { var byName: [NSValueTransformerName: ValueTransformer] = [:] }
    private static let registry = LockedValue(Registry())

    open class func setValueTransformer(_ transformer: ValueTransformer?, forName name: NSValueTransformerName) {
        let box = UncheckedBox(transformer)
        registry.withLock { $0.byName[name] = box.value }
    }

    open class func valueTransformerNames() -> [NSValueTransformerName] { registry.withLock { Array($0.byName.keys) } }

    /// What the program registered under the name.
    class func registeredByProgram(_ name: NSValueTransformerName) -> ValueTransformer? {
        registry.withLock { UncheckedBox($0.byName[name]) }.value
    }

    fileprivate class func registered(_ name: NSValueTransformerName) -> ValueTransformer? {
        if let found = registeredByProgram(name) { return found }
        switch name.rawValue {
        case "NSSecureUnarchiveFromData", "NSSecureUnarchiveFromDataTransformer": return NSSecureUnarchiveFromDataTransformer()
        case "NSKeyedUnarchiveFromData", "NSKeyedUnarchiveFromDataTransformerName": return NSSecureUnarchiveFromDataTransformer()
        default: return nil
        }
    }
}

/// Lets `ValueTransformer(forName:)` answer the instance that was registered.
public protocol _TransformerLookup {}

extension ValueTransformer: _TransformerLookup {}

extension _TransformerLookup where Self: ValueTransformer {
    /// The registered transformer, or one of Foundation's own; nil when there is none of this name.
    public init?(forName name: NSValueTransformerName) {
        guard let found = ValueTransformer.registered(name) as? Self else { return nil }
        self = found
    }
}

/// Objects to secure archives and back, for transformable attributes.
open class NSSecureUnarchiveFromDataTransformer: ValueTransformer {
    /// Classes an archive may hold: property-list and Foundation value classes. A subclass names its own, and takes the name the
    /// model gives the transformer; registered as `NSSecureUnarchiveFromData` or `NSKeyedUnarchiveFromData`, its classes hold for
    /// attributes without a transformer of their own.
    open class var allowedTopLevelClasses: [AnyClass] { SecureArchive.valueClasses }

    open override class func transformedValueClass() -> AnyClass { NSObject.self }

    open override func transformedValue(_ value: Any?) -> Any? {
        guard let data = value as? Data else { return nil }
        return try? SecureArchive.object(from: data, allowing: type(of: self).allowedTopLevelClasses)
    }

    open override func reverseTransformedValue(_ value: Any?) -> Any? {
        guard let value else { return nil }
        return try? SecureArchive.data(from: value, allowing: type(of: self).allowedTopLevelClasses, requiringSecureCoding: true)
    }
}

extension NSObject {
    /// The class itself. Foundation has it here of objects only; transformers ask classes: `NSString.classForCoder()`.
    public static func classForCoder() -> AnyClass { self }
}

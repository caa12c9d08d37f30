import Foundation

/// The arguments of a format, where C has a `va_list`: what `getVaList` gives on Linux.
///
/// A C list cannot be read without knowing its types beforehand; this one keeps the values.
public struct _VariableArguments {
    let values: [Any?]
}

/// The arguments as `NSPredicate(format:arguments:)` and `NSExpression(format:arguments:)` take them.
public func getVaList(_ args: [any CVarArg]) -> _VariableArguments {
    _VariableArguments(values: args.map { $0 })
}

/// Calls `body` with the arguments as `NSPredicate(format:arguments:)` and `NSExpression(format:arguments:)` take them.
public func withVaList<Result>(_ args: [any CVarArg], _ body: (_VariableArguments) -> Result) -> Result {
    body(getVaList(args))
}

extension _FoundationCompletion where Self == NSPredicate {
    /// A predicate from a format and the arguments from `getVaList` or `withVaList`. Stops the program like `init(format:_:)`.
    public init(format predicateFormat: String, arguments argList: _VariableArguments) {
        self = FormatReading.predicate(predicateFormat, argList.values)
    }
}

extension _FoundationCompletion where Self == NSExpression {
    /// An expression from a format and the arguments from `getVaList` or `withVaList`. Stops the program when it is none.
    public init(format expressionFormat: String, arguments argList: _VariableArguments) {
        self.init(format: expressionFormat, argumentArray: argList.values)
    }
}

// So that `x as CVarArg`, which Apple's signature asks for, compiles for everything that was an object there. Our
// initialisers take the value itself; what C would be handed is the object's address, as on Apple's platforms.

extension NSObject: @retroactive CVarArg {
    public var _cVarArgEncoding: [Int] { [Int(bitPattern: Unmanaged.passUnretained(self).toOpaque())] }
}

extension Array: @retroactive CVarArg {
    public var _cVarArgEncoding: [Int] { _ObjectArgument.encoding(of: self) }
}

extension Set: @retroactive CVarArg {
    public var _cVarArgEncoding: [Int] { _ObjectArgument.encoding(of: self) }
}

extension Dictionary: @retroactive CVarArg {
    public var _cVarArgEncoding: [Int] { _ObjectArgument.encoding(of: self) }
}

extension Date: @retroactive CVarArg {
    public var _cVarArgEncoding: [Int] { _ObjectArgument.encoding(of: self) }
}

extension UUID: @retroactive CVarArg {
    public var _cVarArgEncoding: [Int] { _ObjectArgument.encoding(of: self) }
}

extension URL: @retroactive CVarArg {
    public var _cVarArgEncoding: [Int] { _ObjectArgument.encoding(of: self) }
}

extension Data: @retroactive CVarArg {
    public var _cVarArgEncoding: [Int] { _ObjectArgument.encoding(of: self) }
}

extension Decimal: @retroactive CVarArg {
    public var _cVarArgEncoding: [Int] { _ObjectArgument.encoding(of: self) }
}

/// The C argument of a value that is an object to Objective-C.
enum _ObjectArgument {
    /// The address of the value as an object. It is never freed: C does not say when it has read its arguments. Only a C
    /// format asks for it (`String(format:)`); predicates take the value itself.
    static func encoding(of value: Any) -> [Int] {
        [Int(bitPattern: Unmanaged.passRetained(value as AnyObject).toOpaque())]
    }
}

/// What Apple's framework raises as an Objective-C exception where no throwing function is on the path.
package enum ExceptionName: String {
    case invalidArgument = "NSInvalidArgumentException"
    case internalInconsistency = "NSInternalInconsistencyException"
    case objectInaccessible = "NSObjectInaccessibleException"
    case range = "NSRangeException"
    case unknownKey = "NSUnknownKeyException"
    case generic = "NSGenericException"
}

/// Stops the program with the exception's name and reason.
package func raise(_ name: ExceptionName, _ reason: String, file: StaticString = #fileID, line: UInt = #line) -> Never {
    fatalError("\(name.rawValue): \(reason)", file: file, line: line)
}

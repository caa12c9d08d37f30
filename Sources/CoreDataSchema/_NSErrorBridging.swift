import Foundation

/// A Swift error that `catch let error as NSError` finds too, as it does on Apple's systems, where the language sees to it.
///
/// Off them a cast from `any Error` to `NSError` asks for the conversion that Foundation's own values declare, and so do casts
/// back: the typed error travels in the user info, so that an `NSError` made of it is caught by type as well.
public protocol _NSErrorBridging: CustomNSError, _ObjectiveCBridgeable where _ObjectiveCType == NSError {}

/// Where the user info keeps the Swift error.
private let typedErrorKey = "CoreDataTypedError"

extension _NSErrorBridging {
    public func _bridgeToObjectiveC() -> NSError {
        NSError(domain: Self.errorDomain, code: errorCode, userInfo: errorUserInfo.merging([typedErrorKey: self]) { own, _ in own })
    }

    public static func _conditionallyBridgeFromObjectiveC(_ source: NSError, result: inout Self?) -> Bool {
        // Cast as `Any`: as an error it would be bridged once more.
        result = source.userInfo[typedErrorKey].flatMap { $0 as? Self }
        return result != nil
    }

    public static func _forceBridgeFromObjectiveC(_ source: NSError, result: inout Self?) {
        guard _conditionallyBridgeFromObjectiveC(source, result: &result) else {
            preconditionFailure("\(source) was not made of a \(Self.self): cast it with `as?`")
        }
    }

    public static func _unconditionallyBridgeFromObjectiveC(_ source: NSError?) -> Self {
        var result: Self?
        guard let source, _conditionallyBridgeFromObjectiveC(source, result: &result), let result else {
            preconditionFailure("\(String(describing: source)) was not made of a \(Self.self): cast it with `as?`")
        }
        return result
    }
}

/// What `#if` means where the companion is built: Linux. What only the build knows (`DEBUG`, `arch`) is unknown, and then both
/// branches count: a symbol too many harms nobody.
struct BuildConditions {
    /// Names given with `-D`.
    var defined: Set<String> = []
    /// Modules that can be imported besides the system's.
    var modules: Set<String> = []

    /// Modules that Linux has not.
    private static let absent: Set<String> = [
        "AppKit", "ARKit", "AVFoundation", "AVKit", "CloudKit", "Cocoa", "Combine", "Contacts", "CoreBluetooth", "CoreGraphics",
        "CoreImage", "CoreLocation", "CoreML", "CoreMedia", "CoreSpotlight", "CoreText", "CryptoKit", "Darwin", "EventKit", "HealthKit",
        "Intents", "MapKit", "Metal", "MobileCoreServices", "ObjectiveC", "os", "OSLog", "PassKit", "Photos", "QuartzCore", "SceneKit",
        "Security", "SpriteKit", "StoreKit", "SwiftData", "SwiftUI", "UIKit", "UniformTypeIdentifiers", "UserNotifications", "WatchKit",
        "WebKit", "WidgetKit", "WinSDK", "Musl", "Android", "WASILibc",
    ]
    static func isAbsent(_ module: String) -> Bool { absent.contains(module) }

    private static let present: Set<String> = ["CoreData", "Dispatch", "Foundation", "FoundationEssentials", "Glibc", "NLCoreData", "Swift"]
    private static let systems: Set<String> = [
        "macOS", "OSX", "iOS", "tvOS", "watchOS", "visionOS", "Windows", "FreeBSD", "OpenBSD", "Android", "WASI",
    ]

    /// nil when only the build knows.
    func value(of condition: String) -> Bool? {
        var parser = Parser(conditions: self, tokens: SourceLexer.tokens(of: condition)[...])
        return parser.either()
    }

    private struct Parser {
        let conditions: BuildConditions
        var tokens: ArraySlice<SourceToken>

        private mutating func take(_ operation: String) -> Bool {
            guard tokens.prefix(2).map(\.text) == [operation, operation] else { return false }
            tokens.removeFirst(2)
            return true
        }

        mutating func either() -> Bool? {
            var result = both()
            while take("|") {
                let other = both()
                result = result == true || other == true ? true : result == nil || other == nil ? nil : false
            }
            return result
        }

        private mutating func both() -> Bool? {
            var result = one()
            while take("&") {
                let other = one()
                result = result == false || other == false ? false : result == nil || other == nil ? nil : true
            }
            return result
        }

        private mutating func one() -> Bool? {
            guard let token = tokens.popFirst() else { return nil }
            if token.isSymbol("!") { return one().map { !$0 } }
            if token.isSymbol("(") {
                let value = either()
                _ = tokens.popFirst()
                return value
            }
            guard tokens.first?.isSymbol("(") == true else { return name(token.text) }
            tokens.removeFirst()
            let arguments = tokens.prefix { !$0.isSymbol(")") }.map(\.text)
            tokens = tokens.dropFirst(arguments.count + 1)
            return call(token.text, arguments)
        }

        private func name(_ text: String) -> Bool? {
            switch text {
            case "true": true
            case "false": false
            case "DEBUG": nil
            default: conditions.defined.contains(text)
            }
        }

        private func call(_ function: String, _ arguments: [String]) -> Bool? {
            let argument = arguments.first ?? ""
            switch function {
            case "os": return argument == "Linux" ? true : systems.contains(argument) ? false : nil
            case "canImport":
                if absent.contains(argument) { return false }
                return present.contains(argument) || conditions.modules.contains(argument) ? true : nil
            case "targetEnvironment", "_runtime": return argument == "_Native"
            case "swift", "compiler": return version(arguments)
            default: return nil
            }
        }

        /// `>=5.9`: true up to the oldest Swift this package builds with.
        private func version(_ arguments: [String]) -> Bool? {
            let text = arguments.joined(), digits = text.drop { !$0.isNumber }
            let parts = digits.split(separator: ".").compactMap { Int($0) }
            guard let major = parts.first else { return nil }
            let isOld = (major, parts.dropFirst().first ?? 0) <= (6, 2)
            return isOld ? text.hasPrefix(">=") : nil
        }
    }
}

extension BuildConditions {
    /// The tokens that are built, perhaps.
    func active(_ tokens: [SourceToken]) -> [SourceToken] {
        var result: [SourceToken] = []
        // Of each open #if: whether its branch counts, and whether an earlier one was surely taken.
        var open: [(isActive: Bool, isDone: Bool)] = []
        for token in tokens {
            guard token.kind == .directive else {
                if open.allSatisfy(\.isActive) { result.append(token) }
                continue
            }
            if token.text.hasPrefix("endif") {
                _ = open.popLast()
            } else if token.text.hasPrefix("elseif") || token.text.hasPrefix("else") {
                guard let last = open.popLast() else { continue }
                let value = token.text.hasPrefix("elseif") ? self.value(of: String(token.text.dropFirst(6))) : true
                open.append((!last.isDone && value != false, last.isDone || value == true))
            } else {
                let value = self.value(of: String(token.text.dropFirst(2)))
                open.append((value != false, value == true))
            }
        }
        return result
    }
}

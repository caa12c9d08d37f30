import CoreDataSchema
import Foundation

/// A class's name in parts.
struct ClassName {
    let module: String
    let last: String

    init(_ type: AnyClass) {
        // "Module.Outer.Class", "Module.(unknown context at $…).Class" for a private one.
        let parts = String(reflecting: type).split(separator: ".")
        module = parts.first.map(String.init) ?? ""
        last = parts.last.map(String.init) ?? ""
    }
}

/// Finds classes by name, as the Objective-C runtime does for Apple's framework.
enum ClassLookup {
    /// The class at a path of module, enclosing types and class; nil when there is none or it is no managed object class.
    static func type(_ parts: [String]) -> NSManagedObject.Type? {
        if parts.count == 2 { return _typeByName(parts.joined(separator: ".")) as? NSManagedObject.Type }
        guard parts.count > 2, parts.count < 7 else { return nil }
        // The runtime finds nested types by mangled name only, and that needs each enclosing type's kind: try them.
        let names = parts.map { "\($0.utf8.count)\($0)" }
        var spellings = [names[0]]
        for name in names.dropFirst().dropLast() { spellings = spellings.flatMap { start in "VOC".map { "\(start)\(name)\($0)" } } }
        return spellings.lazy.compactMap { _typeByName($0 + names[names.count - 1] + "C") as? NSManagedObject.Type }.first
    }
}

/// Modules in which classes named without one may be.
enum ModuleCandidates {
    /// The targets of the resource bundles beside the executable, and the executable itself.
    static let ambient: [String] = {
        let executable = Bundle.main.executableURL ?? CommandLine.arguments.first.map { URL(fileURLWithPath: $0) }
        let own = executable.map { [identifier($0.deletingPathExtension().lastPathComponent)] } ?? []
        return own + ModelDiscovery.resourceFolders().flatMap { targets(inBundleNamed: $0.lastPathComponent) }
    }()

    /// The target of the resource bundle a model was read from.
    static func resourceTargets(of url: URL?) -> [String] {
        (url?.pathComponents ?? []).filter { $0.hasSuffix(".resources") || $0.hasSuffix(".bundle") }
            .flatMap { targets(inBundleNamed: $0) }
    }

    /// `<Package>_<Target>.resources`: either name may have underscores, so every split counts, the longest target last.
    private static func targets(inBundleNamed name: String) -> [String] {
        let parts = (name as NSString).deletingPathExtension.split(separator: "_", omittingEmptySubsequences: false)
        guard parts.count > 1 else { return [] }
        return (1..<parts.count).reversed().map { identifier(parts[$0...].joined(separator: "_")) }
    }

    /// A target's name as the module's: what is no letter, digit or underscore becomes an underscore.
    private static func identifier(_ name: String) -> String {
        String(name.map { $0.isLetter || $0.isNumber || $0 == "_" ? $0 : "_" })
    }
}

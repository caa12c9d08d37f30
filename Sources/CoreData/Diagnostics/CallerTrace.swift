import Runtime
import Synchronization

/// The stack at the moment a fault fired, read only when somebody asks.
struct CallerTrace: Sendable {
    private let backtrace: Backtrace?

    /// Frames looked at: Core Data's own, and as many of the program's as generated accessors may take.
    private static let depth = 40

    /// The program and its libraries, read once: the runtime reads the start of everything mapped, and what another thread
    /// unmaps at that moment (SQLite its shared memory) stops the program. So it is read when observing begins.
    static let images = ImageMap.capture()

    init() { backtrace = try? Backtrace.capture(limit: Self.depth, top: 0, images: Self.images) }

    /// The first frame outside of Core Data, the system and generated accessors.
    var caller: CoreDataDiagnostics.Caller? {
        guard let frames = backtrace?.symbolicated(with: Self.images, options: [.showInlineFrames, .showSourceLocations, .useSymbolCache])?.frames else {
            return nil
        }
        var isInGlue = false
        for frame in frames {
            guard let symbol = frame.symbol else { continue }
            let name = symbol.rawName
            if CallerFrames.isOurs(name) {
                isInGlue = CallerFrames.isGlue(name)
                continue
            }
            if CallerFrames.isSystem(name) || symbol.sourceLocation?.line == 0 { continue }
            // Whoever calls the glue of generated classes is one of their accessors; the caller is behind it.
            if isInGlue {
                isInGlue = false
                continue
            }
            return CoreDataDiagnostics.Caller(
                file: symbol.sourceLocation?.path, line: symbol.sourceLocation?.line ?? 0, function: symbol.name)
        }
        return nil
    }
}

/// What a frame's mangled name says of it.
enum CallerFrames {
    /// Modules of this package that a user's call passes through; NLCoreData is one of them.
    private static let ours = [
        "CoreData", "CoreDataGraph", "CoreDataStorage", "CoreDataSQLStorage", "CoreDataPredicate", "CoreDataSchema", "SQLiteDriver",
        "NLCoreData",
    ].map { "$s\($0.utf8.count)\($0)" }

    private static let system = ["Foundation", "FoundationEssentials", "Dispatch", "Testing", "Synchronization"]
        .map { "$s\($0.utf8.count)\($0)" }

    static func isOurs(_ name: String) -> Bool {
        ours.contains { name.hasPrefix($0) } || isExtension(name)
    }

    /// Methods of ours on types of others: “(extension in CoreData)”.
    private static func isExtension(_ name: String) -> Bool {
        ours.contains { prefix in name.contains("\(prefix.dropFirst(2))E") }
    }

    /// The underscored methods generated classes call.
    static func isGlue(_ name: String) -> Bool { name.hasPrefix("$s8CoreData15NSManagedObjectC") && underscored(name) }

    private static func underscored(_ name: String) -> Bool {
        // After the class: the length of the method's name and the name itself.
        let rest = name.dropFirst("$s8CoreData15NSManagedObjectC".utf8.count)
        return rest.drop { $0.isNumber }.first == "_"
    }

    /// The standard library's, the runtime's, C's, and thunks.
    static func isSystem(_ name: String) -> Bool {
        !name.hasPrefix("$s") && name != "main" || name.hasPrefix("$ss") || name.hasPrefix("$sS") && !name.hasPrefix("$sSo")
            || system.contains { name.hasPrefix($0) } || name.hasSuffix("TR") || name.hasSuffix("TK") || name.hasSuffix("Tk")
    }
}

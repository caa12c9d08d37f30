import CoreDataSchema
import Foundation

/// `coredata model hashes MODEL`.
enum ModelHashesCommand: Command {
    static let spec = CommandSpec(
        path: ["model", "hashes"], summary: "print the version hashes by which a store knows its model", operands: [ModelInput.operand],
        options: [ModelInput.versionOption],
        details: [
            "One line an entity: its name and hash in hexadecimal; then the digest and checksum stores note down "
                + "(NSStoreModelVersionHashesDigest, NSStoreModelVersionChecksumKey).",
            "Hashes of entities with derived or composite attributes, and of their subentities, cannot be computed as Apple does: they are "
                + "taken from the VersionInfo.plist of a .momd, or from the .omo beside a .mom, and where there is none the entities are named on standard error.",
        ])

    static func run(_ arguments: Arguments, _ console: Console) throws -> ExitCode {
        let input = try ModelInput.load(arguments.operands[0], version: arguments.value("version"))
        let hashes = try input.hashes()
        let unknown = input.unknownHashes
        let names = hashes.keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        if console.isJSON {
            try console.print(.object([
                "version": .string(input.version),
                "hashes": .object(names.map { .init(key: $0, value: .string(Data(hashes[$0] ?? []).hexText)) }),
                "digest": .string(VersionHash.digest(hashes)), "checksum": .string(VersionHash.checksum(hashes)),
                "notApples": .array(unknown.map(JSONValue.string)),
            ]))
            return .done
        }
        let width = names.map(\.count).max() ?? 0
        for name in names {
            let padding = String(repeating: " ", count: width - name.count)
            try console.output.line("\(name)\(padding)  \(Data(hashes[name] ?? []).hexText)")
        }
        try console.output.line("\ndigest    \(VersionHash.digest(hashes))\nchecksum  \(VersionHash.checksum(hashes))")
        if !unknown.isEmpty {
            try console.warn("the hashes of \(unknown.joined(separator: ", ")) are not Apple’s: how derived and composite attributes "
                + "enter a hash is not known. Name the .momd that Xcode compiled: its VersionInfo.plist has them.")
        }
        return .done
    }
}

import CCrypto
import Foundation

/// The version hashes by which a store and a model recognise one another.
///
/// Invariant: equal to Apple's for every entity that `uncomputable(in:)` does not list; for those, stable but our own.
/// Defaults, validation, delete rules, indexes, class names and user info are not hashed, so changing them needs no migration.
package enum VersionHash {
    /// Entity name to its 32 bytes.
    package static func entityHashes(of model: ModelSchema) throws(ModelError) -> [String: [UInt8]] {
        var hasher = try EntityHasher(model)
        for entity in model.entities { _ = try hasher.hash(of: entity.name) }
        return hasher.hashes
    }

    /// `NSStoreModelVersionHashesDigest`: base64 of the SHA-512 over each name and hash, names in byte order.
    package static func digest(_ hashes: [String: [UInt8]]) -> String {
        var bytes: [UInt8] = []
        for (name, hash) in inByteOrder(hashes) { bytes += name.utf8; bytes += hash }
        return Data(Digest.sha512(bytes)).base64EncodedString()
    }

    /// `NSStoreModelVersionChecksumKey`: base64 of the SHA-256 over each hash, names in byte order.
    package static func checksum(_ hashes: [String: [UInt8]]) -> String {
        var bytes: [UInt8] = []
        for (_, hash) in inByteOrder(hashes) { bytes += hash }
        return Data(Digest.sha256(bytes)).base64EncodedString()
    }

    /// Entities whose hash Apple computes in a way nobody outside knows: those with a stored derived or composite
    /// attribute, and their subentities. Sorted by name.
    package static func uncomputable(in model: ModelSchema) -> [String] {
        var listed: Set<String> = []
        for entity in model.entities where entity.attributes.contains(where: \.hashIsUnknown) { listed.insert(entity.name) }
        var grew = !listed.isEmpty
        while grew {
            grew = false
            for entity in model.entities {
                guard let parent = entity.superentityName, listed.contains(parent) else { continue }
                if listed.insert(entity.name).inserted { grew = true }
            }
        }
        return listed.sorted(by: utf8Precedes)
    }

    private static func inByteOrder(_ hashes: [String: [UInt8]]) -> [(key: String, value: [UInt8])] {
        hashes.sorted { utf8Precedes($0.key, $1.key) }
    }

    static func utf8Precedes(_ left: String, _ right: String) -> Bool { left.utf8.lexicographicallyPrecedes(right.utf8) }
}

extension AttributeSchema {
    fileprivate var hashIsUnknown: Bool { !isTransient && (derivationFormat != nil || type == .composite) }
}

/// Hashes entities parents first, each once.
private struct EntityHasher {
    var hashes: [String: [UInt8]] = [:]
    private var byName: [String: EntitySchema] = [:]
    /// Hashes of an entity's own and inherited stored properties.
    private var properties: [String: [(name: String, hash: [UInt8])]] = [:]
    private var inProgress: Set<String> = []

    init(_ model: ModelSchema) throws(ModelError) {
        for entity in model.entities where byName.updateValue(entity, forKey: entity.name) != nil {
            throw .duplicateEntity(entity.name)
        }
    }

    mutating func hash(of name: String) throws(ModelError) -> [UInt8] {
        if let known = hashes[name] { return known }
        guard let entity = byName[name] else { return [] }
        guard inProgress.insert(name).inserted else { throw .inheritanceCycle(entity: name) }
        var bytes = Array(name.utf8)
        bytes.append(entity.isAbstract ? 1 : 0)
        var all: [(name: String, hash: [UInt8])] = []
        if let parent = entity.superentityName {
            guard byName[parent] != nil else { throw .unknownSuperentity(entity: name, name: parent) }
            bytes += try hash(of: parent)
            all = properties[parent] ?? []
        }
        all += ownProperties(of: entity)
        all.sort { VersionHash.utf8Precedes($0.name, $1.name) }
        properties[name] = all
        for property in all { bytes += property.hash }
        bytes += (entity.versionHashModifier ?? "").utf8
        let constraints = entity.uniquenessConstraints.map { $0.joined(separator: ".") }
        for constraint in constraints.sorted(by: VersionHash.utf8Precedes) { bytes += constraint.utf8 }
        let result = Digest.sha256(bytes)
        hashes[name] = result
        return result
    }

    private func ownProperties(of entity: EntitySchema) -> [(name: String, hash: [UInt8])] {
        entity.attributes.filter { !$0.isTransient }.map { ($0.name, $0.versionHash) }
            + entity.relationships.filter { !$0.isTransient }.map { ($0.name, $0.versionHash) }
    }
}

extension AttributeSchema {
    package var versionHash: [UInt8] {
        var bytes = baseHash(name, isOptional: isOptional, isTransient: isTransient, modifier: versionHashModifier)
        bytes.append(littleEndian: UInt32(type.rawValue))
        if allowsExternalBinaryDataStorage { bytes.append(1) }
        if preservesValueInHistoryOnDeletion { bytes.append(1) }
        return Digest.sha256(bytes)
    }
}

extension RelationshipSchema {
    package var versionHash: [UInt8] {
        var bytes = baseHash(name, isOptional: isOptional, isTransient: isTransient, modifier: versionHashModifier)
        bytes += destinationName.utf8
        bytes += (inverseName ?? "").utf8
        bytes.append(littleEndian: Int32(clamping: maxCount))
        bytes.append(littleEndian: Int32(clamping: minCount))
        if isOrdered { bytes += [1, 0] }
        return Digest.sha256(bytes)
    }
}

private func baseHash(_ name: String, isOptional: Bool, isTransient: Bool, modifier: String?) -> [UInt8] {
    var bytes = Array(name.utf8)
    bytes.append(littleEndian: UInt16((isOptional ? 1 : 0) | (isTransient ? 2 : 0)))
    bytes += (modifier ?? "").utf8
    return Digest.sha256(bytes)
}

private enum Digest {
    /// Keeps the algorithm: looking it up takes OpenSSL several times as long as the digest of a short text.
    ///
    /// Unchecked Sendable: touched under the lock of `hasher` only; never freed.
    private struct Hasher: @unchecked Sendable {
        private let context: OpaquePointer?

        init() {
            context = EVP_MD_CTX_new()
            EVP_DigestInit_ex(context, EVP_sha256(), nil)
        }

        func digest(_ bytes: [UInt8], into buffer: UnsafeMutablePointer<UInt8>?) -> Bool {
            // Without an algorithm: once more with the one it has.
            EVP_DigestInit_ex(context, nil, nil) == 1 && EVP_DigestUpdate(context, bytes, bytes.count) == 1
                && EVP_DigestFinal_ex(context, buffer, nil) == 1
        }
    }

    private static let hasher = LockedValue(Hasher())

    static func sha256(_ bytes: [UInt8]) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: Int(SHA256_DIGEST_LENGTH)) { buffer, count in
            let start = buffer.baseAddress
            if !hasher.withLock({ $0.digest(bytes, into: start) }) { _ = SHA256(bytes, bytes.count, start) }
            count = Int(SHA256_DIGEST_LENGTH)
        }
    }

    static func sha512(_ bytes: [UInt8]) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: Int(SHA512_DIGEST_LENGTH)) { buffer, count in
            _ = SHA512(bytes, bytes.count, buffer.baseAddress)
            count = Int(SHA512_DIGEST_LENGTH)
        }
    }
}

extension [UInt8] {
    fileprivate mutating func append(littleEndian value: some FixedWidthInteger) {
        Swift.withUnsafeBytes(of: value.littleEndian) { append(contentsOf: $0) }
    }
}

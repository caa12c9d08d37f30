import CoreDataSchema
import CoreDataStorage

/// What rows' keys are as IDs of an XML document, where no two may be the same.
///
/// The key itself, as in Apple's files, as long as no two rows have one. Rows that came from a store of another type may; then each root entity has
/// its residue class: ID = key × number of roots + place of the root, and the document's metadata lists the roots.
struct XMLStoreKeys {
    static let metadataKey = "NLCoreDataKeySpaces"

    /// Names of root entities; empty when a key is an ID.
    let roots: [String]
    private let places: [Int?]

    init(roots: [String], model: ResolvedModel) {
        self.roots = roots
        places = model.entities.map { roots.firstIndex(of: model.entities[$0.rootIndex].name) }
    }

    init(_ content: StoreContent) {
        var seen = Set<Int64>(), isShared = false
        for entity in content.model.entities {
            content.forEachRow(of: entity.index) { if !seen.insert($0.key.primaryKey).inserted { isShared = true } }
        }
        let roots = content.model.entities.filter { $0.rootIndex == $0.index }.map(\.name).sorted()
        self.init(roots: isShared ? roots : [], model: content.model)
    }

    func id(of key: RowKey) -> String {
        guard !roots.isEmpty, let place = places[Int(key.entity)] else { return "z\(key.primaryKey)" }
        // Keys end far below: see `XMLStoreReader` and `BinaryStoreReader`; wider than 64 bits for those of other stores.
        return "z\(Int128(key.primaryKey) * Int128(roots.count) + Int128(place))"
    }

    /// nil when an object of the entity cannot have the ID.
    func key(ofID text: String, entity: ResolvedEntity) -> Int64? {
        guard let id = Int128(text.first == "z" ? String(text.dropFirst()) : text), id > 0 else { return nil }
        let key: Int64?
        if roots.isEmpty { key = Int64(exactly: id) } else {
            guard let place = places[entity.index], Int(id % Int128(roots.count)) == place else { return nil }
            key = Int64(exactly: id / Int128(roots.count))
        }
        guard let key, key > 0, key < 1 << 61 else { return nil }
        return key
    }
}

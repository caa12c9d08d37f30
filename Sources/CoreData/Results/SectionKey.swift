import CoreDataStorage

/// A section key path as the model and the classes know it.
enum SectionKey {
    /// The first key of a path that surely nobody answers, the entity it was asked of, and what to say about it; nil when there
    /// is none. A class written by hand may answer any key (`value(forUndefinedKey:)`): only its objects can tell.
    static func unknown(in path: String, of entity: NSEntityDescription) -> (key: String, entity: String, advice: String)? {
        var owner = entity
        for key in path.split(separator: ".", omittingEmptySubsequences: false).map(String.init) {
            let family = withSubentities(owner)
            guard let property = family.lazy.compactMap({ $0.propertiesByName[key] }).first else {
                if key.hasPrefix("@") || family.contains(where: { mayAnswer(key, $0) }) { return nil }
                return (key, owner.name ?? "", NearestName.advice(key, among: owner.propertiesByName.keys.sorted()))
            }
            // What values of attributes answer, they say themselves.
            guard let next = (property as? NSRelationshipDescription)?.destinationEntity else { return nil }
            owner = next
        }
        return nil
    }

    private static func withSubentities(_ entity: NSEntityDescription) -> [NSEntityDescription] {
        [entity] + entity.subentities.flatMap(withSubentities)
    }

    private static func mayAnswer(_ key: String, _ entity: NSEntityDescription) -> Bool {
        let coding = ClassCoding.of(entity.managedObjectClass())
        return !coding.isPlain || coding.paths[key] != nil || NSManagedObject.ownKeys.contains(key)
    }
}

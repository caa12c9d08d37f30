/// A query's results at one moment, as object IDs, and how they differ from the snapshot its consumer got before.
public struct ResultSnapshot<Object: NSManagedObject>: Sendable {
    /// Results that share the value of `sectionedBy`.
    public struct Section: Sendable, Hashable {
        /// The value as text; empty for nil.
        public let name: String
        /// The places of its objects among `objectIDs`.
        public let range: Range<Int>

        public init(name: String, range: Range<Int>) {
            self.name = name
            self.range = range
        }
    }

    /// The results in order.
    public let objectIDs: [NSManagedObjectID]
    /// The results in sections; one with an empty name when none were asked for.
    public let sections: [Section]
    /// What leads from the consumer's snapshot before to this one; from nothing for its first. An object that moved is removed
    /// and inserted, the two associated.
    public let difference: CollectionDifference<NSManagedObjectID>
    /// Objects that changed and are among the results as before, whether they moved or not.
    public let updatedObjectIDs: Set<NSManagedObjectID>

    /// The results as objects of a context. Call it on the context's queue. Those that are gone there are left out.
    public func objects(in context: NSManagedObjectContext) throws -> [Object] {
        let request = NSFetchRequest<Object>()
        request.entity = try EntityLookup.entity(of: Object.self, in: context)
        request.predicate = try Platform.predicate("SELF IN %@", [objectIDs])
        // One round trip for all that the context does not have.
        let found = try context.fetch(request)
        let byID = Dictionary(found.map { ($0.objectID, $0) }) { first, _ in first }
        return objectIDs.compactMap { byID[$0] }
    }
}

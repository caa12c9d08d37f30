/// Objects made of, and changed by, rows of data from elsewhere: dictionaries, `Encodable` values, JSON.
///
/// Keys are the properties' names, or what the model's user info says (`jsonKey`, dotted). Texts become numbers, dates (ISO 8601), UUIDs,
/// URLs; numbers become dates (seconds since 1970); null clears; what is not mentioned stays; keys the entity does not know are passed
/// over. A relationship takes objects written out, or the values of their identity (the entity's user info `identityAttribute`, or
/// its uniqueness constraint of one attribute): known ones are changed, others made. Everything throws `unacceptableValue` for a value that
/// does not fit. Nothing is saved.
extension ManagedObjectConvenience {
    /// A new object with what the row says.
    @discardableResult
    public static func create(from row: [String: Any], in context: NSManagedObjectContext = .contextForThread()) throws -> Self {
        let object = try insert(in: context)
        do { try object.update(from: row) } catch {
            context.delete(object)
            throw error
        }
        return object
    }

    /// A new object with the value's members.
    @discardableResult
    public static func create(from value: some Encodable, in context: NSManagedObjectContext = .contextForThread()) throws -> Self {
        try create(from: EncodedRow.row(of: value), in: context)
    }

    /// Sets what the row says.
    public func update(from row: [String: Any]) throws {
        guard let context = managedObjectContext else {
            throw NLCoreDataError.detachedObject(className: EntityLookup.className(of: type(of: self)))
        }
        let row = (type(of: self) as? any PopulationTranslating.Type)?.translatePopulationDictionary(row) ?? row
        var importer = RowImporter(context)
        try importer.fill([(self, row)], ImportPlan(entity))
    }

    /// Sets the value's members. Those that are nil are not encoded, and stay as they are.
    public func update(from value: some Encodable) throws { try update(from: EncodedRow.row(of: value)) }

    /// An object for each row: the one whose `key` has the row's value, changed, or a new one. Rows with the same value are one object,
    /// and the last counts. One query a batch, whatever the number of rows.
    @discardableResult
    public static func upsert(
        _ rows: [[String: Any]], by key: String, in context: NSManagedObjectContext = .contextForThread(), batchSize: Int = 500
    ) throws -> [Self] {
        try upsert(rows, ImportPlan(EntityLookup.entity(of: Self.self, in: context), identity: key), in: context, batchSize)
    }

    /// The same, of values.
    @discardableResult
    public static func upsert(
        _ values: [some Encodable], by key: String, in context: NSManagedObjectContext = .contextForThread(), batchSize: Int = 500
    ) throws -> [Self] {
        try upsert(values.map { try EncodedRow.row(of: $0) }, by: key, in: context, batchSize: batchSize)
    }

    /// Objects of JSON: an array of objects, or one. Known ones, by `key` or the entity's identity, are changed; the others made.
    ///
    /// Throws Foundation's error for text that is no JSON.
    @discardableResult
    public static func importJSON(
        _ data: Data, by key: String? = nil, in context: NSManagedObjectContext = .contextForThread(), batchSize: Int = 500
    ) throws -> [Self] {
        let value = try JSONSerialization.jsonObject(with: data), entity = try EntityLookup.entity(of: Self.self, in: context)
        guard let rows = value as? [[String: Any]] ?? (value as? [String: Any]).map({ [$0] }) else {
            throw NLCoreDataError.unacceptableValue(entity: entity.name ?? "", attribute: "JSON", value: "an array of something else than objects")
        }
        return try upsert(rows, ImportPlan(entity, identity: key), in: context, batchSize)
    }

    private static func upsert(_ rows: [[String: Any]], _ plan: ImportPlan, in context: NSManagedObjectContext, _ batchSize: Int) throws -> [Self] {
        var importer = RowImporter(context), result: [Self] = []
        result.reserveCapacity(rows.count)
        for start in stride(from: 0, to: rows.count, by: max(1, batchSize)) {
            let batch = Array(rows[start..<min(rows.count, start + max(1, batchSize))])
            result += try importer.objects(batch, plan).compactMap { $0 as? Self }
        }
        return result
    }
}

/// A value as a row: what its JSON says.
enum EncodedRow {
    /// Throws `unacceptableValue` for what is no object in JSON.
    static func row(of value: some Encodable) throws -> [String: Any] {
        let encoder = JSONEncoder()
        // As `AttributeFitting` reads numbers for dates.
        encoder.dateEncodingStrategy = .secondsSince1970
        let object = try JSONSerialization.jsonObject(with: encoder.encode(value), options: .fragmentsAllowed)
        if let row = object as? [String: Any] { return row }
        throw NLCoreDataError.unacceptableValue(entity: "", attribute: "", value: "\(value)")
    }
}

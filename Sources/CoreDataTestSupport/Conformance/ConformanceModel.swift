import CoreDataSchema

/// The model every store is tried with: each attribute type and each relationship shape once.
package enum ConformanceModel {
    package static func make() throws -> ResolvedModel {
        var schema = ModelSchema()
        addTypes(&schema)
        addPeople(&schema)
        addMusic(&schema)
        schema.add(
            "Product", attributes: [.optional("number", .integer32), .optional("region", .string), .optional("sku", .string)],
            unique: [["sku"], ["region", "number"]])
        schema.add("Special", parent: "Product", attributes: [.optional("badge", .string)], unique: [["badge"]])
        return try ResolvedModel(schema)
    }

    private static func addTypes(_ schema: inout ModelSchema) {
        schema.add("Everything", attributes: [
            .optional("binary", .binary), .optional("boolean", .boolean), .optional("date", .date), .optional("decimal", .decimal),
            .optional("double", .double), .optional("float", .float), .optional("integer16", .integer16),
            .optional("integer32", .integer32), .optional("integer64", .integer64), .optional("string", .string),
            .optional("transformable", .transformable), .optional("uri", .uri), .optional("uuid", .uuid),
        ])
    }

    private static func addPeople(_ schema: inout ModelSchema) {
        schema.add("Party", isAbstract: true, attributes: [.optional("code", .integer64), .optional("name", .string)])
        schema.add("Person", parent: "Party", attributes: [
            .optional("age", .integer32), .optional("flag", .boolean), .optional("joined", .date), .optional("nick", .string),
            .optional("rate", .decimal), .optional("salary", .double), .optional("token", .uuid),
        ], relationships: [
            .toOne("badge", "Badge", inverse: "holder"), .toOne("dept", "Dept", inverse: "members"),
            .toOne("favourite", "Tag"), .toMany("friends", "Person", inverse: "friends"), .toMany("hobbies", "Tag"),
            .toOne("leads", "Dept", inverse: "boss"), .toOne("mentor", "Person", inverse: "pupils"),
            .toOne("partner", "Person", inverse: "partner"), .toMany("pupils", "Person", inverse: "mentor"),
            .toMany("tags", "Tag", inverse: "people"),
        ])
        schema.add("Manager", parent: "Person", attributes: [.optional("bonus", .integer16)])
        schema.add("Firm", parent: "Party", attributes: [.optional("city", .string)])
        schema.add("Badge", attributes: [.optional("number", .integer32)], relationships: [.toOne("holder", "Person", inverse: "badge")])
        schema.add("Dept", attributes: [.optional("code", .integer64), .optional("name", .string)], relationships: [
            .toOne("boss", "Person", inverse: "leads"), .toMany("members", "Person", inverse: "dept"), .toOne("owner", "Party"),
        ])
        schema.add("Tag", attributes: [.optional("code", .integer64), .optional("name", .string), .optional("weight", .integer32)],
                   relationships: [.toMany("people", "Person", inverse: "tags")])
    }

    private static func addMusic(_ schema: inout ModelSchema) {
        schema.add("Playlist", attributes: [.optional("code", .integer64)], relationships: [
            .toMany("songs", "Song", inverse: "playlist", isOrdered: true), .toMany("extras", "Song", isOrdered: true),
        ])
        schema.add("Song", attributes: [.optional("code", .integer64), .optional("title", .string)], relationships: [
            .toMany("albums", "Album", inverse: "tracks"), .toOne("playlist", "Playlist", inverse: "songs"),
        ])
        schema.add("Album", attributes: [.optional("code", .integer64)], relationships: [
            .toMany("artists", "Artist", inverse: "albums", isOrdered: true),
            .toMany("tracks", "Song", inverse: "albums", isOrdered: true),
        ])
        schema.add("Artist", attributes: [.optional("code", .integer64)], relationships: [
            .toMany("albums", "Album", inverse: "artists", isOrdered: true),
        ])
    }
}

import CoreDataSchema

/// How one entity's class is written: what the configuration and the entity's user info say, put together.
struct EntitySettings {
    var access: GenerationOptions.Access
    /// Whether the class is as accessible as that: of a class of the program's it may not be known.
    var isAccessKnown = false
    var types: TypeStyle
    /// Named for this entity.
    var superclass: String?
    /// For classes without another.
    var rootSuperclass: String?
    var documentation: [String]
    var deprecation: Deprecation?

    /// User info keys, of entities and of properties.
    static let documentationKey = "documentation", deprecationKey = "deprecated"
    /// User info keys of entities. Those of mogenerator mean the same.
    static let superclassKeys = ["superclass", "mogenerator.customBaseClass"], accessKey = "access"

    init(_ entity: EntitySchema, _ options: GenerationOptions, _ locate: Locator) throws(GenerationError) {
        let own = options.configuration.entities[entity.name] ?? .init(), general = options.configuration.general
        let said = entity.userInfo[Self.accessKey].flatMap { GenerationOptions.Access(rawValue: $0) }
        access = own.access ?? said ?? general.access ?? options.access
        types = own.types ?? general.types ?? .swift
        superclass = own.superclass ?? Self.superclassKeys.lazy.compactMap { entity.userInfo[$0] }.first
        if let superclass, !SwiftName.isTypeText(superclass) {
            throw locate.error(
                .unusableName, entity.name, nil, "The superclass “\(superclass)” of “\(entity.name)” is no name Swift can use. Correct it.")
        }
        rootSuperclass = general.superclass
        documentation = Self.documentation(entity.userInfo)
        deprecation = Deprecation(entity.userInfo)
    }

    static func documentation(_ userInfo: [String: String]) -> [String] {
        (userInfo[documentationKey] ?? "").split(whereSeparator: \.isNewline).map { $0.trimmingPrefix { $0 == " " }.description }
    }
}

/// That something should not be used any longer, and what instead.
struct Deprecation {
    let message: String

    init?(_ userInfo: [String: String]) {
        guard let text = userInfo[EntitySettings.deprecationKey], !["NO", "FALSE"].contains(text.uppercased()) else { return nil }
        message = ["YES", "TRUE", "1"].contains(text.uppercased()) ? "" : text
    }

    var attribute: String {
        message.isEmpty ? "@available(*, deprecated)" : "@available(*, deprecated, message: \(SourceText.literal(message)))"
    }
}

import CoreData

/// The entities of the random test: three roots, two of them with sub-entities.
enum Kind: Int, CaseIterable {
    case alpha, alphaSub, alphaLeaf, beta, betaSub, gamma

    var name: String {
        switch self {
        case .alpha: "Alpha"
        case .alphaSub: "AlphaSub"
        case .alphaLeaf: "AlphaLeaf"
        case .beta: "Beta"
        case .betaSub: "BetaSub"
        case .gamma: "Gamma"
        }
    }

    var parent: Kind? {
        switch self {
        case .alphaSub: .alpha
        case .alphaLeaf: .alphaSub
        case .betaSub: .beta
        case .alpha, .beta, .gamma: nil
        }
    }

    static let roots: [Kind] = [.alpha, .beta, .gamma]

    func isKind(of other: Kind) -> Bool { self == other || parent?.isKind(of: other) == true }
    var root: Kind { parent?.root ?? self }
}

/// One end of a relationship.
struct Shape {
    let name: String
    let owner: Kind
    let destination: Kind
    let isToMany: Bool
    let isOrdered: Bool
    let rule: NSDeleteRule
    /// Number of the other end; the shape's own when it is its own inverse.
    let inverse: Int?

    /// Whether it may go on naming an object that was deleted: nobody tells it.
    var mayDangle: Bool {
        guard let inverse else { return true }
        return Shape.all[inverse].rule == .noActionDeleteRule || Shape.all[inverse].rule == .denyDeleteRule
    }
}

extension Shape {
    /// Every combination the issue names; an end is known by its number.
    static let all: [Shape] = {
        var table = ShapeTable()
        // One to one.
        table.pair("mate", .alpha, .one, .nullifyDeleteRule, "mateOf", .beta, .one, .nullifyDeleteRule)
        table.pair("shadow", .gamma, .one, .cascadeDeleteRule, "shadowOf", .gamma, .one, .nullifyDeleteRule)
        table.own("spouse", .alpha, .one)
        // One to many, several between the same two entities.
        table.pair("kids", .alpha, .many, .cascadeDeleteRule, "owner", .beta, .one, .nullifyDeleteRule)
        table.pair("helpers", .alpha, .many, .nullifyDeleteRule, "boss", .beta, .one, .nullifyDeleteRule)
        table.pair("queue", .alpha, .ordered, .nullifyDeleteRule, "queued", .beta, .one, .nullifyDeleteRule)
        table.pair("children", .gamma, .ordered, .cascadeDeleteRule, "parent", .gamma, .one, .nullifyDeleteRule)
        // Many to many, each side ordered or not.
        table.pair("tags", .alpha, .many, .nullifyDeleteRule, "tagged", .beta, .many, .nullifyDeleteRule)
        table.pair("ranks", .alpha, .ordered, .nullifyDeleteRule, "ranked", .beta, .many, .nullifyDeleteRule)
        table.pair("plain", .gamma, .many, .nullifyDeleteRule, "sorted", .alpha, .ordered, .nullifyDeleteRule)
        table.pair("left", .alpha, .ordered, .nullifyDeleteRule, "right", .beta, .ordered, .nullifyDeleteRule)
        table.own("friends", .beta, .many)
        table.own("circle", .gamma, .ordered)
        // Between sub-entities, and between an entity and its own sub-entity.
        table.pair("subs", .alphaSub, .many, .nullifyDeleteRule, "over", .betaSub, .one, .nullifyDeleteRule)
        table.pair("mixed", .alphaLeaf, .ordered, .nullifyDeleteRule, "mixes", .betaSub, .many, .nullifyDeleteRule)
        table.pair("special", .alpha, .one, .nullifyDeleteRule, "specialOf", .alphaSub, .one, .nullifyDeleteRule)
        // Cascades in a circle, and from the side of the to-one.
        table.pair("spring", .gamma, .one, .cascadeDeleteRule, "sources", .betaSub, .many, .cascadeDeleteRule)
        // Deny and no action.
        table.pair("guards", .gamma, .many, .denyDeleteRule, "guarded", .beta, .one, .nullifyDeleteRule)
        table.pair("loose", .gamma, .many, .noActionDeleteRule, "looseOf", .alpha, .one, .nullifyDeleteRule)
        table.pair("wild", .gamma, .many, .noActionDeleteRule, "wildOf", .beta, .many, .nullifyDeleteRule)
        // Without inverse.
        table.end("pointer", .beta, .one, .alpha, .nullifyDeleteRule)
        table.end("part", .alpha, .one, .gamma, .cascadeDeleteRule)
        table.end("bag", .alpha, .many, .gamma, .nullifyDeleteRule)
        return table.shapes
    }()

    /// Numbers of the relationships an object of each kind has, inherited ones included.
    static let ofKind: [[Int]] = Kind.allCases.map { kind in all.indices.filter { kind.isKind(of: all[$0].owner) } }
}

private struct ShapeTable {
    enum Count { case one, many, ordered }

    private(set) var shapes: [Shape] = []

    mutating func pair(
        _ name: String, _ owner: Kind, _ count: Count, _ rule: NSDeleteRule,
        _ inverseName: String, _ destination: Kind, _ inverseCount: Count, _ inverseRule: NSDeleteRule
    ) {
        add(name, owner, destination, count, rule, inverse: shapes.count + 1)
        add(inverseName, destination, owner, inverseCount, inverseRule, inverse: shapes.count - 1)
    }

    mutating func own(_ name: String, _ kind: Kind, _ count: Count) {
        add(name, kind, kind, count, .nullifyDeleteRule, inverse: shapes.count)
    }

    mutating func end(_ name: String, _ owner: Kind, _ count: Count, _ destination: Kind, _ rule: NSDeleteRule) {
        add(name, owner, destination, count, rule, inverse: nil)
    }

    private mutating func add(
        _ name: String, _ owner: Kind, _ destination: Kind, _ count: Count, _ rule: NSDeleteRule, inverse: Int?
    ) {
        shapes.append(Shape(
            name: name, owner: owner, destination: destination, isToMany: count != .one, isOrdered: count == .ordered,
            rule: rule, inverse: inverse))
    }
}

/// The managed object model made of the table.
enum RandomModel {
    static func make() -> NSManagedObjectModel {
        let entities = Kind.allCases.map { kind in
            let entity = NSEntityDescription()
            entity.name = kind.name
            return entity
        }
        var properties: [[NSPropertyDescription]] = Kind.allCases.map { $0.parent == nil ? attributes() : [] }
        let relationships = Shape.all.map { shape in
            let relationship = NSRelationshipDescription()
            relationship.name = shape.name
            relationship.destinationEntity = entities[shape.destination.rawValue]
            relationship.maxCount = shape.isToMany ? 0 : 1
            relationship.isOrdered = shape.isOrdered
            relationship.isOptional = true
            relationship.deleteRule = shape.rule
            properties[shape.owner.rawValue].append(relationship)
            return relationship
        }
        for (shape, relationship) in zip(Shape.all, relationships) { relationship.inverseRelationship = shape.inverse.map { relationships[$0] } }
        for (entity, own) in zip(entities, properties) { entity.properties = own }
        for kind in Kind.allCases {
            entities[kind.rawValue].subentities = Kind.allCases.filter { $0.parent == kind }.map { entities[$0.rawValue] }
        }
        let model = NSManagedObjectModel()
        model.entities = entities
        return model
    }

    private static func attributes() -> [NSAttributeDescription] {
        let number = CompanyModel.attribute("number", .integer64AttributeType)
        let title = CompanyModel.attribute("title", .stringAttributeType)
        let count = CompanyModel.attribute("count", .integer64AttributeType)
        count.defaultValue = ExpectedThing.defaultCount
        return [number, title, count]
    }
}

/// The entities of the random fetch test: two trees of entities and one alone; a `site` is abstract.
enum FetchKind: String, CaseIterable {
    case item = "Item", subItem = "SubItem", leafItem = "LeafItem", site = "Site", town = "Town", harbour = "Harbour", tag = "Tag"

    var parent: FetchKind? {
        switch self {
        case .subItem: .item
        case .leafItem: .subItem
        case .town, .harbour: .site
        case .item, .site, .tag: nil
        }
    }

    func isKind(of other: FetchKind) -> Bool { self == other || parent?.isKind(of: other) == true }

    var fields: [FetchField] { (parent?.fields ?? []) + (FetchField.own[self] ?? []) }
    var links: [FetchLink] { FetchLink.all.filter { isKind(of: $0.owner) } }
    func field(_ name: String) -> FetchField? { fields.first { $0.name == name } }
    func link(_ name: String) -> FetchLink? { links.first { $0.name == name } }
}

enum FetchType: String, CaseIterable {
    case int16, int32, int64, double, float, decimal, string, bool, date, binary, uuid, uri, transformable

    var isNumber: Bool { [.int16, .int32, .int64, .double, .float, .decimal].contains(self) }
    var isWhole: Bool { [.int16, .int32, .int64].contains(self) }
}

struct FetchField: Hashable {
    let name: String
    let type: FetchType

    /// `ident` is every object's number, the same in every store. Names that are words of the language, and not ASCII, are on purpose.
    static let own: [FetchKind: [FetchField]] = [
        .item: [
            FetchField(name: "ident", type: .int64), FetchField(name: "size", type: .int16), FetchField(name: "amount", type: .int32),
            FetchField(name: "big", type: .int64), FetchField(name: "ratio", type: .double), FetchField(name: "höhe", type: .double),
            FetchField(name: "thin", type: .float), FetchField(name: "price", type: .decimal), FetchField(name: "name", type: .string),
            FetchField(name: "title", type: .string), FetchField(name: "code", type: .string), FetchField(name: "flag", type: .bool),
            FetchField(name: "born", type: .date), FetchField(name: "died", type: .date), FetchField(name: "bytes", type: .binary),
            FetchField(name: "uuid", type: .uuid), FetchField(name: "link", type: .uri), FetchField(name: "payload", type: .transformable),
        ],
        .subItem: [FetchField(name: "extra", type: .string), FetchField(name: "level", type: .int16)],
        .leafItem: [FetchField(name: "leaf", type: .int32)],
        .site: [
            FetchField(name: "ident", type: .int64), FetchField(name: "name", type: .string), FetchField(name: "size", type: .int32),
            FetchField(name: "rating", type: .double), FetchField(name: "cost", type: .decimal), FetchField(name: "opened", type: .date),
        ],
        .town: [FetchField(name: "mayor", type: .string)],
        .harbour: [FetchField(name: "depth", type: .int32)],
        .tag: [
            FetchField(name: "ident", type: .int64), FetchField(name: "label", type: .string), FetchField(name: "shade", type: .string),
            FetchField(name: "weight", type: .int32), FetchField(name: "factor", type: .double), FetchField(name: "on", type: .bool),
            FetchField(name: "since", type: .date), FetchField(name: "mark", type: .uuid),
        ],
    ]
}

/// One end of a relationship.
struct FetchLink: Hashable {
    enum Count { case one, many, ordered }

    let name: String
    let owner: FetchKind
    let destination: FetchKind
    let count: Count
    /// The other end's name; nil without one.
    let inverse: String?

    var isToMany: Bool { count != .one }

    static let all: [FetchLink] = [
        FetchLink(name: "boss", owner: .item, destination: .item, count: .one, inverse: "staff"),
        FetchLink(name: "staff", owner: .item, destination: .item, count: .many, inverse: "boss"),
        FetchLink(name: "place", owner: .item, destination: .site, count: .one, inverse: "items"),
        FetchLink(name: "items", owner: .site, destination: .item, count: .many, inverse: "place"),
        FetchLink(name: "tags", owner: .item, destination: .tag, count: .many, inverse: "tagged"),
        FetchLink(name: "tagged", owner: .tag, destination: .item, count: .many, inverse: "tags"),
        FetchLink(name: "ranks", owner: .item, destination: .tag, count: .ordered, inverse: "ranked"),
        FetchLink(name: "ranked", owner: .tag, destination: .item, count: .one, inverse: "ranks"),
        FetchLink(name: "queue", owner: .item, destination: .tag, count: .ordered, inverse: "queued"),
        FetchLink(name: "queued", owner: .tag, destination: .item, count: .ordered, inverse: "queue"),
        FetchLink(name: "friends", owner: .item, destination: .item, count: .many, inverse: "friends"),
        FetchLink(name: "pointer", owner: .item, destination: .item, count: .one, inverse: nil),
        FetchLink(name: "special", owner: .subItem, destination: .tag, count: .one, inverse: "specialOf"),
        FetchLink(name: "specialOf", owner: .tag, destination: .subItem, count: .many, inverse: "special"),
        FetchLink(name: "chief", owner: .site, destination: .item, count: .one, inverse: "chiefOf"),
        FetchLink(name: "chiefOf", owner: .item, destination: .site, count: .one, inverse: "chief"),
        FetchLink(name: "near", owner: .site, destination: .site, count: .one, inverse: "around"),
        FetchLink(name: "around", owner: .site, destination: .site, count: .many, inverse: "near"),
    ]
}

/// An object as plain values.
struct PlainThing {
    let kind: FetchKind
    var values: [String: PlainValue] = [:]
    var links: [String: [Int]] = [:]

    func differs(from other: PlainThing) -> Bool {
        kind.fields.contains { (values[$0.name] ?? .none) != (other.values[$0.name] ?? .none) } || kind.links.contains { link in
            let (a, b) = (links[link.name] ?? [], other.links[link.name] ?? [])
            return link.count == .ordered ? a != b : Set(a) != Set(b)
        }
    }

    var description: String {
        "\(kind) \(values.filter { !$0.value.isNone }.map { "\($0): \("\($1)".replacing("CoreDataTests.PlainValue.", with: ""))" }.sorted()) "
            + "\(links.filter { !$0.value.isEmpty })"
    }
}

/// Objects by number, with inverses kept. Nothing here knows the engine.
struct PlainWorld {
    var things: [Int: PlainThing] = [:]

    func numbers(of kind: FetchKind, subentities: Bool = true) -> [Int] {
        things.filter { subentities ? $0.value.kind.isKind(of: kind) : $0.value.kind == kind }.keys.sorted()
    }

    mutating func insert(_ number: Int, _ kind: FetchKind) {
        things[number] = PlainThing(kind: kind, values: ["ident": .whole(Int64(number))])
    }

    mutating func set(_ number: Int, _ field: String, _ value: PlainValue) {
        things[number]?.values[field] = value
    }

    /// Gives a relationship exactly these members; the other sides follow.
    mutating func link(_ number: Int, _ link: FetchLink, to members: [Int]) {
        let old = things[number]?.links[link.name] ?? []
        things[number]?.links[link.name] = members
        guard let inverse = link.inverse, let back = FetchLink.all.first(where: { $0.name == inverse && $0.owner == link.destination })
        else { return }
        for member in old where !members.contains(member) && !(member == number && inverse == link.name) {
            things[member]?.links[inverse]?.removeAll { $0 == number }
        }
        for member in members where !old.contains(member) && !(member == number && inverse == link.name) {
            if !back.isToMany, let previous = things[member]?.links[inverse]?.first, previous != number {
                things[previous]?.links[link.name]?.removeAll { $0 == member }
                things[member]?.links[inverse] = []
            }
            things[member]?.links[inverse, default: []].append(number)
        }
    }

    /// All rules nullify.
    mutating func delete(_ number: Int) {
        guard let thing = things[number] else { return }
        for link in thing.kind.links where link.inverse != nil && thing.links[link.name]?.isEmpty == false { self.link(number, link, to: []) }
        for pointing in FetchLink.all where pointing.inverse == nil {
            for owner in things.keys where things[owner]?.links[pointing.name]?.contains(number) == true { self.link(owner, pointing, to: []) }
        }
        things[number] = nil
    }
}

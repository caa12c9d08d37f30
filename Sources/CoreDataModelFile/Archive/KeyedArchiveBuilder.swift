import Foundation

/// Makes a keyed archive object by object, under class names of Apple's that do not exist here.
///
/// Invariant: object 0 is `$null`; texts and numbers that are equal are one object, as Apple's archiver makes them.
struct KeyedArchiveBuilder {
    typealias Node = PropertyListNodes.Node

    /// What stands behind a key: a number or flag in its place, or an object.
    enum Value { case inline(Node), object(Int), objects([Int]) }

    private enum Content { case plain(Node), members([(key: String, value: Value)], className: String) }

    static let null = 0
    private var contents: [Content] = [.plain(.string("$null"))]
    private var texts: [String: Int] = [:]
    private var numbers: [String: Int] = [:]

    /// A place for an object that others may refer to before it is filled.
    mutating func reserve() -> Int {
        contents.append(.plain(.string("$null")))
        return contents.count - 1
    }

    mutating func fill(_ place: Int, _ className: String, _ members: [(key: String, value: Value)]) {
        contents[place] = .members(members, className: className)
    }

    mutating func object(_ className: String, _ members: [(key: String, value: Value)]) -> Int {
        let place = reserve()
        fill(place, className, members)
        return place
    }

    mutating func text(_ text: String?) -> Int {
        guard let text else { return Self.null }
        if let known = texts[text] { return known }
        let place = plain(.string(text))
        texts[text] = place
        return place
    }

    mutating func number(_ node: Node) -> Int {
        let name = "\(node)"
        if let known = numbers[name] { return known }
        let place = plain(node)
        numbers[name] = place
        return place
    }

    private mutating func plain(_ node: Node) -> Int {
        contents.append(.plain(node))
        return contents.count - 1
    }

    mutating func list(_ className: String, _ objects: [Int]) -> Int { object(className, [("NS.objects", .objects(objects))]) }

    mutating func table(_ className: String, _ pairs: [(key: String, value: Int)]) -> Int {
        let keys = pairs.map { text($0.key) }
        return object(className, [("NS.keys", .objects(keys)), ("NS.objects", .objects(pairs.map(\.value)))])
    }

    /// Superclasses of the classes that can be archived, the class itself left out.
    private static let ancestors: [String: [String]] = [
        "NSMutableArray": ["NSArray"], "NSMutableDictionary": ["NSDictionary"],
        "NSKnownKeysDictionary1": ["NSKnownKeysDictionary", "NSMutableDictionary", "NSDictionary"],
        "NSKnownKeysMappingStrategy1": ["NSKnownKeysMappingStrategy"], "NSAttributeDescription": ["NSPropertyDescription"],
        "NSRelationshipDescription": ["NSPropertyDescription"], "NSComparisonPredicate": ["NSPredicate"],
        "NSSelfExpression": ["NSExpression"], "NSConstantValueExpression": ["NSExpression"],
        "NSComparisonPredicateOperator": ["NSPredicateOperator"], "NSDecimalNumber": ["NSNumber", "NSValue"],
    ]

    /// The whole, with `root` as what it is an archive of.
    func data(root: Int) -> Data {
        var nodes: [Node] = []
        func add(_ node: Node) -> Int {
            nodes.append(node)
            return nodes.count - 1
        }
        var classes: [String: Int] = [:]
        var places: [Int] = []
        var extra: [Int] = []
        func uid(_ object: Int) -> Int { add(.reference(object)) }
        func named(_ className: String) -> Int {
            if let known = classes[className] { return known }
            let chain = ([className] + (Self.ancestors[className] ?? []) + ["NSObject"]).map { add(.string($0)) }
            let list = add(.array(chain))
            let place = add(.dictionary([(add(.string("$classname")), chain[0]), (add(.string("$classes")), list)]))
            extra.append(place)
            classes[className] = contents.count + extra.count - 1
            return contents.count + extra.count - 1
        }
        for content in contents {
            switch content {
            case .plain(let node): places.append(add(node))
            case .members(let members, let className):
                var pairs = members.map { member -> (key: Int, value: Int) in
                    let key = add(.string(member.key))
                    switch member.value {
                    case .inline(let node): return (key, add(node))
                    case .object(let object): return (key, uid(object))
                    case .objects(let objects): return (key, add(.array(objects.map(uid))))
                    }
                }
                pairs.append((add(.string("$class")), uid(named(className))))
                places.append(add(.dictionary(pairs)))
            }
        }
        let top = add(.dictionary([(add(.string("root")), uid(root))]))
        let pairs = [
            (add(.string("$version")), add(.integer(100_000))), (add(.string("$archiver")), add(.string("NSKeyedArchiver"))),
            (add(.string("$top")), top), (add(.string("$objects")), add(.array(places + extra))),
        ]
        let whole = add(.dictionary(pairs.map { (key: $0.0, value: $0.1) }))
        return BinaryPropertyListWriter.data(nodes, root: whole)
    }
}

import CoreDataPredicate
import CoreDataSchema
import Foundation

/// Classes as the generator makes them: computed properties and a table of key paths. Values live in `values`, so that
/// predicates can also be evaluated on them.
class Modelled: Hashable, _KeyPathNaming, PredicateReferent, PredicateSubject {
    nonisolated(unsafe) private static var count: Int64 = 0
    let predicateKey: RowKey
    var values: [String: Any?] = [:]

    init(_ values: [String: Any?] = [:]) {
        Self.count += 1
        predicateKey = RowKey(primaryKey: Self.count, entity: 0)
        self.values = values
    }

    var predicateText: String { "<row \(predicateKey.primaryKey)>" }
    var predicateSubject: (any PredicateSubject)? { self }
    var predicateSelf: PredicateValue { .reference(PredicateReference(self)) }
    func predicateValue(forKey key: String) throws -> PredicateValue {
        guard type(of: self)._keyPathNames.values.contains(key) else { throw UnknownTestKey(key: key) }
        return try PredicateBridging.value(of: values[key] ?? nil)
    }

    class var _keyPathNames: [AnyKeyPath: String] { [:] }
    static func == (a: Modelled, b: Modelled) -> Bool { a === b }
    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }

    func get<Value>(_ key: String) -> Value? { values[key].flatMap { $0 as? Value } }
    var objectID: RowID { RowID(predicateKey) }
}

/// An object ID. `#Predicate` captures only what is Codable and Sendable.
final class RowID: Hashable, Codable, Sendable, PredicateReferent {
    let primaryKey: Int64
    init(_ key: RowKey) { primaryKey = key.primaryKey }

    var predicateKey: RowKey { RowKey(primaryKey: primaryKey, entity: 0) }
    var predicateText: String { "<row \(primaryKey)>" }
    var predicateSubject: (any PredicateSubject)? { nil }
    static func == (a: RowID, b: RowID) -> Bool { a.primaryKey == b.primaryKey }
    func hash(into hasher: inout Hasher) { hasher.combine(primaryKey) }
}

struct UnknownTestKey: Error { var key: String }

class Citizen: Modelled {
    var name: String? { get { get("name") } set { values["name"] = newValue } }
    var title: String { get { get("title") ?? "" } set { values["title"] = newValue } }
    var age: Int { get { get("age") ?? 0 } set { values["age"] = newValue } }
    var rank: Int16 { get { get("rank") ?? 0 } set { values["rank"] = newValue } }
    var score: Double { get { get("score") ?? 0 } set { values["score"] = newValue } }
    var points: Int64? { get { get("points") } set { values["points"] = newValue } }
    var isActive: Bool { get { get("isActive") ?? false } set { values["isActive"] = newValue } }
    var born: Date? { get { get("born") } set { values["born"] = newValue } }
    var nicknames: [String] { get { get("nicknames") ?? [] } set { values["nicknames"] = newValue } }
    var firm: Firm? { get { get("firm") } set { values["firm"] = newValue } }
    var tags: Set<Tag> { get { get("tags") ?? [] } set { values["tags"] = newValue } }
    /// Not of the model.
    var shout: String { title.uppercased() }

    override class var _keyPathNames: [AnyKeyPath: String] {
        [
            \Citizen.name: "name", \Citizen.title: "title", \Citizen.age: "age", \Citizen.rank: "rank", \Citizen.score: "score",
            \Citizen.points: "points", \Citizen.isActive: "isActive", \Citizen.born: "born", \Citizen.nicknames: "nicknames",
            \Citizen.firm: "firm", \Citizen.tags: "tags", \Citizen.objectID: "objectID",
            \Citizen?.?.name: "name", \Citizen?.?.title: "title", \Citizen?.?.age: "age", \Citizen?.?.rank: "rank", \Citizen?.?.score: "score",
            \Citizen?.?.points: "points", \Citizen?.?.isActive: "isActive", \Citizen?.?.born: "born", \Citizen?.?.nicknames: "nicknames",
            \Citizen?.?.firm: "firm", \Citizen?.?.tags: "tags", \Citizen?.?.objectID: "objectID",
        ]
    }
}

class Student: Citizen {
    var school: String { get { get("school") ?? "" } set { values["school"] = newValue } }
}

class Firm: Modelled {
    var name: String { get { get("name") ?? "" } set { values["name"] = newValue } }
    var boss: Citizen? { get { get("boss") } set { values["boss"] = newValue } }
    var size: Int { get { get("size") ?? 0 } set { values["size"] = newValue } }
    var isOpen: Bool { get { get("isOpen") ?? false } set { values["isOpen"] = newValue } }

    override class var _keyPathNames: [AnyKeyPath: String] {
        [\Firm.name: "name", \Firm.boss: "boss", \Firm.size: "size", \Firm.isOpen: "isOpen", \Firm.objectID: "objectID",
            \Firm?.?.name: "name", \Firm?.?.boss: "boss", \Firm?.?.size: "size", \Firm?.?.isOpen: "isOpen", \Firm?.?.objectID: "objectID",
        ]
    }
}

class Tag: Modelled {
    var text: String { get { get("text") ?? "" } set { values["text"] = newValue } }
    var weight: Int { get { get("weight") ?? 0 } set { values["weight"] = newValue } }

    override class var _keyPathNames: [AnyKeyPath: String] {
        [\Tag.text: "text", \Tag.weight: "weight", \Tag.objectID: "objectID",
            \Tag?.?.text: "text", \Tag?.?.weight: "weight", \Tag?.?.objectID: "objectID",
        ]
    }
}

/// A class nobody generated.
class Stranger {
    var name = "x"
}

/// A class someone wrote by hand.
class Handwritten: Modelled {
    var nick: String { get { get("nick") ?? "" } set { values["nick"] = newValue } }
}

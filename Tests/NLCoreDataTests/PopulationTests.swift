import NLCoreData
import Testing

/// Renames what a server calls otherwise.
extension Tag: PopulationTranslating {
    public class func translatePopulationDictionary(_ dictionary: [String: Any]) -> [String: Any] {
        var result = dictionary
        result["label"] = result.removeValue(forKey: "tag_name") ?? result["label"]
        return result
    }
}

@Suite struct PopulationTests {
    @Test("NL08: only what fits is set; unknown, wrong type and null are skipped and told", arguments: StoreKind.allCases)
    func matching(_ kind: StoreKind) throws {
        try withOffice(kind) { _ in
            let person = try Person.insert()
            person.rating = 4
            let skipped = person.populate(with: ["name": "Ada", "age": "36", "shoe": 44, "rating": NSNull()])
            #expect(person.name == "Ada" && person.age == 0 && person.rating == 4)
            #expect(skipped == ["age", "rating", "shoe"])
        }
    }

    @Test("NL08: without matching, wrong types are set too, as far as they can be understood, and null clears")
    func converting() throws {
        try withOffice { _ in
            let person = try Person.insert()
            person.rating = 4
            let identifier = UUID()
            let skipped = person.populate(with: [
                "name": 42, "age": "36", "rating": NSNull(), "identifier": identifier.uuidString, "homepage": "https://example.org/a",
                "birthday": "1815-12-10T00:00:00Z", "salary": "12.50", "isActive": "no", "level": "very",
            ], matchTypes: false)
            #expect(person.name == "42" && person.age == 36 && person.rating == nil && person.identifier == identifier)
            #expect(person.homepage == URL(string: "https://example.org/a") && person.salary == Decimal(string: "12.5"))
            #expect(person.birthday == Date(timeIntervalSince1970: -4_861_728_000) && !person.isActive)
            #expect(skipped == ["level"])
        }
    }

    @Test("Every type of attribute takes its own type; a number too wide does not fit; relationships are left alone")
    func types() throws {
        try withOffice { _ in
            let person = try Person.insert()
            let day = Date(timeIntervalSinceReferenceDate: 5)
            let skipped = person.populate(with: [
                "age": 7, "isActive": false, "level": Int16(3), "rating": 2.5, "salary": Decimal(3), "birthday": day, "photo": Data([1]),
                "department": "Lab",
            ])
            #expect(person.age == 7 && !person.isActive && person.level == 3 && person.rating == 2.5 && person.salary == 3)
            #expect(person.birthday == day && person.photo == Data([1]))
            #expect(skipped == ["department"])
            #expect(person.populate(with: ["level": 70_000]) == ["level"])
            #expect(person.level == 3)
        }
    }

    @Test("NL08: the translation hook runs first")
    func hook() throws {
        try withOffice { _ in
            let tag = try Tag.insert()
            #expect(tag.populate(with: ["tag_name": "red"]).isEmpty)
            #expect(tag.label == "red")
        }
    }
}

import CoreData
import Testing

@Suite("Sorting")
struct SortTests {
    /// Saves employees of the given names and hands out their names as sorted by the descriptor.
    private func sorted(
        _ kind: StoreKind, _ names: [String?], by descriptor: NSSortDescriptor, pending: [String] = []
    ) throws -> [String?] {
        let stack = try Stack(Models.office(), kind)
        try stack.seed { context in for name in names { context.make("Employee", name.map { ["name": $0] } ?? [:]) } }
        return try stack.run { context in
            for name in pending { context.make("Employee", ["name": name]) }
            let request = context.request("Employee")
            request.sortDescriptors = [descriptor]
            return try context.fetch(request).map { $0.text("name") }
        }
    }

    private func by(_ key: String = "name", ascending: Bool = true) -> NSSortDescriptor { NSSortDescriptor(key: key, ascending: ascending) }

    @Test("SO01: By name, ascending and descending", arguments: StoreKind.allCases)
    func names(kind: StoreKind) throws {
        #expect(try sorted(kind, ["Carol", "Alice", "Bob"], by: by()) == ["Alice", "Bob", "Carol"])
        #expect(try sorted(kind, ["Carol", "Alice", "Bob"], by: by(ascending: false)) == ["Carol", "Bob", "Alice"])
    }

    @Test("SO02: Nil comes first, descending last", arguments: StoreKind.allCases)
    func nilValues(kind: StoreKind) throws {
        #expect(try sorted(kind, ["b", nil, "a"], by: by()) == [nil, "a", "b"])
        #expect(try sorted(kind, ["b", nil, "a"], by: by(ascending: false)) == ["b", "a", nil])
    }

    @Test("SO03: A plain key sorts by code units", arguments: StoreKind.allCases)
    func binaryOrder(kind: StoreKind) throws {
        #expect(try sorted(kind, ["a", "C", "B"], by: by()) == ["B", "C", "a"])
    }

    @Test("SO09: Sorting by a to-one's attribute loses no row; those without come first", arguments: StoreKind.allCases)
    func overToOne(kind: StoreKind) throws {
        let stack = try Stack(Models.office(), kind)
        try stack.seed { context in
            context.make("Employee", ["name": "z", "dept": context.make("Department", ["name": "Z"])])
            context.make("Employee", ["name": "free"])
            context.make("Employee", ["name": "a", "dept": context.make("Department", ["name": "A"])])
        }
        try stack.run { try #require(try $0.all("Employee", by: "dept.name").map { $0.text("name") } == ["free", "a", "z"]) }
    }

    @Test("SO10: Unsaved objects stand in their sorted place", arguments: StoreKind.allCases)
    func pending(kind: StoreKind) throws {
        #expect(try sorted(kind, ["a", "c", "e"], by: by(), pending: ["d", "b", "f"]) == ["a", "b", "c", "d", "e", "f"])
    }

    @Test("SO11: Numbers, dates and booleans sort by value, nil first", arguments: StoreKind.allCases)
    func values(kind: StoreKind) throws {
        let stack = try Stack(Models.scalars(), kind)
        let columns: [(String, [Any])] = [
            ("int64", [100, 9, -3]), ("double", [10.5, 9.25, -1]), ("date", [100, 20, -3].map { Date(timeIntervalSinceReferenceDate: $0) }),
            ("decimal", ["100", "9", "-3"].map { NSDecimalNumber(string: $0) }),
        ]
        try stack.seed { context in
            context.make("Sample", ["text": "nil"])
            for (index, text) in ["high", "middle", "low"].enumerated() {
                let sample = context.make("Sample", ["text": text, "flag": index == 0])
                for (key, values) in columns { sample.setValue(values[index], forKey: key) }
            }
        }
        try stack.run { context in
            for (key, _) in columns {
                try #require(try context.all("Sample", by: key).map { $0.text("text") } == ["nil", "low", "middle", "high"], "\(key)")
            }
            let request = context.request("Sample", by: "flag", "text")
            try #require(try context.fetch(request).map { $0.text("text") } == ["nil", "low", "middle", "high"])
        }
    }

    #if canImport(ObjectiveC)
    private func selected(_ selector: String) -> NSSortDescriptor { NSSortDescriptor(key: "name", ascending: true, selector: NSSelectorFromString(selector)) }
    #else
    private func selected(_ selector: String) -> NSSortDescriptor { NSSortDescriptor(key: "name", ascending: true, selector: Selector(selector)) }
    #endif

    @Test("SO04: caseInsensitiveCompare: ignores case", arguments: StoreKind.allCases)
    func caseInsensitive(kind: StoreKind) throws {
        #expect(try sorted(kind, ["C", "a", "B"], by: selected("caseInsensitiveCompare:")) == ["a", "B", "C"])
    }

    @Test("SO05: localizedStandardCompare: sorts numbers within texts by value", arguments: StoreKind.allCases)
    func standardCompare(kind: StoreKind) throws {
        #expect(try sorted(kind, ["file10", "file2", "File1"], by: selected("localizedStandardCompare:")) == ["File1", "file2", "file10"])
    }

    @Test("SO06: The other selectors of a SQL store sort too", arguments: StoreKind.allCases)
    func otherSelectors(kind: StoreKind) throws {
        for selector in ["compare:", "localizedCompare:", "localizedCaseInsensitiveCompare:"] {
            #expect(try sorted(kind, ["b", "c", "a"], by: selected(selector)) == ["a", "b", "c"], "\(selector)")
        }
    }
}

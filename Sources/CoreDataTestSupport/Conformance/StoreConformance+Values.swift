import CoreDataSchema
import CoreDataStorage
import Foundation

extension StoreConformance {
    static let valueCases: [ConformanceCase] =
        samples.map { sample in
            ConformanceCase("\(sample.name) keeps \(sample.text)") { run in
                let made = try run.insert("Everything", [sample.name: sample.value])
                run.expect(try run.value(made, sample.name), sample.value, "in the receipt")
                run.store.rowCache.removeAll()
                let fetched = try run.rows(run.plan("Everything"))
                run.expect(fetched.count, 1, "rows fetched")
                if let row = fetched.first { run.expect(try run.value(row, sample.name), sample.value, "fetched") }
                run.store.rowCache.removeAll()
                let read = try run.store.rows(for: [made.key], staleAfter: -1)
                if let row = read.first { run.expect(try run.value(row, sample.name), sample.value, "by key") } else { run.fail("no row by key") }
            }
        } + [ConformanceCase("A row of nils stays a row of nils", keepsNils), ConformanceCase("Values change and become nil", changesValues)]

    private struct Sample: Sendable {
        let name: String
        let value: AttributeValue

        var text: String {
            switch value {
            case .string(let text): "“\(text.prefix(20))” of \(text.utf8.count) bytes"
            case .data(let data): "\(data.count) bytes"
            default: "\(value)"
            }
        }
    }

    private static let samples: [Sample] = [
        Sample(name: "binary", value: .data(Data())), Sample(name: "binary", value: .data(Data([0, 255, 1, 0]))),
        Sample(name: "binary", value: .data(Data(repeating: 7, count: 300_000))),
        Sample(name: "boolean", value: .integer(1)), Sample(name: "boolean", value: .integer(0)),
        Sample(name: "date", value: .real(0)), Sample(name: "date", value: .real(123_456_789)),
        Sample(name: "date", value: .real(-63_114_076_800.25)), Sample(name: "date", value: .real(0.123456789)),
        Sample(name: "decimal", value: .decimal(0)), Sample(name: "decimal", value: .decimal(Decimal(string: "-12.50") ?? 0)),
        Sample(name: "decimal", value: .decimal(Decimal(string: "0.1") ?? 0)), Sample(name: "decimal", value: .decimal(42)),
        Sample(name: "double", value: .real(0.1)), Sample(name: "double", value: .real(-0x1.fffffffffffffp+1023)),
        Sample(name: "double", value: .real(3)), Sample(name: "double", value: .real(.leastNonzeroMagnitude)), Sample(name: "double", value: .real(.infinity)),
        Sample(name: "float", value: .real(Double(Float(0.1)))), Sample(name: "float", value: .real(2)),
        Sample(name: "integer16", value: .integer(-32_768)), Sample(name: "integer32", value: .integer(2_147_483_647)),
        Sample(name: "integer64", value: .integer(.min)), Sample(name: "integer64", value: .integer(.max)),
        Sample(name: "integer64", value: .integer(0)),
        Sample(name: "string", value: .string("")), Sample(name: "string", value: .string("it's \"quoted\" %_*\\ 😀 e\u{301} \u{e9}")),
        Sample(name: "string", value: .string("a\u{0}b")), Sample(name: "string", value: .string("123")), Sample(name: "string", value: .string("1e3")),
        Sample(name: "string", value: .string(String(repeating: "ä", count: 100_000))),
        Sample(name: "transformable", value: .data(Data("archived".utf8))),
        Sample(name: "uri", value: .string("https://example.org/a%20b?q=1#f")),
        Sample(name: "uuid", value: .uuid(UUID(uuid: (0, 1, 2, 3, 4, 5, 6, 7, 248, 249, 250, 251, 252, 253, 254, 255)))),
    ]

    private static func keepsNils(_ run: ConformanceRun) throws {
        let made = try run.insert("Everything", [:])
        run.store.rowCache.removeAll()
        guard let row = try run.reread(made.key) else { return run.fail("no row") }
        for property in try run.entity("Everything").properties {
            run.expect(row.value(property.slot), .null, property.name)
            run.expect(row.isNull(property.slot), true, "\(property.name) is null")
        }
    }

    private static func changesValues(_ run: ConformanceRun) throws {
        let made = try run.insert("Everything", ["string": .string("old"), "integer32": .integer(1), "uuid": .uuid(UUID())])
        var batch = ChangeBatch()
        batch.updated = [try run.update(made, ["string": .string("new"), "uuid": .null, "double": .real(1.5)])]
        let updated = try run.commit(batch).updated
        run.store.rowCache.removeAll()
        for row in try updated + [run.reread(made.key)].compactMap({ $0 }) {
            run.expect(try run.value(row, "string"), .string("new"), "changed text")
            run.expect(try run.value(row, "uuid"), .null, "value made nil")
            run.expect(try run.value(row, "double"), .real(1.5), "nil made value")
            run.expect(try run.value(row, "integer32"), .integer(1), "untouched value")
        }
    }
}

import CoreData
import CoreDataTestSupport
import Foundation
import Testing

/// `#Predicate`s with random captured values over random data: by SQL and in memory they find what Swift itself finds.
@Suite("Random typed fetches") @MainActor
struct TypedFetchTests {
    /// Values captured by one round of predicates.
    struct Captured {
        let number: Int64, other: Int64
        let real: Double
        let text: String
        let texts: [String]
        let date: Date
        let uuid: UUID
    }

    @Test("DD04: #Predicate finds by SQL and in memory what Swift finds", arguments: 1...UInt64(FetchEnvironment.number("COREDATA_FETCH_TYPED") ?? 3))
    func typed(_ seed: UInt64) async throws {
        let model = FetchModel.make(typed: true)
        let run = try FetchRun(seed: seed, model: model, plainTexts: true)
        var found = 0
        for round in 0..<2 {
            for stack in [run.sql, run.memory] {
                let captured = try captured(run, stack, round)
                for (number, predicate) in Self.predicates(captured).enumerated() {
                    // Others need the main thread too.
                    await Task.yield()
                    let objects = stack.objects.values.compactMap { $0 as? TypedItem }
                    let expected = try objects.filter { try predicate.evaluate($0) }.map { Int($0.number) }.sorted()
                    let request = NSFetchRequest<TypedItem>(entityName: "Item")
                    let asked = try NSPredicate(validating: predicate)
                    request.predicate = asked
                    let fetched = try stack.context.fetch(request).map { Int($0.number) }.sorted()
                    #expect(fetched == expected, "\(number): \(asked.predicateFormat) by a store, seed \(seed)")
                    let evaluated = objects.filter { asked.evaluate(with: $0) }.map { Int($0.number) }.sorted()
                    #expect(evaluated == expected, "\(number): \(asked.predicateFormat) in memory, seed \(seed)")
                    found += expected.isEmpty ? 0 : 1
                }
            }
        }
        #expect(found * 10 >= 3 * 4 * Self.predicates(try captured(run, run.sql, 0)).count)
    }

    private func captured(_ run: FetchRun, _ stack: FetchStack, _ round: Int) throws -> Captured {
        var random = SeededGenerator(run.seed &* 31 &+ UInt64(round))
        let things = run.world.numbers(of: .item)
        func value(_ field: String, _ type: FetchType) -> PlainValue {
            let thing = things[Int.random(in: 0..<things.count, using: &random)]
            return run.world.things[thing]?.values[field] ?? run.pools.value(type, &random)
        }
        func whole(_ field: String) -> Int64 { if case .whole(let number) = value(field, .int32) { number } else { 1 } }
        var real = 0.5, date = 10.0, uuid = UUID()
        if case .real(let number) = value("ratio", .double) { real = number }
        if case .moment(let seconds) = value("born", .date) { date = seconds }
        if case .identifier(let known) = value("uuid", .uuid) { uuid = known }
        let texts = (0..<3).compactMap { _ in value("name", .string).string }
        return Captured(
            number: whole("amount"), other: whole("size"), real: real, text: texts.first ?? "a", texts: texts,
            date: Date(timeIntervalSinceReferenceDate: date), uuid: uuid)
    }

    private static func predicates(_ captured: Captured) -> [Predicate<TypedItem>] {
        comparisons(captured) + memberships(captured) + conditions(captured) + toOnes(captured) + toManys(captured)
    }

    private static func comparisons(_ captured: Captured) -> [Predicate<TypedItem>] {
        let number = captured.number
        let real = captured.real
        let text = captured.text
        let texts = captured.texts
        var list: [Predicate<TypedItem>] = []
        list.append(#Predicate<TypedItem> { $0.words == text })
        list.append(#Predicate<TypedItem> { $0.words != text })
        list.append(#Predicate<TypedItem> { !($0.words == text) })
        list.append(#Predicate<TypedItem> { $0.words == nil })
        list.append(#Predicate<TypedItem> { $0.amount == number })
        list.append(#Predicate<TypedItem> { $0.amount != number })
        list.append(#Predicate<TypedItem> { ($0.amount ?? 0) > number })
        list.append(#Predicate<TypedItem> { ($0.amount ?? 0) + 1 <= number || $0.flag == true })
        list.append(#Predicate<TypedItem> { !(($0.amount ?? 0) > number) })
        list.append(#Predicate<TypedItem> { ($0.ratio ?? 0) >= real })
        list.append(#Predicate<TypedItem> { $0.flag == true && $0.amount != nil })
        list.append(#Predicate<TypedItem> { !($0.flag == true) })
        list.append(#Predicate<TypedItem> { $0.flag ?? true })
        list.append(#Predicate<TypedItem> { texts.contains($0.words ?? "") })
        return list
    }

    private static func memberships(_ captured: Captured) -> [Predicate<TypedItem>] {
        let other = captured.other
        let texts = captured.texts
        let date = captured.date
        let uuid = captured.uuid
        let numbers: Set<Int64> = [captured.number, captured.other, 3]
        let optionals: [String?] = [captured.text, nil]
        let part = String(captured.text.prefix(1))
        var list: [Predicate<TypedItem>] = []
        list.append(#Predicate<TypedItem> { !texts.contains($0.words ?? "") })
        list.append(#Predicate<TypedItem> { optionals.contains($0.words) })
        list.append(#Predicate<TypedItem> { numbers.contains($0.number) })
        list.append(#Predicate<TypedItem> { !numbers.contains($0.number) })
        list.append(#Predicate<TypedItem> { $0.words?.contains(part) == true })
        list.append(#Predicate<TypedItem> { !($0.words?.contains(part) ?? false) })
        list.append(#Predicate<TypedItem> { $0.words?.starts(with: part) ?? true })
        list.append(#Predicate<TypedItem> { $0.words?.starts(with: part) == false })
        list.append(#Predicate<TypedItem> { ($0.words ?? "").localizedStandardContains(part) })
        list.append(#Predicate<TypedItem> { $0.born == date })
        list.append(#Predicate<TypedItem> { $0.born != date })
        list.append(#Predicate<TypedItem> { $0.token == uuid || $0.extent == other })
        return list
    }

    private static func conditions(_ captured: Captured) -> [Predicate<TypedItem>] {
        let number = captured.number
        let other = captured.other
        let range = 1..<max(2, captured.number)
        var list: [Predicate<TypedItem>] = []
        list.append(#Predicate<TypedItem> { if let size = $0.extent { size > other } else { true } })
        list.append(#Predicate<TypedItem> { if let size = $0.extent { size > other } else { false } })
        list.append(#Predicate<TypedItem> { (3...20).contains($0.number) })
        list.append(#Predicate<TypedItem> { range.contains($0.amount ?? 0) })
        list.append(#Predicate<TypedItem> { $0.number % 3 == 1 })
        list.append(#Predicate<TypedItem> { $0.number * 2 - 5 > number })
        list.append(#Predicate<TypedItem> { $0.number / 4 == 2 })
        list.append(#Predicate<TypedItem> { ($0.flag == true ? $0.number : 0) > 5 })
        list.append(#Predicate<TypedItem> { $0.amount == $0.extent })
        list.append(#Predicate<TypedItem> { $0.amount != $0.extent })
        list.append(#Predicate<TypedItem> { $0.boss?.words == $0.words })
        return list
    }

    private static func toOnes(_ captured: Captured) -> [Predicate<TypedItem>] {
        let other = captured.other
        let text = captured.text
        var list: [Predicate<TypedItem>] = []
        list.append(#Predicate<TypedItem> { $0.boss == nil })
        list.append(#Predicate<TypedItem> { $0.boss?.words == text })
        list.append(#Predicate<TypedItem> { $0.boss?.words != text })
        list.append(#Predicate<TypedItem> { $0.boss?.amount == nil })
        list.append(#Predicate<TypedItem> { $0.place?.words != nil })
        list.append(#Predicate<TypedItem> { ($0.place?.extent ?? 0) > other })
        list.append(#Predicate<TypedItem> { $0.place?.chief?.words != text })
        list.append(#Predicate<TypedItem> { $0.boss?.boss?.flag == true })
        list.append(#Predicate<TypedItem> { !($0.boss?.flag == true) })
        return list
    }

    private static func toManys(_ captured: Captured) -> [Predicate<TypedItem>] {
        let number = captured.number
        let text = captured.text
        var list: [Predicate<TypedItem>] = []
        list.append(#Predicate<TypedItem> { $0.tags.isEmpty })
        list.append(#Predicate<TypedItem> { $0.tags.count > 1 })
        list.append(#Predicate<TypedItem> { $0.tags.contains { $0.label == text } })
        list.append(#Predicate<TypedItem> { $0.tags.contains { $0.label != text } })
        list.append(#Predicate<TypedItem> { !$0.tags.contains { ($0.weight ?? 0) > number } })
        list.append(#Predicate<TypedItem> { $0.tags.allSatisfy { $0.weight != nil } })
        list.append(#Predicate<TypedItem> { $0.tags.allSatisfy { !($0.on == true) } })
        list.append(#Predicate<TypedItem> { $0.tags.filter { $0.on == true }.count > 1 })
        list.append(#Predicate<TypedItem> { item in item.tags.contains { $0.weight == item.amount } })
        list.append(#Predicate<TypedItem> { item in item.tags.contains { $0.weight != item.amount } })
        list.append(#Predicate<TypedItem> { $0.staff.contains { $0.boss?.words == text } })
        list.append(#Predicate<TypedItem> { $0.staff.contains { $0.tags.contains { $0.on == true } } })
        list.append(#Predicate<TypedItem> { $0.boss?.tags.contains { $0.on == true } == true })
        list.append(#Predicate<TypedItem> { $0.boss?.tags.isEmpty ?? true })
        list.append(#Predicate<TypedItem> { $0.boss?.tags.count ?? 0 > 1 })
        list.append(#Predicate<TypedItem> { $0.place?.items.contains { $0.amount == number } ?? false })
        list.append(#Predicate<TypedItem> { if let boss = $0.boss { boss.amount == number || boss.flag == true } else { false } })
        return list
    }
}

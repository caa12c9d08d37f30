import CoreData

/// Sorts, windows, IDs and dictionaries.
extension FetchRun {
    struct SortTerm {
        var keys: [String]
        let ascending: Bool
        /// nil is the plain order.
        var selector: String?

        var descriptor: NSSortDescriptor {
            let path = keys.joined(separator: ".")
            guard let selector else { return NSSortDescriptor(key: path, ascending: ascending) }
            return NSSortDescriptor(key: path, ascending: ascending, selector: Selector(selector))
        }

        func order(_ left: PlainValue, _ right: PlainValue) -> Int {
            if left.isNone || right.isNone { return left.isNone && right.isNone ? 0 : left.isNone ? -1 : 1 }
            guard let selector, let a = left.string, let b = right.string else { return PlainValue.order(left, right) ?? 0 }
            return CodeOrder.order(a, b, selector)
        }
    }

    func sortTerms(_ kind: FetchKind) -> [SortTerm] {
        (0..<1 + pick(3)).compactMap { _ in
            var kind = kind, keys: [String] = []
            for _ in 0..<[0, 0, 0, 1, 1, 2][pick(6)] {
                let links = kind.links.filter { !$0.isToMany }
                if links.isEmpty { break }
                let link = links[pick(links.count)]
                keys.append(link.name)
                kind = link.destination
            }
            let fields = kind.fields.filter { $0.type != .transformable }
            let field = chance(15) ? fields.first { $0.name == "code" } ?? fields[0] : fields[pick(fields.count)]
            var term = SortTerm(keys: keys + [field.name], ascending: chance(60))
            if field.name == "code" {
                term.selector = [
                    "compare:", "caseInsensitiveCompare:", "localizedCompare:", "localizedCaseInsensitiveCompare:", "localizedStandardCompare:",
                ][pick(5)]
            }
            return term
        }
    }

    /// A sorted window must show the values that stand there in the reference's order, of objects that belong, each once; and
    /// the windows must be those of one order: equal rows do not change places.
    func checkSorted(_ question: Question) -> String? {
        let terms = sortTerms(question.kind), offset = pick(4), limit = pick(6)
        let note = { (text: String) in
            "\(question.kind): \(PlainFormat.description(question.predicate)) by \(terms), offset \(offset), limit \(limit): \(text)"
        }
        do {
            let reference = PlainEvaluation(world, .sql)
            let expected = world.numbers(of: question.kind, subentities: question.subentities).filter { reference.holds(question.predicate, $0) }
            let rows = sortedRows(expected, terms)
            for stack in [sql, memory] {
                let asked = try predicate(question, question.predicate, on: stack, asFormat: true)
                let request = request(question, asked)
                request.sortDescriptors = terms.map(\.descriptor)
                let all = try stack.context.fetch(request).map(\.ident)
                if all.sorted() != expected { return note("finds \(all) and not \(expected)") }
                if !isSame(values(all, terms), rows, terms) { return note("shows \(all.map { ($0, values([$0], terms)) })") }
                (request.fetchOffset, request.fetchLimit) = (offset, limit)
                let window = try stack.context.fetch(request).map(\.ident)
                let cut = Array(limit == 0 ? all.dropFirst(offset) : all.dropFirst(offset).prefix(limit))
                if window != cut { return note("cuts \(window) and not \(cut) of \(all)") }
                let count = try stack.context.count(for: request)
                if count != cut.count { return note("counts \(count) and not \(cut.count)") }
                if let failure = try checkIDs(request, cut, on: stack) { return note(failure) }
            }
            return nil
        } catch {
            return note("throws \(error)")
        }
    }

    private func checkIDs(_ request: NSFetchRequest<NSManagedObject>, _ expected: [Int], on stack: FetchStack) throws -> String? {
        let identifiers = NSFetchRequest<NSManagedObjectID>(entityName: request.entityName ?? "")
        identifiers.resultType = .managedObjectIDResultType
        identifiers.predicate = request.predicate
        identifiers.sortDescriptors = request.sortDescriptors
        identifiers.includesSubentities = request.includesSubentities
        (identifiers.fetchOffset, identifiers.fetchLimit) = (request.fetchOffset, request.fetchLimit)
        let found = try stack.context.fetch(identifiers)
        return found == expected.compactMap { stack.objects[$0]?.objectID } ? nil : "gives other IDs than objects"
    }

    private func values(_ numbers: [Int], _ terms: [SortTerm]) -> [[PlainValue]] {
        let reference = PlainEvaluation(world, .sql)
        return numbers.map { number in terms.map { reference.follow($0.keys, from: number) } }
    }

    /// Values that are equal to a term need not be the same: the order of such rows is their own.
    private func isSame(_ left: [[PlainValue]], _ right: [[PlainValue]], _ terms: [SortTerm]) -> Bool {
        zip(left, right).allSatisfy { a, b in terms.indices.allSatisfy { terms[$0].order(a[$0], b[$0]) == 0 } }
    }

    private func sortedRows(_ numbers: [Int], _ terms: [SortTerm]) -> [[PlainValue]] {
        let rows = values(numbers, terms)
        return rows.sorted { left, right in
            for (index, term) in terms.enumerated() {
                let order = term.order(left[index], right[index])
                if order != 0 { return term.ascending ? order < 0 : order > 0 }
            }
            return false
        }
    }
}

/// The orders of ASCII letters and digits, as everybody sorts them: digits first, small letters before capitals where nothing else
/// tells.
private enum CodeOrder {
    static func order(_ a: String, _ b: String, _ selector: String) -> Int {
        let folded = PlainValue.byteOrder(Array(a.lowercased().utf8), Array(b.lowercased().utf8))
        switch selector {
        case "compare:": return PlainValue.byteOrder(Array(a.utf8), Array(b.utf8))
        case "caseInsensitiveCompare:", "localizedCaseInsensitiveCompare:": return folded
        case "localizedStandardCompare:":
            let numeric = numericOrder(a.lowercased(), b.lowercased())
            return numeric != 0 ? numeric : caseOrder(a, b)
        default: return folded != 0 ? folded : caseOrder(a, b)
        }
    }

    private static func caseOrder(_ a: String, _ b: String) -> Int {
        for (x, y) in zip(a.utf8, b.utf8) where x != y { return x > y ? -1 : 1 }
        return 0
    }

    private static func numericOrder(_ a: String, _ b: String) -> Int {
        let (left, right) = (runs(a), runs(b))
        for (x, y) in zip(left, right) where x != y {
            if let m = Int(x), let n = Int(y) { return m < n ? -1 : 1 }
            return PlainValue.byteOrder(Array(x.utf8), Array(y.utf8))
        }
        return left.count - right.count
    }

    /// Letters one by one, digits together.
    private static func runs(_ text: String) -> [String] {
        var runs: [String] = []
        for letter in text {
            if letter.isNumber, let last = runs.last, Int(last) != nil { runs[runs.count - 1].append(letter) } else { runs.append(String(letter)) }
        }
        return runs
    }
}

import CoreData

/// Dictionary results: columns, aggregates over the rows found, and groups.
extension FetchRun {
    func checkDictionaries(_ question: Question) -> String? {
        // What SQL cannot say is not fetched as dictionaries.
        if question.predicate.comparisons.contains(where: { $0.type == "[FIRST]" }) { return nil }
        let note = { (text: String) in "\(question.kind): \(PlainFormat.description(question.predicate)): dictionaries: \(text)" }
        let reference = PlainEvaluation(world, .sql)
        let found = world.numbers(of: question.kind, subentities: question.subentities).filter { reference.holds(question.predicate, $0) }
        do {
            for stack in [sql, memory] {
                let asked = try predicate(question, question.predicate, on: stack, asFormat: false)
                if let failure = try checkColumns(question, asked, found, on: stack) { return note(failure) }
                if let failure = try checkGroups(question, asked, found, on: stack) { return note(failure) }
            }
            return nil
        } catch {
            return note("throws \(error)")
        }
    }

    private func dictionaryRequest(_ question: Question, _ predicate: NSPredicate) -> NSFetchRequest<NSDictionary> {
        let request = NSFetchRequest<NSDictionary>(entityName: question.kind.rawValue)
        request.resultType = .dictionaryResultType
        request.predicate = predicate
        request.includesSubentities = question.subentities
        return request
    }

    private func checkColumns(_ question: Question, _ asked: NSPredicate, _ found: [Int], on stack: FetchStack) throws -> String? {
        let fields = question.kind.fields.filter { $0.type != .transformable }
        let request = dictionaryRequest(question, asked)
        request.propertiesToFetch = fields.map(\.name)
        let rows = try stack.context.fetch(request)
        let numbers = rows.map { $0["ident"] as? Int ?? -1 }
        if numbers.sorted() != found { return "finds \(numbers) and not \(found)" }
        for (row, number) in zip(rows, numbers) {
            for field in fields {
                let value = world.things[number]?.values[field.name] ?? .none
                if !value.isShown(by: row[field.name]) { return "\(number).\(field.name) is \(row[field.name] ?? "nil") and not \(value)" }
            }
        }
        return nil
    }

    private func aggregate(_ name: String, _ function: String, _ key: String, _ type: NSAttributeType) -> NSExpressionDescription {
        let description = NSExpressionDescription()
        description.name = name
        description.expression = NSExpression(forFunction: function, arguments: [NSExpression(forKeyPath: key)])
        description.expressionResultType = type
        return description
    }

    /// Grouped by a text: how many, how much, least and greatest.
    private func checkGroups(_ question: Question, _ asked: NSPredicate, _ found: [Int], on stack: FetchStack) throws -> String? {
        let texts = question.kind.fields.filter { $0.type == .string }, sums = question.kind.fields.filter { ["amount", "size", "weight"].contains($0.name) }
        guard let group = texts.first, let summed = sums.first else { return nil }
        let request = dictionaryRequest(question, asked)
        request.propertiesToGroupBy = [group.name]
        request.propertiesToFetch = [
            group.name, aggregate("count", "count:", "ident", .integer64AttributeType), aggregate("sum", "sum:", summed.name, .integer64AttributeType),
            aggregate("min", "min:", summed.name, .integer64AttributeType), aggregate("max", "max:", summed.name, .integer64AttributeType),
            aggregate("average", "average:", summed.name, .doubleAttributeType),
        ]
        let rows = try stack.context.fetch(request)
        let groups = Dictionary(grouping: found) { world.things[$0]?.values[group.name] ?? .none }
        if rows.count != groups.count { return "makes \(rows.count) groups and not \(groups.count)" }
        for row in rows {
            let key = (row[group.name] as? String).map(PlainValue.text) ?? .none
            guard let members = groups[key] else { return "makes a group \(key)" }
            let values = members.map { world.things[$0]?.values[summed.name] ?? .none }
            let expected: [(String, PlainValue)] = [
                ("count", .whole(Int64(members.count))), ("sum", PlainArithmetic.aggregate("@sum", values)),
                ("min", PlainArithmetic.aggregate("@min", values)), ("max", PlainArithmetic.aggregate("@max", values)),
                ("average", PlainArithmetic.aggregate("@avg", values)),
            ]
            for (name, value) in expected where !value.isShown(by: row[name]) {
                return "\(name) of group \(key) is \(row[name] ?? "nil") and not \(value)"
            }
        }
        return nil
    }
}

extension PlainValue {
    /// Whether what a dictionary holds is this value: nothing for nil.
    func isShown(by any: Any?) -> Bool {
        switch self {
        case .none: any == nil
        case .whole(let value): any as? Int64 == value
        case .real(let value): (any as? Double ?? (any as? Float).map(Double.init)) == value
        case .exact(let value): any as? Decimal == value || (any as? NSDecimalNumber)?.decimalValue == value
        case .truth(let value): any as? Bool == value
        case .text(let value): (any as? String)?.utf8.elementsEqual(value.utf8) ?? false
        case .moment(let value): (any as? Date)?.timeIntervalSinceReferenceDate == value
        case .bytes(let value): any as? Data == Data(value)
        case .identifier(let value): any as? UUID == value
        case .address(let value): (any as? URL)?.absoluteString == value
        case .thing, .many: false
        }
    }
}

import CoreDataPredicate

/// The collection operators of key-value coding (Key-Value Coding Programming Guide, “Using Collection Operators”).
enum CollectionOperator {
    static func apply(_ name: String, to collection: ValueCollection, along path: ArraySlice<String>) -> Any? {
        switch name {
        case "@count": return NSNumber(value: collection.elements.count)
        case "@firstObject": return KeyPathCoding.value(of: collection.elements.first, along: path)
        case "@lastObject": return KeyPathCoding.value(of: collection.elements.last, along: path)
        case "@distinctUnionOfArrays", "@unionOfArrays", "@distinctUnionOfSets", "@unionOfSets":
            return union(of: collection, along: path, name)
        default: break
        }
        let values = collection.elements.map { KeyPathCoding.value(of: $0, along: path) }
        let known = values.compactMap { $0 is NSNull ? nil : $0 }
        switch name {
        case "@sum": return number(sum(known, name))
        // nil counts as 0 in an average.
        case "@avg": return values.isEmpty ? NSNumber(value: 0) : average(sum(known, name), of: values.count)
        case "@min": return PredicateBridging.any(Statistics.extreme(bridged(known, name), .orderedAscending))
        case "@max": return PredicateBridging.any(Statistics.extreme(bridged(known, name), .orderedDescending))
        case "@unionOfObjects": return NSArray(array: known)
        case "@distinctUnionOfObjects":
            return ValueCollection(collection.kind, ValueCollection(.array, known).distinct).object
        default:
            raise(.unknownKey, "\(name) is no collection operator. There are @count, @sum, @avg, @min, @max, @unionOfObjects, "
                + "@distinctUnionOfObjects, and @unionOf… and @distinctUnionOf… of Arrays and Sets.")
        }
    }

    /// What the elements answer, each with a collection, in one: elements of elements, or a relationship of each.
    private static func union(of collection: ValueCollection, along path: ArraySlice<String>, _ name: String) -> Any {
        let all = collection.elements.flatMap { element -> [Any] in
            guard let answer = KeyPathCoding.value(of: element, along: path), !(answer is NSNull) else { return [] }
            guard let inner = ValueCollection(answer) else {
                raise(.invalidArgument, "\(name) wants a collection of each element; \(type(of: answer)) is none.")
            }
            return inner.elements.filter { !($0 is NSNull) }
        }
        if name.hasSuffix("Sets") { return ValueCollection(.set, all).object }
        return NSArray(array: name.hasPrefix("@distinct") ? ValueCollection(.array, all).distinct : all)
    }

    private static func bridged(_ values: [Any], _ name: String) -> [PredicateValue] {
        do { return try values.map { try PredicateBridging.value(of: $0) } } catch {
            raise(.invalidArgument, "\(name) cannot compare these values: \(error)")
        }
    }

    private static func sum(_ values: [Any], _ name: String) -> PredicateValue {
        do { return try Statistics.sum(bridged(values, name)) } catch {
            raise(.invalidArgument, "\(name) wants numbers: \(error)")
        }
    }

    private static func number(_ value: PredicateValue) -> NSNumber {
        (PredicateBridging.any(value) as? NSNumber) ?? NSNumber(value: 0)
    }

    private static func average(_ sum: PredicateValue, of count: Int) -> NSNumber {
        if case .decimal(let sum) = sum { return NSDecimalNumber(decimal: sum / Decimal(count)) }
        return NSNumber(value: number(sum).doubleValue / Double(count))
    }
}

import CoreDataSchema
import Foundation
import Testing

@testable import CoreData

@Suite struct NumberConversionTests {
    @Test("TY04 TY05 B34: A number that does not fit is refused, none comes out as another one")
    func integers() {
        func whole(_ object: Any, _ type: CoreDataSchema.AttributeType = .integer64) -> Int64? { ExactInteger.value(object, within: type) }
        #expect(whole(40_000, .integer16) == nil && whole(Int16.min, .integer16) == -32_768)
        #expect(whole(NSNumber(value: 1 << 40), .integer32) == nil)
        #expect(whole(UInt64.max) == nil && whole(NSNumber(value: UInt64.max)) == nil)
        #expect(whole(NSNumber(value: Int64.max)) == .max && whole(Int64.min) == .min)
        #expect(whole(Double.nan) == nil && whole(Double.infinity) == nil && whole(1e19) == nil && whole(-0x1p63) == .min)
        #expect(whole(3.9) == 3 && whole(-3.9) == -3 && whole(Float(2.5)) == 2 && whole(true) == 1)
        #expect(whole(NSDecimalNumber(string: "922337203685477580")) == 922_337_203_685_477_580)
        #expect(whole(NSDecimalNumber(string: "9223372036854775807")) == .max)
        #expect(whole(NSDecimalNumber(string: "9223372036854775808")) == nil && whole(Decimal.nan) == nil)
        #expect(whole(NSDecimalNumber(string: "-7.9")) == -7 && whole(NSDecimalNumber(string: "7.9")) == 7)
        #expect(whole("5") == nil)
    }

    @Test("B27 B34 TY06: Numbers at their ends come back from a file as they were")
    func extremes() throws {
        let entity = NSEntityDescription()
        entity.name = "Sample"
        entity.properties = [
            CompanyModel.attribute("decimal", .decimalAttributeType), CompanyModel.attribute("double", .doubleAttributeType),
            CompanyModel.attribute("whole", .integer64AttributeType), CompanyModel.attribute("date", .dateAttributeType),
        ]
        let model = NSManagedObjectModel()
        model.entities = [entity]
        let stack = try RuntimeStack(type: NSSQLiteStoreType, model: model)
        let decimals = ["5.1", "5.11", "0.1", "3.33", "922337203685477580", "-0.000001"]
        let doubles = [0.1, .leastNonzeroMagnitude, .greatestFiniteMagnitude, .infinity, -.infinity, -0x1p-1040]
        let dates: [Date] = [.distantPast, .distantFuture, Date(timeIntervalSinceReferenceDate: 1e15)]
        let context = stack.context()
        try context.performAndWait {
            func add(_ key: String, _ value: Any) { NSEntityDescription.insertNewObject(forEntityName: "Sample", into: context).setValue(value, forKey: key) }
            for text in decimals { add("decimal", NSDecimalNumber(string: text)) }
            for number in doubles { add("double", number) }
            for date in dates { add("date", date) }
            for number in [Int64.max, .min] { add("whole", number) }
            try context.save()
        }
        let fresh = stack.context()
        try fresh.performAndWait {
            func all(_ key: String) throws -> [Any] {
                let request = NSFetchRequest<NSManagedObject>(entityName: "Sample")
                request.predicate = NSPredicate(format: "%K != nil", key)
                return try fresh.fetch(request).compactMap { $0.value(forKey: key) }
            }
            fresh.reset()
            let (foundDecimals, foundDoubles, foundDates, foundWholes) = (try all("decimal"), try all("double"), try all("date"), try all("whole"))
            #expect(Set(foundDecimals.compactMap { ($0 as? NSDecimalNumber)?.decimalValue }) == Set(decimals.compactMap { Decimal(string: $0) }))
            #expect(Set(foundDoubles.compactMap { $0 as? Double }) == Set(doubles))
            #expect(Set(foundDates.compactMap { $0 as? Date }) == Set(dates))
            #expect(Set(foundWholes.compactMap { ($0 as? NSNumber)?.int64Value }) == [.max, .min])
            for text in decimals {
                let request = NSFetchRequest<NSManagedObject>(entityName: "Sample")
                request.predicate = NSPredicate(format: "decimal == %@", NSDecimalNumber(string: text))
                let count = try fresh.count(for: request)
                #expect(count == 1, "\(text)")
            }
        }
    }
}

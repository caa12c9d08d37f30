import CoreData
import Foundation
import Testing

/// The annotations are the test: this file compiles only if the plugin's classes have these very types.
@Suite("Types of generated classes, as a client sees them")
@MainActor
struct GoldenTypesTests {
    @Test("Numbers are optional only where the model makes them so and asks for no scalar")
    func numbers() throws {
        let golden = try Store().insert(Golden.self)
        let _: (Int16?, Int16, Int16?, Int16, Int16) = (
            golden.int16Optional, golden.int16OptionalScalar, golden.int16OptionalUnsaid, golden.int16Required, golden.int16RequiredScalar)
        let _: (Int32?, Int32, Int32?, Int32, Int32) = (
            golden.int32Optional, golden.int32OptionalScalar, golden.int32OptionalUnsaid, golden.int32Required, golden.int32RequiredScalar)
        let _: (Int64?, Int64, Int64?, Int64, Int64) = (
            golden.int64Optional, golden.int64OptionalScalar, golden.int64OptionalUnsaid, golden.int64Required, golden.int64RequiredScalar)
        let _: (Bool?, Bool, Bool?, Bool, Bool) = (
            golden.boolOptional, golden.boolOptionalScalar, golden.boolOptionalUnsaid, golden.boolRequired, golden.boolRequiredScalar)
        let _: (Double?, Double, Double?, Double, Double) = (
            golden.doubleOptional, golden.doubleOptionalScalar, golden.doubleOptionalUnsaid, golden.doubleRequired, golden.doubleRequiredScalar)
        let _: (Float?, Float, Float?, Float, Float) = (
            golden.floatOptional, golden.floatOptionalScalar, golden.floatOptionalUnsaid, golden.floatRequired, golden.floatRequiredScalar)
        let untouched: (Int16, Int32, Int64, Bool, Double, Float) = (
            golden.int16Required, golden.int32Required, golden.int64Required, golden.boolRequired, golden.doubleRequired, golden.floatRequired)
        #expect(untouched == (0, 0, 0, false, 0, 0))
        #expect(golden.int16Optional == nil && golden.boolOptional == nil && golden.floatOptional == nil && golden.doubleOptionalScalar == 0)
    }

    @Test("Values are optional where the model makes them so; required ones read as empty while they are nil")
    func values() throws {
        let golden = try Store().insert(Golden.self)
        let _: (String?, String?, String?, String, String) = (
            golden.stringOptional, golden.stringOptionalScalar, golden.stringOptionalUnsaid, golden.stringRequired, golden.stringRequiredScalar)
        let _: (Data?, Data?, Data?, Data, Data) = (
            golden.dataOptional, golden.dataOptionalScalar, golden.dataOptionalUnsaid, golden.dataRequired, golden.dataRequiredScalar)
        let _: (UUID?, UUID?, UUID?, UUID, UUID) = (
            golden.uuidOptional, golden.uuidOptionalScalar, golden.uuidOptionalUnsaid, golden.uuidRequired, golden.uuidRequiredScalar)
        let _: (Decimal?, Decimal?, Decimal?, Decimal, Decimal) = (
            golden.decimalOptional, golden.decimalOptionalScalar, golden.decimalOptionalUnsaid, golden.decimalRequired, golden.decimalRequiredScalar)
        let _: (Foundation.Date?, TimeInterval, Foundation.Date?, Foundation.Date, TimeInterval) = (
            golden.dateOptional, golden.dateOptionalScalar, golden.dateOptionalUnsaid, golden.dateRequired, golden.dateRequiredScalar)
        let _: (URL?, URL?, URL?, URL?, URL?) = (
            golden.urlOptional, golden.urlOptionalScalar, golden.urlOptionalUnsaid, golden.urlRequired, golden.urlRequiredScalar)
        let _: (Any?, Any?, [String]?, Any?, NSManagedObjectID?, [String: Any]?) = (
            golden.objectOptional, golden.objectRequired, golden.objectList, golden.undefined, golden.objectIDOptional, golden.place)
        #expect(golden.stringRequired.isEmpty && golden.dataRequired.isEmpty && golden.decimalRequired == 0)
        #expect(golden.uuidRequired.uuidString == "00000000-0000-0000-0000-000000000000")
        #expect(golden.dateRequired.timeIntervalSinceReferenceDate == 0 && golden.dateOptionalScalar == 0)
        #expect(golden.stringOptional == nil && golden.urlRequired == nil && golden.objectList == nil)
        #expect(golden.undefined == nil && golden.objectOptional == nil && golden.place == nil)
    }

    @Test("Relationships are an optional, a set or an array of the destination's class")
    func relationships() throws {
        let golden = try Store().insert(Golden.self)
        let _: (Tag?, Set<Tag>, [Tag], NSManagedObject?, [Tag]) = (golden.one, golden.many, golden.ordered, golden.plain, golden.fetched)
        #expect(golden.one == nil && golden.many.isEmpty && golden.ordered.isEmpty)
    }

    @Test("Each class of a family fetches itself, without an annotation")
    func requests() {
        let requests = (Animal.fetchRequest(), Dog.fetchRequest(), Puppy.fetchRequest(), Tag.fetchRequest(), Handmade.fetchRequest())
        let _: (NSFetchRequest<Animal>, NSFetchRequest<Dog>, NSFetchRequest<Puppy>, NSFetchRequest<Tag>, NSFetchRequest<Handmade>) = requests
        #expect(requests.0.entityName == "Animal" && requests.1.entityName == "Dog" && requests.2.entityName == "Puppy")
        #expect(requests.3.entityName == "Tag" && requests.4.entityName == "Handmade")
    }

    @Test("Key paths lead to the names of the model, inherited and renamed ones included")
    func keyPaths() {
        #expect(Puppy._keyPathNames[\Puppy.legs] == "legs" && Puppy._keyPathNames[\Puppy.age] == "age")
        #expect(Words._keyPathNames[\Words.description_] == "description" && Words._keyPathNames[\Words.default] == "default")
        #expect(Golden._keyPathNames[\Golden.many] == "many" && Golden._keyPathNames[\Golden?.?.many] == "many")
        // Every property and objectID, from an object and through an optional.
        #expect(Golden._keyPathNames[\Golden.objectID] == "objectID")
        #expect(Golden._keyPathNames.count == 2 * (Golden._propertyNames.count + 1))
    }
}

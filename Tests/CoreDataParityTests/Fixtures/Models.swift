import CoreData

/// The models of these tests. Each call builds a fresh one, as models freeze with their first use.
enum Models {
    /// Department <->> Employee. The rules of either side and whether an employee needs a department vary by test.
    static func office(
        employees rule: NSDeleteRule = .nullifyDeleteRule, department departmentRule: NSDeleteRule = .nullifyDeleteRule,
        departmentIsOptional: Bool = true
    ) -> NSManagedObjectModel {
        let department = NSEntityDescription("Department", NSAttributeDescription("name", .stringAttributeType))
        let employee = NSEntityDescription(
            "Employee",
            NSAttributeDescription("name", .stringAttributeType),
            NSAttributeDescription("salary", .integer64AttributeType),
            NSAttributeDescription("scratch", .integer64AttributeType, default: 0, transient: true))
        relate(department, .many("employees", rule), employee, .one("dept", departmentRule, optional: departmentIsOptional))
        return model(department, employee)
    }

    /// Person -cascade->> Pet, both counting their callbacks.
    static func household(person: AnyClass = Counting.self, pet: AnyClass = Counting.self) -> NSManagedObjectModel {
        let person = NSEntityDescription(
            "Person", of: person,
            NSAttributeDescription("name", .stringAttributeType),
            NSAttributeDescription("nickname", .stringAttributeType, default: "buddy"),
            NSAttributeDescription("updatedAt", .integer64AttributeType))
        let pet = NSEntityDescription("Pet", of: pet, NSAttributeDescription("name", .stringAttributeType))
        relate(person, .many("pets", .cascadeDeleteRule), pet, .one("owner"))
        return model(person, pet)
    }

    /// A -cascade->> B ->> C.
    static func chain(last rule: NSDeleteRule = .cascadeDeleteRule) -> NSManagedObjectModel {
        let a = NSEntityDescription("A", NSAttributeDescription("name", .stringAttributeType))
        let b = NSEntityDescription("B", NSAttributeDescription("name", .stringAttributeType))
        let c = NSEntityDescription("C", NSAttributeDescription("name", .stringAttributeType))
        relate(a, .many("bs", .cascadeDeleteRule), b, .one("a"))
        relate(b, .many("cs", rule), c, .one("b"))
        return model(a, b, c)
    }

    /// Node <-> Node, cascading in both directions.
    static func ring() -> NSManagedObjectModel {
        let node = NSEntityDescription("Node", NSAttributeDescription("name", .stringAttributeType))
        relate(node, .one("next", .cascadeDeleteRule), node, .one("previous", .cascadeDeleteRule))
        return model(node)
    }

    /// X <-> Y, one to one.
    static func couple() -> NSManagedObjectModel {
        let x = NSEntityDescription("X", NSAttributeDescription("name", .stringAttributeType))
        let y = NSEntityDescription("Y", NSAttributeDescription("name", .stringAttributeType))
        relate(x, .one("y"), y, .one("x"))
        return model(x, y)
    }

    /// Item <<->> Tag.
    static func tagged() -> NSManagedObjectModel {
        let item = NSEntityDescription("Item", NSAttributeDescription("name", .stringAttributeType))
        let tag = NSEntityDescription("Tag", NSAttributeDescription("name", .stringAttributeType))
        relate(item, .many("tags"), tag, .many("items"))
        return model(item, tag)
    }

    /// Playlist <->> Song, in order.
    static func ordered() -> NSManagedObjectModel {
        let playlist = NSEntityDescription("Playlist", NSAttributeDescription("name", .stringAttributeType))
        let song = NSEntityDescription("Song", NSAttributeDescription("name", .stringAttributeType))
        relate(playlist, .many("songs", ordered: true), song, .one("playlist"))
        return model(playlist, song)
    }

    /// Product with a unique code, and a unique pair.
    static func coded() -> NSManagedObjectModel {
        let product = NSEntityDescription(
            "Product",
            NSAttributeDescription("code", .integer64AttributeType),
            NSAttributeDescription("name", .stringAttributeType),
            NSAttributeDescription("stock", .integer64AttributeType, default: 5))
        product.uniquenessConstraints = [["code"]]
        let seat = NSEntityDescription(
            "Seat",
            NSAttributeDescription("row", .integer64AttributeType),
            NSAttributeDescription("number", .integer64AttributeType))
        seat.uniquenessConstraints = [["row", "number"]]
        let label = NSEntityDescription("Label", NSAttributeDescription("text", .stringAttributeType))
        label.uniquenessConstraints = [["text"]]
        return model(product, seat, label)
    }

    /// Attributes and relationships with rules.
    static func rules() -> NSManagedObjectModel {
        let worker = NSEntityDescription(
            "Worker",
            NSAttributeDescription("name", .stringAttributeType, optional: false),
            NSAttributeDescription("salary", .integer64AttributeType, default: 0).validated(("SELF >= 0", "Salary must not be negative")))
        let bounds = NSEntityDescription(
            "Bounds",
            NSAttributeDescription("number", .integer64AttributeType).validated(
                ("SELF >= 0", NSNumber(value: NSValidationNumberTooSmallError)), ("SELF <= 10", NSNumber(value: NSValidationNumberTooLargeError))),
            NSAttributeDescription("text", .stringAttributeType).validated(
                ("length >= 2", NSNumber(value: NSValidationStringTooShortError)), ("length <= 4", NSNumber(value: NSValidationStringTooLongError))),
            NSAttributeDescription("letter", .stringAttributeType).validated(("length <= 1", NSNumber(value: NSValidationStringTooLongError))),
            NSAttributeDescription("digits", .stringAttributeType).validated(
                ("SELF MATCHES '[0-9]+'", NSNumber(value: NSValidationStringPatternMatchingError))),
            NSAttributeDescription("day", .dateAttributeType).validated(
                ("timeIntervalSinceReferenceDate >= 1000", NSNumber(value: NSValidationDateTooSoonError)),
                ("timeIntervalSinceReferenceDate <= 2000", NSNumber(value: NSValidationDateTooLateError))))
        let team = NSEntityDescription("Team", NSAttributeDescription("name", .stringAttributeType))
        let player = NSEntityDescription("Player", NSAttributeDescription("name", .stringAttributeType))
        relate(team, .many("starters", optional: false, minimum: 1), player, .one("startsFor"))
        relate(team, .many("pair", maximum: 2), player, .one("pairsFor"))
        relate(team, .many("duo", minimum: 2), player, .one("duoFor"))
        relate(team, .many("fans", optional: false), player, .one("fanOf"))
        let contract = NSEntityDescription("Contract", NSAttributeDescription("name", .stringAttributeType))
        relate(contract, .one("signer", optional: false), worker, .many("contracts"))
        return model(worker, bounds, team, player, contract)
    }

    /// One attribute of each type, all optional.
    static func scalars() -> NSManagedObjectModel {
        let types: [(String, NSAttributeType)] = [
            ("int16", .integer16AttributeType), ("int32", .integer32AttributeType), ("int64", .integer64AttributeType),
            ("decimal", .decimalAttributeType), ("double", .doubleAttributeType), ("float", .floatAttributeType),
            ("text", .stringAttributeType), ("flag", .booleanAttributeType), ("date", .dateAttributeType),
            ("data", .binaryDataAttributeType), ("uuid", .UUIDAttributeType), ("url", .URIAttributeType),
        ]
        let sample = NSEntityDescription("Sample")
        sample.properties = types.map { NSAttributeDescription($0.0, $0.1) }
        return model(sample)
    }

    /// Person > Manager, and an abstract Shape > Circle.
    static func families() -> NSManagedObjectModel {
        let person = NSEntityDescription("Person", NSAttributeDescription("name", .stringAttributeType))
        let manager = NSEntityDescription("Manager", NSAttributeDescription("level", .integer64AttributeType))
        person.subentities = [manager]
        let shape = NSEntityDescription("Shape", NSAttributeDescription("name", .stringAttributeType))
        shape.isAbstract = true
        let circle = NSEntityDescription("Circle", NSAttributeDescription("radius", .doubleAttributeType))
        shape.subentities = [circle]
        return model(person, manager, shape, circle)
    }
}

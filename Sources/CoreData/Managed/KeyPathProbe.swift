import CoreDataPredicate
import CoreDataSchema

/// Finds the name of a key path of `@NSManaged` properties by reading it: their accessors know their names, and an object that
/// belongs to no model of the program's, the probe, notes which was read. What it answers is remembered, so that a computed
/// property that goes on working with it is told from the property itself.
///
/// Unchecked Sendable: a probe and its notes are used by the one call that made them.
final class KeyPathProbe: @unchecked Sendable {
    private static let probes = LockedValue<[ObjectIdentifier: KeyPathProbe]>([:])

    private var names: [String] = []
    /// Every probe made on the way, the last one to be read next.
    private var objects: [NSManagedObject] = []
    private var answer: Answer?
    private var isLost = false

    enum Answer {
        case text, number, flag, date, url
        case object
        case other
    }

    static let text = "\u{1}probe", sample: Int16 = 23_167
    static let date = Date(timeIntervalSinceReferenceDate: Double(sample)), url = URL(fileURLWithPath: "/\(text)")

    /// The model of the probes' one entity, kept for good.
    private static let runtime: ModelRuntime? = {
        let entity = NSEntityDescription(), model = NSManagedObjectModel()
        entity.name = "KeyPathProbe"
        model.entities = [entity]
        return try? model.runtime()
    }()

    static func isProbe(_ object: NSManagedObject) -> Bool { object.runtime === runtime?.entities.first }

    /// nil when the path is not one of `@NSManaged` properties, to-ones but the last.
    static func name(of path: AnyKeyPath) -> String? {
        guard let root = KeyPathNames.modelled(type(of: path).rootType) as? NSManagedObject.Type else { return nil }
        let probe = KeyPathProbe()
        defer { probe.end() }
        // A path through an optional of the class takes the object too.
        guard let object = probe.make(root) else { return nil }
        return probe.name(answering: object[keyPath: path])
    }

    /// nil for generated classes: their accessors know slots, not names.
    private func make(_ type: NSManagedObject.Type) -> NSManagedObject? {
        guard type._propertyNames.isEmpty, let entity = Self.runtime?.entities.first?.entity else {
            isLost = true
            return nil
        }
        let object = type.init(entity: entity, insertInto: nil)
        objects.append(object)
        Self.probes.withLock { $0[ObjectIdentifier(object)] = self }
        return object
    }

    private func end() { Self.probes.withLock { probes in for object in objects { probes[ObjectIdentifier(object)] = nil } } }

    private func name(answering value: Any?) -> String? {
        guard !isLost else { return nil }
        // No accessor tells of an object's ID; it is the ID of the last probe, or none.
        if let identifier = value as? NSManagedObjectID, names.count == objects.count - 1, identifier == objects.last?.objectID {
            return (names + ["objectID"]).joined(separator: ".")
        }
        guard let answer else { return nil }
        let isSame = switch answer {
        case .text: value as? String == Self.text
        // A Boolean that was made of a number (`pages > 100`) is a computed property.
        case .number: (value.map { type(of: $0) != Bool.self } ?? false) && Self.isNumber(value)
        case .flag: value as? Bool == true
        case .date: value as? Date == Self.date
        case .url: value as? URL == Self.url
        case .object: value as AnyObject? === objects.last
        case .other: true
        }
        return isSame ? names.joined(separator: ".") : nil
    }

    private static func isNumber(_ value: Any?) -> Bool {
        switch value {
        case let flag as Bool: flag
        case let number as any BinaryInteger: Int64(clamping: number) == Int64(sample)
        case let number as any BinaryFloatingPoint: Double(number) == Double(sample)
        case let number as Decimal: number == Decimal(Int(sample))
        default: false
        }
    }

    /// Notes that an accessor of the object was called, when it is a probe; nil when it is none.
    static func note(_ name: String, on object: NSManagedObject, _ answer: Answer) -> KeyPathProbe? {
        guard isProbe(object), let probe = probes.withLock({ $0[ObjectIdentifier(object)] }) else { return nil }
        // One name for each probe, in their order: anything else is a computed property at work.
        if probe.objects.last !== object || probe.names.count >= probe.objects.count { probe.isLost = true }
        probe.names.append(name)
        probe.answer = answer
        return probe
    }
}

extension KeyPathProbe {
    /// What an accessor of a class answers of a probe: another probe, or an empty object of Foundation's, so that a property that is
    /// never nil is not.
    static func reference(_ name: String, on object: NSManagedObject, _ type: (any AnyObject.Type)?) -> AnyObject? {
        if let type = type as? NSManagedObject.Type { return note(name, on: object, .object)?.make(type) }
        _ = note(name, on: object, .other)
        return type.flatMap { empty[ObjectIdentifier($0)]?() }
    }

    private static let empty: [ObjectIdentifier: @Sendable () -> AnyObject] = [
        ObjectIdentifier(NSSet.self): { NSSet() }, ObjectIdentifier(NSOrderedSet.self): { NSOrderedSet() },
        ObjectIdentifier(NSArray.self): { NSArray() }, ObjectIdentifier(NSDictionary.self): { NSDictionary() },
        ObjectIdentifier(NSNumber.self): { NSNumber(value: 0) }, ObjectIdentifier(NSDecimalNumber.self): { NSDecimalNumber(decimal: 0) },
        ObjectIdentifier(NSString.self): { NSString() }, ObjectIdentifier(NSDate.self): { NSDate() },
        ObjectIdentifier(NSData.self): { NSData() }, ObjectIdentifier(NSUUID.self): { NSUUID() },
    ]
}

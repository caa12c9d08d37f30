/// The types of Swift, Foundation and CoreData that a managed property may have, by their names, with the module each is really in:
/// Foundation passes on what FoundationEssentials declares. A test compiles every name of it.
enum TypeLibrary {
    static func type(_ name: String) -> SwiftType.Nominal? { table[name] }

    /// Other names of the same types.
    static let aliases: [String: String] = [
        "TimeInterval": "Double", "Float64": "Double", "Float32": "Float", "CInt": "Int32", "CShort": "Int16", "CLongLong": "Int64", "CLong": "Int", "CBool": "Bool",
        "CFloat": "Float", "CDouble": "Double", "CChar": "Int8", "CUnsignedInt": "UInt32", "NSRange": "_NSRange", "NSPoint": "CGPoint", "NSSize": "CGSize",
        "NSRect": "CGRect", "StringLiteralType": "String", "IntegerLiteralType": "Int", "FloatLiteralType": "Double",
    ]

    /// Protocols that may stand alone as a type.
    static let protocols: [String: SwiftType.Nominal] = [
        "NSCoding": .init("Foundation", "NSCoding", .protocol), "NSSecureCoding": .init("Foundation", "NSSecureCoding", .protocol),
        "NSCopying": .init("Foundation", "NSCopying", .protocol), "Error": .init("Swift", "Error", .protocol),
        "NSObjectProtocol": .init("Foundation", "NSObjectProtocol", .protocol), "NSFetchRequestResult": .init("CoreData", "NSFetchRequestResult", .protocol),
    ]

    private static let table: [String: SwiftType.Nominal] = {
        var table: [String: SwiftType.Nominal] = [:]
        for (module, kind, names) in modules {
            for name in names.split(whereSeparator: \.isWhitespace) { table[String(name)] = SwiftType.Nominal(module, String(name), kind) }
        }
        return table
    }()

    private static let modules: [(module: String, kind: SwiftType.Nominal.Kind, names: String)] = [
        ("Foundation", .class, """
            BlockOperation ByteCountFormatter DateFormatter DateIntervalFormatter
            EnergyFormatter FileHandle Formatter Host ISO8601DateFormatter InputStream JSONSerialization
            LengthFormatter MassFormatter NSAffineTransform NSArray
            NSAttributedString NSCalendar NSCharacterSet NSCoder NSComparisonPredicate NSCompoundPredicate NSCondition
            NSConditionLock NSCountedSet NSData NSDate NSDateComponents NSDateInterval NSDecimalNumber
            NSDecimalNumberHandler NSDictionary NSEnumerator NSError NSExpression NSIndexPath NSIndexSet
            NSKeyedArchiver NSKeyedUnarchiver NSLocale NSLock NSMeasurement NSMutableArray
            NSMutableAttributedString NSMutableCharacterSet NSMutableData NSMutableDictionary NSMutableIndexSet
            NSMutableOrderedSet NSMutableSet NSMutableString NSNotification NSNull NSNumber NSObject NSOrderedSet
            NSOrthography NSPersonNameComponents NSPredicate NSRecursiveLock NSRegularExpression NSSet
            NSSortDescriptor NSString NSTextCheckingResult NSTimeZone NSURL NSURLComponents NSURLQueryItem NSUUID
            NSValue NotificationQueue NumberFormatter Operation OperationQueue OutputStream
            PersonNameComponentsFormatter Pipe Port PortMessage Process Progress PropertyListSerialization RunLoop
            Scanner SocketPort Stream Thread Timer Unit UnitAcceleration UnitAngle UnitArea UnitConcentrationMass
            UnitConverter UnitConverterLinear UnitDispersion UnitDuration UnitElectricCharge UnitElectricCurrent
            UnitElectricPotentialDifference UnitElectricResistance UnitEnergy UnitFrequency UnitFuelEfficiency
            UnitIlluminance UnitInformationStorage UnitLength UnitMass UnitPower UnitPressure UnitSpeed
            UnitTemperature UnitVolume UserDefaults Bundle
            """),
        ("Foundation", .struct, """
            CGFloat CGPoint CGRect CGSize CharacterSet IndexSet NSAffineTransformStruct NSBinarySearchingOptions
            NSEdgeInsets NSEnumerationOptions NSExceptionName NSSortOptions NSTextCheckingKey NSZone Notification
            ObjCBool PersonNameComponents ProgressUserInfoKey StreamNetworkServiceTypeValue
            StreamSOCKSProxyConfiguration StreamSOCKSProxyVersion StreamSocketSecurityLevel StringTransform URLError
            URLFileResourceType URLResourceValues _NSRange Measurement AffineTransform
            """),
        ("Foundation", .enum, """
            CGRectEdge InflectionRule NSRectEdge QualityOfService
            """),
        ("FoundationEssentials", .class, """
            FileManager JSONDecoder JSONEncoder NotificationCenter ProcessInfo PropertyListDecoder PropertyListEncoder
            """),
        ("FoundationEssentials", .struct, """
            AttributedString AttributedSubstring Calendar CocoaError Data Date DateComponents DateInterval Decimal
            FileAttributeKey FileAttributeType FileProtectionType IndexPath Locale OperatingSystemVersion POSIXError
            TimeZone URL URLComponents URLQueryItem UUID
            """),
        ("FoundationEssentials", .enum, """
            ComparisonResult SortOrder
            """),
        ("CoreData", .class, """
            NSManagedObject NSManagedObjectID NSManagedObjectContext NSEntityDescription NSPropertyDescription
            NSAttributeDescription NSRelationshipDescription NSManagedObjectModel NSPersistentStore
            NSPersistentStoreCoordinator NSPersistentContainer NSMergePolicy NSFetchedPropertyDescription UndoManager
            ValueTransformer
            """),
        ("Swift", .enum, "Optional"),
        ("Swift", .struct, """
            AnyHashable Array Bool Character Dictionary Double Float Int Int16 Int32 Int64 Int8 Set String Substring
            UInt UInt16 UInt32 UInt64 UInt8 Duration
            """),
    ]
}

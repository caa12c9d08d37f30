import CoreDataCodeGeneration
import CoreDataTestSupport
import Foundation
import Testing

@Suite("Symbols of @NSManaged accessors, as the compiler leaves them out")
struct ManagedSymbolTests {
    /// Types of Swift and Foundation by the names that programs use.
    private static let libraryTypes = """
        BlockOperation ByteCountFormatter DateFormatter DateIntervalFormatter EnergyFormatter FileHandle Formatter Host
        ISO8601DateFormatter InputStream JSONSerialization LengthFormatter MassFormatter NSAffineTransform NSArray
        NSAttributedString NSCalendar NSCharacterSet NSCoder NSComparisonPredicate NSCompoundPredicate NSCondition
        NSConditionLock NSCountedSet NSData NSDate NSDateComponents NSDateInterval NSDecimalNumber NSDecimalNumberHandler
        NSDictionary NSEnumerator NSError NSExpression NSIndexPath NSIndexSet NSKeyedArchiver NSKeyedUnarchiver NSLocale NSLock
        NSMeasurement NSMutableArray NSMutableAttributedString NSMutableCharacterSet NSMutableData NSMutableDictionary
        NSMutableIndexSet NSMutableOrderedSet NSMutableSet NSMutableString NSNotification NSNull NSNumber NSObject NSOrderedSet
        NSOrthography NSPersonNameComponents NSPredicate NSRecursiveLock NSRegularExpression NSSet NSSortDescriptor NSString
        NSTextCheckingResult NSTimeZone NSURL NSURLComponents NSURLQueryItem NSUUID NSValue NotificationQueue NumberFormatter
        Operation OperationQueue OutputStream PersonNameComponentsFormatter Pipe Port PortMessage Process Progress
        PropertyListSerialization RunLoop Scanner SocketPort Stream Thread Timer Unit UnitAcceleration UnitAngle UnitArea
        UnitConcentrationMass UnitConverter UnitConverterLinear UnitDispersion UnitDuration UnitElectricCharge
        UnitElectricCurrent UnitElectricPotentialDifference UnitElectricResistance UnitEnergy UnitFrequency UnitFuelEfficiency
        UnitIlluminance UnitInformationStorage UnitLength UnitMass UnitPower UnitPressure UnitSpeed UnitTemperature UnitVolume
        UserDefaults Bundle CGFloat CGPoint CGRect CGSize CharacterSet IndexSet NSAffineTransformStruct NSBinarySearchingOptions
        NSEdgeInsets NSEnumerationOptions NSExceptionName NSSortOptions NSTextCheckingKey NSZone Notification ObjCBool
        PersonNameComponents ProgressUserInfoKey StreamNetworkServiceTypeValue StreamSOCKSProxyConfiguration
        StreamSOCKSProxyVersion StreamSocketSecurityLevel StringTransform URLError URLFileResourceType URLResourceValues
        _NSRange AffineTransform CGRectEdge InflectionRule NSRectEdge QualityOfService FileManager JSONDecoder JSONEncoder
        NotificationCenter ProcessInfo PropertyListDecoder PropertyListEncoder AttributedString AttributedSubstring Calendar
        CocoaError Data Date DateComponents DateInterval Decimal FileAttributeKey FileAttributeType FileProtectionType IndexPath
        Locale OperatingSystemVersion POSIXError TimeZone URL URLComponents URLQueryItem UUID ComparisonResult SortOrder
        AnyHashable Bool Character Double Float Int Int16 Int32 Int64 Int8 String Substring UInt UInt16 UInt32 UInt64 UInt8
        Duration TimeInterval Float64 Float32 CInt CShort CLongLong CLong CBool CFloat CDouble CChar CUnsignedInt NSRange
        NSPoint NSSize NSRect StringLiteralType IntegerLiteralType FloatLiteralType
        """.split(whereSeparator: \.isWhitespace)

    @Test("The companion has every symbol that a compiled module lacks, and no other", arguments: ["-Onone", "-O"])
    func symbols(optimisation: String) throws {
        let folder = try TemporaryFolder()
        let library = "import CoreData\nimport Foundation\nclass Library: NSManagedObject {\n"
            + Self.libraryTypes.enumerated().map { "@NSManaged var v\($0): \($1)\n" }.joined() + "}\n"
        let files = try [
            ("CoreData", ManagedSources.coreData), ("Other", ManagedSources.other), ("Main", ManagedSources.main), ("Library", library),
        ].map { name, text in
            let url = folder.url.appending(path: "\(name).swift")
            try text.write(to: url, atomically: true, encoding: .utf8)
            return url
        }
        for (index, module) in ["CoreData", "Other"].enumerated() {
            try run("swiftc", ["-parse-as-library", "-emit-module", "-module-name", module, "-I", ".", files[index].path], in: folder.url)
        }
        try run(
            "swiftc", ["-suppress-warnings", "-parse-as-library", optimisation, "-wmo", "-c", "-module-name", "PersonKit", "-I", ".", files[2].path, files[3].path, "-o", "all.o"],
            in: folder.url)
        let missing = Set(try run("nm", ["-u", "all.o"], in: folder.url).split(whereSeparator: \.isWhitespace).map(String.init).filter(isAccessor))
        let companion = try ManagedGeneration.run(
            .init(name: "PersonKit", files: [files[2], files[3]]), dependencies: [.init(name: "Other", files: [files[1]])], fileName: "Companion.swift")
        let supplied = Set(companion.text.components(separatedBy: "_silgen_name(\"").dropFirst().map { String($0.prefix { $0 != "\"" }) })
        #expect(missing.count > 500)
        #expect(missing.subtracting(supplied) == [])
        // What only debug builds declare, and what nobody calls once it is optimised.
        let unneeded = supplied.subtracting(missing)
        #expect(unneeded.allSatisfy { optimisation == "-O" || $0.contains("debugging") }, "\(unneeded)")
    }

    private func isAccessor(_ symbol: String) -> Bool {
        guard ["$s9PersonKit", "$s5Other5StockC9PersonKitE", "$s8CoreData15NSManagedObjectC9PersonKitE"].contains(where: symbol.hasPrefix) else { return false }
        return symbol.hasSuffix("vg") || symbol.hasSuffix("vs") || symbol.hasSuffix("F")
    }

    @discardableResult
    private func run(_ tool: String, _ arguments: [String], in folder: URL) throws -> String {
        let process = Process(), output = Pipe()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [tool] + arguments
        process.currentDirectoryURL = folder
        process.standardOutput = output
        try process.run()
        let data = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0, "\(tool) \(arguments.joined(separator: " "))")
        return String(decoding: data, as: UTF8.self)
    }

    // MARK: What cannot be supplied

    private func problems(_ source: String, _ imports: String = "") throws -> [String] {
        let folder = try TemporaryFolder(), file = folder.url.appending(path: "Model.swift")
        try source.write(to: file, atomically: true, encoding: .utf8)
        do {
            _ = try ManagedGeneration.run(.init(name: "Model", files: [file]), fileName: "Companion.swift")
            return []
        } catch {
            return error.diagnostics.map { $0.description.replacingOccurrences(of: file.path, with: "Model.swift") }
        }
    }

    @Test("A declaration whose accessors cannot be supplied is an error with its place, its name, the reason and a way round", arguments: [
        ("struct Money {}\nclass A: NSManagedObject {\n@NSManaged var price: Money\n}", 3, "A.price", "the structure “Money”"),
        ("class A: NSManagedObject { @NSManaged var place: CLLocation? }", 1, "A.place", "“CLLocation”"),
        ("enum E { case a(Int) }\nclass A: NSManagedObject { @NSManaged var e: E }", 2, "A.e", "associated values"),
        ("enum E { case a }\nclass A: NSManagedObject { @NSManaged var e: E }", 2, "A.e", "no raw values"),
        ("protocol P {}\nclass A: NSManagedObject { @NSManaged var p: P? }", 2, "A.p", "layout"),
        ("class A: NSManagedObject { @NSManaged var f: () -> Void }", 1, "A.f", "cannot keep"),
        ("class A<T>: NSManagedObject { @NSManaged var x: Int }", 1, "A.x", "generic"),
        ("func f() { class A: NSManagedObject { @NSManaged var x: Int } }", 1, "A.x", "function"),
        ("class A: NSManagedObject { @NSManaged func refresh() }", 1, "A.refresh", "knows no “refresh()”"),
        ("class A: NSManagedObject { @NSManaged func addToTags(_ value: Int) }", 1, "A.addToTags", "no managed object"),
        ("class A: NSManagedObject { @NSManaged func addToTags(_ value: A) -> Bool }", 1, "A.addToTags", "returns something"),
        ("typealias B = B\nclass A: NSManagedObject { @NSManaged var b: B }", 2, "A.b", "names itself"),
    ])
    func refusals(source: String, line: Int, name: String, reason: String) throws {
        let found = try problems(source)
        #expect(found.count == 1)
        let text = found.first ?? ""
        #expect(text.hasPrefix("Model.swift:\(line): error: ") && text.contains("“\(name)”") && text.contains(reason), "\(text)")
        #expect(text.contains("Replace it by a computed property") || text.contains("Write its body"))
    }

    @Test("A module without @NSManaged has an empty companion; the same sources give the same text")
    func stability() throws {
        #expect(try problems("class A { var a = \"@NSManaged var b: Missing\" }") == [])
    }
}

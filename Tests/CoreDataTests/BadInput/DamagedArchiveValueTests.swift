import CoreData
import CoreDataTestSupport
import Foundation
import Testing

/// Archives of values as transformable attributes hold them, with bytes changed. COREDATA_ARCHIVE_ROUNDS=n takes n rounds.
@Suite("Damaged archives of transformable values")
struct DamagedArchiveValueTests {
    private static var samples: [any NSCoding] {
        let nested: [String: Any] = ["list": ["a", "b", 3] as [Any], "when": Date(timeIntervalSinceReferenceDate: 5), "data": Data([1, 2, 3])]
        return [
            NSDictionary(dictionary: nested), NSArray(array: [nested, "x", 1.5, true]), NSSet(array: ["a", 2, 1.5]), NSOrderedSet(array: ["q", "r"]),
            NSString("text"), NSNumber(value: 1 << 40), NSDate(timeIntervalSinceReferenceDate: 7), NSData(data: Data(repeating: 9, count: 40)),
            NSURL(fileURLWithPath: "/a/b"), NSUUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F") ?? NSUUID(), NSNull(), NSDecimalNumber(string: "12.5"),
            NSIndexSet(indexesIn: NSRange(location: 3, length: 9)), NSIndexPath(indexes: [1, 2, 3], length: 3),
            NSCharacterSet(charactersIn: "abc"), NSLocale(localeIdentifier: "de_DE"), NSTimeZone(name: "Europe/Berlin") ?? NSTimeZone.system as NSTimeZone,
            NSDateComponents(), NSAttributedString(string: "attributed"), NSMutableArray(array: [1]), NSMutableDictionary(dictionary: ["k": "v"]),
        ]
    }

    private static func log(of parent: Int32) -> URL { FileManager.default.temporaryDirectory.appendingPathComponent("archives-\(parent).log") }

    @Test("None stops the program: each gives a value or an error")
    func changed() async throws {
        let result = await #expect(processExitsWith: .success) {
            let environment = ProcessInfo.processInfo.environment
            let rounds = environment["COREDATA_ARCHIVE_ROUNDS"].flatMap { Int($0) } ?? 60
            let first = environment["COREDATA_ARCHIVE_SEED"].flatMap { UInt64($0) } ?? 0
            let log = DamagedArchiveValueTests.log(of: getppid())
            for (index, sample) in DamagedArchiveValueTests.samples.enumerated() {
                guard let archive = try? SecureArchive.data(from: sample, allowing: SecureArchive.valueClasses, requiringSecureCoding: true) else { continue }
                for round in 0..<rounds {
                    let seed = first &+ UInt64(index * 100_000 + round)
                    var random = SeededGenerator(seed)
                    var bytes = [UInt8](archive)
                    for _ in 0..<Int.random(in: 1...4, using: &random) {
                        let place = Int.random(in: 8..<bytes.count, using: &random)
                        switch Int.random(in: 0..<3, using: &random) {
                        case 0: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
                        case 1: bytes[place] = UInt8.random(in: 0...255, using: &random)
                        default: bytes[place] = bytes[Int.random(in: 8..<bytes.count, using: &random)]
                        }
                    }
                    try? Data("\(type(of: sample)) seed \(seed)".utf8).write(to: log)
                    if environment["COREDATA_ARCHIVE_DUMP"] != nil { try? Data(bytes).write(to: URL(fileURLWithPath: "/tmp/t-files/last.bplist")) }
                    let value = try? SecureArchive.object(from: Data(bytes), allowing: SecureArchive.valueClasses)
                    _ = (value as? NSObject)?.isEqual(value)
                }
            }
            try? FileManager.default.removeItem(at: log)
            exit(EXIT_SUCCESS)
        }
        let last = (try? String(contentsOf: Self.log(of: getpid()), encoding: .utf8)) ?? ""
        #expect(result != nil, "\(last)")
    }
}

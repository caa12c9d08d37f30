/// What Foundation must find in an archived value of its own: where that is missing it makes no object, and a collection that lacks
/// one stops the program.
enum ArchivedShape {
    private enum Kind { case text, number, data(ofLength: Int?), list }

    private static let needed: [String: (key: String, kind: Kind)] = [
        "NSString": ("NS.string", .text), "NSMutableString": ("NS.string", .text), "NSDate": ("NS.time", .number),
        "NSData": ("NS.data", .data(ofLength: nil)), "NSMutableData": ("NS.data", .data(ofLength: nil)),
        "NSURL": ("NS.relative", .text), "NSUUID": ("NS.uuidbytes", .data(ofLength: 16)), "NSLocale": ("NS.identifier", .text),
        "NSTimeZone": ("NS.name", .text), "NSArray": ("NS.objects", .list), "NSMutableArray": ("NS.objects", .list),
        "NSSet": ("NS.objects", .list), "NSMutableSet": ("NS.objects", .list),
    ]

    /// The key of the class under which there is not what Foundation needs; nil when all is there.
    static func lack(of object: ArchivedObject) -> String? {
        guard let name = object.className else { return nil }
        if let key = object.brokenNumberedKey { return key }
        guard let (key, kind) = needed[name] else { return nil }
        let isThere = switch (kind, object.member(key)) {
        case (.text, .string?), (.number, .real?), (.number, .integer?): true
        case (.list, _): object.hasList(key)
        case (.data(let length), .data(let bytes)?): length.map { $0 == bytes.count } ?? true
        default: false
        }
        return isThere ? nil : key
    }
}

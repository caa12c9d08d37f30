import Foundation

/// Predicates and expressions in keyed archives: the printed format, with a variable for every constant that text could not
/// bring back.
///
/// All predicates of ours are archived as `TreePredicate`, since only that class can be made by a coder.
enum PredicateArchive {
    private static let formatKey = "format"
    private static let constantsKey = "constants"
    /// Why there is nothing in the archive: whoever reads it is told.
    private static let refusalKey = "refusal"

    static func encode(_ tree: PredicateTree, with coder: NSCoder) {
        write(coder, ArchiveRefusal.reason(tree)) { leaf in
            PredicatePrinter.text(of: tree.replacing { expression, _ in leaf(expression) })
        }
    }

    static func encode(_ tree: ExpressionTree, with coder: NSCoder) {
        write(coder, ArchiveRefusal.reason(tree)) { leaf in
            PredicatePrinter.text(of: tree.replacing { expression, _ in leaf(expression) })
        }
    }

    /// nil, with the coder told why, when the archive does not hold a predicate.
    static func decodePredicate(_ coder: NSCoder) -> PredicateTree? {
        read(coder) { format, constants in try PredicateFormat.parse(format).substituting(constants) }
    }

    /// nil, with the coder told why, when the archive does not hold an expression.
    static func decodeExpression(_ coder: NSCoder) -> ExpressionTree? {
        read(coder) { format, constants in
            try PredicateFormat.parseExpression(format).replacing { leaf, bound in
                guard case .variable(let name) = leaf, !bound.contains(name) else { return nil }
                return constants[name]
            }
        }
    }

    /// What cannot be archived leaves the reason in the archive, and reading fails with it: an archiver of Foundation's on Linux
    /// that is told of an error stops the program.
    private static func write(_ coder: NSCoder, _ refusal: String?, _ text: ((ExpressionTree) -> ExpressionTree?) -> String) {
        func fail(_ reason: String) {
            coder.encode(reason as NSString, forKey: refusalKey)
            if coder.decodingFailurePolicy == .setErrorAndReturn { coder.failWithError(error(.coderInvalidValue, reason)) }
        }
        if let refusal { return fail(refusal) }
        var constants: [ArchivedConstant] = []
        let format = text { leaf in
            guard case .constant(let value) = leaf, needsArchive(value), let constant = ArchivedConstant(value) else { return nil }
            constants.append(constant)
            return .variable(name(constants.count - 1))
        }
        do {
            let encoder = PropertyListEncoder()
            encoder.outputFormat = .binary
            let data = try encoder.encode(constants)
            coder.encode(format as NSString, forKey: formatKey)
            coder.encode(data as NSData, forKey: constantsKey)
        } catch {
            fail("The predicate “\(format)” cannot be archived: \(error.localizedDescription)")
        }
    }

    private static func read<Tree>(_ coder: NSCoder, _ make: (String, [String: ExpressionTree]) throws -> Tree) -> Tree? {
        do {
            if coder.containsValue(forKey: refusalKey), let refusal = coder.decodeObject(of: NSString.self, forKey: refusalKey) {
                throw error(.coderReadCorrupt, "There is no predicate in the archive. When it was written: \(refusal)")
            }
            guard let format = coder.decodeObject(of: NSString.self, forKey: formatKey),
                  let data = coder.decodeObject(of: NSData.self, forKey: constantsKey)
            else { return nil }
            let constants = try PropertyListDecoder().decode([ArchivedConstant].self, from: data as Data)
            let values = constants.enumerated().map { (name($0.offset), ExpressionTree.constant($0.element.value)) }
            return try make(String(format), Dictionary(values) { first, _ in first })
        } catch {
            Thread.current.threadDictionary[failureKey] = error
            coder.failWithError(error)
            return nil
        }
    }

    /// Where a reading thread finds why it failed: Foundation's unarchiver puts an error of its own in place of the coder's.
    private static let failureKey = "CoreDataPredicate.archiveFailure"

    /// Runs what reads an archive; a failure of ours is thrown as itself.
    static func reading<Result>(_ body: () throws -> Result) throws -> Result {
        let notes = Thread.current.threadDictionary
        notes.removeObject(forKey: failureKey)
        defer { notes.removeObject(forKey: failureKey) }
        do { return try body() } catch { throw notes[failureKey] as? any Error ?? error }
    }

    private static func error(_ code: CocoaError.Code, _ text: String) -> NSError {
        NSError(domain: NSCocoaErrorDomain, code: code.rawValue, userInfo: [NSLocalizedDescriptionKey: text, "NSDebugDescription": text])
    }

    /// A name no one gives to a variable of their own.
    private static func name(_ index: Int) -> String { "__archived\(index)" }

    /// Whether the printed constant would be read as something else.
    private static func needsArchive(_ value: PredicateValue) -> Bool {
        switch value {
        case .null, .integer, .string: false
        default: true
        }
    }
}

/// A constant in an archive.
private enum ArchivedConstant: Codable {
    case null
    case boolean(Bool)
    case integer(Int64)
    case real(Double)
    case decimal(Decimal)
    case string(String)
    case date(Date)
    case data(Data)
    case uuid(UUID)
    case url(URL)
    case list([ArchivedConstant])
    case set([ArchivedConstant])

    /// nil for what `ArchiveRefusal` refuses.
    init?(_ value: PredicateValue) {
        switch value {
        case .null: self = .null
        case .boolean(let value): self = .boolean(value)
        case .integer(let value): self = .integer(value)
        case .real(let value): self = .real(value)
        case .decimal(let value): self = .decimal(value)
        case .string(let value): self = .string(value)
        case .date(let value): self = .date(value)
        case .data(let value): self = .data(value)
        case .uuid(let value): self = .uuid(value)
        case .url(let value): self = .url(value)
        case .list(let values, isOrdered: false): self = .set(values.compactMap(ArchivedConstant.init))
        case .list(let values, _): self = .list(values.compactMap(ArchivedConstant.init))
        case .reference, .object: return nil
        }
    }

    var value: PredicateValue {
        switch self {
        case .null: .null
        case .boolean(let value): .boolean(value)
        case .integer(let value): .integer(value)
        case .real(let value): .real(value)
        case .decimal(let value): .decimal(value)
        case .string(let value): .string(value)
        case .date(let value): .date(value)
        case .data(let value): .data(value)
        case .uuid(let value): .uuid(value)
        case .url(let value): .url(value)
        case .list(let values): .list(values.map(\.value))
        case .set(let values): .list(values.map(\.value), isOrdered: false)
        }
    }
}

extension NSKeyedUnarchiver {
    /// The expression in an archive; nil when the archive is empty. Throws where the archive holds none.
    public static func unarchivedObject(ofClass cls: NSExpression.Type, from data: Data) throws -> NSExpression? {
        try PredicateArchive.reading { try unarchivedObject(ofClasses: [NSExpression.self], from: data) as? NSExpression }
    }


    /// The predicate in an archive, of the class it had; nil when the archive is empty. Foundation's own function takes only
    /// classes that conform to `NSCoding`, which its `NSPredicate` on Linux does not.
    public static func unarchivedObject(ofClass cls: NSPredicate.Type, from data: Data) throws -> NSPredicate? {
        let object = try PredicateArchive.reading { try unarchivedObject(ofClasses: [NSPredicate.self], from: data) }
        guard let predicate = object as? NSPredicate else { return nil }
        return NSPredicate.make(predicate.tree)
    }
}

import Foundation

/// Predicates in keyed archives: the printed format, with a variable for every constant that text could not bring back.
///
/// All predicates of ours are archived as `TreePredicate`, since only that class can be made by a coder.
enum PredicateArchive {
    private static let formatKey = "format"
    private static let constantsKey = "constants"

    /// Stops the program for what cannot be archived, where Apple's raises: closures, and objects that live in a context.
    static func encode(_ tree: PredicateTree, with coder: NSCoder) {
        var constants: [ArchivedConstant] = []
        let text = PredicatePrinter.text(of: refuseUnprintable(tree).replacing { leaf, _ in
            guard case .constant(let value) = leaf, needsArchive(value) else { return nil }
            constants.append(ArchivedConstant(value))
            return .variable(name(constants.count - 1))
        })
        do {
            let encoder = PropertyListEncoder()
            encoder.outputFormat = .binary
            coder.encode(text as NSString, forKey: formatKey)
            coder.encode(try encoder.encode(constants) as NSData, forKey: constantsKey)
        } catch {
            fatalError("The predicate “\(text)” cannot be archived: \(error)")
        }
    }

    /// nil, with the coder told why, when the archive does not hold a predicate.
    static func decode(_ coder: NSCoder) -> PredicateTree? {
        guard
            let format = coder.decodeObject(of: NSString.self, forKey: formatKey),
            let data = coder.decodeObject(of: NSData.self, forKey: constantsKey)
        else { return nil }
        do {
            let constants = try PropertyListDecoder().decode([ArchivedConstant].self, from: data as Data)
            let values = constants.enumerated().map { (name($0.offset), ExpressionTree.constant($0.element.value)) }
            return try PredicateFormat.parse(String(format)).substituting(Dictionary(values) { first, _ in first })
        } catch {
            coder.failWithError(error)
            return nil
        }
    }

    /// A name no one gives to a variable of their own.
    private static func name(_ index: Int) -> String { "__archived\(index)" }

    private static func refuseUnprintable(_ tree: PredicateTree) -> PredicateTree {
        switch tree {
        case .constant: return tree
        case .and(let parts): return .and(parts.map(refuseUnprintable))
        case .or(let parts): return .or(parts.map(refuseUnprintable))
        case .not(let part): return .not(refuseUnprintable(part))
        case .block: fatalError("A predicate with a closure cannot be archived.")
        case .comparison(let comparison):
            if comparison.operation == .custom { fatalError("A predicate that compares by a selector cannot be archived here.") }
            if comparison.options.contains(.swiftNil) {
                fatalError("An NSPredicate made of a #Predicate cannot be archived. Archive the Predicate itself: it is Codable.")
            }
            return tree
        }
    }

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

    init(_ value: PredicateValue) {
        self = switch value {
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
        case .list(let values): .list(values.map(ArchivedConstant.init))
        case .reference(let value):
            fatalError("A predicate that names the object \(value.referent.predicateText) cannot be archived: it lives in a context.")
        case .object(let value): fatalError("A predicate with a constant of the class \(type(of: value.value)) cannot be archived.")
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
        }
    }
}

extension NSKeyedUnarchiver {
    /// The predicate in an archive, of the class it had; nil when the archive is empty. Foundation's own function takes only
    /// classes that conform to `NSCoding`, which its `NSPredicate` on Linux does not.
    public static func unarchivedObject(ofClass cls: NSPredicate.Type, from data: Data) throws -> NSPredicate? {
        let object = try unarchivedObject(ofClasses: [NSPredicate.self], from: data)
        guard let predicate = object as? NSPredicate else { return nil }
        return NSPredicate.make(predicate.tree)
    }
}

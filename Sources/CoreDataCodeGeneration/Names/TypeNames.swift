/// Names of library types as generated code spells them.
///
/// Invariant: a type whose name a class of the model has taken (an entity `Date`) is written with its module.
struct TypeNames {
    private let classes: Set<String>

    init(classes: Set<String>) { self.classes = classes }

    func callAsFunction(_ name: String) -> String {
        guard classes.contains(name), let module = Self.modules[name] else { return name }
        return "\(module).\(name)"
    }

    private static let modules: [String: String] = {
        let standard = ["Any", "AnyKeyPath", "Array", "Bool", "Double", "Float", "Identifiable", "Int", "Int16", "Int32", "Int64", "Set", "String"]
        let foundation = [
            "Data", "Date", "Decimal", "IndexSet", "NSDecimalNumber", "NSDictionary", "NSIndexSet", "NSNumber", "NSObject", "NSOrderedSet",
            "NSPredicate", "NSSet", "NSSortDescriptor", "TimeInterval", "URL", "UUID",
        ]
        let coreData = ["NSFetchRequest", "NSFetchRequestResult", "NSManagedObject", "NSManagedObjectID", "NSManagedObjectModel"]
        return Dictionary(
            uniqueKeysWithValues: standard.map { ($0, "Swift") } + foundation.map { ($0, "Foundation") } + coreData.map { ($0, "CoreData") })
    }()
}

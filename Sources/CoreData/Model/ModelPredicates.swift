import CoreDataPredicate
import CoreDataSchema
import Foundation

/// The one place where models meet the classes that complete Foundation's predicates.
enum ModelPredicates {
    static func predicate(_ tree: PredicateTree) -> NSPredicate { NSPredicate.make(tree) }
    static func tree(of predicate: NSPredicate) -> PredicateTree { predicate.tree }
    static func expression(_ tree: ExpressionTree) -> NSExpression { TreeExpression.make(tree) }
    static func tree(of expression: NSExpression) throws -> ExpressionTree { try ExpressionBridging.tree(of: expression) }

    static func substituting(_ variables: [String: Any], in predicate: NSPredicate) -> NSPredicate {
        predicate.withSubstitutionVariables(variables)
    }

    static func sortDescriptor(_ key: SortKeySchema) -> NSSortDescriptor {
        NSSortDescriptor(key: key.keyPath, ascending: key.isAscending)
    }

    /// nil for a descriptor by a closure or by a key path that has no name.
    static func sortKey(_ descriptor: NSSortDescriptor) -> SortKeySchema? {
        (try? SortDescription(descriptor)).map { SortKeySchema(keyPath: $0.keyPath, isAscending: $0.isAscending) }
    }
}

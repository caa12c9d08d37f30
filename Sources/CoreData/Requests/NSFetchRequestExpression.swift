import CoreDataPredicate
import CoreDataStorage
import Foundation

/// A fetch inside a predicate: what it finds, for the right side of IN, or how many that are.
///
/// It runs when the request it is part of runs (or the predicate is evaluated), on its own context's queue, before the rest.
/// Objects count as such; of a dictionary request the values of its properties do.
public final class NSFetchRequestExpression: NSExpression, ExpressionCarrying {
    // As `TreeExpression`: Foundation's class has no initialiser that returns, and no stored properties.
    private typealias Storage = ManagedBufferPointer<Parts, Void>

    private struct Parts {
        var request: NSExpression
        var context: NSExpression
        var isCountOnly: Bool
        var tree: ExpressionTree
    }

    @available(*, unavailable, message: "Use NSFetchRequestExpression.expression(forFetch:context:countOnly:)")
    public override init(expressionType type: ExpressionType) { fatalError("made by expression(forFetch:context:countOnly:)") }

    /// An expression that fetches. `fetch` and `context` are constants that hold an `NSFetchRequest` and an
    /// `NSManagedObjectContext`; using the expression throws 134060 where they do not.
    public static func expression(forFetch fetch: NSExpression, context: NSExpression, countOnly: Bool) -> NSExpression {
        let block = ExpressionBlock(constant: "FETCH(\(fetch), \(context), \(countOnly ? "YES" : "NO"))") {
            try found(by: fetch, in: context, countOnly)
        }
        let parts = Parts(request: fetch, context: context, isCountOnly: countOnly, tree: .block(block, []))
        let storage = Storage(bufferClass: NSFetchRequestExpression.self, minimumCapacity: 0) { _, _ in parts }
        return unsafeDowncast(storage.buffer, to: NSFetchRequestExpression.self)
    }

    deinit {
        _ = Storage(unsafeBufferObject: self).withUnsafeMutablePointerToHeader { $0.deinitialize(count: 1) }
    }

    private var parts: Parts { Storage(unsafeBufferObject: self).header }

    /// The expression that holds the request.
    public var requestExpression: NSExpression { parts.request }
    /// The expression that holds the context.
    public var contextExpression: NSExpression { parts.context }
    /// Whether the value is how many rows there are, not the rows.
    public var isCountOnlyRequest: Bool { parts.isCountOnly }

    package var carriedExpression: ExpressionTree { parts.tree }

    public override var description: String { PredicatePrinter.text(of: parts.tree) }
    public override func copy(with zone: NSZone? = nil) -> Any { self }

    private static func found(by fetch: NSExpression, in context: NSExpression, _ countsOnly: Bool) throws -> Any? {
        guard let request = object(fetch) as? NSPersistentStoreRequest, let settings = request.fetchSettings?.copy(),
              let context = object(context) as? NSManagedObjectContext else {
            throw StoreError.invalidRequest("NSFetchRequestExpression takes two constants, an NSFetchRequest and an NSManagedObjectContext, "
                + "not \(fetch) and \(context).")
        }
        if countsOnly {
            settings.resultType = .countResultType
        } else if settings.resultType == .managedObjectResultType {
            settings.resultType = .managedObjectIDResultType
        }
        let results = try context.runAndWait { try context.results(of: settings, in: request.affectedStores) }
        if settings.resultType == .countResultType { return results.first }
        return results.flatMap { ($0 as? NSDictionary)?.allValues ?? [$0] }
    }

    private static func object(_ expression: NSExpression) -> AnyObject? {
        guard case .constant(.object(let object))? = try? ExpressionBridging.tree(of: expression) else { return nil }
        return object.value
    }
}

import Foundation

/// The block called with the result of an asynchronous fetch, on the context's queue.
public typealias NSPersistentStoreAsynchronousFetchResultCompletionBlock = (NSAsynchronousFetchResult<NSFetchRequestResult>) -> Void

/// A fetch that a context executes without making its caller wait.
open class NSAsynchronousFetchRequest<ResultType: NSFetchRequestResult>: NSPersistentStoreRequest {
    /// What is fetched.
    open private(set) var fetchRequest: NSFetchRequest<ResultType>
    /// Called with the result on the context's queue; nil when nobody waits.
    open private(set) var completionBlock: ((NSAsynchronousFetchResult<ResultType>) -> Void)?
    /// How many rows to expect, for progress; 0 when unknown.
    open var estimatedResultCount: Int = 0

    public init(
        fetchRequest request: NSFetchRequest<ResultType>,
        completionBlock: ((NSAsynchronousFetchResult<ResultType>) -> Void)? = nil
    ) {
        fetchRequest = request
        self.completionBlock = completionBlock
        super.init()
    }

    open override var requestType: NSPersistentStoreRequestType { .fetchRequestType }
    package override var fetchSettings: FetchSettings? { fetchRequest.settings }
    package override var asynchronousFetch: (any AsynchronousFetch)? { self }

    open override func copy(with zone: NSZone? = nil) -> Any {
        let copy = NSAsynchronousFetchRequest(
            fetchRequest: NSFetchRequest<ResultType>(settings: fetchRequest.settings.copy()), completionBlock: completionBlock)
        copy.fetchRequest.affectedStores = fetchRequest.affectedStores
        copy.estimatedResultCount = estimatedResultCount
        copy.affectedStores = affectedStores
        return copy
    }
}

/// What a context needs of an asynchronous fetch, whatever its result type is.
package protocol AsynchronousFetch: AnyObject {
    /// The result object to hand out at once.
    func makeResult(
        in context: NSManagedObjectContext, progress: Progress?, cancel: @escaping @Sendable () -> Void
    ) -> NSPersistentStoreAsynchronousResult
    var estimatedResultCount: Int { get }
    /// Fills the result made before and calls the completion block, on the context's queue.
    func finish(_ result: NSPersistentStoreAsynchronousResult, with outcome: Result<[AnyObject], any Error>)
}

extension NSAsynchronousFetchRequest: AsynchronousFetch {
    package func makeResult(
        in context: NSManagedObjectContext, progress: Progress?, cancel: @escaping @Sendable () -> Void
    ) -> NSPersistentStoreAsynchronousResult {
        NSAsynchronousFetchResult<ResultType>(request: self, managedObjectContext: context, progress: progress, cancel: cancel)
    }

    package func finish(_ result: NSPersistentStoreAsynchronousResult, with outcome: Result<[AnyObject], any Error>) {
        guard let result = result as? NSAsynchronousFetchResult<ResultType> else { return }
        switch outcome {
        case .success(let objects): result.succeed(objects.compactMap { $0 as? ResultType })
        case .failure(let error): result.fail(error)
        }
        completionBlock?(result)
    }
}

/// The result of an asynchronous fetch.
open class NSAsynchronousFetchResult<ResultType: NSFetchRequestResult>: NSPersistentStoreAsynchronousResult, @unchecked Sendable {
    // Unchecked Sendable: `found` is set once, on the context's queue, before the completion block sees it.
    /// The request this is the result of.
    open private(set) var fetchRequest: NSAsynchronousFetchRequest<ResultType>
    private var found: [ResultType]?

    init(
        request: NSAsynchronousFetchRequest<ResultType>, managedObjectContext: NSManagedObjectContext, progress: Progress?,
        cancel: @escaping @Sendable () -> Void
    ) {
        fetchRequest = request
        super.init(managedObjectContext: managedObjectContext, progress: progress, cancel: cancel)
    }

    /// What was found; nil while the fetch runs and when it failed.
    open var finalResult: [ResultType]? { found }

    func succeed(_ objects: [ResultType]) { found = objects }
}

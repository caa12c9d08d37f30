import Foundation

/// The kinds of requests a store can be asked to execute.
public enum NSPersistentStoreRequestType: UInt, Sendable {
    case fetchRequestType = 1
    case saveRequestType = 2
    case batchInsertRequestType = 5
    case batchUpdateRequestType = 6
    case batchDeleteRequestType = 7
}

/// Something a store is asked to do: fetch, save or a batch operation.
///
/// A request is not Sendable: make it where it is executed, or copy it.
open class NSPersistentStoreRequest: NSObject, NSCopying {
    public override init() { super.init() }

    /// The stores to ask; nil asks all of the coordinator's.
    open var affectedStores: [NSPersistentStore]?

    /// The kind of the request.
    open var requestType: NSPersistentStoreRequestType { .fetchRequestType }

    /// The fetch behind the request whatever its result type is; nil when it is no fetch.
    package var fetchSettings: FetchSettings? { nil }

    /// The request as one to execute in the background; nil when it is none.
    package var asynchronousFetch: (any AsynchronousFetch)? { nil }

    open func copy(with zone: NSZone? = nil) -> Any {
        let copy = NSPersistentStoreRequest()
        copy.affectedStores = affectedStores
        return copy
    }
}

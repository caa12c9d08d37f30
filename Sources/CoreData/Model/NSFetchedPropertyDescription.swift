import CoreDataSchema
import Foundation

/// A property whose value is what a fetch request finds, read once and then kept until the object is refreshed.
open class NSFetchedPropertyDescription: NSPropertyDescription, @unchecked Sendable {
    package internal(set) var template: FetchTemplate?

    public override init() { super.init() }

    /// What is fetched; `$FETCH_SOURCE` in its predicate is the object, `$FETCHED_PROPERTY` this description.
    open var fetchRequest: NSFetchRequest<NSFetchRequestResult>? {
        get { template?.request }
        set {
            requireMutable()
            template = newValue.map(FetchTemplate.init)
        }
    }

    override class func blank() -> NSPropertyDescription { NSFetchedPropertyDescription() }

    override func copyFields(to copy: NSPropertyDescription) {
        super.copyFields(to: copy)
        guard let copy = copy as? NSFetchedPropertyDescription else { return }
        copy.template = template?.copy(in: nil)
    }
}

import Foundation

extension _FoundationCompletion where Self == NSPredicate {
    /// A `#Predicate` as an `NSPredicate`, with Swift's meaning of nil; nil when a class it reads has no key-path table.
    ///
    /// Parts that no format could say are evaluated on the objects.
    public init?<Input>(_ predicate: Predicate<Input>) {
        guard let tree = try? TypedPredicate.tree(of: predicate) else { return nil }
        self = NSPredicate.make(tree)
    }

    /// A `#Predicate` as an `NSPredicate`, or a thrown error that names the class without a key-path table. Not Apple's.
    public init<Input>(validating predicate: Predicate<Input>) throws {
        self = NSPredicate.make(try TypedPredicate.tree(of: predicate))
    }
}

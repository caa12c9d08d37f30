/// A stored property's Swift type and how its slot is read and written.
///
/// Invariant: `getter` and `setter` are expressions on `self` over the accessors CoreData offers to generated classes;
/// `setter` is nil for what cannot be assigned.
struct PropertyDeclaration {
    var type: String
    var getter: String
    var setter: String?
}

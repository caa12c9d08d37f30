import Foundation

/// Marks the classes of Foundation that this module completes.
///
/// Foundation on Linux declares their initialisers unavailable. A protocol extension may return a subclass of ours, and the
/// compiler prefers it to an unavailable member; a class of our own by the same name would be ambiguous with Foundation's.
public protocol _FoundationCompletion {}

extension NSPredicate: _FoundationCompletion {}
extension NSExpression: _FoundationCompletion {}
extension NSSortDescriptor: _FoundationCompletion {}

import Foundation

// Foundation on Linux marks these classes deprecated because it cannot make them; this module can. A file that imports
// CoreData and not Foundation besides (which CoreData re-exports) uses them through these names, without the warnings.

public typealias NSExpression = Foundation.NSExpression
public typealias NSComparisonPredicate = Foundation.NSComparisonPredicate

import CoreDataSchema

/// For the typed errors of modules above.
public typealias _NSErrorBridging = CoreDataSchema._NSErrorBridging

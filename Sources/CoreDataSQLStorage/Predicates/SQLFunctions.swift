import CoreDataPredicate
import Foundation
import SQLiteDriver

/// The SQL functions our statements and Apple's triggers call.
enum SQLFunctions {
    static func register(on connection: SQLiteConnection) throws {
        // Apple's triggers for derived attributes tell its contexts which rows they touched; nobody here asks.
        for name in [
            "NSCoreDataDATriggerUpdatedAffectedObjectValue", "NSCoreDataDATriggerInsertUpdatedAffectedObjectValue",
            "NSCoreDataTriggerUpdateAffectedObjectValue",
        ] {
            try connection.register(function: name, argumentCount: -1, isDeterministic: false) { $0.resultNull() }
        }
    }
}

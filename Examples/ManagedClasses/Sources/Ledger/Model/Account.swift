import CoreData
import Foundation

/// The entity “Account”.
public class Account: _Account {
    public var balance: Int64 { entries.reduce(0) { $0 + $1.amount } }
}

/// Where the model is.
public enum Ledger {
    public static var model: URL? { Bundle.module.url(forResource: "Ledger", withExtension: "xcdatamodeld") }
}

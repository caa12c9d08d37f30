import CoreDataSQLStorage

/// Option of a SQLite store: the strict mode (a Boolean; false by default). Not Apple's.
///
/// What SQL cannot say of a request (`median:`, keys of values, …) is worked out on rows, and reported to
/// `CoreDataDiagnostics` as an evaluation. A store opened with this option set to true throws instead: 134060, naming the part
/// and the reason, before any row is read. Sorting together what several stores found is no such part.
public let OnlySQLStoreOption = SQLiteStoreOptions.strictOptionName

extension NSPersistentStoreDescription {
    /// `OnlySQLStoreOption`: whether the store refuses requests that take more than SQL. Default false. Not Apple's.
    public var requiresSQL: Bool {
        get { (options[OnlySQLStoreOption] as? NSNumber)?.boolValue ?? false }
        set { setOption(NSNumber(value: newValue), forKey: OnlySQLStoreOption) }
    }
}

import Foundation

/// A store's metadata: the UUID and type Apple keeps, and a property list of the rest.
package struct StoreMetadata: Sendable {
    package var identifier: String
    package var type: String
    /// Property-list values by key, without the identifier.
    ///
    /// Unchecked: holds only property-list values (String, Data, Date, NSNumber, arrays and dictionaries of them).
    package nonisolated(unsafe) var values: [String: Any]

    package init(identifier: String, type: String, values: [String: Any]) {
        self.identifier = identifier
        self.type = type
        self.values = values
    }

    /// Keys the framework keeps itself.
    package static func isOurs(_ key: String) -> Bool {
        key.hasPrefix("NSStoreModelVersion") || key.hasPrefix("_NS") || key == "NSPersistenceFrameworkVersion" || key == "NSStoreType"
    }

    /// The version values describe the file: a caller cannot take them away by naming only keys of its own.
    package func keepingFrameworkValues(of current: StoreMetadata) -> StoreMetadata {
        var result = self
        for (key, value) in current.values where result.values[key] == nil && StoreMetadata.isOurs(key) { result.values[key] = value }
        return result
    }

    /// Throws, naming the key, when a value is not of a property list.
    package func check() throws(StoreError) {
        for (key, value) in values.sorted(by: { $0.key < $1.key }) {
            guard let (path, found) = StoreMetadata.stranger(in: value, at: key) else { continue }
            throw .invalidRequest("The store’s metadata has a \(Swift.type(of: found)) under “\(path)”, which is not a property-list value (String, Data, "
                + "Date, number, array, dictionary with texts for keys). Nothing was written: store it as one of those, or leave it out.")
        }
    }

    private static func stranger(in value: Any, at path: String) -> (path: String, value: Any)? {
        if let array = value as? [Any] {
            for (place, element) in array.enumerated() {
                if let found = stranger(in: element, at: "\(path)[\(place)]") { return found }
            }
            return nil
        }
        if let dictionary = value as? [AnyHashable: Any] {
            for (key, element) in dictionary {
                guard let key = key.base as? String else { return (path, key.base) }
                if let found = stranger(in: element, at: "\(path).\(key)") { return found }
            }
            return nil
        }
        if value is String || value is Data || value is Date || value is NSNumber || value is NSString || value is NSData || value is NSDate {
            return nil
        }
        return value as? NSNumber == nil ? (path, value) : nil
    }
}

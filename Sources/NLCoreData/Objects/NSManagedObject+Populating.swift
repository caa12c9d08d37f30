/// Renames or reshapes what `populate(with:matchTypes:)` is given, such as a decoded server answer, before it is set. Opt in.
public protocol PopulationTranslating: NSManagedObject {
    /// The dictionary to set, attribute name to value, from the one that was given.
    static func translatePopulationDictionary(_ dictionary: [String: Any]) -> [String: Any]
}

extension ManagedObjectConvenience {
    /// Sets attributes by name from a dictionary. Relationships are left alone.
    ///
    /// With `matchTypes`, only values of an attribute's own type are set: any number for numbers and Booleans, and so on. Without
    /// it, others are converted where they can be (texts to numbers, dates (ISO 8601), UUIDs; seconds since 1970 to dates;
    /// numbers to texts), and null clears. Returns the names that were skipped: unknown ones, and values that do not fit.
    @discardableResult
    public func populate(with dictionary: [String: Any], matchTypes: Bool = true) -> [String] {
        let translated = (type(of: self) as? any PopulationTranslating.Type)?.translatePopulationDictionary(dictionary) ?? dictionary
        let attributes = entity.attributesByName
        var skipped: [String] = []
        for (name, value) in translated {
            guard let attribute = attributes[name] else {
                skipped.append(name)
                continue
            }
            if value is NSNull, !matchTypes {
                setValue(nil, forKey: name)
            } else if let fitting = AttributeFitting.value(value, for: attribute, converting: !matchTypes) {
                setValue(fitting, forKey: name)
            } else {
                skipped.append(name)
            }
        }
        return skipped.sorted()
    }
}

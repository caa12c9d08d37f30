import CoreDataSchema

extension ModelXMLElement {
    /// An attribute's text; nil when absent or empty.
    func text(_ name: String) -> String? {
        guard let value = attributes[name], !value.isEmpty else { return nil }
        return value
    }
}

extension XMLModelReader {
    func content(_ element: ModelXMLElement, _ reason: String, _ advice: String) -> ModelFileError {
        ModelFileError(.content, path: path, line: element.line, reason: reason, advice: advice)
    }

    func requiredName(_ element: ModelXMLElement, _ what: String, in owner: String? = nil) throws(ModelFileError) -> String {
        if let name = element.text("name") { return name }
        let place = owner.map { " of “\($0)”" } ?? ""
        throw content(element, "A \(what)\(place) has no name.", "Give it one in the attribute “name”.")
    }

    func flag(_ name: String, of element: ModelXMLElement) throws(ModelFileError) -> Bool {
        try optionalFlag(name, of: element) ?? false
    }

    func optionalFlag(_ name: String, of element: ModelXMLElement) throws(ModelFileError) -> Bool? {
        guard let text = element.text(name) else { return nil }
        if let value = AttributeText.boolean(text) { return value }
        throw content(element, "“\(name)” is “\(text)”, which is neither YES nor NO.", "Write YES, or leave it out for NO.")
    }

    func number(_ name: String, of element: ModelXMLElement) throws(ModelFileError) -> Int? {
        guard let text = element.text(name) else { return nil }
        if let value = Int(text) { return value }
        throw content(element, "“\(name)” is “\(text)”, which is not a whole number.", "Write digits only.")
    }

    /// One attribute of each element; an element without it is an error.
    func values(of elements: [ModelXMLElement], _ name: String) throws(ModelFileError) -> [String] {
        var result: [String] = []
        for element in elements {
            guard let value = element.text(name) else {
                throw content(element, "<\(element.name)> lacks its “\(name)”.", "Name the property or entity it stands for.")
            }
            result.append(value)
        }
        return result
    }

    func userInfo(_ element: ModelXMLElement) throws(ModelFileError) -> [String: String] {
        var result: [String: String] = [:]
        for entry in element.children(named: "entry") {
            guard let key = entry.attributes["key"] else {
                throw content(entry, "A user info entry has no key.", "Give it a “key” or remove it.")
            }
            result[key] = entry.attributes["value"] ?? ""
        }
        return result
    }

    /// The `<userInfo>` child, if any.
    func userInfo(in element: ModelXMLElement) throws(ModelFileError) -> [String: String] {
        guard let child = element.children(named: "userInfo").first else { return [:] }
        return try userInfo(child)
    }
}

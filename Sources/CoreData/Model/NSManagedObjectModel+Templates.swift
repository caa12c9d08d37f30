import Foundation

extension NSManagedObjectModel {
    /// The fetch request templates by name, as requests that can be executed or changed.
    public var fetchRequestTemplatesByName: [String: NSFetchRequest<NSFetchRequestResult>] {
        fetchTemplates.mapValues { Self.copy($0) }
    }

    /// A fetch request template as a request that can be executed or changed; nil for a name the model has not. Use
    /// `fetchRequestFromTemplate(withName:substitutionVariables:)` for one whose predicate has variables.
    public func fetchRequestTemplate(forName name: String) -> NSFetchRequest<NSFetchRequestResult>? {
        fetchTemplates[name].map { Self.copy($0) }
    }

    /// Keeps a copy of a request under a name; nil removes what is kept.
    public func setFetchRequestTemplate(_ fetchRequestTemplate: NSFetchRequest<NSFetchRequestResult>?, forName name: String) {
        fetchTemplates[name] = fetchRequestTemplate.map { FetchTemplate(Self.copy($0)) }
    }

    /// A fetch request template with values for the variables of its predicate; nil for a name the model has not.
    /// - Parameter substitutionVariables: a value for each variable, without the dollar sign; `NSNull` stands for nil.
    public func fetchRequestFromTemplate(
        withName name: String, substitutionVariables variables: [String: Any]
    ) -> NSFetchRequest<NSFetchRequestResult>? {
        guard let request = fetchRequestTemplate(forName: name) else { return nil }
        request.predicate = request.predicate.map { ModelPredicates.substituting(variables, in: $0) }
        return request
    }

    private static func copy(_ template: FetchTemplate) -> NSFetchRequest<NSFetchRequestResult> { copy(template.request) }

    private static func copy(_ request: NSFetchRequest<NSFetchRequestResult>) -> NSFetchRequest<NSFetchRequestResult> {
        let copy = NSFetchRequest<NSFetchRequestResult>(settings: request.settings.copy())
        copy.affectedStores = request.affectedStores
        return copy
    }
}

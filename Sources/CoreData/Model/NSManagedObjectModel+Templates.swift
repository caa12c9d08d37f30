import Foundation

extension NSManagedObjectModel {
    var templateRequests: [String: NSFetchRequest<NSFetchRequestResult>] { fetchTemplates.mapValues { Self.copy($0) } }

    func templateRequest(named name: String) -> NSFetchRequest<NSFetchRequestResult>? { fetchTemplates[name].map { Self.copy($0) } }

    func keep(_ request: NSFetchRequest<NSFetchRequestResult>?, as name: String) {
        fetchTemplates[name] = request.map { FetchTemplate(Self.copy($0)) }
    }

    func templateRequest(named name: String, with variables: [String: Any]) -> NSFetchRequest<NSFetchRequestResult>? {
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

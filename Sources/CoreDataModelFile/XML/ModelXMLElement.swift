/// One element of a parsed XML file.
///
/// Invariant: `line` is the line (from 1) on which the start tag ends; text between elements is not kept, models have none.
struct ModelXMLElement {
    let name: String
    let line: Int
    let attributes: [String: String]
    var children: [ModelXMLElement] = []

    func children(named name: String) -> [ModelXMLElement] { children.filter { $0.name == name } }
}

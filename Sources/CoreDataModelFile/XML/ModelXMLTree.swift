import Foundation
import FoundationXML

/// Reads XML into a tree of elements.
enum ModelXMLTree {
    static func parse(_ data: Data, path: String) throws(ModelFileError) -> ModelXMLElement {
        let collector = Collector()
        let parser = XMLParser(data: data)
        parser.shouldResolveExternalEntities = false
        parser.delegate = collector
        // `parse()` may answer true after an error the parser recovered from: the delegate's word counts.
        let finished = parser.parse()
        if let failure = collector.failure {
            throw notXML(path, line: failure.line, code: failure.code)
        }
        guard finished, let root = collector.root else { throw notXML(path, line: nil, code: nil) }
        return root
    }

    private static func notXML(_ path: String, line: Int?, code: Int?) -> ModelFileError {
        let detail = code.flatMap { explanations[$0] }.map { ": \($0)" } ?? ""
        return ModelFileError(
            .malformed, path: path, line: line, reason: "This is not well-formed XML\(detail).",
            advice: "Correct it (an unresolved merge conflict is a frequent cause) or restore the file from version control.")
    }

    /// The codes of libxml2 a damaged model runs into.
    private static let explanations: [Int: String] = [
        4: "the document is empty", 5: "the document ends too early or goes on after its end",
        26: "an undeclared entity", 27: "an undeclared entity", 38: "a “<” inside an attribute's value",
        39: "an attribute's value must be quoted", 40: "an attribute's value must be quoted",
        41: "an attribute lacks its value", 42: "an attribute is written twice", 65: "a space is missing between attributes",
        68: "a name is expected here", 73: "a “>” is missing", 76: "an end tag does not match its start tag",
        77: "an element is not closed",
    ]
}

private final class Collector: NSObject, XMLParserDelegate {
    private var open: [ModelXMLElement] = []
    private(set) var root: ModelXMLElement?
    private(set) var failure: (line: Int, code: Int)?

    func parser(
        _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
        attributes: [String: String]
    ) {
        open.append(ModelXMLElement(name: name, line: parser.lineNumber, attributes: attributes))
    }

    func parser(_ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?) {
        guard let element = open.popLast() else { return }
        if open.isEmpty { root = element } else { open[open.count - 1].children.append(element) }
    }

    func parser(_ parser: XMLParser, parseErrorOccurred error: any Error) {
        if failure == nil { failure = (parser.lineNumber, (error as NSError).code) }
    }
}

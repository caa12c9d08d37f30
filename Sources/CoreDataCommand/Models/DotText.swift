import CoreDataSchema

/// A model as Graphviz source.
enum DotText {
    static func text(of schema: ModelSchema, title: String) -> String {
        var lines = [
            "digraph \(quoted(title)) {", "  rankdir=LR; nodesep=0.5; ranksep=1.2; fontname=\"Helvetica\";",
            "  node [shape=plaintext, fontname=\"Helvetica\", fontsize=11];", "  edge [fontname=\"Helvetica\", fontsize=9, color=\"#555555\"];",
        ]
        let entities = schema.entities.sorted { ModelResolution.precedes($0.name, $1.name) }
        for entity in entities { lines.append("  \(quoted(entity.name)) [label=<\(table(entity))>];") }
        for entity in entities {
            if let parent = entity.superentityName {
                lines.append("  \(quoted(entity.name)) -> \(quoted(parent)) [style=dashed, arrowhead=onormal];")
            }
        }
        lines += relationships(entities)
        return (lines + ["}"]).joined(separator: "\n") + "\n"
    }

    private static func table(_ entity: EntitySchema) -> String {
        let name = escaped(entity.name), title = entity.isAbstract ? "<i>\(name)</i>" : "<b>\(name)</b>"
        var rows = "<tr><td bgcolor=\"#e8eef7\" colspan=\"2\">\(title)</td></tr>"
        for attribute in entity.attributes.sorted(by: { ModelResolution.precedes($0.name, $1.name) }) {
            let type = escaped(attribute.typeTitle) + (attribute.isOptional ? "?" : "")
            rows += "<tr><td align=\"left\">\(escaped(attribute.name))</td><td align=\"left\"><font color=\"#777777\">\(type)</font></td></tr>"
        }
        return "<table border=\"1\" cellborder=\"0\" cellspacing=\"0\" cellpadding=\"4\" color=\"#8899aa\">\(rows)</table>"
    }

    /// One line for a relationship and its inverse.
    private static func relationships(_ entities: [EntitySchema]) -> [String] {
        var drawn = Set<String>(), lines: [String] = []
        for entity in entities {
            for relationship in entity.relationships.sorted(by: { ModelResolution.precedes($0.name, $1.name) }) {
                guard !drawn.contains("\(entity.name).\(relationship.name)") else { continue }
                let owner = relationship.inverseEntityName ?? relationship.destinationName
                let inverse = relationship.inverseName.flatMap { name in
                    entities.first { $0.name == owner }?.relationships.first { $0.name == name }
                }
                if let inverse { drawn.insert("\(owner).\(inverse.name)") }
                var label = relationship.name
                if let inverse, inverse.name != relationship.name { label += " / \(inverse.name)" }
                let tail = inverse.map { $0.isToMany ? "crow" : "tee" } ?? "none"
                lines.append("  \(quoted(entity.name)) -> \(quoted(relationship.destinationName)) [label=\(quoted(label)), dir=both, "
                    + "arrowhead=\(relationship.isToMany ? "crow" : "tee"), arrowtail=\(tail)];")
            }
        }
        return lines
    }

    private static func quoted(_ text: String) -> String {
        "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
    }

    private static func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;").replacing("\"", with: "&quot;")
    }
}

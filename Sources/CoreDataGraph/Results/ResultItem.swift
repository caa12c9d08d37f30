/// One result, compared by identity.
package struct ResultItem: Hashable {
    package let object: AnyObject

    package init(object: AnyObject) { self.object = object }

    package static func == (left: ResultItem, right: ResultItem) -> Bool { left.object === right.object }
    package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(object)) }
}

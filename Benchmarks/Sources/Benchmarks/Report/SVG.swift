/// A drawing as text.
struct SVG {
    let width: Double, height: Double
    private var parts: [String] = []

    init(width: Double, height: Double) { (self.width, self.height) = (width, height) }

    var text: String {
        """
        <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(width) \(height)" width="\(width)" height="\(height)" font-family="sans-serif" font-size="11">
        <rect width="100%" height="100%" fill="white"/>
        \(parts.joined(separator: "\n"))
        </svg>

        """
    }

    mutating func line(_ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double, _ color: String, dashed: Bool = false) {
        let dashes = dashed ? " stroke-dasharray=\"3 3\"" : ""
        parts.append("<line x1=\"\(x1)\" y1=\"\(y1)\" x2=\"\(x2)\" y2=\"\(y2)\" stroke=\"\(color)\"\(dashes)/>")
    }

    mutating func box(_ x: Double, _ y: Double, _ width: Double, _ height: Double, _ color: String) {
        parts.append("<rect x=\"\(x)\" y=\"\(y)\" width=\"\(max(0.5, width))\" height=\"\(height)\" fill=\"\(color)\"/>")
    }

    mutating func path(_ points: [(x: Double, y: Double)], _ color: String) {
        let list = points.map { "\($0.x),\($0.y)" }.joined(separator: " ")
        parts.append("<polyline points=\"\(list)\" fill=\"none\" stroke=\"\(color)\" stroke-width=\"1.8\"/>")
        for point in points { parts.append("<circle cx=\"\(point.x)\" cy=\"\(point.y)\" r=\"2.5\" fill=\"\(color)\"/>") }
    }

    mutating func write(_ text: String, _ x: Double, _ y: Double, anchor: String = "start", color: String = "#222", size: Int = 11) {
        let escaped = String(text.flatMap { ["&": "&amp;", "<": "&lt;"][$0].map(Array.init) ?? [$0] })
        parts.append("<text x=\"\(x)\" y=\"\(y)\" text-anchor=\"\(anchor)\" fill=\"\(color)\" font-size=\"\(size)\">\(escaped)</text>")
    }
}

/// Finds what a mistyped name was meant to be.
package enum NearestName {
    /// The candidate that takes the fewest edits, when those are few beside the name's length; case counts little.
    package static func find(_ name: String, among candidates: [String]) -> String? {
        let wanted = Array(name.lowercased().unicodeScalars)
        var best: (name: String, distance: Int)?
        for candidate in candidates {
            let distance = distance(wanted, Array(candidate.lowercased().unicodeScalars))
            if distance <= max(1, wanted.count / 3), distance < best?.distance ?? .max { best = (candidate, distance) }
        }
        return best?.name
    }

    /// What to say about a name that is unknown: the one it was meant to be, or else which there are.
    package static func advice(_ name: String, among candidates: [String]) -> String {
        if let nearest = find(name, among: candidates) { return "Did you mean “\(nearest)”?" }
        return candidates.isEmpty ? "There are none." : "There are: \(candidates.joined(separator: ", "))."
    }

    /// Insertions, deletions, replacements and swaps of neighbours.
    private static func distance(_ a: [Unicode.Scalar], _ b: [Unicode.Scalar]) -> Int {
        if a.isEmpty || b.isEmpty { return max(a.count, b.count) }
        var before: [Int] = [], previous = Array(0...b.count)
        for i in 1...a.count {
            var row = [i]
            for j in 1...b.count {
                var cost = min(previous[j] + 1, row[j - 1] + 1, previous[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1))
                if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] { cost = min(cost, before[j - 2] + 1) }
                row.append(cost)
            }
            (before, previous) = (previous, row)
        }
        return previous[b.count]
    }
}

/// The answers as text for people.
struct Report {
    private let answers: Answers
    private let question: String?
    private let width: Int

    init(_ answers: Answers, question: String?, width: Int = Terminal.width) {
        self.answers = answers
        self.question = question
        self.width = width
    }

    var text: String { (heading + regions + shared + times).joined(separator: "\n") }

    private var heading: [String] {
        [Terminal.bold("World Clock") + " · \(answers.countries) countries · \(answers.zones) zones"]
    }

    private var regions: [String] {
        let all = answers.continents + answers.oceans
        let names = TextColumn(all.map(\.name)), counts = TextColumn(all.map { "\($0.zones)" }, alignment: .right)
        let longest = max(1, all.map(\.zones).max() ?? 1)
        let lines = all.indices.map { index in
            "  \(names[index])  \(counts[index])  \(String(repeating: "█", count: (all[index].zones * 40 + longest - 1) / longest))"
        }
        let border = answers.continents.count
        return section("Zones per continent") + lines[..<border] + section("Zones per ocean") + lines[border...]
    }

    private var shared: [String] {
        let names = TextColumn(answers.shared.map(\.zone))
        let lines = answers.shared.enumerated().flatMap { index, shared in
            TextColumn.wrap(shared.countries.joined(separator: ", "), width: width - names.width - 4).enumerated().map { line, part in
                "  \(line == 0 ? names[index] : String(repeating: " ", count: names.width))  \(part)"
            }
        }
        return section("Countries that share a zone") + lines
    }

    private var times: [String] {
        let times = answers.times
        let clocks = TextColumn(times.map { $0.time ?? "unknown" }), offsets = TextColumn(times.map { $0.offset ?? "here" })
        let zones = TextColumn(times.map(\.zone)), countries = TextColumn(times.map(\.country))
        let lines = times.indices.map { index in
            let line = "  \(clocks[index])  \(offsets[index])  \(zones[index])  \(countries[index])  \(times[index].comments ?? "")"
            return String(line.reversed().drop { $0 == " " }.reversed())
        }
        return section("What time it is" + (question.map { ", where \($0)" } ?? "")) + (lines.isEmpty ? ["  No zone matches."] : lines)
    }

    private func section(_ title: String) -> [String] { ["", Terminal.bold(title)] }
}

import Foundation

/// A drawing of the table: a bar a workload beside its goal, and below it, where it was measured, a small chart of growth each.
enum PlotReport {
    private static let (good, bad, other, raw) = ("#2e8b57", "#c0392b", "#7f8c8d", "#b0b8bf")
    private static let (width, labels, right, rowHeight) = (900.0, 230.0, 60.0, 18.0)
    private static let (chartWidth, chartHeight, chartsAcross) = (300.0, 170.0, 3)

    static func text(_ table: [Measurement], _ growth: [Growth]) -> String {
        let bars = table.filter { $0.goalRatio != nil }
        let barsHeight = 60 + Double(bars.count) * rowHeight
        let lines = (growth.count + chartsAcross - 1) / chartsAcross
        var drawing = SVG(width: width, height: barsHeight + 30 + (lines == 0 ? 0 : 40 + Double(lines) * chartHeight))
        draw(bars, on: &drawing)
        if !growth.isEmpty { drawing.write("Growth: ns a unit by rows; ours in colour, raw SQLite in grey", 10, barsHeight + 30, size: 14) }
        for (index, one) in growth.enumerated() {
            let x = Double(index % chartsAcross) * chartWidth, y = barsHeight + 45 + Double(index / chartsAcross) * chartHeight
            draw(one, on: &drawing, x: x, y: y)
        }
        return drawing.text
    }

    // MARK: Ratios

    private static func draw(_ bars: [Measurement], on drawing: inout SVG) {
        let highest = max(10, bars.compactMap(\.goalRatio).max() ?? 1), lowest = min(0.5, bars.compactMap(\.goalRatio).min() ?? 1)
        func place(_ ratio: Double) -> Double {
            labels + (width - labels - right) * log(ratio / lowest) / log(highest / lowest)
        }
        let bottom = 50 + Double(bars.count) * rowHeight
        drawing.write("Core Data against raw SQLite (1 is equal, less is faster); a mark stands at each goal", 10, 20, size: 14)
        for tick in [0.5, 1, 2, 5, 10, 100, 1000] where tick >= lowest && tick <= highest {
            drawing.line(place(tick), 40, place(tick), bottom, tick == 1 ? "#888" : "#ddd")
            drawing.write(String(format: "%g×", tick), place(tick), 36, anchor: "middle")
        }
        for (index, bar) in bars.enumerated() {
            guard let ratio = bar.goalRatio else { continue }
            let y = 46 + Double(index) * rowHeight
            let color = bar.goal.isMet(by: bar).map { $0 ? good : bad } ?? other
            drawing.write(bar.name, labels - 8, y + 11, anchor: "end")
            drawing.box(min(place(1), place(ratio)), y, abs(place(ratio) - place(1)), rowHeight - 5, color)
            drawing.write(String(format: "%.2f×", ratio), max(place(1), place(ratio)) + 4, y + 11)
            if let goal = limit(bar.goal) { drawing.box(place(goal) - 1, y - 2, 2, rowHeight - 1, "#000") }
        }
    }

    private static func limit(_ goal: Goal) -> Double? {
        switch goal {
        case .ratio(let limit), .memory(let limit): limit
        case .microseconds, .extraMilliseconds, .none: nil
        }
    }

    // MARK: Growth

    private static func draw(_ growth: Growth, on drawing: inout SVG, x: Double, y: Double) {
        let times = growth.points.flatMap { [$0.engine, $0.raw].compactMap { $0 } }
        guard let least = times.min(), let most = times.max(), let fewest = Growth.sizes.first, let last = Growth.sizes.last else { return }
        // At least one decade, so that a flat line looks flat.
        let (low, high) = (least / 1.5, max(most * 1.5, least * 10))
        let (left, top, wide, tall) = (x + 50, y + 22, chartWidth - 75, chartHeight - 62)
        func point(_ rows: Int, _ time: Double) -> (x: Double, y: Double) {
            (
                left + wide * log(Double(rows) / Double(fewest)) / log(Double(last) / Double(fewest)),
                top + tall * (1 - log(time / low) / log(high / low))
            )
        }
        drawing.write(growth.name, left, y + 14)
        for size in Growth.sizes {
            let place = point(size, low)
            drawing.line(place.x, top, place.x, top + tall, "#eee")
            drawing.write(size >= 1_000_000 ? "\(size / 1_000_000)M" : "\(size / 1_000)k", place.x, top + tall + 13, anchor: "middle", size: 9)
        }
        for time in [low, high] { drawing.write(String(format: "%.0f", time * 1e9), left - 5, point(fewest, time).y + 4, anchor: "end", size: 9) }
        drawing.path(growth.points.compactMap { one in one.raw.map { point(one.rows, $0) } }, raw)
        let isWithin = growth.excess.map { $0 <= Growth.limit } ?? true
        drawing.path(growth.points.map { point($0.rows, $0.engine) }, isWithin ? good : bad)
    }
}

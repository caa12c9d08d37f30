/// A place on the globe, in degrees; north and east are positive.
struct Coordinates: Equatable, Sendable {
    var latitude: Double
    var longitude: Double

    init(latitude: Double, longitude: Double) {
        self.latitude = latitude
        self.longitude = longitude
    }

    /// Reads `±DDMM±DDDMM` or `±DDMMSS±DDDMMSS`; nil for anything else.
    init?(iso6709 text: String) {
        guard let second = text.dropFirst().lastIndex(where: { "+-".contains($0) }),
              let latitude = Self.degrees(text[..<second], digits: 2, most: 90),
              let longitude = Self.degrees(text[second...], digits: 3, most: 180)
        else { return nil }
        self.init(latitude: latitude, longitude: longitude)
    }

    /// A sign, as many digits for degrees, two for minutes and perhaps two for seconds.
    private static func degrees(_ text: Substring, digits: Int, most: Double) -> Double? {
        let figures = text.dropFirst()
        guard let sign = text.first, "+-".contains(sign), [digits + 2, digits + 4].contains(figures.count),
              figures.allSatisfy({ $0.isASCII && $0.isNumber }),
              let whole = Double(figures.prefix(digits)), let minutes = Double(figures.dropFirst(digits).prefix(2))
        else { return nil }
        let seconds = Double(figures.dropFirst(digits + 2)) ?? 0
        let value = whole + minutes / 60 + seconds / 3600
        guard minutes < 60, seconds < 60, value <= most else { return nil }
        return sign == "-" ? -value : value
    }
}

/// Slots by name, for names asked for again and again: a look at a few bytes finds the place, a comparison confirms it.
///
/// Invariant: names that share a place stand one after the other from there; at least half of the places are free.
struct BatchKeys {
    private var names: [String?] = Array(repeating: nil, count: 16)
    private var slots: [Int] = Array(repeating: 0, count: 16)
    private var count = 0

    @inline(__always)
    private static func place(of name: String) -> Int {
        // Names of one entity seldom agree in length and both ends.
        let bytes = name.utf8
        guard let first = bytes.first, let last = bytes.last else { return 0 }
        return bytes.count &* 31 &+ Int(first) &* 7 &+ Int(last)
    }

    @inline(__always)
    func slot(of name: String) -> Int? {
        var place = BatchKeys.place(of: name) & (names.count - 1)
        while let known = names[place] {
            if known == name { return slots[place] }
            place = (place + 1) & (names.count - 1)
        }
        return nil
    }

    mutating func add(_ name: String, _ slot: Int) {
        if count * 2 >= names.count { grow() }
        var place = BatchKeys.place(of: name) & (names.count - 1)
        while names[place] != nil { place = (place + 1) & (names.count - 1) }
        names[place] = name
        slots[place] = slot
        count += 1
    }

    private mutating func grow() {
        let (oldNames, oldSlots) = (names, slots)
        names = Array(repeating: nil, count: oldNames.count * 2)
        slots = Array(repeating: 0, count: oldNames.count * 2)
        count = 0
        for (name, slot) in zip(oldNames, oldSlots) { if let name { add(name, slot) } }
    }
}

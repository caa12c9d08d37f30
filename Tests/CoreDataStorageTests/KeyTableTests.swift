import CoreDataStorage
import CoreDataTestSupport
import Testing

@Suite("Key table and slot set")
struct KeyTableTests {
    @Test("Random operations leave the table as they leave a Dictionary", arguments: [1, 2, 3, 4] as [UInt64])
    func againstDictionary(seed: UInt64) {
        var random = SeededGenerator(seed)
        var table = KeyTable<Int>(), dictionary: [Int64: Int] = [:]
        for step in 0..<20_000 {
            // Few keys, so that places are taken, given up and probed over; both signs, and far apart every now and then.
            var key = Int64.random(in: -300...300, using: &random)
            if step % 7 == 0 { key = key &* 0x1_0000_0001 }
            if key == 0 { continue }
            switch Int.random(in: 0..<10, using: &random) {
            case 0..<5: #expect(table.insert(step, for: key) == dictionary.updateValue(step, forKey: key))
            case 5..<8: #expect(table.remove(key) == dictionary.removeValue(forKey: key))
            default: #expect(table[key] == dictionary[key])
            }
            #expect(table.count == dictionary.count)
        }
        var found: [Int64: Int] = [:]
        table.forEach { found[$0] = $1 }
        #expect(found == dictionary)
    }

    @Test("Sequential keys and reserved capacity")
    func sequential() {
        var table = KeyTable<Int64>()
        table.reserveCapacity(5_000)
        for key in Int64(1)...10_000 { table[key] = key * 2 }
        #expect(table.count == 10_000)
        #expect((Int64(1)...10_000).allSatisfy { table[$0] == $0 * 2 })
        for key in stride(from: Int64(1), through: 10_000, by: 2) { table[key] = nil }
        #expect(table.count == 5_000)
        #expect((Int64(1)...10_000).allSatisfy { table[$0] == ($0 % 2 == 0 ? $0 * 2 : nil) })
        table.removeAll()
        #expect(table.count == 0)
        #expect(table[2] == nil)
    }

    @Test("The key 0 is never there and harms nothing")
    func zero() {
        var table = KeyTable<Int>()
        table[5] = 1
        table[0] = 2
        #expect(table[0] == nil)
        #expect(table.remove(0) == nil)
        #expect(table.count == 1)
        #expect(table[5] == 1)
    }

    @Test("A slot set holds what a Set holds, beyond 64 slots too", arguments: [5, 6] as [UInt64])
    func slotSet(seed: UInt64) {
        var random = SeededGenerator(seed)
        var slots = SlotSet(), set = Set<Int>()
        for _ in 0..<3_000 {
            let slot = Int.random(in: 0..<200, using: &random)
            if Bool.random(using: &random) {
                slots.insert(slot)
                set.insert(slot)
            } else {
                slots.remove(slot)
                set.remove(slot)
            }
            #expect(slots.contains(slot) == set.contains(slot))
        }
        #expect(slots.slots == set.sorted())
        #expect(slots.isEmpty == set.isEmpty)
        var other = SlotSet()
        other.insert(3)
        other.insert(250)
        slots.formUnion(other)
        #expect(slots.slots == set.union([3, 250]).sorted())
        slots.removeAll()
        #expect(slots.isEmpty && slots.slots.isEmpty)
    }

    @Test("Slot sets with equal members are equal, whatever was in them before")
    func slotSetEquality() {
        var grown = SlotSet(), small = SlotSet()
        grown.insert(100)
        grown.insert(1)
        grown.remove(100)
        small.insert(1)
        #expect(grown == small)
        #expect(grown.hashValue == small.hashValue)
    }
}

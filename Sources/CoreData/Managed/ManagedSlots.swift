import CoreDataSchema
import Synchronization

/// The slots of one entity by the address of the property's name in the program, so that an accessor that knows its property by
/// name looks no text up: `@NSManaged` accessors are compiled without the model.
///
/// Each entry is one word (address, access, slot), so that readers need no lock. Entries are only ever added.
///
/// Unchecked Sendable: words are atomic; `tables` is touched under `lock`, and a table lives as long as this.
package final class ManagedSlots: @unchecked Sendable {
    private typealias Word = Atomic<UInt>

    private let current = Atomic<UnsafeMutableRawPointer?>(nil)
    private let lock = LockedValue<Void>(())
    private var tables: [(words: UnsafeMutablePointer<Word>, capacity: Int)] = []
    private var count = 0

    package init() {}

    deinit {
        for table in tables {
            table.words.deinitialize(count: table.capacity + 1)
            table.words.deallocate()
        }
    }

    /// Addresses above 2^48 and slots above 4,095 are never kept: 0.
    @inline(__always)
    static func word(_ name: StaticString, _ access: ManagedAccess) -> UInt {
        let address = UInt(bitPattern: name.utf8Start)
        return address >> 48 == 0 ? address << 16 | UInt(access.rawValue) << 12 : 0
    }

    @inline(__always)
    private static func hash(_ word: UInt) -> Int { Int(truncatingIfNeeded: ((word >> 12) &* 0x9E37_79B9_7F4A_7C15) >> 32) }

    /// The first word of a table is its mask.
    @inline(__always)
    func slot(_ word: UInt) -> Int? {
        guard let base = current.load(ordering: .acquiring) else { return nil }
        let words = base.assumingMemoryBound(to: Word.self)
        let mask = Int(bitPattern: words.pointee.load(ordering: .relaxed))
        var index = Self.hash(word) & mask
        while true {
            let found = words[index + 1].load(ordering: .relaxed)
            if found & ~0xFFF == word { return Int(found & 0xFFF) }
            if found == 0 { return nil }
            index = (index + 1) & mask
        }
    }

    func keep(_ slot: Int, for word: UInt) {
        guard word != 0, slot <= 0xFFF else { return }
        lock.withLock { _ in
            guard self.slot(word) == nil else { return }
            if count * 2 >= tables.last?.capacity ?? 0 { grow() }
            guard let table = tables.last else { return }
            put(word | UInt(slot), into: table.words, mask: table.capacity - 1)
            count += 1
        }
    }

    private func put(_ entry: UInt, into words: UnsafeMutablePointer<Word>, mask: Int) {
        var index = Self.hash(entry & ~0xFFF) & mask
        while words[index + 1].load(ordering: .relaxed) != 0 { index = (index + 1) & mask }
        words[index + 1].store(entry, ordering: .relaxed)
    }

    private func grow() {
        let capacity = max(16, (tables.last?.capacity ?? 0) * 2)
        let words = UnsafeMutablePointer<Word>.allocate(capacity: capacity + 1)
        for index in 0...capacity { (words + index).initialize(to: Word(0)) }
        words.pointee.store(UInt(capacity - 1), ordering: .relaxed)
        if let old = tables.last {
            for index in 1...old.capacity {
                let entry = old.words[index].load(ordering: .relaxed)
                if entry != 0 { put(entry, into: words, mask: capacity - 1) }
            }
        }
        tables.append((words, capacity))
        current.store(UnsafeMutableRawPointer(words), ordering: .releasing)
    }
}

/// What a side read or wrote, in a few numbers; the order of rows does not matter.
struct Digest: Equatable {
    var rows = 0
    var sum = 0

    mutating func add(_ value: Int) {
        rows += 1
        sum &+= value
    }
}

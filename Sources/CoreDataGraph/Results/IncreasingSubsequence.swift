/// The longest part of a sequence that ascends.
package enum IncreasingSubsequence {
    /// Indices of a longest strictly ascending subsequence of distinct numbers, ascending.
    package static func indices(of numbers: [Int]) -> [Int] {
        if zip(numbers, numbers.dropFirst()).allSatisfy({ $0 < $1 }) { return Array(numbers.indices) }
        // tails[n]: where the run of length n + 1 with the smallest last number ends.
        var tails: [Int] = [], previous = [Int](repeating: -1, count: numbers.count)
        for (index, number) in numbers.enumerated() {
            var low = 0, high = tails.count
            while low < high {
                let middle = (low + high) / 2
                if numbers[tails[middle]] < number { low = middle + 1 } else { high = middle }
            }
            if low > 0 { previous[index] = tails[low - 1] }
            if low == tails.count { tails.append(index) } else { tails[low] = index }
        }
        var result: [Int] = [], index = tails.last ?? -1
        while index >= 0 {
            result.append(index)
            index = previous[index]
        }
        return result.reversed()
    }
}

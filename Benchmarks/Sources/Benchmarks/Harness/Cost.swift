import AllocationCount
import Foundation

/// What one run of one side took.
struct Cost {
    /// Seconds on the clock.
    var wall = 0.0
    /// Seconds of processor time of the whole process: steadier where the machine has other work.
    var cpu = 0.0
    /// Of the calling thread.
    var allocations = 0

    static func of(_ body: () throws -> Void) rethrows -> Cost {
        let clock = ContinuousClock()
        let (start, cpu, allocations) = (clock.now, processorTime(), allocation_count())
        try body()
        return Cost(
            wall: (clock.now - start).inSeconds, cpu: processorTime() - cpu, allocations: Int(allocation_count() - allocations))
    }

    static func processorTime() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
    }
}

extension Duration {
    var inSeconds: Double { Double(components.seconds) + Double(components.attoseconds) * 1e-18 }
}

/// Seconds on the clock, for what runs beside other threads.
enum Latency {
    static func of(_ body: () throws -> Void) rethrows -> Double { try ContinuousClock().measure(body).inSeconds }
}

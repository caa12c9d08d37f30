/// A query's results now and whenever they change, as snapshots, until the consumer stops or its task is cancelled.
///
/// Each iterator watches by itself: any number of tasks may loop over one value. A consumer that is busy misses nothing and
/// waits for nothing: its next snapshot says what changed since its last one, all in one difference. Changes that end where
/// they began are none. Iterating throws what the fetch throws.
public struct ResultUpdates<Object: NSManagedObject>: AsyncSequence, Sendable {
    public typealias Element = ResultSnapshot<Object>

    /// Makes the watch of one iterator.
    let start: @Sendable () throws -> ResultWatch<Object>

    public func makeAsyncIterator() -> Iterator { Iterator(start: start) }

    public struct Iterator: AsyncIteratorProtocol {
        private var state: State
        private var shown: [NSManagedObjectID] = []
        private var isFirst = true

        private enum State {
            case new(@Sendable () throws -> ResultWatch<Object>)
            case watching(ResultWatch<Object>)
            case ended
        }

        init(start: @escaping @Sendable () throws -> ResultWatch<Object>) { state = .new(start) }

        /// The results at once the first time, then when they differ from what was given last; nil once the task is cancelled.
        public mutating func next() async throws -> ResultSnapshot<Object>? {
            do {
                while let watch = try await watch() {
                    guard await watch.changed(), !Task.isCancelled else { break }
                    if let snapshot = try await snapshot(watch) { return snapshot }
                }
                state = .ended
                return nil
            } catch {
                state = .ended
                throw error
            }
        }

        private mutating func watch() async throws -> ResultWatch<Object>? {
            switch state {
            case .ended: return nil
            case .watching(let watch): return watch
            case .new(let start):
                if Task.isCancelled { return nil }
                let watch = try start()
                try await watch.begin()
                state = .watching(watch)
                return watch
            }
        }

        /// nil when nothing changed after all.
        private mutating func snapshot(_ watch: ResultWatch<Object>) async throws -> ResultSnapshot<Object>? {
            let taken = try await watch.take()
            let before = Set(shown), difference = ResultDifference.between(shown, taken.objectIDs)
            let updated = taken.touched.intersection(before).intersection(taken.objectIDs)
            if !isFirst, difference.isEmpty, updated.isEmpty { return nil }
            isFirst = false
            shown = taken.objectIDs
            return ResultSnapshot(
                objectIDs: taken.objectIDs, sections: taken.sections, difference: difference, updatedObjectIDs: updated)
        }
    }
}

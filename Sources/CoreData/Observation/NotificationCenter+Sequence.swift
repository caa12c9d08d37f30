import Foundation

extension NotificationCenter {
    /// The notifications of a name as they are posted, from when somebody begins to iterate; of one sender, or of all when `object` is nil.
    /// The loop ends when its task is cancelled. What is posted while the loop is busy waits.
    public func notifications(named name: Notification.Name, object: AnyObject? = nil) -> Notifications {
        Notifications(center: self, name: name, object: object)
    }

    /// Notifications as an asynchronous sequence.
    ///
    /// Unchecked Sendable: immutable; the sender is only compared.
    public final class Notifications: AsyncSequence, @unchecked Sendable {
        public typealias Element = Notification
        private let center: NotificationCenter
        private let name: Notification.Name
        private let object: AnyObject?

        fileprivate init(center: NotificationCenter, name: Notification.Name, object: AnyObject?) {
            (self.center, self.name, self.object) = (center, name, object)
        }

        public func makeAsyncIterator() -> Iterator { Iterator(Reception(center, name, object)) }

        public struct Iterator: AsyncIteratorProtocol {
            private let reception: Reception
            private var stream: AsyncStream<Posted>.Iterator

            fileprivate init(_ reception: Reception) {
                self.reception = reception
                stream = reception.stream.makeAsyncIterator()
            }

            /// nil when the task is cancelled.
            public mutating func next() async -> Notification? { await stream.next()?.notification }

            /// nil when the task is cancelled.
            public mutating func next(isolation actor: isolated (any Actor)?) async -> Notification? {
                await stream.next(isolation: actor)?.notification
            }
        }
    }

    /// Unchecked Sendable: made where the notification is posted, read by the one loop it is for.
    fileprivate struct Posted: @unchecked Sendable { let notification: Notification }

    /// Observes as long as an iterator lives.
    ///
    /// Unchecked Sendable: immutable after `init`.
    fileprivate final class Reception: @unchecked Sendable {
        let stream: AsyncStream<Posted>
        private let center: NotificationCenter
        private let token: any NSObjectProtocol

        init(_ center: NotificationCenter, _ name: Notification.Name, _ object: AnyObject?) {
            let (stream, continuation) = AsyncStream.makeStream(of: Posted.self)
            self.stream = stream
            self.center = center
            token = center.addObserver(forName: name, object: object, queue: nil) { continuation.yield(Posted(notification: $0)) }
        }

        deinit { center.removeObserver(token) }
    }
}

import Dispatch

/// “Main” is the main thread or the main queue: the main actor of an `async` program may run its code on either.
enum Main {
    private static let mark: DispatchSpecificKey<Bool> = {
        let key = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: key, value: true)
        return key
    }()

    static var isCurrent: Bool {
        Thread.isMainThread || DispatchQueue.getSpecific(key: mark) == true || Platform.isInsideMain
    }
}

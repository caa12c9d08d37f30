import NLCoreData
import Testing

/// Which kind of store a test runs on.
enum StoreKind: String, CaseIterable, CustomTestStringConvertible {
    case sqlite, memory

    var type: String { self == .sqlite ? NSSQLiteStoreType : NSInMemoryStoreType }
    var testDescription: String { rawValue }
}

/// A folder of its own, removed at the end.
final class TemporaryFolder {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appendingPathComponent("NLCoreDataTests-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    func file(_ name: String) -> URL { url.appendingPathComponent(name) }
    var contents: [String] { ((try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? []).sorted() }
}

/// Runs the body with a stack of its own over the Office model as the current one.
func withOffice<Result>(_ kind: StoreKind = .sqlite, _ body: (NLCoreData) throws -> Result) throws -> Result {
    let folder = try TemporaryFolder()
    let stack = office(kind, folder)
    defer { withExtendedLifetime(folder) {} }
    return try NLCoreData.withStack(stack) { try body(stack) }
}

func withOffice<Result>(
    _ kind: StoreKind = .sqlite, isolation: isolated (any Actor)? = #isolation, _ body: (NLCoreData) async throws -> Result
) async throws -> Result {
    let folder = try TemporaryFolder()
    let stack = office(kind, folder)
    defer { withExtendedLifetime(folder) {} }
    return try await NLCoreData.withStack(stack) { try await body(stack) }
}

func office(_ kind: StoreKind, _ folder: TemporaryFolder) -> NLCoreData {
    let stack = NLCoreData(modelName: "Office", storeURL: folder.file("Office.sqlite"))
    stack.persistentStoreType = kind.type
    return stack
}

/// Ada 36, Bob 17, Cleo 52, Dan 17; saved in the calling thread's context.
func insertPeople() throws {
    for (name, age) in [("Ada", 36), ("Bob", 17), ("Cleo", 52), ("Dan", 17)] {
        let person = try Person.insert()
        person.name = name
        person.age = Int64(age)
    }
    try current().save()
}

/// The calling thread's context; a function, so that `async` tests can reach it in their synchronous stretches.
func current() -> NSManagedObjectContext { .contextForThread() }

/// What a context without any history of its own sees.
func elsewhere<Result>(_ stack: NLCoreData, _ body: (NSManagedObjectContext) throws -> Result) rethrows -> Result {
    let context = stack.newContext()
    return try context.performAndWait { try body(context) }
}

func names(_ people: [Person]) -> [String] { people.map { $0.name ?? "nil" } }

/// Errors a stack reports, in order.
///
/// Unchecked Sendable: `list` is touched under `lock` only.
final class Reported: @unchecked Sendable {
    private let lock = NSLock()
    private var list: [any Error] = []

    var errors: [any Error] { lock.withLock { list } }

    init(of stack: NLCoreData) {
        stack.errorHandler = { error in self.lock.withLock { self.list.append(error) } }
    }
}

/// Counts calls from several threads.
///
/// Unchecked Sendable: `values` is touched under `lock` only.
final class Calls<Value: Sendable>: @unchecked Sendable {
    private let lock = NSLock()
    private var values: [Value] = []
    private let semaphore = DispatchSemaphore(value: 0)

    var all: [Value] { lock.withLock { values } }

    func note(_ value: Value) {
        lock.withLock { values.append(value) }
        semaphore.signal()
    }

    /// Waits for one more call; false when none comes in time.
    func wait(_ seconds: Double = 5) -> Bool { semaphore.wait(timeout: .now() + seconds) == .success }
}

/// Runs the block on a thread of its own and returns what it returned.
func onThread<Result>(_ stack: NLCoreData, _ body: @escaping () throws -> Result) throws -> Result {
    let outcome = Outcome<Result>()
    let work = Crossing(body)
    let done = DispatchSemaphore(value: 0)
    Thread {
        outcome.value = Swift.Result { try NLCoreData.withStack(stack) { try work.value() } }
        done.signal()
    }.start()
    done.wait()
    return try #require(outcome.value).get()
}

/// Unchecked Sendable: written before a semaphore is signalled, read after it was waited for.
private final class Outcome<Value>: @unchecked Sendable { var value: Swift.Result<Value, any Error>? }

/// Unchecked Sendable: used by one thread at a time.
struct Crossing<Value>: @unchecked Sendable {
    var value: Value
    init(_ value: Value) { self.value = value }
}

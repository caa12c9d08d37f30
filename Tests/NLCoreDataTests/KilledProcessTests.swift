#if os(Linux)
import Glibc
#endif
import NLCoreData
import Testing

@Suite("Killed right after saveChanges returned")
struct KilledProcessTests {
    static let people = (0..<200).map { "Person \(1000 + $0)" }

    /// Saves in the calling thread's context and ends the process at once; returns only when the save failed.
    static func saveAndDie() throws {
        for name in people { try Person.insert().name = name }
        if current().saveChanges() { kill(getpid(), SIGKILL) }
    }

    private func check(_ folder: TemporaryFolder) throws {
        let stack = office(.sqlite, folder)
        let found = try NLCoreData.withStack(stack) { try names(Person.fetch()).sorted() }
        #expect(found == Self.people)
    }

    @Test("On the main thread: the next run has the rows")
    func mainThread() async throws {
        let folder = try TemporaryFolder()
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = folder.file("Office.sqlite").path as String] in
            let stack = NLCoreData(modelName: "Office", storeURL: URL(fileURLWithPath: path))
            try await MainActor.run { try NLCoreData.withStack(stack) { try KilledProcessTests.saveAndDie() } }
        }
        try check(folder)
    }

    @Test("On another thread: the next run has the rows")
    func otherThread() async throws {
        let folder = try TemporaryFolder()
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = folder.file("Office.sqlite").path as String] in
            let stack = NLCoreData(modelName: "Office", storeURL: URL(fileURLWithPath: path))
            try onThread(stack) { try KilledProcessTests.saveAndDie() }
        }
        try check(folder)
    }
}

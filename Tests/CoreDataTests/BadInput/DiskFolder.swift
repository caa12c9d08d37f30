import Foundation

/// A folder of its own whose contents can be compared; removed at the end.
final class DiskFolder {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appendingPathComponent("BadInput-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit {
        isImmutable(false)
        try? FileManager.default.removeItem(at: url)
    }

    func file(_ name: String) -> URL { url.appendingPathComponent(name) }

    /// Relative path to contents of everything inside.
    func contents() throws -> [String: Data] {
        let names = FileManager.default.enumerator(atPath: url.path)?.compactMap { $0 as? String } ?? []
        return Dictionary(uniqueKeysWithValues: names.map { ($0, (try? Data(contentsOf: file($0))) ?? Data("folder".utf8)) })
    }

    /// Forbids making files in it; false when that cannot be had here. Permissions do not hold root back, the immutable flag does.
    func forbidWriting() -> Bool {
        if geteuid() != 0 { chmod(url.path, 0o555) } else { isImmutable(true) }
        let probe = file("probe").path
        let isForbidden = !FileManager.default.createFile(atPath: probe, contents: nil)
        try? FileManager.default.removeItem(atPath: probe)
        return isForbidden
    }

    private func isImmutable(_ flag: Bool) {
        if geteuid() != 0 {
            if !flag { chmod(url.path, 0o755) }
            return
        }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/chattr")
        process.arguments = [flag ? "+i" : "-i", url.path]
        process.standardError = FileHandle.nullDevice
        guard (try? process.run()) != nil else { return }
        process.waitUntilExit()
    }
}

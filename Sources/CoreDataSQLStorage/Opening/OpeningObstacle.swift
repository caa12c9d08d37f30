import Foundation

/// Says why SQLite could not open or make a file, by looking at what is there: SQLite's own message names no cause.
enum OpeningObstacle {
    static func reason(_ path: String, message: String) -> String {
        let files = FileManager.default
        let parent = (path as NSString).deletingLastPathComponent
        let folder = parent.isEmpty ? files.currentDirectoryPath : parent
        guard files.fileExists(atPath: path) else {
            return "no file can be made in the folder “\(folder)” (\(message)). Change the folder's permissions, or keep the store in "
                + "one you may write to."
        }
        if !files.isReadableFile(atPath: path) { return "it is not readable (\(message)). Change its permissions." }
        if !files.isWritableFile(atPath: path) {
            return "it is not writable (\(message)). Change its permissions, or open the store for reading only."
        }
        if !files.isWritableFile(atPath: folder) {
            return "its log cannot be made beside it in the folder “\(folder)” (\(message)). Change the folder's permissions, or open "
                + "the store for reading only."
        }
        return message + "."
    }
}

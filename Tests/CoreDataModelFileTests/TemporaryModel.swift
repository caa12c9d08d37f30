import CoreDataModelFile
import Foundation

/// A folder of its own for model files, removed at the end.
final class TemporaryModel {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("model-\(UUID().uuidString)")

    init() throws { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) }
    deinit { try? FileManager.default.removeItem(at: folder) }

    @discardableResult
    func write(_ text: String, to path: String) throws -> URL {
        let file = folder.appendingPathComponent(path)
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file)
        return file
    }

    /// A model's XML around its entities; the first line of `body` is line 3 of the file.
    static func xml(_ body: String) -> String {
        """
        <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
        <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0" userDefinedModelVersionIdentifier="7">
        \(body)
        </model>
        """
    }

    static func read(_ body: String) throws -> ModelFileContents {
        let model = try TemporaryModel()
        return try ModelFile.read(at: model.write(xml(body), to: "M.xcdatamodel/contents"))
    }
}

import CoreDataModelFile
import CoreDataSchema
import Foundation
import Testing

@Suite("Versions of a model")
struct ModelVersionTests {
    private let model: TemporaryModel

    init() throws { model = try TemporaryModel() }

    private func bundle(_ name: String = "M", versions: [String], mark: String? = nil) throws -> URL {
        for version in versions {
            try model.write(TemporaryModel.xml("<entity name=\"E\(version.filter(\.isNumber))\"/>"), to: "\(name).xcdatamodeld/\(version).xcdatamodel/contents")
        }
        if let mark {
            try model.write("<?xml version=\"1.0\"?><plist version=\"1.0\"><dict>\(mark)</dict></plist>", to: "\(name).xcdatamodeld/.xccurrentversion")
        }
        return model.folder.appendingPathComponent("\(name).xcdatamodeld")
    }

    private func key(_ version: String) -> String { "<key>_XCCurrentVersionName</key><string>\(version).xcdatamodel</string>" }

    @Test("The marked version is current, and all can be had")
    func marked() throws {
        let url = try bundle(versions: ["M", "M 2", "M 3"], mark: key("M 2"))
        let contents = try ModelFile.read(at: url)
        #expect(contents.currentVersionName == "M 2" && contents.versionNames == ["M", "M 2", "M 3"])
        #expect(contents.current.entities.map(\.name) == ["E2"])
        #expect(try ModelFile.readCurrent(at: url).versionNames == ["M 2"])
    }

    @Test("A single version needs no mark")
    func single() throws {
        let url = try bundle(versions: ["Other"])
        #expect(try ModelFile.read(at: url).currentVersionName == "Other")
    }

    @Test("Without a mark the version that bears the bundle's name is current, with a warning; else it is an error")
    func unmarked() throws {
        let named = try bundle(versions: ["M", "M 2"], mark: "")
        let contents = try ModelFile.read(at: named)
        #expect(contents.currentVersionName == "M" && contents.warnings.count == 1)
        let other = try bundle("N", versions: ["A", "B"])
        let error = #expect(throws: ModelFileError.self) { try ModelFile.read(at: other) }
        #expect(error?.kind == .noCurrentVersion && error?.description.contains("A, B") == true)
    }

    @Test("A mark for a version that is not there names those that are")
    func wrongMark() throws {
        let url = try bundle(versions: ["M", "M 2"], mark: key("M 9"))
        let error = #expect(throws: ModelFileError.self) { try ModelFile.read(at: url) }
        #expect(error?.kind == .noCurrentVersion && error?.description.contains("M, M 2") == true)
    }

    @Test("A broken reference in an old version does not keep the current one from being used")
    func brokenOldVersion() throws {
        let url = try bundle(versions: ["M", "M 2"], mark: key("M 2"))
        try model.write(TemporaryModel.xml("<entity name=\"E\" parentEntity=\"X\"/>"), to: "M.xcdatamodeld/M.xcdatamodel/contents")
        let contents = try ModelFile.read(at: url)
        #expect(contents.versions.count == 2)
        #expect(throws: ModelFileError.self) { try contents.resolved("M") }
    }

    @Test("A bare model and a bare contents file are one version named after the folder")
    func bare() throws {
        let url = try bundle(versions: ["V"])
        let folder = url.appendingPathComponent("V.xcdatamodel")
        #expect(try ModelFile.read(at: folder).currentVersionName == "V")
        #expect(try ModelFile.read(at: folder.appendingPathComponent("contents")).currentVersionName == "V")
    }
}

import CoreDataTestSupport
import Foundation
import SQLiteDriver
import Testing
@testable import CoreDataCommand

/// Stores that keep no model, as those before iOS 9 and those whose model cannot be kept.
@Suite("A model guessed from the tables")
struct GuessedModelTests {
    let library: Library

    init() throws {
        library = try Library()
        try library.fill()
        let connection = try SQLiteConnection(path: library.path, access: .readWrite)
        try connection.execute("DELETE FROM Z_MODELCACHE")
        connection.close()
    }

    @Test("Commands that read say so in one line on standard error", arguments: [
        ["export"], ["fetch", "Author"], ["explain", "Author", "name == 'x'"], ["fetch", "Author", "--count"],
    ])
    func warned(_ words: [String]) throws {
        let line = [words[0], library.path] + words.dropFirst()
        let outcome = run(line)
        #expect(outcome.code == 0 && outcome.errors.split(separator: "\n").count == 1, "\(outcome.errors)")
        #expect(outcome.errors.contains("keeps no model") && outcome.errors.contains("--model"))
        #expect(run(line + ["--model", library.modelPath]).errors.isEmpty)
    }

    @Test("import refuses to write without the model, and so does seed with such a store as the model; an option allows it")
    func refused() throws {
        let json = library.folder.file("new.json"), made = library.folder.file("made.sqlite").path
        try Data(#"{"Author": [{"name": "Cid"}]}"#.utf8).write(to: json)
        let before = try InspectTests.listing(library.folder.url)
        let imported = coredata("import", library.path, json.path)
        #expect(imported.code == 3 && imported.errors.contains("--guessed-model"), "\(imported.errors)")
        let asModel = coredata("import", library.path, json.path, "--model", library.path)
        #expect(asModel.code == 3 && asModel.errors.contains("--guessed-model"), "\(asModel.errors)")
        let seeded = coredata("seed", library.path, json.path, "-o", made)
        #expect(seeded.code == 3 && seeded.errors.contains("--guessed-model"), "\(seeded.errors)")
        #expect(try InspectTests.listing(library.folder.url) == before)
        let forced = coredata("import", library.path, json.path, "--guessed-model")
        #expect(forced.code == 0 && forced.errors.contains("guessed"), "\(forced.errors)")
        let made2 = coredata("seed", library.path, json.path, "-o", made, "--guessed-model")
        #expect(made2.code == 0 && made2.errors.contains("guessed"), "\(made2.errors)")
        #expect(try coredata("inspect", made, "--json").object()["carriesModel"] as? Bool == false)
        #expect(coredata("import", library.path, json.path, "--model", library.modelPath).code == 0)
    }

    @Test("check says what it could not look at, and does not compare guessed hashes")
    func check() throws {
        for words in [[], ["--model", library.path]] {
            let outcome = run(["check", library.path] + words)
            #expect(outcome.code == 0 && outcome.output.contains("keeps no model"), "\(outcome.output)")
            #expect(outcome.output.contains("Not looked at: ") && outcome.output.contains("Book.author"), "\(outcome.output)")
            #expect(!outcome.output.contains("version hash") && !outcome.output.contains("Nothing found that is wrong."), "\(outcome.output)")
            let json = try run(["check", library.path, "--json"] + words).object()
            #expect((json["findings"] as? [Any])?.isEmpty == true && (json["notLookedAt"] as? [String])?.isEmpty == false)
        }
        let outcome = coredata("check", library.path, "--model", library.modelPath)
        #expect(outcome.code == 0 && outcome.output == "Nothing found that is wrong.\n", "\(outcome.output)")
    }
}

import CoreDataTestSupport
import Foundation
import SQLiteDriver
import Testing
@testable import CoreDataCommand

@Suite("coredata import --update")
struct UpdatingTests {
    let folder: TemporaryFolder
    let model: String
    let store: String

    init() throws {
        folder = try TemporaryFolder()
        let bundle = folder.file("Club.xcdatamodel")
        try FileManager.default.createDirectory(at: bundle, withIntermediateDirectories: true)
        try Data("""
            <?xml version="1.0" encoding="UTF-8"?>
            <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
            <entity name="Team"><attribute name="name" attributeType="String"/>
                <relationship name="people" optional="YES" toMany="YES" ordered="YES" deletionRule="Nullify" destinationEntity="Person" inverseName="team" inverseEntity="Person"/>
                <uniquenessConstraints><uniquenessConstraint><constraint value="name"/></uniquenessConstraint></uniquenessConstraints></entity>
            <entity name="Person"><attribute name="mail" attributeType="String"/><attribute name="name" attributeType="String"/>
                <attribute name="age" optional="YES" attributeType="Integer 32" maxValueString="150" usesScalarValueType="NO"/>
                <attribute name="photo" optional="YES" attributeType="Binary" allowsExternalBinaryDataStorage="YES"/>
                <relationship name="team" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="Team" inverseName="people" inverseEntity="Team"/>
                <relationship name="pass" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="Pass" inverseName="owner" inverseEntity="Pass"/>
                <uniquenessConstraints><uniquenessConstraint><constraint value="mail"/></uniquenessConstraint></uniquenessConstraints></entity>
            <entity name="Pass"><attribute name="number" optional="YES" attributeType="Integer 64" usesScalarValueType="NO"/>
                <relationship name="owner" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="Person" inverseName="pass" inverseEntity="Person"/></entity>
            </model>
            """.utf8).write(to: bundle.appendingPathComponent("contents"))
        (model, store) = (bundle.path, folder.file("Club.sqlite").path)
        let data = #"{"Team":[{"$id":"r","name":"Red"},{"$id":"b","name":"Blue"}],"Person":[{"mail":"a","name":"Ann","age":30,"team":"r","pass":"p"},{"mail":"b","name":"Bob","team":"b"}],"Pass":[{"$id":"p","number":1}]}"#
        #expect(run(["seed", model, try write(data), "-o", store]).code == 0)
    }

    private func write(_ text: String) throws -> String {
        let file = folder.file("data.json")
        try Data(text.utf8).write(to: file)
        return file.path
    }

    private func update(_ data: String, _ words: String...) throws -> Outcome { run(["import", store, try write(data), "--update"] + words) }

    private func people() -> String {
        coredata("fetch", store, "Person", "--sort", "mail", "--columns", "$id,mail,name,age,team.name", "--format", "csv").output
    }

    private func versions() throws -> String {
        let connection = try SQLiteConnection(path: store, access: .readOnly)
        defer { connection.close() }
        return try connection.text("SELECT group_concat(Z_OPT, ' ') FROM (SELECT Z_OPT FROM ZPERSON ORDER BY Z_PK)") ?? ""
    }

    @Test("Known rows are changed where the data says so, others are added; the second time nothing changes")
    func upsert() throws {
        let data = #"{"Person":[{"mail":"b","age":41,"team":"t"},{"$id":"c","mail":"c","name":"Cid","team":"t"}],"Team":[{"$id":"t","name":"Red"}]}"#
        let outcome = try update(data)
        #expect(outcome.code == 0 && outcome.output.contains("3 rows written") && outcome.output.contains("(2 of them updated)"), "\(outcome.errors)")
        let after = "$id,mail,name,age,team.name\nPerson/1,a,Ann,30,Red\nPerson/2,b,Bob,41,Red\nPerson/3,c,Cid,,Red\n"
        #expect(people() == after)
        #expect(try versions() == "1 2 1")
        #expect(coredata("fetch", store, "Team", "--sort", "name", "--columns", "people.mail", "--format", "csv").output == "people.mail\n[]\n\"[\"\"a\"\",\"\"b\"\",\"\"c\"\"]\"\n")
        let again = try update(data)
        #expect(again.output.contains("(3 of them updated)") && people() == after)
        #expect(try versions() == "1 2 1")
        #expect(coredata("check", store).output == "Nothing found that is wrong.\n")
    }

    @Test("An export of the store itself changes nothing; of another it is merged")
    func export() throws {
        let export = coredata("export", store).output, before = people()
        let outcome = try update(export)
        // A pass has nothing unique, and would belong to somebody who has one.
        #expect(outcome.code == 4 || people() == before)
        let teams = coredata("export", store, "--entity", "Team").output
        let merged = try update(teams, "--existing")
        #expect(merged.code == 0 && people() == before, "\(merged.errors)")
    }

    @Test("Long values take the place of long values, whose files go")
    func files() throws {
        func photo(_ byte: UInt8) -> String { Data(repeating: byte, count: 300_000).base64EncodedString() }
        for byte: UInt8 in [1, 2] { #expect(try update(#"{"Person":[{"mail":"a","photo":"\#(photo(byte))"}]}"#).code == 0) }
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.file(".Club_SUPPORT/_EXTERNAL_DATA").path)
        #expect(files.count == 1 && coredata("export", store, "--entity", "Person").output.contains(photo(2)))
        #expect(coredata("check", store).output == "Nothing found that is wrong.\n")
    }

    @Test("What cannot be is refused with its line, and nothing is written", arguments: [
        (#"{"mail":"a","age":200}"#, "age"), (#"{"mail":"a","name":null}"#, "name must not be nil"), (#"{"mail":"z"}"#, "name must not be nil"),
        (#"{"mail":"a"},{"mail":"a"}"#, "Another row of the data"), (#"{"mail":"b","pass":"x-coredata://UUID/Pass/p1"}"#, "one-to-one"),
    ])
    func refused(rows: String, reason: String) throws {
        let before = people(), uuid = try #require(try coredata("inspect", store, "--json").object()["uuid"] as? String)
        let outcome = try update("{\"Person\":[{\"mail\":\"b\",\"age\":7},\n\(rows.replacing("UUID", with: uuid).replacing("\"b\",\"pass\"", with: "\"b2\",\"name\":\"x\",\"pass\""))]}")
        if reason == "one-to-one" {
            // A new row cannot take what belongs to another one.
            #expect(outcome.code == 4, "\(outcome.errors)")
        } else {
            #expect(outcome.code == 4 && outcome.errors.contains("data.json:2") && outcome.errors.contains(reason), "\(outcome.errors)")
        }
        #expect(people() == before)
        let taken = try update(#"{"Person":[{"mail":"b","pass":"x-coredata://\#(uuid)/Pass/p1"}]}"#)
        #expect(taken.code == 4 && taken.errors.contains("one-to-one"))
    }

    @Test("Rows that nothing tells apart are added, with a warning; two rows of the data that are one of the store are refused")
    func unconstrained() throws {
        let outcome = try update(#"{"Pass":[{"number":7}]}"#)
        #expect(outcome.code == 0 && outcome.output.contains("1 row written") && outcome.errors.contains("Pass has no uniqueness constraint"))
        #expect(try update(#"{"Pass":[{"number":7}]}"#).output.contains("1 row written"))
        #expect(coredata("fetch", store, "Pass", "--where", "number == 7", "--columns", "number", "--format", "csv").output == "number\n7\n7\n")
    }

    @Test("An import into a store that is not there names the command that makes one")
    func missing() throws {
        let path = folder.file("None.sqlite").path, outcome = run(["import", path, try write("{}")])
        #expect(outcome.code == 3 && outcome.errors.contains("coredata seed MODEL DATA -o \(path)"), "\(outcome.errors)")
    }

    @Test("A dry run says what it would do")
    func dryRun() throws {
        let before = people(), outcome = try update(#"{"Person":[{"mail":"a","age":31}]}"#, "--dry-run", "--json")
        #expect(try outcome.object()["updated"] as? Int == 1 && outcome.object()["written"] as? Bool == false && people() == before)
    }
}

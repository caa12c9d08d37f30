import CoreDataModelFile
import Foundation
import Testing

@Suite("Elements nobody knows")
struct UnknownElementTests {
    @Test("They are flagged with their lines, wherever they stand, and keep no model from being read")
    func flagged() throws {
        let model = try TemporaryModel()
        let file = try model.write(TemporaryModel.xml("""
            <entity name="A" representedClassName="A" syncable="YES">
                <atribute name="x" attributeType="String"/>
                <attribute name="y" optional="YES" attributeType="String"><userInfo><entry key="k" value="v"/></userInfo><rule/></attribute>
            </entity>
            <enttiy name="B"/>
            <elements><element name="A" positionX="0"/></elements>
            """), to: "M.xcdatamodel/contents")
        let problems = try ModelFile.problems(at: file).filter { $0.message.contains("passed over") }
        #expect(problems.map(\.line) == [4, 5, 7] && problems.allSatisfy { $0.severity == .warning })
        #expect(problems.first?.message.contains("<atribute> in <entity>") == true)
        #expect(try ModelFile.read(at: file).current.entities.map(\.name) == ["A"])
    }
}

import CoreDataPredicate
import Foundation
import Testing

/// Typed errors are caught by type and as `NSError`, and come back from one.
@Suite("Typed errors as NSError")
struct TypedErrorTests {
    @Test("A format error: by type, as NSError, and back")
    func formats() throws {
        do {
            _ = try NSPredicate(validating: "age ==")
            Issue.record("nothing was thrown")
        } catch let error as NSError {
            #expect(error.domain == NSCocoaErrorDomain && error.code == 2048 && error.localizedDescription.contains("age =="))
            let typed = try #require(error as any Error as? NSPredicate.FormatError)
            #expect(typed.format == "age ==")
        } catch { Issue.record("\(type(of: error)) is not caught as an NSError") }
        do { _ = try NSExpression(validating: "1 +") } catch let error as NSPredicate.FormatError { #expect(error.format == "1 +") }
        let other: any Error = NSError(domain: NSCocoaErrorDomain, code: 2048)
        #expect(other as? NSPredicate.FormatError == nil)
    }

    @Test("Key paths without a name: by class, type and the properties there are, never by address")
    func keyPaths() throws {
        func text(_ body: () throws -> Void) -> String {
            do { try body() } catch let error as NSError {
                #expect(error.domain == NSCocoaErrorDomain)
                return error.localizedDescription
            } catch { Issue.record("\(type(of: error)) is not caught as an NSError") }
            Issue.record("nothing was thrown")
            return ""
        }
        #expect(text { _ = try NSSortDescriptor(validating: SortDescriptor(\Plain.text)) }.contains("Plain"))
        let listed = text { _ = try NSSortDescriptor(validating: SortDescriptor(\Listed.shout)) }
        #expect(listed.contains("Listed") && listed.contains("String") && listed.contains("Properties of that type: name, title."), "\(listed)")
        #expect(!listed.contains("0x") && !listed.contains("age"), "\(listed)")
    }
}

private final class Plain { var text = "" }

private final class Listed: _KeyPathNaming {
    var name = "", title = "", age = 0
    var shout: String { name.uppercased() }
    static var _keyPathNames: [AnyKeyPath: String] { [\Listed.name: "name", \Listed.title: "title", \Listed.age: "age"] }
}

import Archive
import CoreData
import Foundation
import Testing

@MainActor @Suite("Extensions of handwritten classes, and a model in the program")
struct ArchiveTests {
    let container: NSPersistentContainer
    var context: NSManagedObjectContext { container.viewContext }

    init() throws { container = try Archive.container() }

    @Test("the model needs no file; its classes are those of the program")
    func embedded() {
        #expect(container.managedObjectModel === NSManagedObjectModel.archiveModel)
        #expect(NSManagedObjectModel.archiveModel.entitiesByName["Document"]?.managedObjectClassName.hasSuffix("Document") == true)
    }

    @Test("generated properties and methods of the program's own classes, over a save")
    func extensions() throws {
        let folder = Folder(context: context), letter = Letter(context: context), document = Document(context: context)
        folder.name = "In"
        (letter.title, letter.sender, letter.pages) = ("Hello", "Ann", 3)
        (document.title, document.pages) = ("Report", 90)
        folder.addToDocuments(NSOrderedSet(array: [letter, document]))
        folder.insertIntoDocuments(Document(context: context), at: 1)
        try context.save()
        context.refreshAllObjects()
        #expect(folder.documents?.array.map { ($0 as? Document)?.title } == ["Hello", nil, "Report"])
        #expect(letter.isLong && !document.isLong && letter.folder === folder && letter.sender == "Ann")
        let request = Letter.fetchRequest()
        request.sortDescriptors = [NSSortDescriptor(keyPath: \Document.title, ascending: true)]
        #expect(try context.fetch(request).map(\.pages) == [3] && context.count(for: Document.fetchRequest()) == 3)
        folder.removeFromDocuments(at: 1)
        #expect(folder.documents?.count == 2)
    }

    @Test("they are Identifiable, as Xcode's: by the attribute, or as objects")
    func identity() throws {
        func id<T: Identifiable>(_ value: T) -> T.ID { value.id }
        let document = Document(context: context), other = Document(context: context), folder = Folder(context: context)
        #expect(id(document) == document.id && id(document) != id(other) && id(folder) == ObjectIdentifier(folder))
    }

    @Test("typed predicates and sort descriptors lead from them to generated classes and back")
    func typed() throws {
        let folder = Folder(context: context), letter = Letter(context: context), document = Document(context: context)
        folder.name = "In"
        (letter.title, letter.sender, letter.folder) = ("Hello", "Ann", folder)
        (document.title, document.pages) = ("Report", 90)
        try context.save()
        func titles(_ predicate: Predicate<Document>) throws -> [String?] {
            let request = Document.fetchRequest()
            request.predicate = try #require(NSPredicate(predicate))
            request.sortDescriptors = [NSSortDescriptor(SortDescriptor(\Document.folder?.name)), NSSortDescriptor(SortDescriptor(\Document.title))]
            return try context.fetch(request).map(\.title)
        }
        #expect(try titles(#Predicate { $0.folder?.name == "In" }) == ["Hello"])
        #expect(try titles(#Predicate { $0.folder == nil || $0.pages > 1 }) == ["Report"])
        #expect(try titles(#Predicate { $0.isLong || $0.title == "Report" }) == ["Report"])
        #expect(try titles(#Predicate { $0.isLong }).isEmpty)
        let letters = Letter.fetchRequest()
        letters.predicate = NSPredicate(#Predicate<Letter> { $0.folder?.name == "In" && $0.sender == "Ann" })
        #expect(try context.fetch(letters) == [letter])
        #expect((\Letter.folder?.name)._kvcKeyPathString == "folder.name")
    }
}

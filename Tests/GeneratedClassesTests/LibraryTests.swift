import CoreData
import Foundation
import Testing

@Suite("Code generation as Xcode's: classes, extensions, nothing")
struct LibraryTests {
    private func context() throws -> NSManagedObjectContext {
        let container = NSPersistentContainer(name: "Library", managedObjectModel: .libraryModel)
        container.persistentStoreDescriptions.first?.type = NSInMemoryStoreType
        var failure: (any Error)?
        container.loadPersistentStores { _, error in failure = error }
        if let failure { throw failure }
        return container.newBackgroundContext()
    }

    @Test("A model in the program needs no file, and is one object")
    func embedded() throws {
        #expect(NSManagedObjectModel.libraryModel === NSManagedObjectModel.libraryModel)
        let url = try #require(Bundle.module.url(forResource: "Library", withExtension: "xcdatamodeld"))
        let file = try #require(NSManagedObjectModel(contentsOf: url))
        #expect(file.entityVersionHashesByName == NSManagedObjectModel.libraryModel.entityVersionHashesByName)
        #expect(file.versionIdentifiers == NSManagedObjectModel.libraryModel.versionIdentifiers)
    }

    @Test("Generated classes are Identifiable, by an attribute `id` or as objects; who says so already is left alone")
    func identity() throws {
        func id<T: Identifiable>(of value: T) -> T.ID { value.id }
        let context = try context()
        try context.performAndWait {
            let book = Book(context: context), author = Author(context: context), novelist = Novelist(context: context), wing = Wing(context: context)
            let memo = Memo(context: context), shelf = Shelf(context: context)
            #expect(id(of: author) == ObjectIdentifier(author) && id(of: novelist) == ObjectIdentifier(novelist) && author.id == ObjectIdentifier(author))
            wing.id = "w"
            let wanted: String? = id(of: wing)
            #expect(wanted == "w" && wing.id == "w" && id(of: memo) == "memo" && id(of: shelf) == ObjectIdentifier(shelf))
            book.title = "B"
            try context.save()
            let request = Wing.fetchRequest()
            request.predicate = NSPredicate(format: "id == 'w'")
            request.sortDescriptors = [NSSortDescriptor(keyPath: \Wing.id, ascending: true)]
            #expect(try context.fetch(request).map(\.id) == ["w"])
        }
    }

    @Test("Every type of attribute of an extension is saved and read")
    func attributes() throws {
        let context = try context()
        try context.performAndWait {
            let author = Author(context: context), identifier = UUID()
            #expect(author.active == nil && author.count == nil && author.small == nil && author.rating == nil && author.balance == nil)
            #expect(author.level == .pupil && author.mood == nil && author.tags == nil && author.name == "")
            author.active = true
            author.age = 40
            author.balance = Decimal(string: "12.5")
            author.born = Foundation.Date(timeIntervalSinceReferenceDate: 5)
            author.count = 1 << 40
            author.hash_ = "h"
            author.identifier = identifier
            author.level = .master
            author.mood = .glad
            author.name = "Ada"
            author.photo = Data([1, 2])
            author.rating = 1.5
            author.site = URL(string: "https://example.org")
            author.small = -3
            author.tags = ["a", "b"]
            author.weight = 2.25
            try context.save()
            context.refreshAllObjects()
            #expect(author.active == true && author.age == 40 && author.balance == Decimal(string: "12.5") && author.count == 1 << 40)
            #expect(author.born?.timeIntervalSinceReferenceDate == 5 && author.hash_ == "h" && author.identifier == identifier)
            #expect(author.isMaster && author.mood == .glad && author.name == "Ada" && author.photo == Data([1, 2]))
            #expect(author.rating == 1.5 && author.site?.host == "example.org" && author.small == -3 && author.tags == ["a", "b"])
            #expect(author.weight == 2.25 && author.value(forKey: "level") as? Int == 2 && author.value(forKey: "mood") as? String == "glad")
            author.active = nil
            author.count = nil
            author.mood = nil
            #expect(author.active == nil && author.count == nil && author.value(forKey: "mood") == nil)
        }
    }

    @Test("Relationships and their methods work in extensions, of subclasses too")
    func relationships() throws {
        let context = try context()
        try context.performAndWait {
            let author = Novelist(context: context), first = Book(context: context), second = Book(context: context)
            author.addToBooks(first)
            author.addToBooks([second])
            #expect(author.books == [first, second] && first.author == author)
            author.removeFromBooks(first)
            #expect(author.books == [second] && first.author == nil)
            author.ranking = [first]
            author.insertIntoRanking(second, at: 0)
            #expect(author.ranking == [second, first])
            author.replaceRanking(at: 0, with: Book(context: context))
            author.removeFromRanking(at: 1)
            #expect(author.ranking.count == 1 && author.ranking[0] != first)
            let rival = Novelist(context: context)
            author.rival = rival
            author.genre = "crime"
            #expect(rival.rivals == [author] && author.rival === rival)
            try context.save()
        }
    }

    @Test("Each class of a family fetches itself")
    func requests() throws {
        let context = try context()
        try context.performAndWait {
            Author(context: context).name = "A"
            Novelist(context: context).name = "N"
            let request = Novelist.fetchRequest()
            let novelists: [Novelist] = try context.fetch(request)
            #expect(novelists.map(\.name) == ["N"] && request.entityName == "Novelist")
            Title(context: context).number = 3
            let titles = Title.fetchRequest()
            let found: [Title] = try context.fetch(titles)
            #expect(found.map(\.number) == [3])
            let authors = Author.fetchRequest()
            #expect(try context.fetch(authors).count == 2 && authors.entityName == "Author")
        }
    }

    @Test("Key paths of extensions have names: sorting, typed predicates, observing")
    func keyPaths() throws {
        let context = try context()
        try context.performAndWait {
            for name in ["b", "a"] { Novelist(context: context).name = name }
            let request = Author.fetchRequest()
            request.sortDescriptors = [NSSortDescriptor(keyPath: \Author.name, ascending: true)]
            let sorted = try context.fetch(request)
            #expect(sorted.map(\.name) == ["a", "b"])
            request.predicate = NSPredicate(#Predicate<Author> { $0.name == "b" && $0.count == nil })
            let found = try context.fetch(request)
            #expect(found.map(\.name) == ["b"])
            #expect(NSSortDescriptor(keyPath: \Novelist.rival?.genre, ascending: true).key == "rival.genre")
            #expect((\Novelist.rival?.genre)._kvcKeyPathString == "rival.genre" && (\Book.title)._kvcKeyPathString == "title")
            #expect((\Author.objectID)._kvcKeyPathString == "objectID" && (\Novelist.rival?.objectID)._kvcKeyPathString == "rival.objectID")
            #expect((\Book.isRecord)._kvcKeyPathString == nil && (\String.count)._kvcKeyPathString == nil)
        }
    }

    @Test("Enumerations and option sets are kept by their raw values; what is none reads as the default")
    func rawValues() throws {
        let context = try context()
        context.performAndWait {
            let book = Book(context: context)
            #expect(book.kind == .audio && book.flags == [] && book.pages == nil && book.isRecord)
            book.kind = .paper
            book.flags = [.lent, .torn]
            book.pages = 12
            #expect(book.value(forKey: "kind") as? Int == 1 && book.value(forKey: "flags") as? Int == 5 && book.pages == 12)
            book.setValue(99, forKey: "kind")
            #expect(book.kind == .audio)
        }
    }

    @Test("Xcode's types, for an entity that asks for them")
    func xcodeTypes() throws {
        let context = try context()
        try context.performAndWait {
            let shelf = Shelf(context: context), book = Book(context: context), wing = Wing(context: context)
            #expect(shelf.height == nil && shelf.lit == nil && shelf.price == nil)
            shelf.height = 3
            shelf.lit = true
            shelf.price = NSDecimalNumber(string: "1.25")
            shelf.books = NSOrderedSet(array: [book])
            shelf.addToBooks(NSOrderedSet(array: [Book(context: context)]))
            shelf.wings = NSSet(object: wing)
            try context.save()
            context.refreshAllObjects()
            #expect(shelf.height?.intValue == 3 && shelf.lit?.boolValue == true && shelf.price?.stringValue == "1.25")
            #expect((shelf.books?.array as? [Book])?.first === book && shelf.books?.count == 2 && (shelf.wings as? Set<Wing>) == [wing])
            shelf.removeFromBooks(at: NSIndexSet(index: 0))
            shelf.wings = nil
            #expect(shelf.books?.count == 1 && wing.shelf == nil)
        }
    }

    @Test("A class the model says nothing of is the program's")
    func manual() throws {
        let context = try context()
        context.performAndWait {
            let memo = Memo(context: context)
            memo.text = "t"
            #expect(memo.value(forKey: "text") as? String == "t")
        }
    }

    @Test("The model's fetch requests, with a parameter for each variable")
    func templates() throws {
        let context = try context()
        try context.performAndWait {
            let author = Author(context: context), book = Book(context: context)
            author.age = 30
            author.name = "Ada"
            author.addToBooks(book)
            book.title = "One"
            try context.save()
            #expect(try context.fetch(Author.adultsFetchRequest(minimum: 18, start: "A")) == [author])
            #expect(try context.fetch(Author.adultsFetchRequest(minimum: 31, start: "A")).isEmpty)
            #expect(Author.adultsFetchRequest(minimum: 1, start: "").fetchLimit == 10)
            #expect(try context.fetch(Book.booksByFetchRequest(author: author, titles: ["Two"])) == [book])
            #expect(try context.fetch(Book.identifiersFetchRequest()) == [book.objectID])
        }
    }
}

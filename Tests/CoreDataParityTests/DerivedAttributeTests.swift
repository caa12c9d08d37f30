import CoreData
import Testing

@Suite("Derived attributes")
struct DerivedAttributeTests {
    private static func derived(
        _ name: String, _ type: NSAttributeType, _ expression: NSExpression, optional: Bool = true
    ) -> NSDerivedAttributeDescription {
        let attribute = NSDerivedAttributeDescription()
        attribute.name = name
        attribute.attributeType = type
        attribute.derivationExpression = expression
        attribute.isOptional = optional
        return attribute
    }

    /// Authors with articles; `more` joins the author's attributes.
    private static func press(_ more: NSAttributeDescription...) -> NSManagedObjectModel {
        let author = NSEntityDescription("Author", NSAttributeDescription("name", .stringAttributeType))
        let article = NSEntityDescription(
            "Article", NSAttributeDescription("name", .stringAttributeType), NSAttributeDescription("wordCount", .integer64AttributeType))
        relate(author, .many("articles", .cascadeDeleteRule), article, .one("author"))
        author.properties += more
        return model(author, article)
    }

    private static func library() -> NSManagedObjectModel {
        let model = press(
            derived("articleCount", .integer64AttributeType, NSExpression(format: "articles.@count")),
            derived("wordTotal", .integer64AttributeType, NSExpression(format: "articles.wordCount.@sum")),
            derived("searchName", .stringAttributeType, NSExpression(format: "canonical:(name)")),
            derived("stamp", .dateAttributeType, NSExpression(format: "now()")))
        model.entitiesByName["Article"]?.properties += [
            derived("authorName", .stringAttributeType, NSExpression(forKeyPath: "author.name")),
            derived("loudName", .stringAttributeType, NSExpression(format: "uppercase:(name)")),
            derived("quietAuthor", .stringAttributeType, NSExpression(format: "lowercase:(author.name)")),
        ]
        return model
    }

    private func write(_ context: NSManagedObjectContext) -> NSManagedObject {
        let author = context.make("Author", ["name": "Héllo"])
        context.make("Article", ["name": "Straße", "wordCount": 100, "author": author])
        context.make("Article", ["name": "b", "wordCount": 11, "author": author])
        return author
    }

    @Test("TY16: Derived values are nil before the first save and there after it, in objects, predicates and sorts")
    func values() throws {
        let stack = try Stack(Self.library())
        let start = Date()
        try stack.run { context in
            let author = write(context)
            for key in ["articleCount", "wordTotal", "searchName", "stamp"] { #expect(author.value(forKey: key) == nil) }
            try context.save()
            context.refresh(author, mergeChanges: true)
            #expect(author.number("articleCount") == 2)
            #expect(author.number("wordTotal") == 111)
            #expect(author.text("searchName") == "hello")
            let stamp = try #require(author.value(forKey: "stamp") as? Date)
            #expect(stamp >= start.addingTimeInterval(-1) && stamp <= Date().addingTimeInterval(1))
            let article = try context.named("Straße", "Article")
            context.refresh(article, mergeChanges: false)
            #expect(article.text("authorName") == "Héllo")
            #expect(article.text("loudName") == "STRASSE")
            #expect(article.text("quietAuthor") == "héllo")
        }
        try stack.reopened().run { context in
            context.make("Author", ["name": "Zoe"])
            try context.save()
            #expect(try context.names("Author", NSPredicate(format: "articleCount == 2")) == ["Héllo"])
            #expect(try context.names("Author", NSPredicate(format: "articleCount == 0 AND wordTotal == 0")) == ["Zoe"])
            #expect(try context.names("Author", NSPredicate(format: "searchName BEGINSWITH 'hel'")) == ["Héllo"])
            #expect(try context.all("Author", by: "articleCount").map { $0.text("name") } == ["Zoe", "Héllo"])
            #expect(try context.names("Article", NSPredicate(format: "authorName == 'Héllo'")) == ["Straße", "b"])
        }
    }

    @Test("TY16: Later saves keep them: new members, moved ones, deleted ones, edited values")
    func upkeep() throws {
        let stack = try Stack(Self.library())
        try stack.run { context in
            let author = write(context)
            try context.save()
            let other = context.make("Author", ["name": "Other"])
            let article = try context.named("b", "Article")
            article.setValue(other, forKey: "author")
            article.setValue(20, forKey: "wordCount")
            try context.save()
            author.setValue("ÉMILE", forKey: "name")
            context.make("Article", ["name": "c", "wordCount": 5, "author": author])
            try context.save()
            context.refreshAllObjects()
            #expect([author, other].map { $0.number("articleCount") } == [2, 1])
            #expect([author, other].map { $0.number("wordTotal") } == [105, 20])
            #expect(author.text("searchName") == "emile")
            #expect(try context.named("Straße", "Article").text("authorName") == "ÉMILE")
            #expect(try context.named("Straße", "Article").text("quietAuthor") == "émile")
            #expect(article.text("authorName") == "Other")
            context.delete(article)
            article.setValue(nil, forKey: "author")
            try context.save()
            context.refreshAllObjects()
            #expect(other.number("articleCount") == 0)
            #expect(other.number("wordTotal") == 0)
        }
    }

    @Test("TY16: Another context's object that nobody edited shows the new sum after a refresh, and saves without a conflict")
    func beside() throws {
        let stack = try Stack(Self.library())
        try stack.run { _ = write($0); try $0.save() }
        let second = stack.newContext()
        let author = try second.run { try $0.only("Author") }
        try second.run { _ in try #require(author.number("wordTotal") == 111) }
        try stack.run { context in
            try context.named("b", "Article").setValue(12, forKey: "wordCount")
            try context.save()
        }
        try second.run { context in
            author.setValue("Changed", forKey: "name")
            try context.save()
            context.refresh(author, mergeChanges: true)
            #expect(author.number("wordTotal") == 112)
        }
    }

    @Test("A value set by code is not kept: the derivation's is")
    func setByCode() throws {
        let stack = try Stack(Self.library())
        try stack.run { context in
            let author = write(context)
            author.setValue(99, forKey: "articleCount")
            try context.save()
            context.refresh(author, mergeChanges: true)
            #expect(author.number("articleCount") == 2)
            author.setValue(98, forKey: "articleCount")
            try context.save()
            context.refresh(author, mergeChanges: true)
            #expect(author.number("articleCount") == 2)
        }
        try stack.reopened().run { try #require(try $0.only("Author").number("articleCount") == 2) }
    }

    @Test("TY17: A store in memory refuses a model with a derived attribute")
    func inMemory() throws {
        let error = try failure { _ = try Stack(Self.library(), .memory) }
        #expect(error.isCocoa && error.localizedDescription.contains("derived"))
    }

    @Test("TY18: Expressions that are no derivations are refused when the store is added", arguments: [
        "articles.@sum.wordCount", "articles.@avg.wordCount", "articles.wordCount.@avg", "articles.wordCount.@max", "articles.wordCount",
        "articles.nonsense.@sum", "nonsense", "author.name", "name.@count", "1 + 2", "length:(name)", "canonical:(articles)", "articles",
        "articles.name.@sum", "@count", "articles.author.articles.@count", "name", "now()", "canonical:(nonsense)",
    ])
    func refusals(format: String) throws {
        let model = Self.press(Self.derived("broken", .integer64AttributeType, NSExpression(format: format)))
        let folder = try TemporaryFolder()
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        let url = folder.url.appendingPathComponent("Store.sqlite")
        let error = try failure { _ = try coordinator.addPersistentStore(ofType: NSSQLiteStoreType, configurationName: nil, at: url, options: nil) }
        #expect(error.isCocoa)
        #expect(error.localizedDescription.contains("Author.broken"))
        #expect(coordinator.persistentStores.isEmpty)
        #expect(!FileManager.default.fileExists(atPath: url.path))
    }

    @Test("VA27: A required derived attribute has no value before the first save, which fails with 1570")
    func required() throws {
        let stack = try Stack(Self.press(
            Self.derived("articleCount", .integer64AttributeType, NSExpression(format: "articles.@count"), optional: false)))
        try stack.run { context in
            let author = context.make("Author", ["name": "a"])
            let error = try failure { try context.save() }
            #expect(error.code == NSValidationMissingMandatoryPropertyError && error.key == "articleCount")
            author.setValue(0, forKey: "articleCount")
            context.make("Article", ["author": author])
            try context.save()
            context.refresh(author, mergeChanges: false)
            #expect(author.number("articleCount") == 1)
        }
    }
}

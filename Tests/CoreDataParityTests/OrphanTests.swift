import CoreData
import Testing

/// Objects made with `insertInto: nil`, and what they are to one another.
@Suite("Objects without a context")
struct OrphanTests {
    private func orphan(_ entity: String, _ name: String, _ model: NSManagedObjectModel) throws -> NSManagedObject {
        let object = NSManagedObject(entity: try #require(model.entitiesByName[entity]), insertInto: nil)
        object.setValue(name, forKey: "name")
        return object
    }

    @Test("A to-one and its to-many inverse hold without a context, move and end there, and are inserted with either side",
          arguments: StoreKind.allCases)
    func toOne(kind: StoreKind) throws {
        let model = Models.office(), stack = try Stack(model, kind)
        try stack.run { context in
            let work = try orphan("Department", "work", model), play = try orphan("Department", "play", model)
            let ann = try orphan("Employee", "Ann", model), bob = try orphan("Employee", "Bob", model)
            ann.setValue(work, forKey: "dept")
            work.mutableSetValue(forKey: "employees").add(bob)
            #expect(ann.one("dept") === work && bob.one("dept") === work)
            #expect(work.many("employees") == [ann, bob])
            bob.setValue(play, forKey: "dept")
            #expect(work.many("employees") == [ann] && play.many("employees") == [bob])
            #expect(bob.value(forKeyPath: "dept.name") as? String == "play")
            #expect(NSPredicate(format: "dept.name == 'work' AND ANY dept.employees.name == 'Ann'").evaluate(with: ann))
            bob.setValue(nil, forKey: "dept")
            #expect(play.many("employees") == [] && bob.one("dept") == nil)
            #expect(context.registeredObjects.isEmpty && ann.managedObjectContext == nil)

            context.insert(work)
            #expect(context.insertedObjects == [work, ann])
            #expect(ann.one("dept") === work && work.many("employees") == [ann] && ann.managedObjectContext === context)
            #expect(bob.managedObjectContext == nil)
            try context.save()
        }
        try stack.reopened().run { context in
            let work = try context.only("Department")
            #expect(work.texts("employees", "name") == ["Ann"])
        }
    }

    @Test("A graph of them is inserted whole by connecting one of them to an inserted object", arguments: StoreKind.allCases)
    func connected(kind: StoreKind) throws {
        let model = Models.chain(), stack = try Stack(model, kind)
        try stack.run { context in
            let a = context.make("A", ["name": "a"])
            let b = try orphan("B", "b", model)
            let cs = try ["c1", "c2"].map { try orphan("C", $0, model) }
            b.setValue(NSSet(array: cs), forKey: "cs")
            #expect(cs[0].one("b") === b)
            a.setValue(NSSet(object: b), forKey: "bs")
            #expect(context.insertedObjects == Set([a, b] + cs))
            #expect(b.one("a") === a && b.many("cs") == Set(cs) && cs[1].value(forKeyPath: "b.a.name") as? String == "a")
            try context.save()
            #expect(cs[0].one("b") === b && !cs[0].objectID.isTemporaryID)
        }
        try stack.reopened().run { context in
            let c = try context.named("c2", "C")
            #expect(c.value(forKeyPath: "b.a.name") as? String == "a")
            #expect(try context.only("B").texts("cs", "name") == ["c1", "c2"])
        }
    }

    @Test("An ordered to-many keeps its order without a context and after the save", arguments: StoreKind.allCases)
    func ordered(kind: StoreKind) throws {
        let model = Models.ordered(), stack = try Stack(model, kind)
        try stack.run { context in
            let playlist = try orphan("Playlist", "mine", model)
            let songs = try ["a", "b", "c"].map { try orphan("Song", $0, model) }
            playlist.mutableOrderedSetValue(forKey: "songs").addObjects(from: songs)
            playlist.mutableOrderedSetValue(forKey: "songs").moveObjects(at: IndexSet(integer: 2), to: 0)
            #expect(playlist.ordered("songs", "name") == ["c", "a", "b"] && songs[1].one("playlist") === playlist)
            songs[0].setValue(nil, forKey: "playlist")
            #expect(playlist.ordered("songs", "name") == ["c", "b"])
            context.insert(songs[1])
            #expect(context.insertedObjects == [playlist, songs[1], songs[2]])
            #expect(playlist.ordered("songs", "name") == ["c", "b"])
            try context.save()
        }
        try stack.reopened().run { context in
            let playlist = try context.only("Playlist")
            #expect(playlist.ordered("songs", "name") == ["c", "b"])
        }
    }

    @Test("Many-to-many, one-to-one and a circle of to-ones hold and are saved", arguments: StoreKind.allCases)
    func shapes(kind: StoreKind) throws {
        var model = Models.tagged(), stack = try Stack(model, kind)
        try stack.run { context in
            let items = try ["i", "j"].map { try orphan("Item", $0, model) }, tag = try orphan("Tag", "t", model)
            tag.setValue(NSSet(array: items), forKey: "items")
            items[0].mutableSetValue(forKey: "tags").remove(tag)
            #expect(tag.many("items") == [items[1]] && items[1].many("tags") == [tag] && items[0].many("tags") == [])
            context.insert(tag)
            try context.save()
        }
        try stack.reopened().run { context in
            let item = try context.only("Item")
            #expect(item.text("name") == "j" && item.texts("tags", "name") == ["t"])
        }
        model = Models.couple()
        stack = try Stack(model, kind)
        try stack.run { context in
            let x = try orphan("X", "x", model), ys = try ["y", "z"].map { try orphan("Y", $0, model) }
            x.setValue(ys[0], forKey: "y")
            ys[1].setValue(x, forKey: "x")
            #expect(x.one("y") === ys[1] && ys[0].one("x") == nil)
            context.insert(ys[1])
            #expect(context.insertedObjects == [x, ys[1]])
        }
        model = Models.ring()
        stack = try Stack(model, kind)
        try stack.run { context in
            let nodes = try ["a", "b", "c"].map { try orphan("Node", $0, model) }
            for (index, node) in nodes.enumerated() { node.setValue(nodes[(index + 1) % 3], forKey: "next") }
            #expect(nodes[0].one("previous") === nodes[2])
            context.insert(nodes[1])
            try context.save()
            #expect(nodes[0].value(forKeyPath: "next.next.next.name") as? String == "a")
        }
        try stack.reopened().run { context in
            let b = try context.named("b", "Node")
            #expect(b.value(forKeyPath: "previous.previous.name") as? String == "c")
        }
    }

    @Test("What names another without inverse is not inserted with it, and still reaches it", arguments: StoreKind.allCases)
    func oneWay(kind: StoreKind) throws {
        let note = NSEntityDescription("Note", NSAttributeDescription("name", .stringAttributeType))
        let page = NSEntityDescription("Page", NSAttributeDescription("name", .stringAttributeType))
        note.properties += [End.one("page").property(to: page), End.many("pages", ordered: true).property(to: page)]
        let model = model(note, page), stack = try Stack(model, kind)
        try stack.run { context in
            let note = try orphan("Note", "n", model), pages = try ["p", "q"].map { try orphan("Page", $0, model) }
            note.setValue(pages[0], forKey: "page")
            note.setValue(NSOrderedSet(array: [pages[1], pages[0]]), forKey: "pages")
            context.insert(pages[0])
            try context.save()
            #expect(note.managedObjectContext == nil && pages[1].managedObjectContext == nil)
            #expect(note.one("page") === pages[0] && note.ordered("pages", "name") == ["q", "p"])
            context.insert(note)
            #expect(context.insertedObjects == [note, pages[1]])
            #expect(note.one("page") === pages[0] && note.ordered("pages", "name") == ["q", "p"])
            try context.save()
        }
        try stack.reopened().run { context in
            let note = try context.only("Note")
            #expect(note.one("page")?.text("name") == "p" && note.ordered("pages", "name") == ["q", "p"])
        }
    }

    @Test("Their IDs are temporary, differ, and stay what they are when they are inserted", arguments: StoreKind.allCases)
    func identity(kind: StoreKind) throws {
        let model = Models.couple(), stack = try Stack(model, kind)
        try stack.run { context in
            let x = try orphan("X", "x", model), other = try orphan("X", "x2", model), y = try orphan("Y", "y", model)
            #expect(x.objectID != other.objectID && x.objectID.isTemporaryID && x.objectID == x.objectID)
            x.setValue(y, forKey: "y")
            #expect(x.objectIDs(forRelationshipNamed: "y") == [y.objectID] && !x.hasFault(forRelationshipNamed: "y"))
            let before = x.objectID
            context.insert(x)
            #expect(x.objectID == before && context.registeredObject(for: before) === x)
            try context.save()
            #expect(!x.objectID.isTemporaryID && x.one("y") === y)
        }
    }

    @Test("Undo of their insertion takes all of them out, redo brings them back connected", arguments: StoreKind.allCases)
    func undone(kind: StoreKind) throws {
        let model = Models.office(), stack = try Stack(model, kind)
        try stack.run { context in
            context.undoManager = UndoManager()
            let work = try orphan("Department", "work", model), ann = try orphan("Employee", "Ann", model)
            ann.setValue(work, forKey: "dept")
            context.insert(ann)
            context.processPendingChanges()
            context.undo()
            #expect(context.insertedObjects.isEmpty)
            context.redo()
            #expect(context.insertedObjects == [work, ann])
            #expect(ann.one("dept") === work && work.many("employees") == [ann])
            try context.save()
        }
        try stack.reopened().run { context in
            let work = try context.only("Department")
            #expect(work.texts("employees", "name") == ["Ann"])
        }
    }

    @Test("A set of some with and some without a context joins the context whole", arguments: StoreKind.allCases)
    func mixed(kind: StoreKind) throws {
        let model = Models.office(), stack = try Stack(model, kind)
        try stack.run { context in
            let work = try orphan("Department", "work", model), ann = try orphan("Employee", "Ann", model)
            let bob = context.make("Employee", ["name": "Bob"]), cid = try orphan("Employee", "Cid", model)
            work.setValue(NSSet(array: [ann, bob, cid]), forKey: "employees")
            #expect(context.insertedObjects == [work, ann, bob, cid])
            #expect(work.many("employees") == [ann, bob, cid] && ann.one("dept") === work && bob.one("dept") === work)
        }
    }

    @Test("An object that was inserted, rolled back and inserted again agrees with what it is connected to", arguments: StoreKind.allCases)
    func again(kind: StoreKind) throws {
        let stack = try Stack(Models.office(), kind)
        try stack.run { context in
            let work = context.make("Department", ["name": "work"])
            try context.save()
            let ann = context.make("Employee", ["name": "Ann", "dept": work])
            context.rollback()
            #expect(ann.managedObjectContext == nil && work.many("employees") == [])
            context.insert(ann)
            #expect((ann.one("dept") === work) == (work.many("employees") == [ann]))
            try context.save()
            #expect(ann.text("name") == "Ann")
        }
    }

    @Test("A graph nobody holds any more is let go of, and one that somebody holds in part stays whole")
    func released() throws {
        let model = Models.couple()
        _ = try Stack(model, .memory)
        struct Weak { weak var object: NSManagedObject? }
        var made: [Weak] = []
        let kept = try orphan("X", "kept", model)
        kept.setValue(try orphan("Y", "partner", model), forKey: "y")
        for number in 0..<2000 {
            let x = try orphan("X", "\(number)", model), y = try orphan("Y", "\(number)", model)
            x.setValue(y, forKey: "y")
            made += [Weak(object: x), Weak(object: y)]
        }
        #expect(made.count { $0.object != nil } < 2000)
        #expect(kept.one("y")?.text("name") == "partner" && kept.one("y")?.one("x") === kept)
    }
}

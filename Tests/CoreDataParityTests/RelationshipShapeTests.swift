import CoreData
import Testing

/// Every shape of relationship, changed from either side, saved, reopened and cut again.
@Suite("Relationship shapes")
struct RelationshipShapeTests {
    /// The end at the left, then the one at the right; nil: no inverse.
    enum Shape: String, CaseIterable, Sendable {
        case oneToOne, oneToMany, manyToOne, manyToMany, oneToOrdered, orderedToOne, orderedToMany, manyToOrdered, orderedToOrdered
        case oneAlone, manyAlone, orderedAlone

        var left: End {
            switch self {
            case .oneToOne, .oneToMany, .oneToOrdered, .oneAlone: .one("there")
            case .manyToOne, .manyToMany, .manyToOrdered, .manyAlone: .many("there")
            case .orderedToOne, .orderedToMany, .orderedToOrdered, .orderedAlone: .many("there", ordered: true)
            }
        }

        var right: End? {
            switch self {
            case .oneToOne, .manyToOne, .orderedToOne: .one("back")
            case .oneToMany, .manyToMany, .orderedToMany: .many("back")
            case .oneToOrdered, .manyToOrdered, .orderedToOrdered: .many("back", ordered: true)
            case .oneAlone, .manyAlone, .orderedAlone: nil
            }
        }

        /// Left > LeftChild and Right > RightChild; with `isSelf` both ends stand in one entity.
        func model(isSelf: Bool) -> NSManagedObjectModel {
            let left = NSEntityDescription("Left", NSAttributeDescription("name", .stringAttributeType))
            let leftChild = NSEntityDescription("LeftChild")
            left.subentities = [leftChild]
            let right = isSelf ? left : NSEntityDescription("Right", NSAttributeDescription("name", .stringAttributeType))
            let rightChild = NSEntityDescription("RightChild")
            if isSelf { left.subentities = [leftChild, rightChild] } else { right.subentities = [rightChild] }
            let there = self.left.property(to: right)
            left.properties += [there]
            if let end = self.right {
                let back = end.property(to: left)
                there.inverseRelationship = back
                back.inverseRelationship = there
                right.properties += [back]
            }
            return isSelf
                ? CoreDataParityTests.model(left, leftChild, rightChild) : CoreDataParityTests.model(left, leftChild, right, rightChild)
        }
    }

    /// What a relationship holds, by name, whatever its kind; in order when it is ordered.
    private func names(_ object: NSManagedObject, _ key: String) -> [String] {
        switch object.value(forKey: key) {
        case let one as NSManagedObject: [one.text("name") ?? ""]
        case let set as NSOrderedSet: set.array.compactMap { ($0 as? NSManagedObject)?.text("name") }
        default: object.texts(key, "name")
        }
    }

    private func set(_ object: NSManagedObject, _ end: End, _ key: String, _ members: [NSManagedObject]) {
        if !end.isToMany {
            object.setValue(members.first, forKey: key)
        } else if end.isOrdered {
            object.setValue(NSOrderedSet(array: members), forKey: key)
        } else {
            object.setValue(NSSet(array: members), forKey: key)
        }
    }

    @Test("RE01 RE02 RE05 RE07: Both ends agree in memory and after reopening, of subentities too", arguments: StoreKind.allCases, Shape.allCases)
    func bothEnds(kind: StoreKind, shape: Shape) throws {
        for isSelf in [false, true] {
            let rightEntity = isSelf ? "Left" : "Right"
            let stack = try Stack(shape.model(isSelf: isSelf), kind)
            try stack.run { context in
                let l1 = context.make("Left", ["name": "l1"]), l2 = context.make("LeftChild", ["name": "l2"])
                let r1 = context.make(rightEntity, ["name": "r1"]), r2 = context.make("RightChild", ["name": "r2"])
                set(l1, shape.left, "there", shape.left.isToMany ? [r2, r1] : [r1])
                if let right = shape.right {
                    #expect(names(r1, "back") == ["l1"], "\(shape)")
                    // From the other side: r2 comes to l2.
                    set(r2, right, "back", right.isToMany && shape.left.isToMany ? [l2, l1] : [l2])
                    #expect(names(l2, "there") == ["r2"], "\(shape)")
                } else {
                    // Apple’s SQLite stores keep a to-many without inverse in its destination: one owner each.
                    if shape.left.isToMany { set(l1, shape.left, "there", [r1]) }
                    set(l2, shape.left, "there", [r2])
                }
                try context.save()
            }
            let manyMany = shape.left.isToMany && shape.right?.isToMany == true
            let l1There = manyMany ? ["r2", "r1"] : ["r1"]
            let again = try stack.reopened()
            try again.run { context in
                let l1 = try context.named("l1", "Left"), l2 = try context.named("l2", "Left")
                let r1 = try context.named("r1", rightEntity), r2 = try context.named("r2", rightEntity)
                #expect(names(l1, "there") == (shape.left.isOrdered ? l1There : l1There.sorted()), "\(shape) \(isSelf)")
                #expect(names(l2, "there") == ["r2"], "\(shape) \(isSelf)")
                #expect(r2.entity.name == "RightChild" && l2.entity.name == "LeftChild")
                if let right = shape.right {
                    #expect(names(r1, "back") == ["l1"], "\(shape) \(isSelf)")
                    let back = manyMany ? (right.isOrdered ? ["l2", "l1"] : ["l1", "l2"]) : ["l2"]
                    #expect(names(r2, "back") == back, "\(shape) \(isSelf)")
                }
                // Deleting a destination takes it out of everything that has an inverse.
                if shape.right != nil {
                    context.delete(r1)
                    context.processPendingChanges()
                    #expect(names(l1, "there") == l1There.filter { $0 != "r1" }, "\(shape) \(isSelf)")
                } else {
                    set(l1, shape.left, "there", [])
                }
                try context.save()
            }
            try again.reopened().run { context in
                let l1 = try context.named("l1", "Left")
                #expect(names(l1, "there") == (shape.right == nil ? [] : l1There.filter { $0 != "r1" }), "\(shape) \(isSelf)")
            }
        }
    }

    @Test("RE07: A relationship that is its own inverse links both ways", arguments: StoreKind.allCases, [true, false])
    func ownInverse(kind: StoreKind, isToMany: Bool) throws {
        let person = NSEntityDescription("Person", NSAttributeDescription("name", .stringAttributeType))
        let friends = (isToMany ? End.many("friends") : End.one("friends")).property(to: person)
        friends.inverseRelationship = friends
        person.properties += [friends]
        let stack = try Stack(model(person), kind)
        try stack.run { context in
            let people = ["a", "b", "c"].map { context.make("Person", ["name": $0]) }
            if isToMany {
                people[0].mutableSetValue(forKey: "friends").addObjects(from: [people[1], people[2]])
                #expect(people[1].texts("friends", "name") == ["a"])
            } else {
                people[0].setValue(people[1], forKey: "friends")
                #expect(people[1].one("friends") === people[0])
                people[2].setValue(people[1], forKey: "friends")
                #expect(people[0].one("friends") == nil && people[1].one("friends") === people[2])
            }
            try context.save()
        }
        let second = try stack.reopened()
        try second.run { context in
            let (a, b, c) = (try context.named("a", "Person"), try context.named("b", "Person"), try context.named("c", "Person"))
            if isToMany {
                #expect(a.texts("friends", "name") == ["b", "c"])
                #expect(b.texts("friends", "name") == ["a"] && c.texts("friends", "name") == ["a"])
                b.mutableSetValue(forKey: "friends").remove(a)
                #expect(a.texts("friends", "name") == ["c"])
                context.delete(c)
                try context.save()
                #expect(a.many("friends").isEmpty)
            } else {
                #expect(b.one("friends") === c && c.one("friends") === b && a.one("friends") == nil)
            }
        }
        if isToMany { try second.reopened().run { try #require(try $0.all("Person").map { $0.many("friends").count } == [0, 0]) } }
    }

    @Test("RE01 RE03: Several relationships between the same two entities keep apart", arguments: StoreKind.allCases)
    func severalBetweenTwo(kind: StoreKind) throws {
        let team = NSEntityDescription("Team", NSAttributeDescription("name", .stringAttributeType))
        let match = NSEntityDescription("Match", NSAttributeDescription("name", .stringAttributeType))
        relate(team, .many("home"), match, .one("host"))
        relate(team, .many("away"), match, .one("guest"))
        relate(team, .many("cups", ordered: true), match, .many("holders"))
        let stack = try Stack(model(team, match), kind)
        try stack.seed { context in
            let (x, y) = (context.make("Team", ["name": "x"]), context.make("Team", ["name": "y"]))
            let match = context.make("Match", ["name": "m", "host": x, "guest": y, "holders": NSSet(array: [x, y])])
            #expect(x.many("home") == [match] && x.many("away").isEmpty && x.many("cups") == [match])
            match.setValue(y, forKey: "host")
            #expect(x.many("home").isEmpty && y.many("home") == [match] && y.many("away") == [match])
        }
        try stack.reopened().run { context in
            let (x, y) = (try context.named("x", "Team"), try context.named("y", "Team"))
            try #require(x.many("home").isEmpty && x.many("away").isEmpty && x.many("cups").count == 1)
            try #require(y.many("home").count == 1 && y.many("away").count == 1 && y.many("cups").count == 1)
        }
    }

    @Test("RE02: A mutable set takes everything a set does, loaded or not", arguments: StoreKind.allCases)
    func mutableSet(kind: StoreKind) throws {
        let stack = try Stack(Models.tagged(), kind)
        try stack.seed { context in
            for name in ["a", "b", "c", "d"] { context.make("Tag", ["name": name]) }
            context.make("Item", ["name": "pen", "tags": NSSet(array: try context.all("Tag").prefix(2).map { $0 })])
        }
        try stack.run { context in
            let pen = try context.only("Item"), tags = try context.all("Tag")
            let set = pen.mutableSetValue(forKey: "tags")
            set.add(tags[2])
            #expect(pen.texts("tags", "name") == ["a", "b", "c"] && set.count == 3 && set.contains(tags[0]))
            set.minus([tags[0]])
            #expect(pen.texts("tags", "name") == ["b", "c"] && tags[0].many("items").isEmpty)
            set.union([tags[3]])
            #expect(pen.texts("tags", "name") == ["b", "c", "d"] && tags[3].many("items") == [pen])
            set.intersect([tags[1], tags[3]])
            #expect(pen.texts("tags", "name") == ["b", "d"])
            set.setSet([tags[0]])
            #expect(pen.texts("tags", "name") == ["a"])
            set.removeAllObjects()
            #expect(set.count == 0 && tags.allSatisfy { $0.many("items").isEmpty })
            set.addObjects(from: [tags[1]])
            // What was got before is a copy; the proxy follows the relationship.
            let copy = pen.value(forKey: "tags") as? NSSet
            tags[1].mutableSetValue(forKey: "items").remove(pen)
            #expect(copy?.count == 1 && set.count == 0)
            try context.save()
        }
        try stack.reopened().run { try #require(try $0.only("Item").many("tags").isEmpty) }
    }

    @Test("RE12 RE13: A mutable ordered set takes everything an ordered set does", arguments: StoreKind.allCases)
    func mutableOrderedSet(kind: StoreKind) throws {
        let stack = try Stack(Models.ordered(), kind)
        try stack.seed { context in
            let songs = ["a", "b", "c", "d"].map { context.make("Song", ["name": $0]) }
            context.make("Playlist", ["name": "p", "songs": NSOrderedSet(array: Array(songs.prefix(3)))])
            context.make("Playlist", ["name": "q", "songs": NSOrderedSet(array: [songs[3]])])
        }
        let expected = ["d", "a", "c"]
        try stack.run { context in
            let (p, q) = (try context.named("p", "Playlist"), try context.named("q", "Playlist"))
            let songs = p.mutableOrderedSetValue(forKey: "songs"), d = try context.named("d", "Song")
            songs.exchangeObject(at: 0, withObjectAt: 2)
            #expect(p.ordered("songs", "name") == ["c", "b", "a"])
            songs.insert(d, at: 1)
            #expect(p.ordered("songs", "name") == ["c", "d", "b", "a"] && q.ordered("songs", "name").isEmpty && d.one("playlist") === p)
            songs.removeObject(at: 2)
            songs.sort { left, right in
                ((left as? NSManagedObject)?.text("name") ?? "").compare((right as? NSManagedObject)?.text("name") ?? "")
            }
            #expect(p.ordered("songs", "name") == ["a", "c", "d"])
            songs.moveObjects(at: IndexSet(integer: 2), to: 0)
            songs.replaceObject(at: 1, with: songs.object(at: 1))
            #expect(p.ordered("songs", "name") == expected)
            #expect(try context.named("b", "Song").one("playlist") == nil)
            try context.save()
        }
        let second = try stack.reopened()
        try second.run { context in
            let p = try context.named("p", "Playlist"), b = try context.named("b", "Song")
            #expect(p.ordered("songs", "name") == expected)
            // From the to-one side: at the end; the to-many was a fault.
            context.refresh(p, mergeChanges: false)
            b.setValue(p, forKey: "playlist")
            try context.named("d", "Song").setValue(try context.named("q", "Playlist"), forKey: "playlist")
            #expect(p.ordered("songs", "name") == ["a", "c", "b"])
            try context.save()
        }
        try second.reopened().run { try #require(try $0.named("p", "Playlist").ordered("songs", "name") == ["a", "c", "b"]) }
    }

    @Test("RE02: A proxy or set of an object refuses what is no object of the destination")
    func wrongMember() async {
        let exit = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try Stack(Models.office()).run { context in
                context.make("Department").setValue(NSSet(object: context.make("Department")), forKey: "employees")
            }
        }
        #expect(exit.raised("Unacceptable type of value for to-many relationship"))
        let strange = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try Stack(Models.office()).run { $0.make("Department").setValue(NSSet(object: "text"), forKey: "employees") }
        }
        #expect(strange.raised("NSInvalidArgumentException"))
    }

    @Test("RE08 RE09: An object inserted in a child and related there to a parent's object", arguments: StoreKind.allCases, [true, false])
    func nested(kind: StoreKind, isOrdered: Bool) throws {
        let owner = NSEntityDescription("Owner", NSAttributeDescription("name", .stringAttributeType))
        let thing = NSEntityDescription("Thing", NSAttributeDescription("name", .stringAttributeType))
        relate(owner, .many("things", ordered: isOrdered), thing, .one("owner"))
        let stack = try Stack(model(owner, thing), kind)
        try stack.seed { context in
            context.make("Thing", ["name": "old", "owner": context.make("Owner", ["name": "o"])])
        }
        let child = stack.newChild(of: stack.context), grandchild = stack.newChild(of: child)
        try grandchild.run { context in
            let owner = try context.only("Owner")
            context.make("Thing", ["name": "new", "owner": owner])
            #expect(names(owner, "things") == (isOrdered ? ["old", "new"] : ["new", "old"]))
            try context.save()
        }
        try child.run { context in
            let owner = try context.only("Owner")
            #expect(names(owner, "things") == (isOrdered ? ["old", "new"] : ["new", "old"]))
            try context.named("old", "Thing").setValue(nil, forKey: "owner")
            try context.save()
        }
        try stack.run { context in
            let owner = try context.only("Owner")
            #expect(names(owner, "things") == ["new"])
            try context.save()
        }
        try stack.reopened().run { context in
            let owner = try context.only("Owner")
            try #require(names(owner, "things") == ["new"])
            try #require(try context.named("old", "Thing").one("owner") == nil)
        }
        try grandchild.run { context in
            context.refreshAllObjects()
            let owner = try context.only("Owner")
            #expect(names(owner, "things") == ["new"])
        }
    }

    @Test("RE15: A fetched property gives an array in the request's order and takes FETCHED_PROPERTY's userInfo", arguments: StoreKind.allCases)
    func fetchedProperty(kind: StoreKind) throws {
        let person = NSEntityDescription("Person", NSAttributeDescription("name", .stringAttributeType))
        let letter = NSEntityDescription("Letter", NSAttributeDescription("name", .stringAttributeType), NSAttributeDescription("kind", .stringAttributeType))
        let request = NSFetchRequest<NSFetchRequestResult>()
        request.entity = letter
        request.predicate = NSPredicate(format: "kind == $FETCHED_PROPERTY.userInfo.kind AND name BEGINSWITH $FETCH_SOURCE.name")
        request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: false)]
        let letters = NSFetchedPropertyDescription()
        letters.name = "letters"
        letters.fetchRequest = request
        letters.userInfo = ["kind": "bill"]
        person.properties += [letters]
        let stack = try Stack(model(person, letter), kind)
        try stack.seed { context in
            context.make("Person", ["name": "A"])
            for (name, kind) in [("A1", "bill"), ("A2", "bill"), ("A3", "love"), ("B1", "bill")] { context.make("Letter", ["name": name, "kind": kind]) }
        }
        try stack.run { context in
            let person = try context.only("Person")
            let found = try #require(person.value(forKey: "letters") as? [NSManagedObject])
            #expect(found.map { $0.text("name") } == ["A2", "A1"])
            #expect(!person.hasChanges && !context.hasChanges)
        }
    }
}

import CoreData
import Testing

/// Relationships of an object that was refreshed without its changes while the other side has not been saved.
@Suite("Refreshing while the other side is changed")
struct RefreshedRelationshipTests {
    @Test("Many-to-many: what was taken out or added is so for both sides, before and after the save",
          arguments: StoreKind.allCases, ["Item", "Tag"])
    func manyToMany(kind: StoreKind, refreshed: String) throws {
        let stack = try Stack(Models.tagged(), kind)
        try stack.run { context in
            let item = context.make("Item", ["name": "i"]), old = context.make("Tag", ["name": "old"]), new = context.make("Tag", ["name": "new"])
            item.setValue(NSSet(object: old), forKey: "tags")
            try context.save()
            item.setValue(NSSet(object: new), forKey: "tags")
            item.setValue("changed", forKey: "name")
            for object in refreshed == "Item" ? [item] : [old, new] { context.refresh(object, mergeChanges: false) }
            #expect(item.many("tags") == [new] && old.many("items") == [] && new.many("items") == [item])
            #expect(item.text("name") == (refreshed == "Item" ? "i" : "changed"))
            try context.save()
            #expect(item.many("tags") == [new] && old.many("items") == [] && new.many("items") == [item])
            #expect(!context.hasChanges)
        }
        try stack.reopened().run { context in
            let item = try context.only("Item")
            #expect(item.texts("tags", "name") == ["new"])
        }
    }

    @Test("To-many: a member that moved stays where it moved to when either owner is refreshed", arguments: StoreKind.allCases)
    func owners(kind: StoreKind) throws {
        let stack = try Stack(Models.office(), kind)
        try stack.run { context in
            let work = context.make("Department", ["name": "work"]), play = context.make("Department", ["name": "play"])
            let ann = context.make("Employee", ["name": "Ann", "dept": work])
            try context.save()
            ann.setValue(play, forKey: "dept")
            context.refresh(work, mergeChanges: false)
            context.refresh(play, mergeChanges: false)
            #expect(work.many("employees") == [] && play.many("employees") == [ann] && ann.one("dept") === play)
            try context.save()
            #expect(work.many("employees") == [] && play.many("employees") == [ann])
        }
        try stack.reopened().run { context in
            let play = try context.named("play", "Department")
            #expect(play.texts("employees", "name") == ["Ann"])
        }
    }

    @Test("To-one: it goes back to what was saved, and the owners it left and returns to follow", arguments: StoreKind.allCases)
    func member(kind: StoreKind) throws {
        let stack = try Stack(Models.office(), kind)
        try stack.run { context in
            let work = context.make("Department", ["name": "work"]), play = context.make("Department", ["name": "play"])
            let ann = context.make("Employee", ["name": "Ann", "dept": work])
            try context.save()
            ann.setValue(play, forKey: "dept")
            context.refresh(ann, mergeChanges: false)
            #expect(ann.one("dept") === work && work.many("employees") == [ann] && play.many("employees") == [])
            try context.save()
            #expect(ann.one("dept") === work && work.many("employees") == [ann] && play.many("employees") == [])
        }
        try stack.reopened().run { context in
            let work = try context.named("work", "Department")
            #expect(work.texts("employees", "name") == ["Ann"])
        }
    }

    @Test("A to-one to an object that is being deleted stays empty", arguments: StoreKind.allCases)
    func deleted(kind: StoreKind) throws {
        let stack = try Stack(Models.office(), kind)
        try stack.run { context in
            let work = context.make("Department", ["name": "work"])
            let ann = context.make("Employee", ["name": "Ann", "dept": work])
            try context.save()
            context.delete(work)
            context.processPendingChanges()
            context.refresh(ann, mergeChanges: false)
            #expect(ann.one("dept") == nil)
            try context.save()
            #expect(ann.one("dept") == nil)
        }
        try stack.reopened().run { context in
            let ann = try context.only("Employee")
            #expect(ann.one("dept") == nil)
        }
    }

    @Test("A deleted member is gone from a refreshed owner, before and after the save", arguments: StoreKind.allCases)
    func deletedMember(kind: StoreKind) throws {
        let stack = try Stack(Models.tagged(), kind)
        try stack.run { context in
            let tag = context.make("Tag", ["name": "t"]), item = context.make("Item", ["tags": NSSet(object: tag)])
            try context.save()
            context.delete(tag)
            context.processPendingChanges()
            context.refresh(item, mergeChanges: false)
            #expect(item.many("tags") == [])
            try context.save()
            #expect(item.many("tags") == [])
        }
    }

    @Test("A rollback takes away what the other side's change left to an object that was refreshed", arguments: StoreKind.allCases)
    func rolledBack(kind: StoreKind) throws {
        let stack = try Stack(Models.office(), kind)
        try stack.seed { context in
            context.make("Department", ["name": "sales"])
            context.make("Employee", ["name": "a"])
        }
        try stack.run { context in
            let department = try context.only("Department"), person = try context.only("Employee")
            person.setValue(department, forKey: "dept")
            context.refresh(department, mergeChanges: false)
            context.rollback()
            #expect(person.one("dept") == nil)
            #expect(department.texts("employees", "name").isEmpty)
            #expect(!context.hasChanges)
        }
    }
}

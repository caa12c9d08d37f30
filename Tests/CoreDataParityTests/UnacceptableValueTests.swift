import CoreData
import Testing

@Suite("Values a property cannot take")
struct UnacceptableValueTests {
    private static func person() throws -> (NSManagedObject, NSManagedObjectContext) {
        let team = NSEntityDescription("Team", NSAttributeDescription("name", .stringAttributeType))
        let person = NSEntityDescription(
            "Person", NSAttributeDescription("name", .stringAttributeType), NSAttributeDescription("age", .integer16AttributeType),
            NSAttributeDescription("score", .integer64AttributeType))
        relate(person, .many("teams"), team, .many("members"))
        relate(person, .many("ranked", ordered: true), team, .many("rankers"))
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = NSPersistentStoreCoordinator(managedObjectModel: model(person, team))
        return (context.performAndWait { context.make("Person") }, context)
    }

    private static func set(_ value: @autoclosure () -> Any, _ key: String) throws {
        let (person, context) = try person()
        context.performAndWait { person.setValue(value(), forKey: key) }
    }

    @Test("A text for a number names the property and both types")
    func text() async {
        let text = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { try Self.set("forty", "age") }
        #expect(text.raised("NSInvalidArgumentException"))
        #expect(text.raised("Unacceptable type of value for attribute: property = \"age\"; desired type = NSNumber; given type = String"))
        let score = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { try Self.set(Date(), "score") }
        #expect(score.raised("property = \"score\"; desired type = NSNumber; given type = Date"))
    }

    @Test("A member of another entity names the entity that is wanted, and so does what is no object at all")
    func member() async {
        let entity = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let (person, context) = try Self.person()
            context.performAndWait { person.setValue(NSSet(object: person), forKey: "teams") }
        }
        #expect(entity.raised("Unacceptable type of value for to-many relationship: property = \"teams\"; desired type = Team; given type = Person"))
        let text = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { try Self.set(NSSet(object: "red"), "teams") }
        #expect(text.raised("desired type = Team; given type ="))
        let added = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let (person, context) = try Self.person()
            context.performAndWait { person.mutableOrderedSetValue(forKey: "ranked").add(person) }
        }
        #expect(added.raised("for ordered to-many relationship: property = \"ranked\"; desired type = Team; given type = Person"))
    }

    @Test("A to-many takes a set, an ordered one an ordered set, and nothing else")
    func collections() async {
        let array = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { try Self.set(NSArray(), "teams") }
        #expect(array.raised("Unacceptable type of value for to-many relationship: property = \"teams\"; desired type = NSSet; given type = NSArray"))
        let swift = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { try Self.set([NSManagedObject](), "teams") }
        #expect(swift.raised("desired type = NSSet; given type = Array<NSManagedObject>"))
        let ordered = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { try Self.set(NSOrderedSet(), "teams") }
        #expect(ordered.raised("desired type = NSSet; given type = NSOrderedSet"))
        let set = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { try Self.set(NSSet(), "ranked") }
        #expect(set.raised("Unacceptable type of value for ordered to-many relationship: property = \"ranked\"; desired type = NSOrderedSet; given type = NSSet"))
        let list = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { try Self.set(NSArray(), "ranked") }
        #expect(list.raised("desired type = NSOrderedSet; given type = NSArray"))
    }

    @Test("Sets and ordered sets of both kinds, Foundation's and Swift's, go in")
    func accepted() throws {
        let stack = try Stack(Models.ordered(), .memory), tagged = try Stack(Models.tagged(), .memory)
        try stack.run { context in
            let song = context.make("Song", ["name": "a"]), playlist = context.make("Playlist")
            playlist.setValue(NSOrderedSet(object: song), forKey: "songs")
            #expect(playlist.ordered("songs", "name") == ["a"])
            playlist.setValue(NSMutableOrderedSet(), forKey: "songs")
            #expect(song.one("playlist") == nil)
        }
        try tagged.run { context in
            let item = context.make("Item"), tag = context.make("Tag", ["name": "t"])
            for set in [NSSet(object: tag), NSMutableSet(object: tag), [tag] as Set<NSManagedObject>, [tag] as Set<AnyHashable>] as [Any] {
                item.setValue(set, forKey: "tags")
                #expect(item.many("tags") == [tag])
                item.setValue(nil, forKey: "tags")
                #expect(tag.many("items") == [])
            }
        }
    }
}

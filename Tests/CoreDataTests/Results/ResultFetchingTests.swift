import CoreData
import Foundation
import Testing

@Suite("Results: fetching, sections, index titles")
struct ResultFetchingTests {
    @Test("FR01: a request without sort descriptors stops the program and says why")
    func sortDescriptors() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let stack = try RuntimeStack()
            _ = NSFetchedResultsController(
                fetchRequest: NSFetchRequest<NSManagedObject>(entityName: "Employee"), managedObjectContext: stack.context(),
                sectionNameKeyPath: nil, cacheName: nil)
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains("requires a fetch request with sort descriptors"))
    }

    @Test("FR02: before performFetch there are no objects; asking for one stops the program")
    func unfetched() async throws {
        let crew = try Crew([("A", "T", 1)])
        #expect(crew.controller.fetchedObjects == nil && crew.controller.sections == nil)
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = try Crew([]).controller.object(at: IndexPath(row: 0, section: 0))
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains("before -performFetch:"))
    }

    @Test("FR03, FR05: two teams are two sections; index paths lead to objects and back", arguments: bothStores)
    func sections(_ type: String) throws {
        let crew = try Crew.standard(type)
        #expect(crew.contents == "[Engineering: Alice,Bob][Sales: Carol]")
        try crew.context.performAndWait {
            #expect(crew.controller.sections?.map(\.numberOfObjects) == [2, 1])
            #expect(crew.controller.fetchedObjects?.map { $0.value(forKey: "name") as? String } == ["Alice", "Bob", "Carol"])
            let carol = try crew.context.person("Carol")
            #expect(crew.controller.indexPath(forObject: carol) == IndexPath(row: 0, section: 1))
            #expect(crew.controller.object(at: IndexPath(item: 0, section: 1)) === carol)
            let thing = NSEntityDescription.insertNewObject(forEntityName: "Thing", into: crew.context)
            #expect(crew.controller.indexPath(forObject: thing) == nil)
        }
    }

    @Test("FR04: without section key there is exactly one section, also over nothing")
    func oneSection() throws {
        let crew = try Crew([("B", "X", 1), ("A", "Y", 1)], sort: ["name"], section: nil)
        try crew.fetch()
        #expect(crew.contents == "[: A,B]")
        let empty = try Crew([], section: nil)
        try empty.fetch()
        #expect(empty.contents == "[: ]" && empty.controller.fetchedObjects == [])
        let none = try Crew([])
        try none.fetch()
        #expect(none.controller.sections?.count == 0)
    }

    @Test("FR18: objects not sorted by section are refused, with section and reason", arguments: bothStores)
    func outOfOrder(_ type: String) throws {
        let crew = try Crew([("A", "X", 1), ("B", "Y", 1), ("C", "X", 1)], type: type, sort: ["name"])
        let error = try #require(throws: (any Error).self) { try crew.fetch() } as NSError
        #expect(error.domain == NSCocoaErrorDomain && error.code == NSCoreDataError)
        #expect(error.localizedDescription.contains("out of order section name ‘X’"))
        #expect(crew.controller.fetchedObjects == nil)
        try crew.changing { $0.hire("D", "X") }
        #expect(crew.log.lines.isEmpty)
        let single = try Crew([("A", "X", 1), ("C", "X", 1)], sort: ["name"])
        try single.fetch()
        #expect(single.contents == "[X: A,C]")
    }

    @Test("FR19: a section key may be transient, or a key only the class knows", arguments: bothStores)
    func transient(_ type: String) throws {
        let crew = try Crew([("Bo", "x", 1), ("Al", "x", 1), ("Abe", "x", 1)], type: type, sort: ["name"], section: "initial")
        try crew.fetch()
        #expect(crew.contents == "[A: Abe,Al][B: Bo]")
        try #expect(crew.changing { $0.hire("Cy", nil) } == ["section insert C 2", "insert Cy -(2,0)"])
        let shouted = try Crew([("Bo", "x", 1), ("Al", "y", 1)], type: type, section: "shout")
        try shouted.fetch()
        #expect(shouted.contents == "[X: Bo][Y: Al]")
    }

    @Test("A section key that nobody knows is thrown by performFetch, by name")
    func unknownSectionKey() throws {
        for (path, owner) in [("teem", "Person"), ("team.teem.x", "String"), ("nothing.name", "Person")] {
            let crew = try Crew([("A", "X", 1)], section: path)
            let error = try #require(throws: (any Error).self) { try crew.fetch() } as NSError
            #expect(error.localizedDescription.contains("“\(path)”") && error.localizedDescription.contains(owner))
        }
        let plain = try RuntimeStack()
        let context = plain.context()
        let request = NSFetchRequest<NSManagedObject>(entityName: "Nobody")
        request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
        let controller = NSFetchedResultsController(
            fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: nil, cacheName: nil)
        #expect(throws: (any Error).self) { try context.performAndWait { try controller.performFetch() } }
    }

    @Test("… also where there are no objects yet, with the nearest name; keys of subentities, of every object and of the class are known")
    func unknownSectionKeyOfNothing() throws {
        func fetch(_ path: String, of entity: String = "Department", sort: String = "name") throws {
            let context = try RuntimeStack(model: CompanyModel.make()).context()
            let request = NSFetchRequest<NSManagedObject>(entityName: entity)
            request.sortDescriptors = [NSSortDescriptor(key: sort, ascending: true)]
            let controller = NSFetchedResultsController(
                fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: path, cacheName: nil)
            try context.performAndWait { try controller.performFetch() }
            #expect(controller.sections?.isEmpty == true)
        }
        for (path, entity, advice) in [
            ("nam", "Department", "“name”"), ("Name", "Department", "“name”"), ("dept.nam", "Employee", "“name”"), ("nobody", "Employee", "There are: "),
        ] {
            let error = try #require(throws: (any Error).self) { try fetch(path, of: entity) } as NSError
            #expect(error.code == NSCoreDataError && error.localizedDescription.contains("“\(path)”"))
            #expect(error.localizedDescription.contains(advice), "\(error.localizedDescription)")
        }
        for path in ["name", "objectID", "entity.name", "employees.@count", "name.length", "description"] { try fetch(path) }
        let crew = try Crew([], section: "shout")
        try crew.fetch()
        try #expect(crew.changing { $0.hire("A", "x") } == ["section insert X 0", "insert A -(0,0)"])
    }

    @Test("FR20: index titles are the capitalised first letters, each once, and lead to sections")
    func indexTitles() throws {
        let crew = try Crew([("A", "engineering", 1), ("B", "sales", 1), ("C", "support", 1)])
        try crew.fetch()
        #expect(crew.controller.sectionIndexTitles == ["E", "S"])
        #expect(crew.controller.sections?.map(\.indexTitle) == ["E", "S", "S"])
        #expect(crew.controller.section(forSectionIndexTitle: "S", at: 1) == 1)
        #expect(crew.controller.sectionIndexTitle(forSectionName: "ärger") == "Ä")
        let titles = Titles()
        crew.controller.delegate = titles
        #expect(crew.controller.sectionIndexTitles == ["SALES", "SUPPORT"])
        #expect(crew.controller.section(forSectionIndexTitle: "SUPPORT", at: 1) == 2)
    }

    @Test("FR21: a nil section value is a section with an empty name; numbers read as numbers", arguments: bothStores)
    func nilSection(_ type: String) throws {
        let crew = try Crew([("A", nil, 7), ("B", "X", 30), ("C", nil, 7)], type: type)
        try crew.fetch()
        #expect(crew.contents == "[: A,C][X: B]")
        #expect(crew.controller.sections?.first?.indexTitle == nil)
        let byNumber = try Crew([("A", nil, 7), ("B", "X", 30), ("C", nil, 7)], type: type, sort: ["salary", "name"], section: "salary")
        try byNumber.fetch()
        #expect(byNumber.contents == "[7: A,C][30: B]")
    }

    @Test("FR27: a changed request is fetched and grouped anew, whatever the cache's name")
    func caches() throws {
        let crew = try Crew([("A", "X", 1), ("B", "Y", 20)])
        let request = crew.controller.fetchRequest
        let controller = NSFetchedResultsController(
            fetchRequest: request, managedObjectContext: crew.context, sectionNameKeyPath: "team", cacheName: "people")
        #expect(controller.cacheName == "people" && controller.sectionNameKeyPath == "team")
        try crew.context.performAndWait {
            try controller.performFetch()
            #expect(controller.sections?.count == 2)
            request.predicate = NSPredicate(format: "salary > 5")
            NSFetchedResultsController<NSManagedObject>.deleteCache(withName: "people")
            try controller.performFetch()
            #expect(controller.sections?.map(\.name) == ["Y"])
        }
    }

    @Test("Sections under a cache name are asked of each object once, until a row, the store or the section key is another", arguments: bothStores)
    func cachedSections(_ type: String) throws {
        let name = UUID().uuidString
        let crew = try Crew((0..<40).map { ("\($0 < 20 ? "A" : "B")\(10 + $0)", "x", $0) }, type: type)
        func fetch(_ section: String, in stack: RuntimeStack) throws -> String {
            let context = stack.context(), request = NSFetchRequest<NSManagedObject>(entityName: "Person")
            request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
            let controller = NSFetchedResultsController(
                fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: section, cacheName: name)
            return try context.performAndWait {
                let asked = AskedCount()
                try Member.$counting.withValue(asked) { try controller.performFetch() }
                let sections = (controller.sections ?? []).map { "\($0.name):\($0.numberOfObjects)" }
                return sections.joined(separator: " ") + ", asked \(asked.count)"
            }
        }
        #expect(try fetch("initial", in: crew.stack) == "A:20 B:20, asked 40")
        #expect(try fetch("initial", in: crew.stack) == "A:20 B:20, asked 4")
        let other = try Crew((0..<40).map { ("C\(10 + $0)", "x", $0) }, type: type)
        #expect(try fetch("initial", in: other.stack) == "C:40, asked 40")
        #expect(try fetch("initial", in: crew.stack) == "A:20 B:20, asked 40")
        try crew.changing {
            try $0.person("A12").setValue("B00", forKey: "name")
            try $0.save()
        }
        #expect(try fetch("initial", in: crew.stack) == "A:19 B:21, asked 40")
        #expect(try fetch("initial", in: crew.stack) == "A:19 B:21, asked 4")
        NSFetchedResultsController<NSManagedObject>.deleteCache(withName: name)
        #expect(try fetch("initial", in: crew.stack) == "A:19 B:21, asked 40")
    }

    @Test("Results may be object IDs or dictionaries, which are not tracked; another class than the controller's is refused")
    func otherResults() throws {
        let crew = try Crew([("A", "X", 1), ("B", "X", 20)])
        try crew.context.performAndWait {
            let dictionaries = NSFetchRequest<NSDictionary>(entityName: "Person")
            dictionaries.resultType = .dictionaryResultType
            dictionaries.sortDescriptors = [NSSortDescriptor(key: "team", ascending: true), NSSortDescriptor(key: "name", ascending: true)]
            let controller = NSFetchedResultsController(
                fetchRequest: dictionaries, managedObjectContext: crew.context, sectionNameKeyPath: "team", cacheName: nil)
            controller.delegate = crew.log
            try controller.performFetch()
            #expect(controller.fetchedObjects?.compactMap { $0["name"] as? String } == ["A", "B"])
            #expect(controller.sections?.map(\.name) == ["X"])
            dictionaries.resultType = .managedObjectResultType
            let error = try #require(throws: (any Error).self) { try controller.performFetch() }
            #expect(error.localizedDescription.contains("Member"))
        }
    }

    private final class Titles: NSObject, NSFetchedResultsControllerDelegate {
        func controller(
            _ controller: NSFetchedResultsController<NSFetchRequestResult>, sectionIndexTitleForSectionName sectionName: String
        ) -> String? {
            controller.sectionIndexTitle(forSectionName: sectionName) == "E" ? nil : sectionName.uppercased()
        }
    }
}

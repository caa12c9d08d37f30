import CoreData
import Foundation
import Testing

@Suite("API surface: fetching and batches")
struct FetchSurfaceTests {
    private func filled() throws -> (NSPersistentContainer, NSManagedObjectContext) {
        let container = try SurfaceModel.container(), context = container.newBackgroundContext()
        try context.performAndWait {
            for (index, name) in ["Ada", "Bob", "Eve"].enumerated() {
                let person = SurfacePerson(context: context)
                person.name = name
                person.setValue(index * 10, forKey: "age")
            }
            try context.save()
        }
        return (container, context)
    }

    @Test("Requests take all their settings and give all their results")
    func requests() throws {
        let (container, context) = try filled()
        defer { try? SurfaceModel.remove(container) }
        try context.performAndWait {
            let request = NSFetchRequest<SurfacePerson>(entityName: "SurfacePerson")
            request.predicate = NSPredicate(format: "%K >= %d AND name != %@", argumentArray: ["age", 0, "Eve"])
            request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: false), NSSortDescriptor(key: "age", ascending: true)]
            request.fetchLimit = 10
            request.fetchOffset = 0
            request.fetchBatchSize = 20
            request.returnsObjectsAsFaults = false
            request.includesPropertyValues = true
            request.includesSubentities = true
            request.includesPendingChanges = true
            request.shouldRefreshRefetchedObjects = true
            request.relationshipKeyPathsForPrefetching = ["tags", "boss"]
            request.affectedStores = container.persistentStoreCoordinator.persistentStores
            let people = try context.fetch(request), executed = try request.execute(), counted = try context.count(for: request)
            #expect(people.map(\.name) == ["Bob", "Ada"] && counted == 2 && executed.count == 2)
            #expect(request.entityName == "SurfacePerson" && request.resultType == .managedObjectResultType)
            let any = NSFetchRequest<NSFetchRequestResult>()
            any.entity = NSEntityDescription.entity(forEntityName: "SurfacePerson", in: context)
            any.resultType = .managedObjectIDResultType
            let identifiers = try context.fetch(any) as? [NSManagedObjectID]
            #expect(identifiers?.count == 3)
            let grouped = NSFetchRequest<NSDictionary>(entityName: "SurfacePerson"), total = NSExpressionDescription()
            total.name = "total"
            total.expression = NSExpression(forFunction: "sum:", arguments: [NSExpression(forKeyPath: "age")])
            total.expressionResultType = .integer64AttributeType
            grouped.resultType = .dictionaryResultType
            grouped.propertiesToFetch = ["active", total]
            grouped.propertiesToGroupBy = ["active"]
            grouped.havingPredicate = NSPredicate(format: "active == YES")
            grouped.returnsDistinctResults = true
            let totals = try context.fetch(grouped)
            #expect(totals.first?["total"] as? Int == 30)
            let number = NSFetchRequest<NSNumber>(entityName: "SurfacePerson")
            number.resultType = .countResultType
            let numbers = try context.fetch(number)
            #expect(numbers == [3])
        }
    }

    @Test("Predicates, expressions and sort descriptors are built in all forms")
    func predicates() throws {
        let (container, context) = try filled()
        defer { try? SurfaceModel.remove(container) }
        func count(_ predicate: NSPredicate) throws -> Int {
            let request = SurfacePerson.fetchRequest()
            request.predicate = predicate
            return try context.count(for: request)
        }
        func with(_ format: String, _ arguments: CVarArg...) -> NSPredicate { withVaList(arguments) { NSPredicate(format: format, arguments: $0) } }
        try context.performAndWait {
            let ada = NSPredicate(format: "name == %@", "Ada"), young = with("age < %ld", 15)
            #expect(try count(NSCompoundPredicate(andPredicateWithSubpredicates: [ada, young])) == 1)
            #expect(try count(NSCompoundPredicate(orPredicateWithSubpredicates: [ada, young])) == 2)
            #expect(try count(NSCompoundPredicate(notPredicateWithSubpredicate: ada)) == 2)
            #expect(try count(NSCompoundPredicate(type: .and, subpredicates: [ada])) == 1 && count(NSPredicate(value: true)) == 3)
            let comparison = NSComparisonPredicate(
                leftExpression: NSExpression(forKeyPath: "name"), rightExpression: NSExpression(forConstantValue: "ada"), modifier: .direct,
                type: .equalTo, options: .caseInsensitive)
            #expect(try count(comparison) == 1 && comparison.predicateFormat == "name ==[c] \"ada\"")
            #expect(try count(NSPredicate(format: "name IN %@ OR SELF == %@", ["Bob"], NSNull())) == 1)
            #expect(try count(NSPredicate(format: "born == nil AND identifier != %@", UUID() as NSUUID)) == 3)
            #expect(NSPredicate(format: "SELF > 1").evaluate(with: 2) && NSExpression.expressionForEvaluatedObject().expressionType == .evaluatedObject)
            let sorted = try context.fetch(SurfacePerson.fetchRequest()) as? [SurfacePerson] ?? []
            let byName = (sorted as NSArray).sortedArray(using: [NSSortDescriptor(key: "name", ascending: true, selector: NSSelectorFromString("localizedStandardCompare:"))])
            #expect((byName.first as? SurfacePerson)?.name == "Ada")
            #expect(NSSortDescriptor(keyPath: \SurfacePerson.objectID, ascending: true).key == "objectID")
        }
    }

    @Test("Batches of all three kinds, and their results")
    func batches() throws {
        let (container, context) = try filled()
        defer { try? SurfaceModel.remove(container) }
        try context.performAndWait {
            let update = NSBatchUpdateRequest(entityName: "SurfacePerson")
            update.propertiesToUpdate = ["points": 7]
            update.predicate = NSPredicate(format: "age > 5")
            update.resultType = .updatedObjectsCountResultType
            #expect((try context.execute(update) as? NSBatchUpdateResult)?.result as? Int == 2)
            update.resultType = .updatedObjectIDsResultType
            #expect(((try context.execute(update) as? NSBatchUpdateResult)?.result as? [NSManagedObjectID])?.count == 2)
            let entity = SurfaceTag.entity()
            let insert = NSBatchInsertRequest(entity: entity, objects: [["name": "a"], ["name": "b"]])
            insert.resultType = .count
            #expect((try context.execute(insert) as? NSBatchInsertResult)?.result as? Int == 2)
            var left = 1
            let handler = NSBatchInsertRequest(entity: entity, managedObjectHandler: { object in
                object.setValue("c", forKey: "name")
                left -= 1
                return left < 0
            })
            handler.resultType = .objectIDs
            #expect(((try context.execute(handler) as? NSBatchInsertResult)?.result as? [NSManagedObjectID])?.count == 1)
            var more = true
            try context.execute(NSBatchInsertRequest(entity: entity, dictionaryHandler: { dictionary in
                dictionary["name"] = "d"
                defer { more = false }
                return !more
            }))
            let delete = NSBatchDeleteRequest(fetchRequest: NSFetchRequest<NSFetchRequestResult>(entityName: "SurfaceTag"))
            delete.resultType = .resultTypeObjectIDs
            let identifiers = (try context.execute(delete) as? NSBatchDeleteResult)?.result as? [NSManagedObjectID] ?? []
            #expect(identifiers.count == 4)
            let byID = NSBatchDeleteRequest(objectIDs: identifiers)
            byID.resultType = .resultTypeCount
            #expect((try context.execute(byID) as? NSBatchDeleteResult)?.result as? Int == 0)
            byID.resultType = .resultTypeStatusOnly
        }
    }

    @Test("Asynchronous fetches")
    func asynchronous() async throws {
        let (container, context) = try filled()
        defer { try? SurfaceModel.remove(container) }
        let count = await withCheckedContinuation { continuation in
            context.perform {
                let request = NSAsynchronousFetchRequest(fetchRequest: NSFetchRequest<SurfacePerson>(entityName: "SurfacePerson")) { result in
                    continuation.resume(returning: result.finalResult?.count)
                }
                do { try context.execute(request) } catch { continuation.resume(returning: nil) }
            }
        }
        #expect(count == 3)
    }

    @Test("A results controller and its delegate, as lists use them")
    func results() throws {
        let (container, context) = try filled()
        defer { try? SurfaceModel.remove(container) }
        final class List: NSObject, NSFetchedResultsControllerDelegate {
            var told: [String] = []
            func controllerWillChangeContent(_ controller: NSFetchedResultsController<NSFetchRequestResult>) { told.append("will") }
            func controllerDidChangeContent(_ controller: NSFetchedResultsController<NSFetchRequestResult>) { told.append("did") }
            func controller(
                _ controller: NSFetchedResultsController<NSFetchRequestResult>, didChange anObject: Any, at indexPath: IndexPath?,
                for type: NSFetchedResultsChangeType, newIndexPath: IndexPath?
            ) {
                switch type {
                case .insert: told.append("insert \(newIndexPath?.section ?? -1) \(newIndexPath?.row ?? -1)")
                case .delete, .move, .update: told.append("other")
                @unknown default: break
                }
            }
            func controller(
                _ controller: NSFetchedResultsController<NSFetchRequestResult>, didChange sectionInfo: NSFetchedResultsSectionInfo,
                atSectionIndex sectionIndex: Int, for type: NSFetchedResultsChangeType
            ) { told.append("section \(sectionIndex)") }
            func controller(
                _ controller: NSFetchedResultsController<NSFetchRequestResult>, sectionIndexTitleForSectionName sectionName: String
            ) -> String? { sectionName.first.map(String.init) }
        }
        try context.performAndWait {
            let request = NSFetchRequest<SurfacePerson>(entityName: "SurfacePerson")
            request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
            NSFetchedResultsController<SurfacePerson>.deleteCache(withName: nil)
            let controller = NSFetchedResultsController(
                fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: "name", cacheName: nil), list = List()
            controller.delegate = list
            try controller.performFetch()
            #expect(controller.fetchedObjects?.count == 3 && controller.sections?.count == 3 && controller.sectionIndexTitles == ["A", "B", "E"])
            let section = try #require(controller.sections?.first)
            #expect(section.name == "Ada" && section.numberOfObjects == 1 && section.objects?.count == 1 && section.indexTitle == "A")
            let first = controller.object(at: IndexPath(item: 0, section: 0))
            #expect(controller.indexPath(forObject: first) == IndexPath(row: 0, section: 0) && controller.section(forSectionIndexTitle: "B", at: 1) == 1)
            SurfacePerson(context: context).name = "Zoe"
            context.processPendingChanges()
            #expect(list.told == ["will", "section 3", "insert 3 0", "did"])
        }
    }
}

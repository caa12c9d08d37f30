import NLCoreData
import Testing

@Suite struct ResultsControllerTests {
    @Test("controller(with:) works on the main context, does not fetch, and follows it", arguments: StoreKind.allCases)
    func mainContext(_ kind: StoreKind) throws {
        try withOffice(kind) { stack in
            try onMain(stack) {
                let request = NSFetchRequest<Person>(entity: Person.self)
                request.sort(by: \.age)
                request.sort(by: \.name)
                let controller = NSFetchedResultsController.controller(with: request)
                #expect(controller.managedObjectContext === stack.mainContext && controller.sectionNameKeyPath == nil)
                #expect(controller.fetchedObjects == nil && controller.numberOfObjects(inSection: 0) == 0)
                try controller.performFetch()
                #expect(controller.fetchedObjects == [] && controller.sections?.count == 1)
                let list = List()
                controller.delegate = list
                for (name, age) in [("Cleo", 52), ("Ada", 36)] {
                    let person = try Person.insert(in: stack.mainContext)
                    person.name = name
                    person.age = Int64(age)
                }
                stack.mainContext.processPendingChanges()
                #expect(names(controller.fetchedObjects ?? []) == ["Ada", "Cleo"])
                #expect(controller.numberOfObjects(inSection: 0) == 2 && controller.numberOfObjects(inSection: 1) == 0)
                #expect(list.batches == 1 && list.last === controller)
            }
        }
    }

    @Test("Saves of a thread's context and of the background context arrive in the controller's sections", arguments: StoreKind.allCases)
    func otherContexts(_ kind: StoreKind) async throws {
        try await withOffice(kind) { stack in
            let list = List()
            let controller = try onMain(stack) {
                let request = NSFetchRequest<Person>(entity: Person.self)
                request.sort(by: \.age)
                request.sort(by: \.name)
                let controller = NSFetchedResultsController.controller(with: request, sectionNameKeyPath: "age", cacheName: nil)
                controller.delegate = list
                try controller.performFetch()
                return Crossing(controller)
            }
            try await stack.backgroundContext.perform {
                let person = try Person.insert(in: stack.backgroundContext)
                person.name = "Eve"
                person.age = 17
                try stack.backgroundContext.save()
            }
            try onThread(stack) { try insertPeople() }
            try onMain(stack) {
                _ = stack.mainContext
                let sections = (controller.value.sections ?? []).map { "\($0.name): \(names(($0.objects as? [Person]) ?? []).joined(separator: ","))" }
                #expect(sections == ["17: Bob,Dan,Eve", "36: Ada", "52: Cleo"])
                #expect(controller.value.numberOfObjects(inSection: 0) == 3)
            }
        }
    }

    private final class List: NSObject, NSFetchedResultsControllerDelegate {
        var batches = 0
        var last: NSFetchedResultsController<NSFetchRequestResult>?

        func controllerDidChangeContent(_ controller: NSFetchedResultsController<NSFetchRequestResult>) {
            batches += 1
            last = controller
        }
    }
}

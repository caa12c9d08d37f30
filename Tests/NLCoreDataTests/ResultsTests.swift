import NLCoreData
import Testing

@Suite struct ResultsTests {
    @Test("A results controller is on the main context, fetches when told to, and counts its sections", arguments: StoreKind.allCases)
    func controller(_ kind: StoreKind) throws {
        try withOffice(kind) { stack in
            try insertPeople()
            try current().save()
            let request = NSFetchRequest<Person>(entity: Person.self)
            request.sort(by: \.name)
            let controller = NSFetchedResultsController(with: request)
            #expect(controller.managedObjectContext === stack.mainContext)
            #expect(controller.fetchedObjects == nil)
            #expect(controller.numberOfObjects(inSection: 0) == 0)
            let shown = try onMain(stack) {
                try controller.performFetch()
                return names(controller.fetchedObjects ?? [])
            }
            #expect(!shown.isEmpty)
            #expect(shown == shown.sorted())
            #expect(controller.numberOfObjects(inSection: 0) == shown.count)
            #expect(controller.numberOfObjects(inSection: 7) == 0)
        }
    }
}

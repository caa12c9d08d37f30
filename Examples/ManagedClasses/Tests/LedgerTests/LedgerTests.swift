import CoreData
import Foundation
import Ledger
import NLCoreData
import Testing

/// The lower layer is made by `coredata generate --machine-dir … --human-dir …`, the upper one is written by hand; NLCoreData works with both.
@MainActor @Suite("Two layers of classes")
struct LedgerTests {
    let context: NSManagedObjectContext

    init() throws {
        let url = try #require(Ledger.model)
        let model = try #require(NSManagedObjectModel(contentsOf: url))
        let container = NSPersistentContainer(name: "Ledger", managedObjectModel: model)
        container.persistentStoreDescriptions.first?.type = NSInMemoryStoreType
        var failure: (any Error)?
        container.loadPersistentStores { _, error in failure = error }
        if let failure { throw failure }
        context = container.viewContext
    }

    @Test("objects are of the upper layer, with the properties of the lower and the methods of both")
    func layers() throws {
        let account = try Account.insert(in: context), transfer = try Transfer.insert(in: context), entry = try Entry.insert(in: context)
        account.name = "Cash"
        (entry.amount, transfer.amount, transfer.partner) = (70, -30, "Bob")
        account.addToEntries([entry, transfer])
        #expect(account.balance == 40 && entry.booked != nil && transfer.text == "-30 to Bob" && entry.text == "70")
        try context.save()
        context.refreshAllObjects()
        let found = try Entry.fetch(in: context, sortedByKey: "amount", ascending: true)
        #expect(found.map(\.text) == ["-30 to Bob", "70"] && found.first is Transfer && (found.first?.account as Any) is Account)
        #expect(try context.fetch(Account.fetchRequest()).map(\.balance) == [40])
        #expect(try context.fetch(Entry.largeFetchRequest(least: 50)).map(\.amount) == [70])
    }

    @Test("key paths of either layer, typed predicates, observing, deleting")
    func paths() throws {
        let account = try Account.fetchOrInsertSingle("name == %@", "Bank", in: context)
        for amount in [1, 2, 3] {
            let entry = try Entry.insert(in: context)
            (entry.amount, entry.account) = (Int64(amount), account)
        }
        try context.save()
        #expect(try Entry.fetch(where: #Predicate { $0.amount > 1 && $0.account?.name == "Bank" }, in: context).count == 2)
        #expect(NSSortDescriptor(keyPath: \Entry.account?.name, ascending: true).key == "account.name")
        #expect(NSSortDescriptor(keyPath: \Transfer.amount, ascending: true).key == "amount")
        let seen = Box()
        let token = account.observe(\.name) { account, _ in seen.names.append(account.name) }
        account.name = "Post"
        token.invalidate()
        #expect(seen.names == ["Post"])
        #expect(try Entry.delete("amount < %@", 3, in: context) == 2)
        try context.save()
        #expect(account.entries.count == 1 && account.balance == 3)
    }

    final class Box { var names: [String] = [] }
}

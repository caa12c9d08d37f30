import CoreData
import Testing

@Suite("Binary data kept beside the store")
struct ExternalDataTests {
    private static func photos(inserting required: Bool = false) -> NSManagedObjectModel {
        let image = NSAttributeDescription("image", .binaryDataAttributeType, optional: !required)
        image.allowsExternalBinaryDataStorage = true
        return model(NSEntityDescription("Photo", NSAttributeDescription("name", .stringAttributeType), image))
    }

    private func bytes(_ count: Int, _ seed: UInt8) -> Data { Data((0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7) ^ seed }) }

    /// Names of the files with values.
    private func files(of stack: Stack) throws -> Set<String> {
        let url = try #require(stack.store.url)
        let folder = url.deletingLastPathComponent().appendingPathComponent(".Store_SUPPORT/_EXTERNAL_DATA")
        return Set((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? [])
    }

    @Test("TY15: Long data lives in a file beside the store, short data in the row; both come back, are replaced and go", arguments: StoreKind.allCases)
    func roundTrip(kind: StoreKind) throws {
        let stack = try Stack(Self.photos(), kind)
        let (short, long) = (bytes(10, 1), bytes(5_000_000, 2))
        try stack.seed { context in
            context.make("Photo", ["name": "short", "image": short])
            context.make("Photo", ["name": "long", "image": long])
            context.make("Photo", ["name": "empty", "image": Data()])
            context.make("Photo", ["name": "none"])
        }
        let first = kind == .sqlite ? try files(of: stack) : []
        if kind == .sqlite { #expect(first.count == 1 && UUID(uuidString: first.first ?? "") != nil) }
        let second = try stack.reopened()
        try second.run { context in
            #expect(try context.named("short", "Photo").value(forKey: "image") as? Data == short)
            let photo = try context.named("long", "Photo")
            #expect(photo.value(forKey: "image") as? Data == long)
            #expect(try context.named("empty", "Photo").value(forKey: "image") as? Data == Data())
            #expect(try context.named("none", "Photo").value(forKey: "image") == nil)
            photo.setValue("renamed", forKey: "name")
            try context.save()
            #expect(photo.value(forKey: "image") as? Data == long)
            if kind == .sqlite { #expect(try files(of: stack) == first) }
            photo.setValue(bytes(200_000, 3), forKey: "image")
            #expect(photo.committedValues(forKeys: ["image"])["image"] as? Data == long)
            try context.save()
            #expect(photo.value(forKey: "image") as? Data == bytes(200_000, 3))
            if kind == .sqlite {
                let now = try files(of: stack)
                #expect(now.count == 1 && now.isDisjoint(with: first))
            }
            photo.setValue(short, forKey: "image")
            try context.save()
            #expect(photo.value(forKey: "image") as? Data == short)
            if kind == .sqlite { #expect(try files(of: stack).isEmpty) }
            photo.setValue(long, forKey: "image")
            try context.save()
        }
        try second.reopened().run { context in
            let photo = try context.named("renamed", "Photo")
            #expect(photo.value(forKey: "image") as? Data == long)
            context.delete(photo)
            try context.save()
        }
        if kind == .sqlite { #expect(try files(of: stack).isEmpty) }
    }

    @Test("TY15: Predicates see the data, whether it is in the row or in a file", arguments: StoreKind.allCases)
    func predicates(kind: StoreKind) throws {
        let stack = try Stack(Self.photos(), kind)
        let (short, long) = (bytes(10, 1), bytes(200_000, 2))
        try stack.seed { context in
            context.make("Photo", ["name": "short", "image": short])
            context.make("Photo", ["name": "long", "image": long])
            context.make("Photo", ["name": "none"])
        }
        try stack.reopened().run { context in
            #expect(try context.names("Photo", NSPredicate(format: "image == nil")) == ["none"])
            #expect(try context.names("Photo", NSPredicate(format: "image != nil")) == ["long", "short"])
            #expect(try context.names("Photo", NSPredicate(format: "image == %@", short as NSData)) == ["short"])
            #expect(try context.names("Photo", NSPredicate(format: "image == %@", long as NSData)) == ["long"])
            #expect(try context.names("Photo", NSPredicate(format: "image != %@", long as NSData)) == ["short"])
            let request = NSFetchRequest<NSDictionary>(entityName: "Photo")
            request.resultType = .dictionaryResultType
            request.propertiesToFetch = ["name", "image"]
            request.predicate = NSPredicate(format: "image != nil")
            for row in try context.fetch(request) {
                #expect((row["image"] as? Data) == (row["name"] as? String == "long" ? long : short))
            }
        }
    }

    @Test("TY15: A save that fails or is rolled back leaves no file; so does a replaced value that was never saved")
    func failures() throws {
        let stack = try Stack(Self.photos(inserting: true))
        try stack.run { context in
            let kept = context.make("Photo", ["name": "kept", "image": bytes(150_000, 1)])
            try context.save()
            let before = try files(of: stack)
            context.make("Photo", ["name": "a", "image": bytes(150_000, 2)])
            context.make("Photo", ["name": "b"])
            #expect(try failure { try context.save() }.code == NSValidationMissingMandatoryPropertyError)
            context.rollback()
            let other = stack.newContext()
            try other.run { other in
                try other.only("Photo").setValue("moved", forKey: "name")
                try other.save()
            }
            kept.setValue(bytes(150_000, 3), forKey: "image")
            #expect(try failure { try context.save() }.code == NSManagedObjectMergeError)
            #expect(try files(of: stack) == before)
            context.rollback()
            #expect(kept.value(forKey: "image") as? Data == bytes(150_000, 1))
        }
    }

    @Test("TY15: An object that shows an older row keeps its data after another context replaced or deleted it")
    func staleObjects() throws {
        let stack = try Stack(Self.photos())
        try stack.seed { context in
            context.make("Photo", ["name": "replaced", "image": bytes(150_000, 1)])
            context.make("Photo", ["name": "deleted", "image": bytes(150_000, 2)])
        }
        try stack.run { context in
            let photos = try context.all("Photo")
            for photo in photos { #expect(photo.text("name") != nil) }
            try stack.seed { other in
                try other.named("replaced", "Photo").setValue(bytes(150_000, 9), forKey: "image")
                other.delete(try other.named("deleted", "Photo"))
            }
            #expect(photos.map { $0.value(forKey: "image") as? Data } == [bytes(150_000, 2), bytes(150_000, 1)])
            context.refresh(photos[1], mergeChanges: true)
            #expect(photos[1].value(forKey: "image") as? Data == bytes(150_000, 9))
        }
    }

    @Test("TY15: A missing file is an error that names file and attribute, and the object can be deleted")
    func missingFile() throws {
        let stack = try Stack(Self.photos())
        try stack.seed { $0.make("Photo", ["name": "lost", "image": bytes(150_000, 1)]) }
        let url = try #require(stack.store.url)
        let name = try #require(try files(of: stack).first)
        let file = url.deletingLastPathComponent().appendingPathComponent(".Store_SUPPORT/_EXTERNAL_DATA/\(name)")
        try FileManager.default.removeItem(at: file)
        try stack.reopened().run { context in
            let error = try failure { _ = try context.fetch(context.request("Photo")) }
            #expect(error.isCocoa)
            #expect(error.localizedDescription.contains("Photo.image") && error.localizedDescription.contains(name))
            #expect(try context.count("Photo") == 1)
            let request = NSFetchRequest<NSManagedObjectID>(entityName: "Photo")
            request.resultType = .managedObjectIDResultType
            let id = try #require(try context.fetch(request).first)
            #expect(try failure { _ = try context.existingObject(with: id) }.localizedDescription.contains(name))
            let photo = context.object(with: id)
            #expect(photo.text("name") == "lost")
            photo.setValue("found", forKey: "name")
            try context.save()
            context.delete(photo)
            try context.save()
            #expect(try context.count("Photo") == 0)
        }
    }

    @Test("TY15: A file that vanishes after the fetch reads nil; saving another property keeps what the row says")
    func vanishedFile() throws {
        let stack = try Stack(Self.photos())
        try stack.seed { $0.make("Photo", ["name": "lost", "image": bytes(150_000, 1)]) }
        let url = try #require(stack.store.url)
        let name = try #require(try files(of: stack).first)
        let file = url.deletingLastPathComponent().appendingPathComponent(".Store_SUPPORT/_EXTERNAL_DATA/\(name)")
        let aside = url.deletingLastPathComponent().appendingPathComponent("aside")
        let second = try stack.reopened()
        try second.run { context in
            let photo = try context.only("Photo")
            #expect(photo.text("name") == "lost")
            try FileManager.default.moveItem(at: file, to: aside)
            #expect(photo.value(forKey: "image") == nil)
            #expect(try failure { _ = try context.existingObject(with: photo.objectID) }.code == CocoaError.Code.fileReadNoSuchFile.rawValue)
            photo.setValue("renamed", forKey: "name")
            #expect(Set(photo.changedValues().keys) == ["name"])
            #expect(photo.committedValues(forKeys: ["image"])["image"] is NSNull)
            try context.save()
            context.refresh(photo, mergeChanges: true)
            #expect(photo.text("name") == "renamed" && photo.value(forKey: "image") == nil)
            try FileManager.default.moveItem(at: aside, to: file)
            #expect(photo.value(forKey: "image") as? Data == bytes(150_000, 1))
        }
        try second.reopened().run { try #require(try $0.only("Photo").value(forKey: "image") as? Data == bytes(150_000, 1)) }
    }

    @Test("TY15: Destroying, replacing and copying a store take the files along")
    func storeFiles() throws {
        let (stack, other) = (try Stack(Self.photos()), try Stack(Self.photos()))
        try stack.seed { $0.make("Photo", ["name": "a", "image": bytes(150_000, 1)]) }
        try other.seed { $0.make("Photo", ["name": "b", "image": bytes(150_000, 2)]) }
        let (source, target) = (try #require(other.store.url), try #require(stack.store.url))
        try other.coordinator.remove(other.store)
        let wanted = try files(of: other)
        try stack.coordinator.replacePersistentStore(at: target, withPersistentStoreFrom: source, ofType: NSSQLiteStoreType)
        #expect(try files(of: stack) == wanted)
        try stack.reopened().run { try #require(try $0.only("Photo").value(forKey: "image") as? Data == bytes(150_000, 2)) }
        try stack.coordinator.destroyPersistentStore(at: target, ofType: NSSQLiteStoreType)
        #expect(try files(of: stack).isEmpty)
        #expect(try files(of: other) == wanted)
    }
}

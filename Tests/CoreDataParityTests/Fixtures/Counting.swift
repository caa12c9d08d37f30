import CoreData

/// Counts how often each hook ran.
class Counting: NSManagedObject {
    enum Hook { case insert, fetch, willSave, didSave, willFault, didFault, prepare, validateDelete }
    private var counts: [Hook: Int] = [:]
    /// The nickname, if any, as `awakeFromInsert` found it.
    private(set) var nicknameAtBirth: String?

    func count(_ hook: Hook) -> Int { counts[hook, default: 0] }
    private func note(_ hook: Hook) { counts[hook, default: 0] += 1 }

    override func awakeFromInsert() {
        super.awakeFromInsert()
        note(.insert)
        if entity.attributesByName["nickname"] != nil { nicknameAtBirth = primitiveValue(forKey: "nickname") as? String }
    }

    override func awakeFromFetch() {
        super.awakeFromFetch()
        note(.fetch)
    }

    override func willSave() {
        super.willSave()
        note(.willSave)
    }

    override func didSave() {
        super.didSave()
        note(.didSave)
    }

    override func willTurnIntoFault() {
        super.willTurnIntoFault()
        note(.willFault)
    }

    override func didTurnIntoFault() {
        super.didTurnIntoFault()
        note(.didFault)
    }

    override func prepareForDeletion() {
        super.prepareForDeletion()
        note(.prepare)
    }

    override func validateForDelete() throws {
        note(.validateDelete)
        try super.validateForDelete()
    }
}

/// Takes all pets of the context when fetched.
final class Gathering: NSManagedObject {
    override func awakeFromFetch() {
        super.awakeFromFetch()
        let pets = try? managedObjectContext?.all("Pet")
        setValue(NSSet(array: pets ?? []), forKey: "pets")
    }
}

/// Takes the first person of the context for its owner when fetched.
final class Adopting: NSManagedObject {
    override func awakeFromFetch() {
        super.awakeFromFetch()
        setValue(try? managedObjectContext?.all("Person").first, forKey: "owner")
    }
}

/// Sets its nickname when fetched.
final class Waking: NSManagedObject {
    override func awakeFromFetch() {
        super.awakeFromFetch()
        setValue("awake", forKey: "nickname")
    }
}

/// Raises `updatedAt` by one, once a save.
final class Stamping: Counting {
    private(set) var stamps = 0

    override func willSave() {
        super.willSave()
        let changes = changedValues()
        guard !isDeleted, !changes.isEmpty, changes["updatedAt"] == nil else { return }
        stamps += 1
        setValue((number("updatedAt") ?? 0) + 1, forKey: "updatedAt")
    }
}

/// Remembers how many pets it could reach while it was prepared for deletion.
final class Farewell: NSManagedObject {
    private(set) var reachablePets: [String] = []

    override func prepareForDeletion() {
        super.prepareForDeletion()
        reachablePets = texts("pets", "name")
    }
}

/// Refuses to be deleted.
final class Stubborn: Counting {
    static let domain = "Stubborn"

    override func validateForDelete() throws {
        try super.validateForDelete()
        throw NSError(domain: Self.domain, code: 7)
    }
}

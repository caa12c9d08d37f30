import Foundation
import NLCoreData
import ZoneData

/// Fills the store from the machine's zone tables, on a thread of its own.
enum Importer {
    static let continents: Set = ["Africa", "America", "Antarctica", "Asia", "Australia", "Europe"]

    /// Imports in the background and merges into the main thread's context; returns when both are done.
    /// The main run loop runs meanwhile, as an app's would.
    static func run(_ data: ZoneData) throws {
        nonisolated(unsafe) var outcome: Result<Void, any Error>?
        Thread.detachNewThread {
            do {
                let context = NSManagedObjectContext.contextForThread()
                try fill(context, with: data)
                try context.merge(withContextOn: .main) { _ in outcome = .success(()) }
            } catch {
                DispatchQueue.main.async { outcome = .failure(error) }
            }
        }
        while outcome == nil { RunLoop.main.run(mode: .default, before: Date(timeIntervalSinceNow: 0.05)) }
        try outcome?.get()
    }

    private static func fill(_ context: NSManagedObjectContext, with data: ZoneData) throws {
        var bar = ProgressBar(total: data.countries.count + data.zones.count, label: "Importing time zones")
        var countries: [String: Country] = [:]
        for row in data.countries {
            let country = try Country.insert(in: context)
            country.code = row.code
            country.name = row.name
            countries[row.code] = country
            bar.advance()
        }
        for row in data.zones {
            let zone = try Zone.insert(in: context)
            zone.name = row.name
            zone.latitude = row.latitude
            zone.longitude = row.longitude
            zone.comments = row.comments
            zone.area = try area(named: row.areaName, in: context)
            zone.countries = Set(row.countryCodes.compactMap { countries[$0] })
            zone.country = row.countryCodes.first.flatMap { countries[$0] }
            bar.advance()
        }
        bar.finish()
    }

    /// Continents and oceans are made when the first zone names them.
    private static func area(named name: String, in context: NSManagedObjectContext) throws -> Area {
        if continents.contains(name) { return try Continent.fetchOrInsertSingle("name == %@", name, in: context) }
        return try Ocean.fetchOrInsertSingle("name == %@", name, in: context)
    }
}

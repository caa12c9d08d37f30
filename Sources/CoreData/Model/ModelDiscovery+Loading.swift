import CoreDataModelFile

extension ModelDiscovery {
    /// The model of a name, read from where `url(forModelNamed:bundle:)` finds it; throws saying where it looked.
    package static func model(named name: String, bundle: Bundle? = nil) throws -> NSManagedObjectModel {
        guard let url = url(forModelNamed: name, bundle: bundle) else {
            let places = ([(bundle ?? .main).bundleURL] + resourceFolders()).map(\.path).joined(separator: ", ")
            throw ErrorTranslation.cocoa(
                CocoaError.Code.fileReadNoSuchFile.rawValue, "There is no model named “\(name)” (\(name).xcdatamodeld, .momd, "
                    + ".xcdatamodel or .mom) in \(places). Declare it as a resource of the target: "
                    + "resources: [.copy(\"\(name).xcdatamodeld\")].")
        }
        return try NSManagedObjectModel(reading: url)
    }
}

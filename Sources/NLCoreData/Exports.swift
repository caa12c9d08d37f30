// As the original's one header did: whoever imports NLCoreData has Core Data too.
@_exported import CoreData

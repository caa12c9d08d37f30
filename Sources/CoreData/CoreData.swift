// Importing Core Data brings Foundation along, as it does on Apple's platforms; code written there relies on it.
@_exported import Foundation
// NSPredicate(format:), NSExpression and NSSortDescriptor(key:) complete Foundation's own classes from here.
@_exported import CoreDataPredicate

import CoreData
import Foundation

/// The entity “Entry”.
public class Entry: _Entry {
    public override func awakeFromInsert() {
        super.awakeFromInsert()
        booked = Date()
    }

    public var text: String { "\(amount)" }
}

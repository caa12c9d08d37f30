import CoreData
import Foundation

/// The entity “Transfer”.
public class Transfer: _Transfer {
    public override var text: String { "\(amount) to \(partner ?? "nobody")" }
}

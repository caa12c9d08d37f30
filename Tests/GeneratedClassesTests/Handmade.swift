import CoreData

/// A class the generator leaves alone, as its entity's user info asks: it says itself what generated classes say.
public class Handmade: Animal {
    public override class var _propertyNames: [String] { super._propertyNames + ["craft"] }
    public override class var _fetchedEntityName: String { "Handmade" }

    public var craft: String? {
        get { _string(at: 1) }
        set { _setString(newValue, at: 1) }
    }
}

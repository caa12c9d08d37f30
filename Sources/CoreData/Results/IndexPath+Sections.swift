// UIKit's and AppKit's names for the parts of an index path with two indexes.
extension IndexPath {
    /// The place of a row in a section.
    public init(row: Int, section: Int) { self.init(indexes: [section, row]) }

    /// The place of an item in a section.
    public init(item: Int, section: Int) { self.init(indexes: [section, item]) }

    /// The first index. Stops the program for an index path without any.
    public var section: Int {
        get { self[0] }
        set { self[0] = newValue }
    }

    /// The second index. Stops the program for an index path without one.
    public var row: Int {
        get { self[1] }
        set { self[1] = newValue }
    }

    /// The second index. Stops the program for an index path without one.
    public var item: Int {
        get { self[1] }
        set { self[1] = newValue }
    }
}

/// Stops a program that changes a model in use, as Apple's framework does with an exception.
enum ModelFreezing {
    static func refuse(_ what: String) -> Never {
        fatalError("""
            Can't modify an immutable model: \(what) is part of a model that a coordinator or context uses. \
            Change the model before, or change a copy of it.
            """)
    }
}

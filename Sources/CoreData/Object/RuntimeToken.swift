/// Stands between an entity and its `EntityRuntime`: the entity must not keep it alive, and an object that is itself the
/// target of a weak reference is retained and released several times slower, which every property access would pay.
///
/// Unchecked Sendable: written when the runtime is made and when it dies. Whoever follows it holds the model's
/// `ModelRuntime` (a context, a coordinator), and with it the runtime.
package final class RuntimeToken: @unchecked Sendable {
    // Unretained: cleared in the runtime's deinit. Unchecked exclusivity: one word, read for each new object.
    @exclusivity(unchecked) var runtime: Unmanaged<EntityRuntime>?
}

extension NSEntityDescription {
    /// What objects of the entity share; nil until its model is used.
    package var runtime: EntityRuntime? { runtimeToken.runtime?.takeUnretainedValue() }
}

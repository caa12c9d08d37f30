/// A running observation; it ends when this token is released or invalidated, on whatever thread.
public class NSKeyValueObservation: NSObject {
    private let observation: Observation

    init(_ observation: Observation) { self.observation = observation }

    /// Ends the observation. Doing it again does nothing.
    public func invalidate() { observation.end() }

    deinit { observation.end() }
}

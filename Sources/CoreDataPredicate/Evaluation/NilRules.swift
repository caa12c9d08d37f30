/// What a comparison with nil means.
package enum NilRules: Sendable {
    /// Apple's evaluation in memory: nil is a value for `==`, `!=` and IN; every other comparison with it is false.
    case memory
    /// SQL's three values: a comparison with nil is unknown, unless `== nil` or `!= nil` with a null constant asks for it;
    /// NOT unknown is unknown, and unknown selects nothing.
    case sql
}

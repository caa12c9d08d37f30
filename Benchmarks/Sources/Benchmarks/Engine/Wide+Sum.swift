extension Wide {
    /// Every value, each through its generated accessor.
    var sum: Int {
        var sum = 0
        sum &+= Int(d00) &+ Int(d01) &+ Int(d02) &+ Int(d03) &+ Int(d04)
        sum &+= Int(d05) &+ Int(d06) &+ Int(d07) &+ Int(d08) &+ Int(d09)
        sum &+= Int(d10) &+ Int(d11) &+ Int(d12) &+ Int(d13) &+ Int(d14)
        sum &+= Int(d15) &+ Int(d16) &+ Int(d17) &+ Int(d18) &+ Int(d19)
        sum &+= Int(i00) &+ Int(i01) &+ Int(i02) &+ Int(i03) &+ Int(i04)
        sum &+= Int(i05) &+ Int(i06) &+ Int(i07) &+ Int(i08) &+ Int(i09)
        sum &+= Int(i10) &+ Int(i11) &+ Int(i12) &+ Int(i13) &+ Int(i14)
        sum &+= Int(i15) &+ Int(i16) &+ Int(i17) &+ Int(i18) &+ Int(i19)
        sum &+= length(s00) &+ length(s01) &+ length(s02) &+ length(s03) &+ length(s04)
        sum &+= length(s05) &+ length(s06) &+ length(s07) &+ length(s08) &+ length(s09)
        sum &+= length(s10) &+ length(s11) &+ length(s12) &+ length(s13) &+ length(s14)
        sum &+= length(s15) &+ length(s16) &+ length(s17) &+ length(s18) &+ length(s19)
        return sum
    }

    @inline(__always)
    private func length(_ text: String?) -> Int { text?.utf8.count ?? 0 }
}

import RawSQLite

/// A prepared statement.
final class RawStatement {
    private let connection: RawConnection
    private let handle: OpaquePointer

    init(_ connection: RawConnection, _ sql: String) {
        var prepared: OpaquePointer?
        connection.check(sqlite3_prepare_v3(connection.handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &prepared, nil))
        guard let prepared else { fatalError("Not a statement: \(sql)") }
        handle = prepared
        self.connection = connection
    }

    deinit { sqlite3_finalize(handle) }

    /// Whether there is a row.
    @inline(__always)
    func step() -> Bool {
        let code = sqlite3_step(handle)
        if code == SQLITE_ROW { return true }
        connection.check(code)
        return false
    }

    @inline(__always)
    func reset() { sqlite3_reset(handle) }

    /// A statement without rows, ready for the next values.
    @inline(__always)
    func execute() {
        connection.check(sqlite3_step(handle))
        sqlite3_reset(handle)
    }

    // MARK: Binding

    @inline(__always)
    func bind(_ index: Int32, _ value: Int64) { sqlite3_bind_int64(handle, index, value) }
    @inline(__always)
    func bind(_ index: Int32, _ value: Double) { sqlite3_bind_double(handle, index, value) }
    @inline(__always)
    func bindNull(_ index: Int32) { sqlite3_bind_null(handle, index) }

    /// SQLITE_STATIC: the buffer must outlive the step.
    @inline(__always)
    func bind(_ index: Int32, _ text: UnsafeBufferPointer<UInt8>) {
        sqlite3_bind_text(handle, index, UnsafeRawPointer(text.baseAddress)?.assumingMemoryBound(to: CChar.self), Int32(text.count), nil)
    }

    /// SQLite keeps a copy.
    func bindCopy(_ index: Int32, _ text: UnsafeBufferPointer<UInt8>) {
        sqlite3_bind_text(
            handle, index, UnsafeRawPointer(text.baseAddress)?.assumingMemoryBound(to: CChar.self), Int32(text.count),
            unsafeBitCast(-1, to: sqlite3_destructor_type.self))
    }

    // MARK: Reading

    @inline(__always)
    func int(_ column: Int32) -> Int64 { sqlite3_column_int64(handle, column) }
    @inline(__always)
    func double(_ column: Int32) -> Double { sqlite3_column_double(handle, column) }
    @inline(__always)
    func text(_ column: Int32) -> String {
        guard let start = sqlite3_column_text(handle, column) else { return "" }
        return String(decoding: UnsafeBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, column))), as: UTF8.self)
    }

    /// A number for all values of the row; columns before `first` are left out.
    func hash(from first: Int32) -> Int {
        var hash = UInt(bitPattern: 0xcbf2_9ce4)
        for column in first..<sqlite3_column_count(handle) {
            let type = sqlite3_column_type(handle, column)
            hash = (hash ^ UInt(type)) &* 0x100_0000_01b3
            guard type != SQLITE_NULL, let bytes = sqlite3_column_blob(handle, column) else { continue }
            for byte in UnsafeRawBufferPointer(start: bytes, count: Int(sqlite3_column_bytes(handle, column))) {
                hash = (hash ^ UInt(byte)) &* 0x100_0000_01b3
            }
        }
        return Int(bitPattern: hash)
    }
}

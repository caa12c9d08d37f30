import CSQLite

/// One prepared statement.
///
/// Invariant: used by the thread that has its connection. Pointers handed to the `…Static` binders stay valid until the
/// statement is reset; pointers from the column readers, until the next `step()` or `reset()`.
package final class SQLiteStatement {
    @usableFromInline let handle: OpaquePointer
    // Keeps the connection alive for error texts.
    @usableFromInline let connection: SQLiteConnection
    package let sql: String

    init(handle: OpaquePointer, connection: SQLiteConnection, sql: String) {
        self.handle = handle
        self.connection = connection
        self.sql = sql
    }

    deinit { sqlite3_finalize(handle) }

    /// True when there is a row, false at the end.
    @inlinable package func step() throws(SQLiteError) -> Bool {
        let code = sqlite3_step(handle)
        if code == SQLITE_ROW { return true }
        if code == SQLITE_DONE { return false }
        throw failure(code)
    }

    @usableFromInline func failure(_ code: Int32) -> SQLiteError { connection.error(code, sql: sql) }

    /// Runs to the end and makes the statement ready again; bindings stay.
    @inlinable package func run() throws(SQLiteError) {
        defer { sqlite3_reset(handle) }
        while try step() {}
    }

    @inlinable package func reset() { sqlite3_reset(handle) }
    @inlinable package func clearBindings() { sqlite3_clear_bindings(handle) }
    package var parameterCount: Int32 { sqlite3_bind_parameter_count(handle) }
    package var isReadOnly: Bool { sqlite3_stmt_readonly(handle) != 0 }
    /// The text with its values put in: for error messages and logs.
    package var expandedSQL: String {
        guard let text = sqlite3_expanded_sql(handle) else { return sql }
        defer { sqlite3_free(text) }
        return String(cString: text)
    }
}

/// Parameters, counted from 1.
extension SQLiteStatement {
    @inlinable func check(_ code: Int32) throws(SQLiteError) {
        if code != SQLITE_OK { throw failure(code) }
    }

    @inlinable package func bindNull(_ index: Int32) throws(SQLiteError) { try check(sqlite3_bind_null(handle, index)) }
    @inlinable package func bind(_ index: Int32, _ value: Int64) throws(SQLiteError) {
        try check(sqlite3_bind_int64(handle, index, value))
    }
    @inlinable package func bind(_ index: Int32, _ value: Double) throws(SQLiteError) {
        try check(sqlite3_bind_double(handle, index, value))
    }

    /// Copies the text.
    @inlinable package func bind(_ index: Int32, _ value: String) throws(SQLiteError) {
        var copy = value
        let code = copy.withUTF8 { sqlite3_bind_text64(handle, index, $0.baseAddress.map { UnsafeRawPointer($0).assumingMemoryBound(to: CChar.self) } ?? SQLiteStatement.empty, UInt64($0.count), SQLiteStatement.transient, UInt8(SQLITE_UTF8)) }
        try check(code)
    }

    /// Text bytes that stay where they are until the statement is reset.
    @inlinable package func bindTextStatic(_ index: Int32, _ bytes: UnsafeRawBufferPointer) throws(SQLiteError) {
        let start = bytes.baseAddress?.assumingMemoryBound(to: CChar.self) ?? SQLiteStatement.empty
        try check(sqlite3_bind_text64(handle, index, start, UInt64(bytes.count), nil, UInt8(SQLITE_UTF8)))
    }

    /// Bytes that stay where they are until the statement is reset.
    @inlinable package func bindBlobStatic(_ index: Int32, _ bytes: UnsafeRawBufferPointer) throws(SQLiteError) {
        if bytes.isEmpty { return try check(sqlite3_bind_zeroblob(handle, index, 0)) }
        try check(sqlite3_bind_blob64(handle, index, bytes.baseAddress, UInt64(bytes.count), nil))
    }

    /// Copies the bytes and binds them as text, valid UTF-8 or not.
    package func bindText(_ index: Int32, bytes: [UInt8]) throws(SQLiteError) {
        let code = bytes.withUnsafeBytes { sqlite3_bind_text64(handle, index, $0.baseAddress?.assumingMemoryBound(to: CChar.self) ?? SQLiteStatement.empty, UInt64($0.count), SQLiteStatement.transient, UInt8(SQLITE_UTF8)) }
        try check(code)
    }

    /// Copies the bytes.
    package func bindBlob(_ index: Int32, bytes: [UInt8]) throws(SQLiteError) {
        let code = bytes.withUnsafeBytes {
            $0.isEmpty
                ? sqlite3_bind_zeroblob(handle, index, 0)
                : sqlite3_bind_blob64(handle, index, $0.baseAddress, UInt64($0.count), SQLiteStatement.transient)
        }
        try check(code)
    }

    /// Copies the bytes.
    package func bindBlob(_ index: Int32, _ bytes: UnsafeRawBufferPointer) throws(SQLiteError) {
        if bytes.isEmpty { return try check(sqlite3_bind_zeroblob(handle, index, 0)) }
        try check(sqlite3_bind_blob64(handle, index, bytes.baseAddress, UInt64(bytes.count), SQLiteStatement.transient))
    }

    /// SQLITE_TRANSIENT: SQLite copies before the call returns.
    @usableFromInline static var transient: sqlite3_destructor_type {
        unsafeBitCast(-1, to: sqlite3_destructor_type.self)
    }

    /// A null pointer would bind NULL where an empty text is meant.
    ///
    /// `nonisolated(unsafe)`: one byte, allocated once and never written again.
    @usableFromInline nonisolated(unsafe) static let empty: UnsafePointer<CChar> = {
        let byte = UnsafeMutablePointer<CChar>.allocate(capacity: 1)
        byte.initialize(to: 0)
        return UnsafePointer(byte)
    }()
}

/// One column of the row a statement stands on.
package struct SQLiteValue {
    @usableFromInline let handle: OpaquePointer?

    @inlinable init(handle: OpaquePointer?) { self.handle = handle }

    @inlinable package var isNull: Bool { sqlite3_value_type(handle) == SQLITE_NULL }

    /// As the statement's function of that name.
    @inlinable package var textBytes: UnsafeRawBufferPointer? {
        guard let start = sqlite3_value_text(handle) else { return nil }
        return UnsafeRawBufferPointer(start: start, count: Int(sqlite3_value_bytes(handle)))
    }
}

/// Columns, counted from 0.
extension SQLiteStatement {
    @inlinable package var columnCount: Int32 { sqlite3_column_count(handle) }
    package func columnName(_ index: Int32) -> String { sqlite3_column_name(handle, index).map { String(cString: $0) } ?? "" }
    @inlinable package func isNull(_ index: Int32) -> Bool { sqlite3_column_type(handle, index) == SQLITE_NULL }
    @inlinable package func columnType(_ index: Int32) -> Int32 { sqlite3_column_type(handle, index) }
    /// 0 for NULL.
    @inlinable package func integer(_ index: Int32) -> Int64 { sqlite3_column_int64(handle, index) }
    /// 0 for NULL.
    @inlinable package func real(_ index: Int32) -> Double { sqlite3_column_double(handle, index) }

    /// The column as it stands in SQLite's row, for several questions: each column function looks it up anew and takes a lock.
    /// Good until the next `step()`. Connections are opened without mutexes and used by one thread at a time, where SQLite
    /// makes no difference between protected values and others.
    @inlinable package func value(_ index: Int32) -> SQLiteValue { SQLiteValue(handle: sqlite3_column_value(handle, index)) }

    /// UTF-8 of a text (numbers are written out); nil for NULL.
    @inlinable package func textBytes(_ index: Int32) -> UnsafeRawBufferPointer? {
        guard let start = sqlite3_column_text(handle, index) else { return nil }
        return UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, index)))
    }

    /// Bytes of a blob or text; nil for NULL.
    @inlinable package func blobBytes(_ index: Int32) -> UnsafeRawBufferPointer? {
        guard let start = sqlite3_column_blob(handle, index) else {
            return isNull(index) ? nil : UnsafeRawBufferPointer(start: nil, count: 0)
        }
        return UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, index)))
    }

    @inlinable package func text(_ index: Int32) -> String? {
        textBytes(index).map { String(decoding: $0, as: UTF8.self) }
    }

    package func blob(_ index: Int32) -> [UInt8]? { blobBytes(index).map { [UInt8]($0) } }
}

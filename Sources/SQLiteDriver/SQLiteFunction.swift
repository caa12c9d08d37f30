import CSQLite

/// The call of a registered function: its arguments, and where the result goes.
///
/// Invariant: lives only inside the call; so do the pointers it hands out.
package struct SQLiteFunctionCall {
    private let context: OpaquePointer?
    private let values: UnsafeMutablePointer<OpaquePointer?>?
    package let count: Int

    init(context: OpaquePointer?, count: Int32, values: UnsafeMutablePointer<OpaquePointer?>?) {
        self.context = context
        self.values = values
        self.count = Int(count)
    }

    package func isNull(_ index: Int) -> Bool {
        guard let value = values?[index] else { return true }
        return sqlite3_value_type(value) == SQLITE_NULL
    }

    package enum Number { case integer(Int64), real(Double) }

    /// The argument where it is kept as a number; nil for texts, blobs and NULL.
    package func number(_ index: Int) -> Number? {
        guard let value = values?[index] else { return nil }
        return switch sqlite3_value_type(value) {
        case SQLITE_INTEGER: .integer(sqlite3_value_int64(value))
        case SQLITE_FLOAT: .real(sqlite3_value_double(value))
        default: nil
        }
    }

    package func integer(_ index: Int) -> Int64 { (values?[index]).map { sqlite3_value_int64($0) } ?? 0 }

    /// UTF-8 of the argument; nil for NULL.
    package func textBytes(_ index: Int) -> UnsafeRawBufferPointer? {
        guard let value = values?[index], let start = sqlite3_value_text(value) else { return nil }
        return UnsafeRawBufferPointer(start: start, count: Int(sqlite3_value_bytes(value)))
    }

    package func text(_ index: Int) -> String? { textBytes(index).map { String(decoding: $0, as: UTF8.self) } }

    package func resultNull() { sqlite3_result_null(context) }
    package func result(_ value: Int64) { sqlite3_result_int64(context, value) }
    package func result(_ value: Double) { sqlite3_result_double(context, value) }
    package func result(error message: String) { sqlite3_result_error(context, message, -1) }

    package func result(_ value: String) {
        var copy = value
        copy.withUTF8 { bytes in
            let start = bytes.baseAddress.map { UnsafeRawPointer($0).assumingMemoryBound(to: CChar.self) } ?? SQLiteStatement.empty
            sqlite3_result_text64(context, start, UInt64(bytes.count), SQLiteStatement.transient, UInt8(SQLITE_UTF8))
        }
    }

    /// What was made of a constant argument in an earlier row of the same statement: a folded pattern, a compiled
    /// expression. SQLite forgets it when the argument is not constant.
    package func prepared<Value: AnyObject>(_ index: Int, as: Value.Type, make: () -> Value?) -> Value? {
        if let kept = sqlite3_get_auxdata(context, Int32(index)) {
            return Unmanaged<AnyObject>.fromOpaque(kept).takeUnretainedValue() as? Value
        }
        guard let value = make() else { return nil }
        sqlite3_set_auxdata(context, Int32(index), Unmanaged<AnyObject>.passRetained(value).toOpaque()) { kept in
            if let kept { Unmanaged<AnyObject>.fromOpaque(kept).release() }
        }
        return value
    }
}

/// Keeps a Swift closure alive inside SQLite.
private final class FunctionBox {
    let body: (SQLiteFunctionCall) -> Void
    init(_ body: @escaping (SQLiteFunctionCall) -> Void) { self.body = body }
}

private final class CollationBox {
    let body: (UnsafeRawBufferPointer, UnsafeRawBufferPointer) -> Int
    init(_ body: @escaping (UnsafeRawBufferPointer, UnsafeRawBufferPointer) -> Int) { self.body = body }
}

extension SQLiteConnection {
    /// Adds or replaces an SQL function; `argumentCount` -1 takes any number.
    package func register(
        function name: String, argumentCount: Int32, isDeterministic: Bool = true,
        _ body: @escaping @Sendable (SQLiteFunctionCall) -> Void
    ) throws(SQLiteError) {
        let box = Unmanaged.passRetained(FunctionBox(body)).toOpaque()
        let flags = SQLITE_UTF8 | (isDeterministic ? SQLITE_DETERMINISTIC : 0)
        let code = sqlite3_create_function_v2(
            handle, name, argumentCount, flags, box,
            { context, count, values in
                guard let data = sqlite3_user_data(context) else { return }
                let box = Unmanaged<FunctionBox>.fromOpaque(data).takeUnretainedValue()
                box.body(SQLiteFunctionCall(context: context, count: count, values: values))
            },
            nil, nil,
            { data in if let data { Unmanaged<FunctionBox>.fromOpaque(data).release() } })
        guard code == SQLITE_OK else { throw error(code) }
    }

    /// Adds or replaces a collation: negative, zero or positive as the first text sorts before, with or after the second.
    package func register(
        collation name: String, _ body: @escaping @Sendable (UnsafeRawBufferPointer, UnsafeRawBufferPointer) -> Int
    ) throws(SQLiteError) {
        let box = Unmanaged.passRetained(CollationBox(body)).toOpaque()
        let code = sqlite3_create_collation_v2(
            handle, name, SQLITE_UTF8, box,
            { data, leftCount, left, rightCount, right in
                guard let data else { return 0 }
                let box = Unmanaged<CollationBox>.fromOpaque(data).takeUnretainedValue()
                let order = box.body(
                    UnsafeRawBufferPointer(start: left, count: Int(leftCount)),
                    UnsafeRawBufferPointer(start: right, count: Int(rightCount)))
                return Int32(order.signum())
            },
            { data in if let data { Unmanaged<CollationBox>.fromOpaque(data).release() } })
        guard code == SQLITE_OK else {
            // Unlike create_function_v2, a failing create_collation_v2 does not call the destructor.
            Unmanaged<CollationBox>.fromOpaque(box).release()
            throw error(code)
        }
    }
}

import CZlib
import Foundation

/// DEFLATE without a header, as the model a store keeps is compressed.
package enum RawDeflate {
    /// No model comes near this; damaged data may claim to.
    private static let limit = 64 << 20

    /// nil when the bytes are no complete DEFLATE stream, or one of more than 64 MB.
    package static func inflate(_ data: Data) -> Data? {
        var stream = z_stream()
        guard inflateInit2_(&stream, -MAX_WBITS, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK else { return nil }
        defer { inflateEnd(&stream) }
        return run(&stream, data) { CZlib.inflate($0, Z_NO_FLUSH) }
    }

    package static func deflate(_ data: Data) -> Data? {
        var stream = z_stream()
        let opened = deflateInit2_(
            &stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
        guard opened == Z_OK else { return nil }
        defer { deflateEnd(&stream) }
        return run(&stream, data) { CZlib.deflate($0, Z_FINISH) }
    }

    private static func run(_ stream: inout z_stream, _ data: Data, _ step: (UnsafeMutablePointer<z_stream>) -> Int32) -> Data? {
        var input = [UInt8](data)
        var result = Data()
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        return input.withUnsafeMutableBufferPointer { bytes -> Data? in
            stream.next_in = bytes.baseAddress
            stream.avail_in = UInt32(clamping: bytes.count)
            while true {
                let (code, made) = chunk.withUnsafeMutableBufferPointer { room -> (Int32, Int) in
                    stream.next_out = room.baseAddress
                    stream.avail_out = UInt32(room.count)
                    let code = step(&stream)
                    return (code, room.count - Int(stream.avail_out))
                }
                result.append(contentsOf: chunk[..<made])
                if code == Z_STREAM_END { return result }
                // No progress means that the stream stops before its end.
                guard code == Z_OK, made > 0 || stream.avail_in > 0, result.count <= limit else { return nil }
            }
        }
    }
}

import Foundation

/// What Swift puts beside the names of private declarations: an underscore and the MD5 (RFC 1321) of the module's name and the file's.
enum FileDiscriminator {
    static func of(_ fileName: String, in module: String) -> String {
        "_" + digest(Array((module + fileName).utf8)).map { String(format: "%02X", $0) }.joined()
    }

    private static let shifts: [UInt32] = [7, 12, 17, 22, 5, 9, 14, 20, 4, 11, 16, 23, 6, 10, 15, 21]
    private static let sines: [UInt32] = (1...64).map { UInt32(truncatingIfNeeded: Int64(abs(sin(Double($0))) * 4_294_967_296)) }

    private static func digest(_ message: [UInt8]) -> [UInt8] {
        var bytes = message + [0x80]
        while bytes.count % 64 != 56 { bytes.append(0) }
        bytes += (0..<8).map { UInt8(truncatingIfNeeded: UInt64(message.count * 8) >> (8 * UInt64($0))) }
        var state: [UInt32] = [0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476]
        for start in stride(from: 0, to: bytes.count, by: 64) { mix(bytes[start..<start + 64], into: &state) }
        return state.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> (8 * UInt32($0))) } }
    }

    private static func mix(_ block: ArraySlice<UInt8>, into state: inout [UInt32]) {
        let words = stride(from: block.startIndex, to: block.endIndex, by: 4).map { start in
            (0..<4).reduce(UInt32(0)) { $0 | UInt32(block[start + $1]) << (8 * UInt32($1)) }
        }
        var (a, b, c, d) = (state[0], state[1], state[2], state[3])
        for round in 0..<64 {
            let mixed: UInt32, index: Int
            switch round / 16 {
            case 0: (mixed, index) = ((b & c) | (~b & d), round)
            case 1: (mixed, index) = ((d & b) | (~d & c), (5 * round + 1) % 16)
            case 2: (mixed, index) = (b ^ c ^ d, (3 * round + 5) % 16)
            default: (mixed, index) = (c ^ (b | ~d), 7 * round % 16)
            }
            let sum = a &+ mixed &+ sines[round] &+ words[index], shift = shifts[round / 16 * 4 + round % 4]
            (a, d, c, b) = (d, c, b, b &+ (sum << shift | sum >> (32 - shift)))
        }
        state = [state[0] &+ a, state[1] &+ b, state[2] &+ c, state[3] &+ d]
    }
}

import CoreDataStorage
import Foundation
import SQLiteDriver

/// What the triggers of derived attributes compute that SQLite cannot.
enum DerivedFunction: Equatable {
    case form(Derivation.TextForm)
    case now

    /// The name our triggers call it by.
    var name: String {
        switch self {
        case .form(.canonical): "nl_canonical"
        case .form(.uppercase): "nl_upper"
        case .form(.lowercase): "nl_lower"
        case .now: "NSCoreDataNow"
        }
    }

    static let all: [DerivedFunction] = [.form(.canonical), .form(.uppercase), .form(.lowercase), .now]

    func register(as name: String, on connection: SQLiteConnection) throws {
        switch self {
        case .now:
            try connection.register(function: name, argumentCount: 0, isDeterministic: false) { call in
                call.result(Date().timeIntervalSinceReferenceDate)
            }
        case .form(let form):
            try connection.register(function: name, argumentCount: 1) { call in
                guard let text = call.text(0) else { return call.resultNull() }
                switch form {
                case .canonical: call.result(TextForms.fold(text, 3))
                case .uppercase: call.result(text.uppercased())
                case .lowercase: call.result(text.lowercased())
                }
            }
        }
    }
}

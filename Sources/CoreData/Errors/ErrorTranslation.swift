import CoreDataModelFile
import CoreDataPredicate
import CoreDataSchema
import CoreDataStorage
import Foundation

/// Puts the errors of the floors below into `NSCocoaErrorDomain`, under Apple's codes and keys.
///
/// Invariant: the text is the one of the lower error, made for a newcomer; that error is kept as the underlying one.
package enum ErrorTranslation {
    /// `reason` in Apple's user infos: the same text again, where code looks for it.
    package static let reasonKey = "reason"
    /// Of a 134100 error: the store's metadata, with its hashes under `NSStoreModelVersionHashesKey`.
    package static let metadataKey = "metadata"
    /// Of a 134100 error: entity name to hash (`Data`) of the model that was tried.
    package static let modelHashesKey = "modelVersionHashes"
    /// Of a predicate format error: the offset in the format, in UTF-16 code units.
    package static let positionKey = "position"

    /// An error for the public surface: errors of ours translated, every other as it is.
    package static func error(_ error: any Error) -> NSError {
        switch error {
        case let error as StoreError: store(error)
        case let error as BatchError: batch(error)
        case let error as ModelFileError: modelFile(error)
        case let error as ModelError: cocoa(NSCoreDataError, error.description, underlying: error)
        case let error as ModelDescriptionError: cocoa(NSCoreDataError, error.description, underlying: error)
        case let error as DerivationError: cocoa(NSCoreDataError, error.description, [reasonKey: error.description], underlying: error)
        case let error as PredicateEvaluationError: cocoa(NSCoreDataError, error.description, underlying: error)
        case let error as PredicateDepthError: cocoa(NSCoreDataError, error.description, underlying: error)
        case let error as FetchRequestError: cocoa(NSCoreDataError, error.description, underlying: error)
        case let error as PredicateFormatError:
            cocoa(CocoaError.Code.formatting.rawValue, error.description, [positionKey: error.position], underlying: error)
        default: foreign(error)
        }
    }

    /// What the program's own hooks and stores throw; a Swift error stays reachable as the underlying one.
    private static func foreign(_ error: any Error) -> NSError {
        let converted = error as NSError
        guard !(type(of: error) is NSError.Type), converted.domain != NSCocoaErrorDomain, converted.userInfo[NSUnderlyingErrorKey] == nil else {
            return converted
        }
        return NSError(domain: converted.domain, code: converted.code, userInfo: converted.userInfo.merging([
            NSLocalizedDescriptionKey: error.localizedDescription, NSUnderlyingErrorKey: error,
        ]) { own, _ in own })
    }

    /// An error in `NSCocoaErrorDomain`.
    package static func cocoa(
        _ code: Int, _ text: String, _ details: [String: Any] = [:], path: String? = nil, underlying: (any Error)? = nil
    ) -> NSError {
        var info = details
        info[NSLocalizedDescriptionKey] = text
        if let path, !path.isEmpty {
            info[NSFilePathErrorKey] = path
            info[NSURLErrorKey] = URL(fileURLWithPath: path)
        }
        if let underlying { info[NSUnderlyingErrorKey] = underlying }
        return NSError(domain: NSCocoaErrorDomain, code: code, userInfo: info)
    }

    private static func store(_ error: StoreError) -> NSError {
        let text = error.description
        func make(_ code: Int, path: String? = nil, sqlite: Int32? = nil) -> NSError {
            cocoa(code, text, sqlite.map { [NSSQLiteErrorDomain: NSNumber(value: $0)] } ?? [:], path: path, underlying: error)
        }
        switch error {
        case .cannotOpen(let path, _): return make(openingCode(path), path: path, sqlite: 14)
        case .notADatabase(let path, _): return make(CocoaError.Code.fileReadCorruptFile.rawValue, path: path, sqlite: 26)
        case .damaged(let path, _): return make(CocoaError.Code.fileReadCorruptFile.rawValue, path: path)
        case .otherType(let path, _, _): return make(NSPersistentStoreTypeMismatchError, path: path)
        case .notACoreDataStore(let path, _): return make(CocoaError.Code.fileReadCorruptFile.rawValue, path: path)
        case .incompatibleModel(let path, _, let storeHashes, let modelHashes):
            let metadata: [String: Any] = [NSStoreModelVersionHashesKey: storeHashes.mapValues { Data($0) }]
            let details: [String: Any] = [
                reasonKey: StoreError.incompatibility(path) + ".", metadataKey: metadata, modelHashesKey: modelHashes.mapValues { Data($0) },
            ]
            // Without the lower error: printed, the advice would be there once more.
            return cocoa(NSPersistentStoreIncompatibleVersionHashError, text, details, path: path)
        case .missingExternalData(let path, _): return make(CocoaError.Code.fileReadNoSuchFile.rawValue, path: path)
        case .readOnly(let path), .historyNotTracked(let path): return make(CocoaError.Code.fileWriteNoPermission.rawValue, path: path, sqlite: 8)
        case .moved(let path): return make(CocoaError.Code.fileNoSuchFile.rawValue, path: path, sqlite: 8)
        case .busy(let path, _): return make(NSPersistentStoreTimeoutError, path: path, sqlite: 5)
        case .diskFull(let path): return make(CocoaError.Code.fileWriteOutOfSpace.rawValue, path: path, sqlite: 13)
        case .closed(let path): return make(NSPersistentStoreOperationError, path: path)
        case .sqlite(let path, let code, _, _): return make(NSSQLiteError, path: path, sqlite: code)
        case .unsupported: return make(NSPersistentStoreUnsupportedRequestTypeError)
        case .invalidRequest: return make(NSCoreDataError)
        }
    }

    /// Why a file cannot be opened, by looking at what is there.
    private static func openingCode(_ path: String) -> Int {
        let files = FileManager.default
        let folder = (path as NSString).deletingLastPathComponent
        var isFolder: ObjCBool = false
        if files.fileExists(atPath: path, isDirectory: &isFolder) {
            if isFolder.boolValue { return CocoaError.Code.fileReadUnknown.rawValue }
            if !files.isReadableFile(atPath: path) { return CocoaError.Code.fileReadNoPermission.rawValue }
            let isWritable = files.isWritableFile(atPath: path) && files.isWritableFile(atPath: folder.isEmpty ? "." : folder)
            return (isWritable ? CocoaError.Code.fileReadUnknown : .fileWriteNoPermission).rawValue
        }
        let folderIsThere = files.fileExists(atPath: folder, isDirectory: &isFolder) && isFolder.boolValue
        return (folderIsThere ? CocoaError.Code.fileWriteNoPermission : .fileWriteUnknown).rawValue
    }

    private static func modelFile(_ error: ModelFileError) -> NSError {
        let code: CocoaError.Code = switch error.kind {
        case .missing: .fileReadNoSuchFile
        case .unreadable: .fileReadNoPermission
        case .notAModel, .malformed, .obsoleteFormat, .noCurrentVersion, .content, .reference: .fileReadCorruptFile
        }
        return cocoa(code.rawValue, error.description, path: error.path, underlying: error)
    }
}

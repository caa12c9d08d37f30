import Foundation

/// A look through a keyed archive before any object is made of it: Foundation on Linux stops the program at classes it does not
/// expect, and at archives that contain themselves.
package enum ArchiveInspection {
    /// What may become of an object of the archive.
    package enum Verdict {
        /// A value or collection: what it holds is judged as it was itself.
        case admitted
        /// An object that reads what it holds by itself, and knows which classes it expects.
        case owner
        /// Why the archive must not be read.
        case refused(String)
    }

    package struct Refusal: Error { package let text: String }

    /// Throws when the judge refuses a class, when the archive is damaged, and when an object holds itself.
    ///
    /// `judge` is asked with the class's name and whether the object is held by an `owner`.
    package static func check(_ data: Data, judge: @escaping (_ className: String, _ isOwned: Bool) -> Verdict) throws(Refusal) {
        let archive: KeyedArchive
        do { archive = try KeyedArchive(data) } catch { throw Refusal(text: "the data are no keyed archive (\(error.text))") }
        guard let root = archive.root else { return }
        var visit = Visit(judge: judge)
        try visit.enter(root, isOwned: false, depth: 0)
    }

    /// Foundation's own recursion must come to an end well within a thread's stack.
    private static let deepest = 400

    private struct Visit {
        let judge: (String, Bool) -> Verdict
        private var open: Set<Int> = []
        private var done: Set<Int> = []
        private var doneAsOwned: Set<Int> = []

        init(judge: @escaping (String, Bool) -> Verdict) { self.judge = judge }

        mutating func enter(_ object: ArchivedObject, isOwned: Bool, depth: Int) throws(Refusal) {
            if done.contains(object.index) || isOwned && doneAsOwned.contains(object.index) { return }
            guard depth < ArchiveInspection.deepest else { throw Refusal(text: "the archive is nested more than \(deepest) levels deep") }
            guard open.insert(object.index).inserted else { throw Refusal(text: "the archive holds an object that contains itself") }
            if let text = object.damage { throw Refusal(text: text) }
            var isOwner = isOwned
            if let name = object.className {
                switch judge(name, isOwned) {
                case .admitted: break
                case .owner: isOwner = true
                case .refused(let text): throw Refusal(text: text)
                }
                guard object.hasAsManyKeysAsValues else { throw Refusal(text: "a dictionary of the archive lacks keys or values, or has a collection as a key") }
            }
            for child in object.children { try enter(child, isOwned: isOwner, depth: depth + 1) }
            open.remove(object.index)
            if isOwned { doneAsOwned.insert(object.index) } else { done.insert(object.index) }
        }
    }
}

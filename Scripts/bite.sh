#!/usr/bin/env bash
# Shows that the random tests bite: breaks a copy of the sources in one place after the other and expects them to fail.
# Scripts/bite.sh [name] does one of them; SEEDS says how many seeds to try (60); SWIFT what to call in place of swift.
# A change that no longer applies stops the script: bring it up to date with the sources.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

swift=${SWIFT:-swift}
only=${1:-}
copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
tar -cf - --exclude=.git --exclude=.build . | tar -xf - -C "$copy"
# KEEP_BUILD=1 takes the build folder along, where it may be moved.
if [ -n "${KEEP_BUILD:-}" ]; then cp -a .build "$copy/.build"; fi
cd "$copy"

suite=RandomGraphTests
run() { COREDATA_RANDOM_COUNT=${SEEDS:-60} COREDATA_FETCH_COUNT=${SEEDS:-60} $swift test --filter "$suite" >"$copy/log" 2>&1; }

# mutate NAME FILE SED-EXPRESSION
failed=0
mutate() {
    local name=$1 file=Sources/$2 edit=$3
    if [ -n "$only" ] && [ "$only" != "$name" ]; then return; fi
    cp "$file" "$copy/kept"
    sed -i "$edit" "$file"
    if cmp -s "$file" "$copy/kept"; then
        echo "$name: the change no longer applies to $file" >&2
        exit 2
    fi
    if run; then
        echo "$name: NOT FOUND"
        failed=1
    elif grep -q "Seed [0-9]* fails" "$copy/log"; then
        echo "$name: found by $(grep -o "Seed [0-9]* fails" "$copy/log" | head -1 | tr 'S' 's' | sed 's/ fails//')"
    else
        echo "$name: the copy does not build or stops:" >&2
        tail -20 "$copy/log" >&2
        exit 2
    fi
    cp "$copy/kept" "$file"
}

whole() {
    if run; then return; fi
    echo "The sources fail as they are:" >&2
    tail -40 "$copy/log" >&2
    exit 2
}
whole

relationships=CoreData/Object/NSManagedObject+Inverses.swift
changes=CoreData/Context/NSManagedObjectContext+Changes.swift
mutate inverses $relationships 's/for edit in edits {/for edit in edits.prefix(0) {/'
mutate cascade $changes 's/for key in plan.deletions {/for key in plan.deletions.prefix(0) {/'
mutate nullify $changes 's/for nullification in plan.nullifications {/for nullification in plan.nullifications.prefix(0) {/'
mutate undo-relationships CoreData/Undo/ObjectMemento.swift 's/for (slot, change) in memberships {/for (slot, change) in memberships.prefix(0) {/'
mutate order CoreData/Object/ToManyState.swift '/self.members = KeyMembers(keys, isOrdered: true)/d'
mutate order-written CoreData/Saving/SaveBatch.swift 's/order: relationship.isOrdered ? many.members?.keys : nil/order: nil/'
mutate nil-written CoreData/Saving/SaveBatch.swift \
    's/object.forEachChangedValue { if object/object.forEachChangedValue { if !object.isNull(at: $0), object/'
mutate removals-written CoreDataSQLStorage/Writing/CommitRun+Links.swift 's/for member in link.removed {/for member in link.removed.prefix(0) {/'
mutate join-rows CoreDataSQLStorage/Writing/CommitRun+Links.swift '/case .join(let side):/{n;/DELETE FROM/d}'
mutate rekeying CoreData/Context/NSManagedObjectContext+ParentKeys.swift 's/for many in toMany.values { many.rewrite(permanent) }/_ = toMany/'
mutate merging CoreData/Context/NSManagedObjectContext+Refreshing.swift '/object.rebase(on: newer)/s/.*/        _ = newer/'
mutate child-to-many CoreData/Context/NSManagedObjectContext+Parent.swift 's/for key in difference.added { many.add(key) }//'
mutate undo-groups CoreData/Undo/UndoGroup.swift 's/for action in actions.reversed()/for action in actions/'
mutate permanent-ids CoreData/Undo/UndoJournal.swift 's/for identifier in order { before/for identifier in order.prefix(0) { before/'
mutate prefetching CoreData/Context/NSManagedObjectContext+Loading.swift 's/stateForLoading(at: slot).load(keys)/stateForLoading(at: slot).load([])/'

suite=RandomFetchTests
whole
select=CoreDataSQLStorage/Select
mutate not-equal-nil $select/SelectCompiler+Comparisons.swift 's/(isEqual ? " = " : " <> ")/(isEqual ? " = " : " IS NOT ")/'
mutate all $select/SelectCompiler+ToMany.swift 's/ IS NOT 1", negated: true/ IS 0", negated: true/'
mutate prefix $select/SelectCompiler+Text.swift 's/upper\[upper.count - 1\] += 1/upper[upper.count - 1] += 2/'
mutate entities $select/SelectStatement.swift 's/let last = plan.includesSubentities ? entity.lastDescendant : entity.index/let last = entity.lastDescendant/'
mutate overlay CoreDataGraph/Fetching/PendingOverlay.swift '0,/guard try matches(key) else { continue }/s///'
mutate marks CoreDataPredicate/Evaluation/TextFolding.swift 's/case 0x0300...0x036F, /case 0x0300...0x0307, /'
exit $failed

#!/usr/bin/env bash
# Ports Scripts/port-sample, builds and runs it, debug and optimised, and takes the porting back: nothing may be left of it.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

./Scripts/prepare.sh
swift build --product coredata
coredata=$(swift build --show-bin-path)/coredata
sample=Scripts/port-sample before=$(mktemp -d)
trap 'rm -rf "$before"' EXIT
cp -R "$sample/Sources" "$before"
"$coredata" port "$sample/Sources"
failed=0
for configuration in debug release; do
    [ "$(swift run -c "$configuration" --package-path "$sample" App | tail -1)" = "folder.title [6, 7]" ] || failed=1
done
"$coredata" port "$sample/Sources" --undo >/dev/null
diff -r "$before/Sources" "$sample/Sources" || failed=1
[ $failed = 0 ] && echo "The sample compiles, runs, and is as it was." || { echo "The sample failed." >&2; exit 1; }

#!/usr/bin/env bash
# The long form of the random test: Scripts/random-graph.sh [first seed] [count], 10,000 seeds of 100 steps by itself.
# Two processes share the seeds. A failing seed is named with the steps that matter; COREDATA_RANDOM_SEED=n replays it.
# CONFIGURATION=release runs optimised (and builds all tests that way first).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

first=${1:-1} count=${2:-10000}
traces=$(mktemp -d)
trap 'rm -rf "$traces"' EXIT

configuration=${CONFIGURATION:-debug}
# The tests look inside of modules, which an optimised build must be told.
options=(-c "$configuration")
if [ "$configuration" = release ]; then options+=(-Xswiftc -enable-testing --scratch-path .build/random-release); fi
swift build "${options[@]}" --build-tests
run() {
    local first=$1 count=$2 trace=$traces/$1
    if [ "$count" -le 0 ]; then return; fi
    if COREDATA_RANDOM_FIRST=$first COREDATA_RANDOM_COUNT=$count COREDATA_RANDOM_TRACE=$trace \
        "$(swift build "${options[@]}" --show-bin-path)/NLCoreDataPackageTests.xctest" \
        --testing-library swift-testing --filter RandomGraphTests; then return; fi
    echo "Stopped at seed $(cat "$trace" 2>/dev/null || echo "?")." >&2
    return 1
}
half=$((count / 2))
run "$first" "$half" & other=$!
failed=0
run $((first + half)) $((count - half)) || failed=1
wait "$other" || failed=1
exit $failed

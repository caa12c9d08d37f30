#!/usr/bin/env bash
# The long form of the results controllers' random test: Scripts/random-results.sh [first seed] [count], 10,000 seeds by itself.
# Two processes share the seeds. A failing seed is named with its steps; COREDATA_RANDOM_SEED=n replays it.
# CONFIGURATION=release runs optimised (and builds all tests that way first).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

first=${1:-1} count=${2:-10000}
traces=$(mktemp -d)
trap 'rm -rf "$traces"' EXIT

swift build -c "${CONFIGURATION:-debug}" --build-tests
run() {
    local first=$1 count=$2 trace=$traces/$1
    if [ "$count" -le 0 ]; then return; fi
    if COREDATA_RANDOM_FIRST=$first COREDATA_RANDOM_COUNT=$count COREDATA_RANDOM_TRACE=$trace \
        "$(swift build -c "${CONFIGURATION:-debug}" --show-bin-path)/NLCoreDataPackageTests.xctest" \
        --testing-library swift-testing --filter RandomResultsTests; then return; fi
    echo "Stopped at seed $(cat "$trace" 2>/dev/null || echo "?")." >&2
    return 1
}
half=$((count / 2))
run "$first" "$half" & other=$!
failed=0
run $((first + half)) $((count - half)) || failed=1
wait "$other" || failed=1
exit $failed

#!/usr/bin/env bash
# The long form of the random fetch test: Scripts/random-fetch.sh [first seed] [count], 1,000 seeds of 66 predicates by itself.
# Two processes share the seeds. A failing seed is named with the smallest part that fails; COREDATA_FETCH_SEED=n replays it.
# CONFIGURATION=release runs optimised (and builds all tests that way first).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

first=${1:-1} count=${2:-1000}
swift build -c "${CONFIGURATION:-debug}" --build-tests
tests=$(swift build -c "${CONFIGURATION:-debug}" --show-bin-path)/NLCoreDataPackageTests.xctest
run() {
    if [ "$2" -le 0 ]; then return; fi
    COREDATA_FETCH_FIRST=$1 COREDATA_FETCH_COUNT=$2 "$tests" --testing-library swift-testing --filter RandomFetchTests
}
half=$((count / 2))
run "$first" "$half" & other=$!
failed=0
run $((first + half)) $((count - half)) || failed=1
wait "$other" || failed=1
exit $failed

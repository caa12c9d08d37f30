#!/usr/bin/env bash
# Runs the tests of threads and of objects' ends under the thread sanitizer, then under the address sanitizer, each built into
# a folder of its own beside the usual one: .build/sanitize-thread, .build/sanitize-address. A finding fails the run.
# Arguments: thread, address, or nothing for both.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

./Scripts/prepare.sh
suites='ImporterTests|QueueTests|ConcurrencyTests|DailyTests|ParentChildTests|MergingTests|NestedContextTests|ReadLaneTests'
# Exit tests end their processes on purpose, some while others wait: not a matter for a sanitizer.
skipped='waitingForEachOther|concurrencyDebug|orStops|stopsTheProgram'
export TSAN_OPTIONS="halt_on_error=0 exitcode=66 suppressions=$PWD/Scripts/sanitize-thread.txt ${TSAN_OPTIONS:-}"
# Swift's runtime keeps metadata for ever, which is no leak.
export ASAN_OPTIONS="detect_leaks=0 ${ASAN_OPTIONS:-}"
for sanitizer in ${*:-thread address}; do
    swift test --sanitize="$sanitizer" --scratch-path ".build/sanitize-$sanitizer" --filter "$suites" --skip "$skipped"
done

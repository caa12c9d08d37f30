# Sourced by the long forms of the random tests: builds the tests and runs a suite over many seeds in two processes.
# CONFIGURATION=release runs optimised, built into a folder of its own.

# random_seeds SUITE VARIABLES FIRST COUNT: the suite reads VARIABLES_FIRST, VARIABLES_COUNT and, to name where it stopped, VARIABLES_TRACE.
random_seeds() {
    local suite=$1 variables=$2 first=$3 count=$4 half=$(($4 / 2)) failed=0
    local configuration=${CONFIGURATION:-debug}
    # The tests look inside of modules, which an optimised build must be told.
    local options=(-c "$configuration")
    if [ "$configuration" = release ]; then options+=(-Xswiftc -enable-testing --scratch-path .build/random-release); fi
    swift build "${options[@]}" --build-tests
    tests=$(swift build "${options[@]}" --show-bin-path)/NLCoreDataPackageTests.xctest
    traces=$(mktemp -d)
    trap 'rm -rf "$traces"' EXIT
    random_share "$suite" "$variables" "$first" "$half" & local other=$!
    random_share "$suite" "$variables" $((first + half)) $((count - half)) || failed=1
    wait "$other" || failed=1
    return $failed
}

random_share() {
    local suite=$1 variables=$2 first=$3 count=$4 trace=$traces/$3
    if [ "$count" -le 0 ]; then return; fi
    if env "${variables}_FIRST=$first" "${variables}_COUNT=$count" "${variables}_TRACE=$trace" \
        "$tests" --testing-library swift-testing --filter "$suite"; then return; fi
    echo "Stopped at seed $(cat "$trace" 2>/dev/null || echo "?")." >&2
    return 1
}

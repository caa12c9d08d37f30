#!/usr/bin/env bash
# Installs what is missing, builds everything and runs all tests: the package's, then those of the examples.
# Arguments go to `swift test` of the package, for example --filter ReadmeTests.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

./Scripts/prepare.sh
if [ $# -gt 0 ]; then
    swift test "$@"
else
    # Costs are counted in a process of their own: what other suites switch on, diagnostics above all, would count too.
    swift test --skip CoreDataCostTests
    swift test --skip-build --filter CoreDataCostTests
fi
for example in Examples/*/; do
    env com.apple.CoreData.ConcurrencyDebug=1 swift test --package-path "$example"
done

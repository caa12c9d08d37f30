#!/usr/bin/env bash
# Builds and tests Examples/ManagedClasses as programs are shipped: debug (which Scripts/test.sh runs too), then optimised.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

./Scripts/prepare.sh
for configuration in debug release; do
    env com.apple.CoreData.ConcurrencyDebug=1 swift test -c "$configuration" --package-path Examples/ManagedClasses
done

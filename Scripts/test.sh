#!/usr/bin/env bash
# Installs what is missing and runs all tests: the package's, and the examples'. Arguments go to `swift test` of the package.
set -euo pipefail
cd "$(dirname "$0")/.."
. Scripts/prepare.sh

swift test "$@"
swift test --package-path Examples/WorldClock

#!/usr/bin/env bash
# Installs what is missing, builds Examples/WorldClock and runs it with the arguments given. Try --help.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

"$root/Scripts/prepare.sh"
log=$(mktemp)
trap 'rm -f "$log"' EXIT
example=$root/Examples/WorldClock
[ -d "$example/.build" ] || echo "Building WorldClock; the first time takes a few minutes." >&2
# Quiet unless it fails: what the program prints is what matters here.
if ! swift build --package-path "$example" --product WorldClock >"$log" 2>&1; then
    cat "$log" >&2
    exit 1
fi
program=$(swift build --package-path "$example" --show-bin-path)/WorldClock
"$program" "$@"

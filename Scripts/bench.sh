#!/usr/bin/env bash
# Builds the benchmarks optimised and runs them: the same work through Core Data and through SQLite's C interface alone.
# Arguments go to the program: --rows N (100000), --runs N (7), --filter NAME, --growth, --minutes N, --plot FILE.svg, --json.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

"$root/Scripts/prepare.sh"
log=$(mktemp)
trap 'rm -f "$log"' EXIT
# Quiet unless it fails: the numbers are what matters here.
# Planned anew each time: a cached plan misses source files the engine has gained since.
if ! swift build -c release --disable-build-manifest-caching --package-path "$root/Benchmarks" >"$log" 2>&1; then
    cat "$log" >&2
    exit 1
fi
"$(swift build -c release --package-path "$root/Benchmarks" --show-bin-path)/Benchmarks" "$@"

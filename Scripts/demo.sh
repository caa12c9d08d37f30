#!/usr/bin/env bash
# Installs what is missing, builds the WorldClock example and runs it; arguments are passed on (try --help).
set -euo pipefail
cd "$(dirname "$0")/.."
. Scripts/prepare.sh

swift build -c release --package-path Examples/WorldClock --product WorldClock 2>&1 | tail -n 1 >&2
exec "$(swift build -c release --package-path Examples/WorldClock --show-bin-path)/WorldClock" "$@"

#!/usr/bin/env bash
# The long form of the random test: Scripts/random-graph.sh [first seed] [count], 10,000 seeds of 100 steps by itself.
# A failing seed is named with the steps that matter; COREDATA_RANDOM_SEED=n replays it. CONFIGURATION=release runs optimised.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source Scripts/random-seeds.sh

random_seeds RandomGraphTests COREDATA_RANDOM "${1:-1}" "${2:-10000}"

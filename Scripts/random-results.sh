#!/usr/bin/env bash
# The long form of the results controllers' random test: Scripts/random-results.sh [first seed] [count], 10,000 seeds by itself.
# A failing seed is named with its steps; COREDATA_RANDOM_SEED=n replays it. CONFIGURATION=release runs optimised.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source Scripts/random-seeds.sh

random_seeds RandomResultsTests COREDATA_RANDOM "${1:-1}" "${2:-10000}"

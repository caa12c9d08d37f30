#!/usr/bin/env bash
# The long form of the random fetch test: Scripts/random-fetch.sh [first seed] [count], 1,000 seeds of 66 predicates by itself.
# A failing seed is named with the smallest part that fails; COREDATA_FETCH_SEED=n replays it. CONFIGURATION=release runs optimised.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source Scripts/random-seeds.sh

random_seeds RandomFetchTests COREDATA_FETCH "${1:-1}" "${2:-1000}"

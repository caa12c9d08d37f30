#!/usr/bin/env bash
# Compares with Apple's files at length: every store of the corpus, and random damage to each (rounds as first argument, 50 by default).
# A failure names its seed: COREDATA_DAMAGE_SEED=n COREDATA_DAMAGE_ROUNDS=1 repeats the run that begins there.
set -euo pipefail
cd "$(dirname "$0")/.."
export COREDATA_DAMAGE_ROUNDS="${1:-50}" COREDATA_CORPUS_WHOLE=1
swift test --filter "AppleStore|AppleSchema|DamagedStore|FormatChecklist|ForeignLayout|ArchivedModelWriter|CorpusModel|CorpusCompiledModel"

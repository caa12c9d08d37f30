#!/usr/bin/env bash
# Every store of the corpus out as JSON, into a new store, and out again: the same text; and each is checked. A test run takes a share.
set -euo pipefail
cd "$(dirname "$0")/.."
COREDATA_ALL_STORES=1 ./Scripts/test.sh --filter 'CorpusTransferTests|CheckTests'

#!/usr/bin/env bash
# Has the compiler check the classes generated for every model of the corpus (beside the checkout, or COREDATA_CORPUS): no error, no
# warning. --sample takes a share.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

corpus=${COREDATA_CORPUS:-../shared/corpus}
[ -d "$corpus/models" ] || { echo "There is no corpus at $corpus: nothing is checked." >&2; exit 0; }
swift build --product coredata-generate
swift build --target CoreData
python3 Scripts/corpus-classes.py "$corpus/models" "$@"

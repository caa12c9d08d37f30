#!/usr/bin/env bash
# Whether every test that DEVIATIONS.md names exists: suites and targets in backticks by their type, file or folder, oracle rows by a
# test's sentence. Prints what is missing and fails.
set -euo pipefail
cd "$(dirname "$0")/.."

missing=0
while IFS= read -r line; do
    column=$(sed -E 's/\|[[:space:]]*$//; s/.*\|//' <<< "$line")
    for name in $(grep -oE '`[A-Za-z]+`' <<< "$column" | tr -d '`' || true); do
        grep -rqE "(struct|class|enum|extension|func) $name\b" Tests Sources/CoreDataTestSupport && continue
        find Tests Sources/CoreDataTestSupport -name "$name*" | grep -q . && continue
        echo "no test “$name”: $line"
        missing=1
    done
    for row in $(sed 's/`[^`]*`//g' <<< "$column" | grep -oE '\b[A-Z]{2}[0-9]{2}\b' || true); do
        grep -rqE "@Test\(\"[^\"]*\b$row\b" Tests && continue
        echo "no test of $row: $line"
        missing=1
    done
done < <(grep -E '^\|' DEVIATIONS.md | grep -vE '^\|( Test|---| What)')
exit "$missing"

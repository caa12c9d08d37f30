#!/usr/bin/env bash
# Runs the oracle's tests and prints, for each section, which rows exist, are covered, pass, deviate, fail or are missing.
#
# The oracle (ORACLE.md) is looked for in COREDATA_CORPUS (the folder, or a folder `corpus` in it), else in `shared` beside the checkout;
# without it nothing is run and the script says so. Arguments are sections to report (FA LC …); all by default.
# A row is covered by a test whose name begins with its id ("FA12: …", "VA07 VA08: …"); it passes when every such test does.
# ORACLE_OUTPUT names a file with the output of an earlier `swift test` to read instead of running the tests again.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

oracle=""
for folder in "${COREDATA_CORPUS:-}" "${COREDATA_CORPUS:+$COREDATA_CORPUS/..}" ../shared ../../shared; do
    if [ -n "$folder" ] && [ -f "$folder/ORACLE.md" ]; then oracle="$folder/ORACLE.md"; break; fi
done
if [ -z "$oracle" ]; then
    echo "SKIPPED: ORACLE.md is not on this machine (set COREDATA_CORPUS to the folder that holds it)."
    exit 0
fi

output="${ORACLE_OUTPUT:-}"
if [ -z "$output" ]; then
    output="$(mktemp)"
    trap 'rm -f "$output"' EXIT
    swift test --filter 'CoreDataParityTests|NLCoreDataTests|GeneratedClassesTests|CoreDataTests' >"$output" 2>&1 || true
fi
if ! grep -qE 'Test run with [0-9]+ test' "$output"; then
    echo "The tests did not run:" >&2
    tail -20 "$output" >&2
    exit 1
fi

awk -v wanted="$*" '
    # The ids a name begins with: "VA07 VA08: …" gives two.
    function ids(text, list,    count) {
        count = 0
        while (match(text, /^[A-Z][A-Z][0-9][0-9][,:]? /)) {
            list[++count] = substr(text, 1, 4)
            text = substr(text, RLENGTH + 1)
        }
        return count
    }
    BEGIN { for (n = split(wanted, names, " "); n > 0; n--) only[names[n]] = 1; all = wanted == "" }
    FNR == 1 { file++ }
    # The oracle: "- **FA01** [A] …" under "## FA. …".
    file == 1 && match($0, /^- \*\*[A-Z][A-Z][0-9][0-9]\*\* \[[TABC]\]/) {
        id = substr($0, 5, 4)
        section = substr(id, 1, 2)
        if (!(section in rows)) sections[++sectionCount] = section
        rows[section]++
        order[section, rows[section]] = id
        grade[id] = substr($0, 13, 1)
    }
    # Deviations: every id a line names.
    file == 2 { text = $0; while (match(text, /[A-Z][A-Z][0-9][0-9]/)) { deviates[substr(text, RSTART, 4)] = 1; text = substr(text, RSTART + 4) } }
    # The tests’ results, names in quotes: … Test "FA01: …" passed after …
    file == 3 && /(Test|test) "/ && / (passed|failed) after / {
        name = $0
        sub(/^[^"]*"/, "", name)
        count = ids(name, found)
        for (n = 1; n <= count; n++) {
            covered[found[n]] = 1
            if (name !~ /passed after [0-9.]+ seconds/) failed[found[n]] = 1
        }
    }
    END {
        printf "%-8s %5s %8s %7s %9s %7s  %s\n", "section", "rows", "covered", "passed", "deviated", "failed", "missing (grade)"
        for (s = 1; s <= sectionCount; s++) {
            section = sections[s]
            if (!all && !(section in only)) continue
            c = p = d = f = 0
            missing = failing = ""
            for (n = 1; n <= rows[section]; n++) {
                id = order[section, n]
                if (id in deviates) d++
                if (id in covered) { c++; if (id in failed) { f++; failing = failing " " id } else p++ }
                else missing = missing " " id "(" grade[id] ")" (id in deviates ? "*" : "")
            }
            printf "%-8s %5d %8d %7d %9d %7d %s\n", section, rows[section], c, p, d, f, missing
            if (failing != "") printf "         FAILED:%s\n", failing
            tr += rows[section]; tc += c; tp += p; td += d; tf += f
        }
        printf "%-8s %5d %8d %7d %9d %7d\n", "all", tr, tc, tp, td, tf
        print "deviated: named in DEVIATIONS.md; * beside a missing row: DEVIATIONS.md says why."
        exit tf > 0
    }
' "$oracle" DEVIATIONS.md "$output"

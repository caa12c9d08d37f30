#!/usr/bin/env bash
# How long builds take, in seconds: the package cold and after one changed file of the engine, and a program's target with a model
# of a hundred entities (ten attributes and two relationships each) cold, after a changed source and after a changed model.
# Works in a folder of its own, on a copy of the sources; takes some minutes. Arguments: debug (default) or release.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
configuration=${1:-debug}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

timed() { # TITLE COMMAND...
    local title=$1 start
    shift
    start=$(date +%s.%N)
    if ! "$@" >"$work/log" 2>&1; then
        cat "$work/log" >&2
        exit 1
    fi
    awk -v title="$title" -v start="$start" -v end="$(date +%s.%N)" 'BEGIN { printf "%-46s %7.1f s\n", title, end - start }'
}

mkdir "$work/NLCoreData"
(cd "$root" && tar cf - Package.swift Sources Plugins Tests Benchmarks/Sources) | tar xf - -C "$work/NLCoreData"
program=$work/Program
bundle=$program/Sources/Program/Hundred.xcdatamodeld/Hundred.xcdatamodel
mkdir -p "$bundle"
cat >"$program/Package.swift" <<'SWIFT'
// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "Program",
    dependencies: [.package(name: "NLCoreData", path: "../NLCoreData")],
    targets: [
        .executableTarget(
            name: "Program", dependencies: [.product(name: "CoreData", package: "NLCoreData")],
            resources: [.copy("Hundred.xcdatamodeld")], plugins: [.plugin(name: "CoreDataModelPlugin", package: "NLCoreData")])
    ]
)
SWIFT
cat >"$program/Sources/Program/main.swift" <<'SWIFT'
import CoreData

print(NSFetchRequest<Thing0>(entityName: "Thing0").fetchLimit)
SWIFT
model() { # EXTRA: the name of one more attribute of the last entity
    local kinds=("String" "Integer 64" "Double" "Date") entity kind
    echo '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'
    echo '<model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0" sourceLanguage="Swift" userDefinedModelVersionIdentifier="">'
    for entity in {0..99}; do
        echo "    <entity name=\"Thing$entity\" representedClassName=\"Thing$entity\" syncable=\"YES\">"
        for kind in {0..9}; do
            echo "        <attribute name=\"value$kind\" optional=\"YES\" attributeType=\"${kinds[kind % 4]}\"/>"
        done
        if [ "$entity" = 99 ] && [ -n "$1" ]; then echo "        <attribute name=\"$1\" optional=\"YES\" attributeType=\"String\"/>"; fi
        local next="Thing$(((entity + 1) % 100))" previous="Thing$(((entity + 99) % 100))"
        echo "        <relationship name=\"next\" optional=\"YES\" maxCount=\"1\" deletionRule=\"Nullify\" destinationEntity=\"$next\" inverseName=\"previous\" inverseEntity=\"$next\"/>"
        echo "        <relationship name=\"previous\" optional=\"YES\" toMany=\"YES\" deletionRule=\"Nullify\" destinationEntity=\"$previous\" inverseName=\"next\" inverseEntity=\"$previous\"/>"
        echo '    </entity>'
    done
    echo '</model>'
}
model "" >"$bundle/contents"
build() { swift build -c "$configuration" "$@"; }

echo "$configuration build, $(nproc) cores, $(swift --version 2>/dev/null | grep -o 'Swift version [0-9.]*' | head -1)"
timed "package, cold (target CoreData)" build --package-path "$program" --target CoreData
timed "generator and program after it, cold" build --package-path "$program"
scratch=$(build --package-path "$program" --show-bin-path)
find "$scratch/Program.build" -name "*.o" -delete -o -name "*.swiftdeps" -delete -o -name "*.priors" -delete
timed "program alone, cold, 100 entities" build --package-path "$program"
echo "// changed" >>"$program/Sources/Program/main.swift"
timed "program, one source changed" build --package-path "$program"
model "extra" >"$bundle/contents"
timed "program, model changed" build --package-path "$program"
timed "program, nothing changed" build --package-path "$program"
echo "// changed" >>"$work/NLCoreData/Sources/CoreData/Saving/SavePipeline.swift"
timed "package, one file of CoreData changed" build --package-path "$program" --target CoreData
echo "// changed" >>"$work/NLCoreData/Sources/CoreDataSchema/ModelResolution.swift"
timed "package, one file of the lowest floor changed" build --package-path "$program" --target CoreData

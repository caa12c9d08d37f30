#!/usr/bin/env bash
# Ports a copy of Scripts/port-sample, has the compiler check it, and takes the porting back: nothing may be left of it.
# --run builds the ported package and runs it too, debug and optimised; that takes minutes.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

./Scripts/prepare.sh
swift build --product coredata
build=$(swift build --show-bin-path) root=$PWD
copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
cp -R Scripts/port-sample/. "$copy"
rm -rf "$copy/.build"
"$build/coredata" port "$copy/Sources"

flags=(-swift-version 5 -I "$build/Modules" -I "$copy")
for library in CSQLite CZlib CCrypto; do flags+=(-Xcc "-fmodule-map-file=$root/Sources/$library/module.modulemap"); done
echo 'import Foundation; extension Bundle { static let module = Bundle.main }' > "$copy/Bundle.swift"
swiftc -emit-module -o "$copy/Notes.swiftmodule" -module-name Notes "${flags[@]}" "$copy"/Sources/Notes/*.swift "$copy/Bundle.swift"
swiftc -typecheck -module-name App "${flags[@]}" "$copy/Sources/App/main.swift"
if [ "${1:-}" = --run ]; then
    sed -i "s|path: \"../..\"|path: \"$root\"|" "$copy/Package.swift"
    for configuration in debug release; do
        [ "$(swift run -c "$configuration" --package-path "$copy" App | tail -1)" = "folder.title [6, 7]" ]
    done
fi
"$build/coredata" port "$copy/Sources" --undo >/dev/null
diff -r Scripts/port-sample/Sources "$copy/Sources"
echo "The ported sample compiles, and is as it was."

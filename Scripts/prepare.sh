#!/usr/bin/env bash
# Installs what the build needs and is missing, on Debian and Ubuntu; sourced by the other scripts. Swift itself must be there.
set -euo pipefail

if ! command -v swift >/dev/null 2>&1; then
    echo "Swift 6.2 or newer is needed and was not found: install it from swift.org and put it on the PATH." >&2
    exit 1
fi

missing=()
for package in libsqlite3-dev zlib1g-dev libssl-dev pkg-config tzdata; do
    dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || missing+=("$package")
done
if [ "${#missing[@]}" -gt 0 ]; then
    elevate=()
    if [ "$(id -u)" -ne 0 ]; then elevate=(sudo); fi
    export DEBIAN_FRONTEND=noninteractive
    "${elevate[@]}" apt-get update -qq
    "${elevate[@]}" apt-get install -y -qq --no-install-recommends "${missing[@]}"
fi

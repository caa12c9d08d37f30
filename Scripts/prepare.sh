#!/usr/bin/env bash
# Makes sure that what a build needs is there, and installs what is missing where apt-get can (Debian, Ubuntu).
# Asks nothing; changes nothing when nothing is missing. Root, or a user with sudo.
set -euo pipefail

if ! command -v swift >/dev/null; then
    echo "Swift is not installed, or not on the PATH. Get Swift 6.2 or newer from https://www.swift.org/install" >&2
    exit 1
fi
# On Apple's platforms the system has all of it.
[ "$(uname)" = Linux ] || exit 0

missing=()
need() { # PACKAGE FILE...: the package is missing unless one of the files is there
    local package=$1 file
    shift
    for file in "$@"; do
        if compgen -G "$file" >/dev/null; then return; fi
    done
    missing+=("$package")
}
need libsqlite3-dev /usr/include/sqlite3.h
need zlib1g-dev /usr/include/zlib.h
need libssl-dev /usr/include/openssl/evp.h
need pkg-config "/usr/bin/pkg-config" "/usr/bin/pkgconf" "/usr/local/bin/pkg-config"
need tzdata /usr/share/zoneinfo/zone1970.tab
[ ${#missing[@]} -gt 0 ] || exit 0

if ! command -v apt-get >/dev/null; then
    echo "Missing: ${missing[*]} (their names on Debian). Install them with your system's package manager." >&2
    exit 1
fi
if [ "$(id -u)" = 0 ]; then
    as_root=(env)
elif command -v sudo >/dev/null; then
    as_root=(sudo env)
else
    echo "Missing: ${missing[*]}. As root: apt-get install ${missing[*]}" >&2
    exit 1
fi
echo "Installing ${missing[*]}" >&2
apt() { "${as_root[@]}" DEBIAN_FRONTEND=noninteractive apt-get -qq -o=Dpkg::Use-Pty=0 "$@" >&2; }
# The lists may be older than the packages they name, or not there at all.
apt update || echo "apt-get update failed; trying with the lists that are there." >&2
apt install -y --no-install-recommends "${missing[@]}"

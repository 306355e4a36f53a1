#!/bin/bash
# SPDX-License-Identifier: MIT
#
# An NRRD file may hold its samples as text (encoding: ascii), numbers with blanks between them. Such
# numbers have no order of bytes, and their header names none (teem's definition of the format: endian
# is for encodings where it matters).
# One would guess: “unu save -e ascii -en big” writes the same numbers as with “-en little”.
# What happens: unu of teem 1.12.0 (Debian 12) swaps the bytes of the samples and then writes them as
# numbers: 1 2 300 become 256 512 11265, without a word, also in the header, so that whoever reads the
# file, unu as well, gets other values. In hexadecimal digits, whose header says endian: big, they are
# right.
#
# Needs amd64, apt-get, dpkg, and what teem-apps of Debian 12 depends on (libbz2, libpng, zlib);
# that package and libteem2 are fetched and run from a temporary folder.
set -euo pipefail

VERSION=1.12.0~20160122-5

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get -qq -o APT::Sandbox::User="$(id -un)" download "teem-apps=$VERSION" "libteem2=$VERSION"
for package in *.deb; do
    dpkg -x "$package" root
done
libraries=$folder/root/usr/lib
export LD_LIBRARY_PATH=$libraries:$libraries/x86_64-linux-gnu PATH=$folder/root/usr/bin:$PATH
{ teem-unu about || true; } | sed -n 's/.*\(Teem version [0-9.]*\).*/\1/p' | sed -n 1p

printf 'NRRD0004\ntype: ushort\ndimension: 1\nsizes: 3\nencoding: ascii\n\n1 2 300\n' > in.nrrd

seen=
for encoding in ascii hex; do
    for order in little big; do
        teem-unu save -f nrrd -e "$encoding" -en "$order" -i in.nrrd -o out.nrrd
        read_again=$(teem-unu save -f text -i out.nrrd | tr '\n' ' ')
        line="$encoding, $order: $(grep -c '^endian' out.nrrd || true) lines of endian,"
        line+=" unu reads ${read_again% }"
        echo "$line"
        seen+="$line"$'\n'
    done
done
expected="ascii, little: 0 lines of endian, unu reads 1 2 300
ascii, big: 0 lines of endian, unu reads 256 512 11265
hex, little: 1 lines of endian, unu reads 1 2 300
hex, big: 1 lines of endian, unu reads 1 2 300
"
if [ "$seen" != "$expected" ]; then
    printf 'This has changed; it was:\n%s\n' "$expected" >&2
    exit 1
fi

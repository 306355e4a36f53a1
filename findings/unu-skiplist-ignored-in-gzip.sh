#!/bin/bash
# SPDX-License-Identifier: MIT
#
# An NRRD header may name several data files with, for each, the bytes that come before its samples
# (data file: SKIPLIST, NRRD0006), beside the older way of one number for all (byte skip: N).
# One would guess: both mean the same where the numbers are equal; in files packed by gzip, as the
# definition of the format has it for byte skip, the bytes are those of what is unpacked.
# What happens: unu of teem 1.12.0 (Debian 12) obeys “byte skip: 2” in raw and in gzip, and a list of
# twos in raw; the list of twos in gzip it reads and forgets: the two bytes before the samples become
# samples, the last ones are dropped, and the status is 0 without a word. Files written for this reader
# cannot have such skips, and a reader of such files cannot take unu as its measure.
# Source: seen here; both fields are described in the definition of the format that teem has.
#
# Needs amd64, apt-get, dpkg, gzip, and what teem-apps of Debian 12 depends on (libbz2, libpng, zlib);
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

# Two slices of 2 x 2 bytes, each behind two bytes (minus signs, 45) that are none of them.
for slice in 1 2; do
    printf '%s' "--${slice}${slice}${slice}${slice}" > "$slice.raw"
    gzip -k "$slice.raw"
done

seen=
for encoding in raw gzip; do
    suffix=raw
    [ "$encoding" = raw ] || suffix=raw.gz
    for way in 'byte skip' SKIPLIST; do
        {
            printf 'NRRD0006\ntype: uchar\ndimension: 3\nsizes: 2 2 2\nencoding: %s\n' "$encoding"
            if [ "$way" = SKIPLIST ]; then
                printf 'data file: SKIPLIST\n2 1.%s\n2 2.%s\n' "$suffix" "$suffix"
            else
                printf 'byte skip: 2\ndata file: LIST\n1.%s\n2.%s\n' "$suffix" "$suffix"
            fi
        } > in.nhdr
        values=$(teem-unu reshape -s 8 -i in.nhdr | teem-unu save -f text | tr '\n' ' ')
        line="$encoding, $way of 2: ${values% }"
        echo "$line"
        seen+="$line"$'\n'
    done
done

# "1" and "2" are 49 and 50.
right='49 49 49 49 50 50 50 50'
[ "$seen" = "raw, byte skip of 2: $right
raw, SKIPLIST of 2: $right
gzip, byte skip of 2: $right
gzip, SKIPLIST of 2: 45 45 49 49 45 45 50 50
" ]
echo "still so"

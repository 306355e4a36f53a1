#!/bin/bash
# SPDX-License-Identifier: MIT
#
# A JPEG 2000 picture may begin at an odd column of its grid (XOsiz, ISO/IEC 15444-1, B.2),
# as parts that are cut out of a larger one do. With chroma of half the width (4:2:2) samples lie at
# even columns, so that the first column has none of its own: the first one is a column further on.
# One would guess: it takes the nearest sample, and a picture of one colour stays of one colour.
# What happens: opj_decompress of OpenJPEG 2.5.0 (Debian 12) takes 0 for both chroma samples of the
# first column, where 128 would be grey: it is green whatever it shows, and nothing is said.
# The same samples at an even offset (2) have one colour.
#
# Needs amd64, apt-get, dpkg, python3, and what libopenjp2-tools of Debian 12 depends on (libpng,
# libtiff, liblcms2); that package and libopenjp2-7 are fetched and run from a temporary folder.
set -euo pipefail

VERSION=2.5.0-2+deb12u3

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get -qq -o APT::Sandbox::User="$(id -un)" download "libopenjp2-tools=$VERSION" \
    "libopenjp2-7=$VERSION"
for package in *.deb; do
    dpkg -x "$package" root
done
export LD_LIBRARY_PATH=$folder/root/usr/lib/x86_64-linux-gnu PATH=$folder/root/usr/bin:$PATH
{ opj_decompress -h || true; } | sed -n 's/.*openjp2 library v\(.*\)\./openjp2 \1/p'

# 16 × 16 of Y 128, Cb 200, Cr 90
python3 -c '
with open("422.raw", "wb") as file:
    file.write(bytes([128] * 256 + [200] * 128 + [90] * 128))'

seen=
for offset in 2 1; do
    opj_compress -i 422.raw -o "$offset.jp2" -F 16,16,3,8,u@1x1:2x1:2x1 -d "$offset,0" -n 3 > log 2>&1
    opj_decompress -i "$offset.jp2" -o "$offset.ppm" > log 2>&1
    header=$(($(stat -c %s "$offset.ppm") - 16 * 16 * 3))
    line="offset $offset: first pixels$(od -An -tu1 -j "$header" -N9 "$offset.ppm" | tr -s ' '),"
    line+=" warnings $(grep -ciE 'warn|error' log || true)"
    echo "$line"
    seen+="$line"$'\n'
done
expected="offset 2: first pixels 75 130 255 75 130 255 75 130 255, warnings 0
offset 1: first pixels 0 255 0 75 130 255 75 130 255, warnings 0
"
if [ "$seen" != "$expected" ]; then
    printf 'This has changed; it was:\n%s\n' "$expected" >&2
    exit 1
fi

#!/bin/bash
# SPDX-License-Identifier: MIT
#
# dcmpschk checks DICOM presentation states: among other things, that texts hold the characters that their
# value representation allows. Control characters are not allowed in LO, and few of them in ST.
# One would guess: a text is judged in the character set that the file names. In UTF-8 (ISO_IR 192) the bytes
# 80 to 9F are parts of letters, so that all names and descriptions of a valid file pass; or, if the program
# knew no UTF-8, that every letter beyond ASCII fails.
# What happens (DCMTK 3.6.7, Debian 12): each byte is judged alone, by the table of 8-bit sets, where 80 to 9F
# are control characters. A text passes or fails by the second byte of its letters: "Läsion" (C3 A4) is right,
# "größer" (ß is C3 9F) "does not conform to data type definition", "Àbc" (C3 80) likewise, and so does what
# is written in Greek or Chinese as soon as one of its bytes lies there. In ISO_IR 100 the same words pass. So
# some patients' names fail and others do not; and whether the test fails or not, the exit status is 0: only
# the text tells.
# Source: dcmpstat/apps/dcmpschk.cc of DCMTK, seen here by what it does; PS3.5 6.1 and 6.2.
#
# Needs apt-get, dpkg and python3; DCMTK is fetched and run from a temporary folder.
set -euo pipefail

DCMTK=3.6.7-9~deb12u4

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
for package in dcmtk libdcmtk17; do
  apt-get -qq -o APT::Sandbox::User="$(id -un)" download "$package=$DCMTK"
done
for file in *.deb; do
  dpkg -x "$file" unpacked
done
LD_LIBRARY_PATH=$(echo "$folder"/unpacked/usr/lib/*)
DCMDICTPATH=$(find unpacked -name dicom.dic | head -n 1)
export LD_LIBRARY_PATH DCMDICTPATH
PATH=$folder/unpacked/usr/bin:$PATH

# A grey picture of 4 × 4.
cat >picture.txt <<'TEXT'
(0008,0016) UI =SecondaryCaptureImageStorage
(0008,0018) UI [2.25.1]
(0008,0020) DA [20260101]
(0008,0030) TM [120000]
(0008,0060) CS [OT]
(0010,0010) PN [Nobody]
(0010,0020) LO [1]
(0020,000d) UI [2.25.2]
(0020,000e) UI [2.25.3]
(0020,0010) SH [1]
(0020,0011) IS [1]
(0020,0013) IS [1]
(0028,0002) US 1
(0028,0004) CS [MONOCHROME2]
(0028,0010) US 4
(0028,0011) US 4
(0028,0100) US 8
(0028,0101) US 8
(0028,0102) US 7
(0028,0103) US 0
(7fe0,0010) OB 00\01\02\03\04\05\06\07\08\09\0a\0b\0c\0d\0e\0f
TEXT
dump2dcm -q picture.txt picture.dcm
dcmpsmk -q picture.dcm state.dcm

# judge SET WORDS…: what dcmpschk says of a state with such a description.
judge ()
{
  local set=$1 words name status
  shift
  for words; do
    cp state.dcm try.dcm
    name=$words
    [ "$set" != ISO_IR\ 100 ] || name=$(iconv -f UTF-8 -t ISO-8859-1 <<<"$words")
    dcmodify -q -nb -i "(0008,0005)=$set" -i "(0070,0081)=$name" try.dcm
    dcmpschk try.dcm >said.txt 2>&1 && status=0 || status=$?
    if grep -qF "Test passed" said.txt; then
      echo "$set $words: right, status $status"
    else
      echo "$set $words: $(grep -a -m 1 -o 'Attribute value does not conform.*' said.txt) Status $status"
    fi
  done
}

dpkg-deb -f dcmtk_*.deb Package Version
{
  judge 'ISO_IR 192' small Läsion größer Àbc Ωμέγα
  judge 'ISO_IR 100' small Läsion größer Àbc
} | tee seen.txt

cat >expected.txt <<'TEXT'
ISO_IR 192 small: right, status 0
ISO_IR 192 Läsion: right, status 0
ISO_IR 192 größer: Attribute value does not conform to data type definition. Status 0
ISO_IR 192 Àbc: Attribute value does not conform to data type definition. Status 0
ISO_IR 192 Ωμέγα: right, status 0
ISO_IR 100 small: right, status 0
ISO_IR 100 Läsion: right, status 0
ISO_IR 100 größer: right, status 0
ISO_IR 100 Àbc: right, status 0
TEXT
diff expected.txt seen.txt && echo "as described"

#!/bin/bash
# SPDX-License-Identifier: MIT
#
# storescu sends DICOM pictures to storescp, both of DCMTK.
# One would guess: small pictures over the loopback interface, in one association, take a fraction of a
# millisecond each, as the round trip does; a network that is slow would have to be a real one.
# What happens (DCMTK 3.6.7, Debian 12): each picture takes 80 to 90 ms, that is eleven or twelve in a
# second, whatever the machine. Message heads and what follows them are written to the socket one by one, and
# Nagle's algorithm holds the second until the peer has acknowledged the first, which it delays for 40 ms; it
# happens to the request and again to the response. The environment variable TCP_NODELAY=1 ends it, and each side
# needs it for what it sends: on one side alone half of the time stays. TCP_NODELAY=0 is the same as without.
# Whoever measures a receiver with storescu measures this, and not the receiver.
# Source: seen here by the clock; RFC 896, RFC 1122 4.2.3.2; DCMTK's envvars.txt has the variable.
#
# Needs apt-get, dpkg and python3; DCMTK is fetched and run from a temporary folder. Uses 127.0.0.1 only.
set -euo pipefail

DCMTK=3.6.7-9~deb12u4
PICTURES=25

folder=$(mktemp -d)
server=
trap 'kill $server 2>/dev/null || true; rm -rf "$folder"' EXIT
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

# Grey pictures of 4 × 4.
mkdir pictures
for i in $(seq $PICTURES); do
  cat >picture.txt <<TEXT
(0008,0016) UI =SecondaryCaptureImageStorage
(0008,0018) UI [2.25.1.$i]
(0020,000d) UI [2.25.2]
(0020,000e) UI [2.25.3]
(0028,0002) US 1
(0028,0004) CS [MONOCHROME2]
(0028,0010) US 4
(0028,0011) US 4
(0028,0100) US 8
(0028,0101) US 8
(0028,0102) US 7
(0028,0103) US 0
(7fe0,0010) OB 00\\01\\02\\03\\04\\05\\06\\07\\08\\09\\0a\\0b\\0c\\0d\\0e\\0f
TEXT
  dump2dcm -q picture.txt "pictures/$i.dcm"
done
port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')

# take RECEIVER SENDER: milliseconds for all pictures; each word is TCP_NODELAY of that side, "none" for unset.
take ()
{
  local of_receiver=() of_sender=() begun ended
  [ "$1" = none ] || of_receiver=("TCP_NODELAY=$1")
  [ "$2" = none ] || of_sender=("TCP_NODELAY=$2")
  rm -rf received
  mkdir received
  env -u TCP_NODELAY "${of_receiver[@]}" storescp -od received "$port" &
  server=$!
  for _ in $(seq 100); do
    env -u TCP_NODELAY echoscu 127.0.0.1 "$port" 2>/dev/null && break
    sleep 0.1
  done
  begun=$(date +%s%N)
  env -u TCP_NODELAY "${of_sender[@]}" storescu 127.0.0.1 "$port" pictures/*.dcm
  ended=$(date +%s%N)
  kill $server
  wait $server 2>/dev/null || true
  server=
  [ "$(find received -type f | wc -l)" = $PICTURES ]
  echo $(((ended - begun) / 1000000))
}

storescu --version | sed -n 1p
both=$(take none none)
zero=$(take 0 0)
receiver=$(take 1 none)
sender=$(take none 1)
neither=$(take 1 1)
echo "$PICTURES pictures of 16 bytes, ms:"
echo "as it is                    $both"
echo "TCP_NODELAY=0 on both sides $zero"
echo "TCP_NODELAY=1 on storescp   $receiver"
echo "TCP_NODELAY=1 on storescu   $sender"
echo "TCP_NODELAY=1 on both sides $neither"
# 40 ms are the delay of Linux; half of it is left for a busy machine's clock.
[ "$both" -gt $((PICTURES * 40)) ]
[ "$zero" -gt $((PICTURES * 40)) ]
[ "$neither" -lt $((both / 4)) ]
echo "still so"

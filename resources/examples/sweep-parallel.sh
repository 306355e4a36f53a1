#!/bin/sh
# SPDX-License-Identifier: MIT
# A sweep on the processors of one machine, or of several, by GNU parallel:
#
#   sweep-parallel.sh clean.png 8
#
# computes 8 shards and joins them. With PARALLEL="--sshloginfile machines --workdir ." in
# the environment, several machines do it, which see the same folder. When it was stopped,
# call it again: what is there is not computed again.
set -e
picture=${1:?name a clean picture} shards=${2:-8}
parallel --will-cite ondelette-cli sweep "$picture" --filter soft-threshold \
  --noise gaussian:25/255,7 \
  --vary soft-threshold.threshold=0:0.2:0.01 --vary soft-threshold.levels=1:5 \
  --csv 'part-{}.csv' --jobs 1 --shard "{}/$shards" ::: $(seq "$shards")
set --
for i in $(seq "$shards"); do set -- "$@" "part-$i.csv"; done
ondelette-cli merge all.csv "$@" --plot all.svg --force

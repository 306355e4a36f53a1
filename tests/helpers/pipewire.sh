#!/bin/bash
# SPDX-License-Identifier: MIT
# usage: pipewire.sh COMMAND [ARGUMENT…]
# Runs COMMAND in a session of its own: private session bus, PipeWire and WirePlumber, so that
# cameras can be made with GStreamer's pipewiresink. Exits with 77 where these are not installed.
set -u

if [ "${1:-}" != --inside ]; then
  for program in dbus-run-session pipewire wireplumber pw-cli; do
    command -v "$program" >/dev/null && continue
    echo "1..0 # SKIP $program is not installed"
    exit 77
  done
  folder=$(mktemp -d)
  mkdir -m 700 "$folder/run"
  # The GStreamer registry stays where it is: reading all plugins anew takes seconds.
  export XDG_CACHE_HOME="${XDG_CACHE_HOME:-$folder/cache}"
  unset DBUS_SESSION_BUS_ADDRESS PIPEWIRE_REMOTE
  XDG_RUNTIME_DIR=$folder/run XDG_STATE_HOME=$folder/state XDG_CONFIG_HOME=$folder/config \
    dbus-run-session -- "$0" --inside "$@"
  status=$?
  rm -rf "$folder"
  exit "$status"
fi
shift

pipewire >"$XDG_RUNTIME_DIR/pipewire.log" 2>&1 &
server=$!
for _ in $(seq 100); do
  [ -S "$XDG_RUNTIME_DIR/pipewire-0" ] && break
  sleep 0.05
done
wireplumber >"$XDG_RUNTIME_DIR/wireplumber.log" 2>&1 &
manager=$!
# It answers to its name on the bus of PipeWire's clients once its scripts run.
for _ in $(seq 100); do
  pw-cli ls Client 2>/dev/null | grep -q '"WirePlumber"' && break
  sleep 0.05
done

"$@"
status=$?
kill "$manager" "$server" 2>/dev/null
wait "$manager" "$server" 2>/dev/null
exit "$status"

#!/bin/bash
# SPDX-License-Identifier: MIT
# usage: pipewire.sh COMMAND [ARGUMENT…]
# Runs COMMAND in a session of its own: private session bus, PipeWire and WirePlumber, so that
# cameras can be made with GStreamer's pipewiresink. Exits with 77 where these are not installed.
# shellcheck disable=SC2086 # $servers is a list
set -u

if [ "${1:-}" != --inside ]; then
  for program in dbus-run-session pipewire wireplumber pw-cli; do
    command -v "$program" >/dev/null && continue
    echo "1..0 # SKIP $program is not installed"
    exit 77
  done
  unset DBUS_SESSION_BUS_ADDRESS PIPEWIRE_REMOTE
  # libpipewire 0.3.65 now and then uses memory that it freed when a camera goes (its own thread;
  # seen in core files), which ends the test with SIGSEGV, and PipeWire's server now and then ends
  # by an assertion of its own (below). These, and nothing else, are tried again: a check that fails
  # ends with SIGABRT.
  for attempt in 1 2 3; do
    folder=$(mktemp -d)
    mkdir -m 700 "$folder/run"
    # The GStreamer registry stays where it is: reading all plugins anew takes seconds.
    XDG_CACHE_HOME="${XDG_CACHE_HOME:-$folder/cache}" XDG_RUNTIME_DIR=$folder/run \
      XDG_STATE_HOME=$folder/state XDG_CONFIG_HOME=$folder/config \
      dbus-run-session -- "$0" --inside "$@" >"$folder/output"
    status=$?
    if [ "$status" != 139 ] || [ "$attempt" = 3 ]; then
      cat "$folder/output"
      rm -rf "$folder"
      exit "$status"
    fi
    echo "pipewire.sh: attempt $attempt ended with SIGSEGV after:" >&2
    tail -n 3 "$folder/output" >&2
    rm -rf "$folder"
  done
fi
shift

# await CONDITION…: for up to half a minute; what does not come by then is said.
await ()
{
  for _ in $(seq 300); do
    "$@" && return
    sleep 0.1
  done
  echo "pipewire.sh: waited in vain: $*" >&2
  tail "$XDG_RUNTIME_DIR"/*.log >&2
  stop
  exit 1
}

# Nothing stays behind: who does not end when asked to is killed, and who loses this script
# ends with it.
stop ()
{
  kill $servers 2>/dev/null
  for _ in $(seq 50); do
    kill -0 $servers 2>/dev/null || return
    sleep 0.1
  done
  kill -KILL $servers 2>/dev/null
}

# shellcheck disable=SC2317 # called by await
# The scripts of the session manager run once it has its name among the clients.
is_managed ()
{
  timeout -k 1 5 pw-cli ls Client 2>/dev/null | grep -q '"WirePlumber"'
}

setpriv --pdeathsig KILL pipewire >"$XDG_RUNTIME_DIR/pipewire.log" 2>&1 &
servers=$!
await [ -S "$XDG_RUNTIME_DIR/pipewire-0" ]
setpriv --pdeathsig KILL wireplumber >"$XDG_RUNTIME_DIR/wireplumber.log" 2>&1 &
servers="$servers $!"
await is_managed

# For tests that end them, see tests/unit/source/camera/camera_support.c.
export ODL_PIPEWIRE_SERVERS=$servers
"$@"
status=$?
for server in $servers; do
  if [ "$status" != 0 ] && ! kill -0 "$server" 2>/dev/null; then
    wait "$server"
    died=$?
    # SIGABRT, SIGSEGV; tests that end a server do it in other ways.
    [ "$died" != 134 ] && [ "$died" != 139 ] || status=139
  fi
done
stop
exit "$status"

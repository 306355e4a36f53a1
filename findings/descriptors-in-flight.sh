#!/bin/bash
# SPDX-License-Identifier: MIT
#
# A process can send open files to another one over a Unix socket (SCM_RIGHTS of unix(7)); until
# they are received they are in flight.
# One would guess: RLIMIT_NOFILE, the number of files that a process may have open, limits what it
# sends by what it has sent itself, so that the first file that a new process sends always arrives.
# What happens: Linux counts the files in flight of all processes of a user together, those of
# processes that have ended, too, and compares that sum with the limit of the one that sends now. A
# process with a small limit gets ETOOMANYREFS for its first file, although its socket is empty,
# while another one with a larger limit sends at the same time; once somebody receives the others,
# it can send. The manual page says that the number is compared, not whose files are counted.
# Root and others with CAP_SYS_RESOURCE or CAP_SYS_ADMIN are exempt, so that tests as root miss it.
# Versions: Linux 4.5 and later; seen with 6.18. Source: too_many_unix_fds() and unix_attach_fds()
# of the kernel, the field unix_inflight of its struct user_struct.
#
# Needs Linux and python3; as root also setpriv of util-linux, for a user who runs nothing else.
set -euo pipefail

user=()
if [ "$(id -u)" = 0 ]; then
    user=(setpriv --reuid=64211 --regid=64211 --clear-groups)
fi
uname -sr
python3 --version

seen=$("${user[@]}" timeout 60 python3 - <<'PYTHON'
import errno
import os
import resource
import socket

IN_FLIGHT, SMALL, LARGE = 200, 100, 400
file = os.open("/dev/null", os.O_RDONLY)


def send_from_another_process(sock, limit, n):
    """A new process with that RLIMIT_NOFILE sends n files and ends: what became of it."""
    child = os.fork()
    if child == 0:
        status = 0
        try:
            resource.setrlimit(resource.RLIMIT_NOFILE, (limit, resource.getrlimit(resource.RLIMIT_NOFILE)[1]))
            socket.send_fds(sock, [b"x"], [file] * n)
        except OSError as error:
            status = error.errno
        os._exit(status)
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    return "sent" if status == 0 else errno.errorcode.get(status, status)


def try_one(limit):
    """One file through a socket of its own, where nothing else waits."""
    ours, theirs = socket.socketpair()
    result = send_from_another_process(ours, limit, 1)
    ours.close()
    theirs.close()
    return result


crowded, receiver = socket.socketpair()
print(f"before: limit {SMALL} {try_one(SMALL)}")
print(f"a process of limit {LARGE} puts {IN_FLIGHT} in flight and ends: "
      f"{send_from_another_process(crowded, LARGE, IN_FLIGHT)}")
print(f"meanwhile: limit {SMALL} {try_one(SMALL)}, limit {LARGE} {try_one(LARGE)}")
_, received, _, _ = socket.recv_fds(receiver, 1, IN_FLIGHT)
print(f"received {len(received)}: limit {SMALL} {try_one(SMALL)}")
PYTHON
)
echo "$seen"
expected="before: limit 100 sent
a process of limit 400 puts 200 in flight and ends: sent
meanwhile: limit 100 ETOOMANYREFS, limit 400 sent
received 200: limit 100 sent"
if [ "$seen" != "$expected" ]; then
    printf 'This has changed; it was:\n%s\n' "$expected" >&2
    exit 1
fi

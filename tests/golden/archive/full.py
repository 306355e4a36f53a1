#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Disks without room: nothing half there, nothing lost, and a sentence; with room again all goes on.

usage: full.py ONDELETTE_CLI
"""
import os
import pathlib
import shutil
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "helpers"))
import dicom_peer as peer  # noqa: E402
from command_line import CLI, run_cases  # noqa: E402
from node import PATIENCE, Node, Storescp, until  # noqa: E402
from tap import Skip  # noqa: E402

FULL = "No space left on device"


def on_small_disks(**options):
    """What runs a command where folders of these names (which are made) are disks with these options of tmpfs."""
    unshare = ["unshare", "--user", "--map-root-user", "--mount"]
    mounts = ""
    for name, how in options.items():
        os.makedirs(name, exist_ok=True)
        mounts += f"mount -t tmpfs -o {how} tmpfs '{os.path.abspath(name)}' && "
    before = [*unshare, "sh", "-c", mounts + 'exec "$@"', "sh"]
    if not shutil.which("unshare") or subprocess.run([*before, "true"], capture_output=True).returncode != 0:
        raise Skip("no disks of one's own without root")
    return before


def inside(process, name):
    """A folder as the process sees it."""
    return pathlib.Path(f"/proc/{process.pid}/root{os.path.abspath(name)}")


def write(name, **what):
    pathlib.Path(name).write_bytes(peer.whole_file(peer.data_set(**what), **what))
    return name


def receiving():
    with Node(before=on_small_disks(archive="size=1m")) as node, peer.Peer(node.port) as one:
        there = inside(node.process, "archive")
        one.associate()
        statuses = []
        while len(statuses) < 10 and 0xa700 not in statuses:
            name = f"1.{len(statuses)}"
            one.say(peer.store(peer.data_set(name, size=200_000), name))
            statuses.append(one.status())
        assert 0 in statuses and statuses[-1] == 0xa700, statuses
        node.await_words(f"1.{len(statuses) - 1} was not kept", FULL)
        kept = sorted(there.rglob("*.dcm"))
        assert [path.name for path in kept] == [f"1.{n}.dcm" for n in range(len(statuses) - 1)], kept
        for number, path in enumerate(kept):
            if not path.read_bytes().endswith(peer.data_set(f"1.{number}", size=200_000)):
                yield f"{path} is not whole"
        assert sorted(path for path in there.rglob("*") if path.is_file()) == kept
        # With room again.
        kept[0].unlink()
        one.say(peer.store(peer.data_set("1.99", size=200_000), "1.99"))
        status = one.status()
        assert status == 0, (status, node.words, list(there.rglob('*')))
        one.release()


def without_names():
    """Of a disk that has room, and none for another file."""
    with Node(before=on_small_disks(archive="size=10m,nr_inodes=8")) as node, peer.Peer(node.port) as one:
        one.associate()
        statuses = []
        while len(statuses) < 20 and 0xa700 not in statuses:
            name = f"1.{len(statuses)}"
            one.say(peer.store(peer.data_set(name, study=f"1.7.{len(statuses)}"), name))
            statuses.append(one.status())
        assert 0 in statuses and statuses[-1] == 0xa700, statuses
        node.await_words("was not kept", FULL)
        one.release()


def deriving():
    """What there is no room for is made when there is."""
    pathlib.Path("rules").write_text("[all]\npreset=bone\n")
    before = on_small_disks(state="size=300k")
    with Storescp() as other, Node(before=before, more=("--preset-rules", "rules", "--state", "state", "--forward",
                                                        f"ANY@127.0.0.1:{other.port}")) as node:
        ballast = inside(node.process, "state") / "ballast"
        ballast.write_bytes(bytes(200_000))
        with peer.Peer(node.port) as one:
            one.associate()
            for number in range(2):
                one.say(peer.store(peer.data_set(f"1.{number}", size=250_000), f"1.{number}"))
                assert one.status() == 0
            one.release()
        node.await_words("1.0", FULL, "when there is room")
        assert not other.files() and len(node.files()) == 2
        ballast.unlink()
        until(lambda: len(other.files()) == 2, (node.lines, node.words, other.files()))
        assert not list(inside(node.process, "state").glob("todo/*/*"))


def queue_and_log():
    """A copy that has no room is none; what is sent is sent, whether it can be noted or not."""
    name, small = write("large.dcm", size=300_000), write("small.dcm", instance="1.2")
    before = on_small_disks(waiting="size=100k", state="size=4k,nr_inodes=1")
    env = {**os.environ, "XDG_STATE_HOME": os.path.abspath("state")}
    with Storescp() as other:
        done = subprocess.run([*before, CLI, "send", name, small, "--to", f"ANY@127.0.0.1:{other.port}", "--queue", "waiting"],
                              env=env, capture_output=True, text=True, timeout=PATIENCE)
        assert done.returncode == 1 and [line.split("-", 1)[1] for line in done.stdout.splitlines()] == [small], done
        assert sum(name in line and FULL in line for line in done.stderr.splitlines()) == 1, done.stderr
        assert sum("cannot be noted" in line for line in done.stderr.splitlines()) == 1, done.stderr
        assert len(other.files()) == 1


def getting():
    """What has no room is missing, and why is said."""
    names = [write(f"{n}.dcm", instance=f"1.2.3.4.{n}", size=60_000) for n in range(4)]
    with Storescp():
        pass  # DCMTK is there
    from archives import Dcmqrscp
    with Dcmqrscp() as archive:
        archive.put(*names)
        before = on_small_disks(got="size=150k")
        done = subprocess.run([*before, CLI, "get", "--from", archive.name, "--study", "1.2.3", "-o", "got"],
                              capture_output=True, text=True, timeout=PATIENCE)
    words = [line.split()[0] for line in done.stdout.splitlines()]
    assert done.returncode == 1 and sorted(words) == ["missing"] * 2 + ["stored"] * 2, done
    assert FULL in done.stderr and "2 of 4 pictures" in done.stderr, done.stderr


CASES = {
    "/full/what-is-received-is-whole-or-refused": receiving,
    "/full/no-name-is-told-as-no-room": without_names,
    "/full/derived-objects-are-made-when-there-is-room": deriving,
    "/full/a-queue-says-what-it-cannot-hold": queue_and_log,
    "/full/what-is-got-without-room-is-missing": getting,
}

if __name__ == "__main__":
    sys.exit(run_cases(CASES))

#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Hostile and broken callers at the node's port, on this machine alone: nothing is lost, nothing half there, nobody
let in, and the next one is served.

usage: hostile.py ONDELETTE_CLI [N [SEED]]

With N, that many mutated conversations alone.
"""
import os
import pathlib
import random
import resource
import signal
import struct
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "helpers"))
import dicom_file  # noqa: E402
import dicom_peer as peer  # noqa: E402
from command_line import run_cases  # noqa: E402
from node import Node, until  # noqa: E402

MANY = ("--most-associations", 1000)  # more wait until others have ended
PATH = "1.2.3/1.2.3.4/1.2.3.4.5.dcm"


def still_serves(node, number=0):
    """Another caller is served as if nothing had been."""
    instance = f"9.{number}"
    with peer.Peer(node.port) as one:
        kind, _ = one.associate()
        assert kind == 2, kind
        one.say(peer.store(peer.data_set(instance=instance), instance))
        assert one.status() == 0
        one.release()
    path = node.folder / f"1.2.3/1.2.3.4/{instance}.dcm"
    assert path.read_bytes().endswith(peer.data_set(instance=instance))
    path.unlink()


def nothing_left(node):
    """No helper lives on, and files are whole."""
    until(lambda: not node.helpers(), "helpers end")
    assert all(path.name.endswith(".dcm") for path in node.folder.rglob("*") if path.is_file()), node.files()


def tell(node, data, patient=False):
    """Says it and hangs up, or waits for the other side to."""
    with peer.Peer(node.port) as one:
        try:
            one.say(data)
            if patient:
                while True:
                    one.exactly(1)
        except (peer.Gone, OSError):
            pass


def cut_anywhere():
    """A conversation that stops at any byte; from the data on, at some."""
    whole = peer.request() + peer.store(peer.data_set())
    places = list(range(0, len(peer.request()) + 200, 3)) + list(range(len(peer.request()) + 200, len(whole), 211))
    with Node(more=MANY) as node:
        for place in places:
            tell(node, whole[:place])
        tell(node, whole, patient=False)
        until(lambda: node.n_ended() + sum("turned away" in line for line in node.words) == len(places) + 1,
              node.words[-3:])
        # The last one was complete but for the release.
        assert node.files() in ([], [PATH]), node.files()
        still_serves(node)
        nothing_left(node)
        yield from (line for line in node.words if "status" in line or "helper" in line)


def lying_lengths():
    request = peer.request()
    store = peer.store(peer.data_set())
    lies = []
    for length in (0, 1, 3, 67, 68, 69, len(request) - 7, len(request) - 5, 0x7fffffff, 0x80000000, 0xfffffff9, 0xffffffff):
        lies.append(request[:2] + struct.pack(">I", length) + request[6:])
    at = 74  # items of the request
    while at + 4 <= len(request):
        for length in (0, 1, 3, 0x7fff, 0xffff):
            lies.append(request[:at + 2] + struct.pack(">H", length) + request[at + 4:])
        at += 4 + struct.unpack(">H", request[at + 2:at + 4])[0]
    for length in (0, 1, 5, 6, 7, 131073, 0x7fffffff, 0xffffffff):
        lies.append(request + store[:2] + struct.pack(">I", length) + store[6:])
    for length in (0, 1, 2, 3, 0x7fffffff, 0xfffffffe, 0xffffffff):
        lies.append(request + store[:6] + struct.pack(">I", length) + store[10:])
    words = peer.command(peer.STORE, 1, peer.CT, "1.2.3.4.5")
    for place in range(16, len(words) - 8, 2):
        for length in (0xffff, 0xffffffff):
            lie = words[:place] + struct.pack("<I", length) + words[place + 4:]
            lies.append(request + peer.values(lie, 1, True) + peer.values(peer.data_set()))
    with Node(more=(*MANY, "--most-idle", 2)) as node:
        for number, lie in enumerate(lies):
            tell(node, lie)
        still_serves(node)
        until(lambda: node.n_ended() >= len(lies), "all end")
        nothing_left(node)
        for path in node.files():
            if path != PATH:
                yield path


def mutations(n=400, seed=7):
    """Bytes that are changed, left out, doubled and moved."""
    dice = random.Random(seed)
    whole = peer.request() + peer.store(peer.data_set()) + peer.RELEASE
    head = len(peer.request()) + 400
    with Node(more=(*MANY, "--most-idle", 2)) as node:
        for _ in range(n):
            tell(node, peer.mutated(whole, dice, head))
        still_serves(node)
        until(lambda: node.n_ended() >= n, "all end", 600)
        nothing_left(node)
        inside = node.folder.resolve()
        assert all(inside in path.resolve().parents for path in node.folder.rglob("*"))
        crashed = [line for line in node.words if "ended without a word" in line]
        if crashed:
            yield f"{len(crashed)} of {n} ended the helper: {crashed[:3]}"


def names_that_lead_elsewhere():
    """Each is kept in the folder, under a name of its own."""
    names = ["../../../outside", "..", ".", "/etc/x", "a/b", "a b", "1.2\n3", "1.2\x1b[31m", "1..2", ".1", "1.", "-rf",
             "1.2\\3", "\xff\xfe"]
    with Node() as node:
        with peer.Peer(node.port) as one:
            one.associate(calling=b"../..\x1b[2J\x07%s")
            for number, name in enumerate(names):
                raw = name.encode("latin-1")
                writer = dicom_file.Writer()
                data = peer.data_set(instance=raw, study=raw, series=raw, writer=writer)
                one.say(peer.store(data, raw, number=number + 1))
                if one.status() != 0:
                    yield f"{name!r} was not kept"
            one.release()
        files = node.files()
        assert len(files) == len(names) and all(path.count("/") == 2 for path in files), files
        assert all(part.startswith("uid-") for path in files for part in path.split("/")), files
        assert sorted(os.listdir(".")) == ["archive"], os.listdir(".")
        node.await_words("stored: 14")
        assert not any(ord(letter) < 32 for line in node.words + node.lines for letter in line), node.words


def a_thousand_at_once():
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 4096), hard))
    with Node(more=("--most-idle", 20)) as node:
        ones, answers = [], {}
        for _ in range(1000):
            one = peer.Peer(node.port)
            one.say(peer.request())
            ones.append(one)
        for one in ones:
            try:
                kind, body = one.hear()
            except peer.Gone:
                kind, body = None, b""
            key = kind if kind != 3 else (kind, *body[1:4])
            answers[key] = answers.get(key, 0) + 1
        # Ten of one address; the others hear that there are too many, for the time being.
        assert answers.get(2) == 10 and answers.get((3, 2, 3, 2), 0) >= 900, answers
        assert sum(answers.values()) == 1000, answers
        for one in ones:
            one.socket.close()
        until(lambda: node.n_ended() == 10, "they end")
        still_serves(node)
        nothing_left(node)
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def the_silent():
    with Node(more=("--most-idle", 1)) as node:
        began = time.monotonic()
        tell(node, b"", patient=True)
        tell(node, peer.request()[:30], patient=True)
        tell(node, peer.request(), patient=True)
        tell(node, peer.request() + peer.store(peer.data_set())[:-10], patient=True)
        assert time.monotonic() - began < 100
        until(lambda: node.n_ended() == 4, node.words)
        node.await_words("said nothing for too long")
        assert not node.files()
        still_serves(node)


def the_endless():
    """One that goes on for longer than it may, and one that sends more than it may."""
    with Node(more=("--most-seconds", 2)) as node, peer.Peer(node.port) as one:
        one.associate()
        number = 0
        try:
            while True:
                number += 1
                one.say(peer.values(peer.command(peer.ECHO, number, peer.VERIFICATION, data=False), 1, True))
                one.status()
                time.sleep(0.05)
        except (peer.Gone, OSError):
            pass
        node.await_words("longer than it may")
        assert 10 < number < 100, number
    with Node("other", more=("--most-megabytes", 0.1)) as node, peer.Peer(node.port) as one:
        one.associate()
        statuses = []
        for number in range(4):
            one.say(peer.store(peer.data_set(f"1.{number}", size=60_000), f"1.{number}"))
            statuses.append(one.status())
        assert statuses == [0, 0xa700, 0xa700, 0xa700], statuses
        node.await_words("1.1", "more than it may")
        assert len(node.files()) == 1


def no_room():
    """A file that cannot be written to its end is not there, and its caller hears so."""
    def limit():
        resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)

    with Node(preexec_fn=limit) as node, peer.Peer(node.port) as one:
        one.associate()
        for size, status in ((1000, 0), (300_000, 0xa700), (2000, 0)):
            one.say(peer.store(peer.data_set(f"1.{size}", size=size), f"1.{size}"))
            got = one.answer()
            assert struct.unpack("<H", got[0x0900])[0] == status, (size, got)
            assert (b"no room" in got.get(0x0902, b"")) == (status != 0), got
        one.release()
        assert len(node.files()) == 2, node.files()
        node.await_words("instance 1.300000 was not kept", "too large")


def a_folder_that_goes():
    with Node() as node, peer.Peer(node.port) as one:
        one.associate()
        os.rename("archive", "elsewhere")
        pathlib.Path("archive").write_text("a file now")
        one.say(peer.store(peer.data_set()))
        assert one.status() == 0xa700
        node.await_words("was not kept")
        os.remove("archive")
        os.rename("elsewhere", "archive")
        one.say(peer.store(peer.data_set("1.7"), "1.7"))
        assert one.status() == 0xa700  # there was no file for it any more
        one.say(peer.store(peer.data_set("1.8"), "1.8"))
        assert one.status() == 0
        assert node.files() == ["1.2.3/1.2.3.4/1.8.dcm"], node.files()


def data_sets():
    """Damaged ones are refused, and the association goes on."""
    def sequence(depth):
        begin = struct.pack("<HH2s2xI", 8, 0x1115, b"SQ", 0xffffffff) + struct.pack("<HHI", 0xfffe, 0xe000, 0xffffffff)
        end = struct.pack("<HHIHHI", 0xfffe, 0xe00d, 0, 0xfffe, 0xe0dd, 0)
        return begin * depth + end * depth

    def around(inner):
        writer = dicom_file.Writer()
        writer.put(0x00080016, "UI", peer.CT).put(0x00080018, "UI", "1.2.3.4.5")
        rest = dicom_file.Writer().put(0x0020000d, "UI", "1.2.3").put(0x0020000e, "UI", "1.2.3.4")
        return writer.body() + inner + rest.body()

    good, bad = 0, 0xc000
    cases = {
        "nested a little": (around(sequence(30)), good), "nested too deep": (around(sequence(1000)), bad),
        "very deep": (around(sequence(100_000)), bad), "without an end": (around(sequence(3)[:-8]), bad),
        "a length beyond the end": (around(struct.pack("<HH2s2xI", 8, 0x1115, b"SQ", 0x7ffffff0)), bad),
        "empty": (b"", bad), "noise": (b"\xde\xad\xbe\xef" * 100, bad), "no study": (peer.data_set(study=""), bad),
        "another instance": (peer.data_set(instance="1.2.3.4.6"), 0xa900),
        "another class": (peer.data_set(sop_class="1.2.840.10008.5.1.4.1.1.4"), 0xa900),
        "a long UID": (peer.data_set(study="1" * 66), bad),
        "good": (peer.data_set(), good),
    }
    with Node() as node, peer.Peer(node.port) as one:
        one.associate()
        for number, (name, (data, status)) in enumerate(cases.items()):
            one.say(peer.store(data, number=number + 1))
            got = one.status()
            if got != status:
                yield f"{name}: {got:04x}"
        one.release()
        nothing_left(node)
        assert len(node.files()) == 2, node.files()  # one is kept apart


def deflated_bombs():
    """A data set of zeros that unpacks to far more than it should."""
    import zlib
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    head = dicom_file.Writer().put(0x00080016, "UI", peer.CT).put(0x00080018, "UI", "1.2.3.4.5").body()
    bomb = packer.compress(head + struct.pack("<HH2s2xI", 8, 0x1115, b"UN", 0x70000000))
    for _ in range(300):
        bomb += packer.compress(bytes(1 << 20))
    bomb += packer.flush()
    bomb += b"\0" * (len(bomb) % 2)
    with Node() as node, peer.Peer(node.port) as one:
        one.associate(contexts=((peer.CT, ("1.2.840.10008.1.2.1.99",)),))
        one.say(peer.store(bomb))
        assert one.status() == 0xc000
        one.release()


CASES = {
    "/hostile/conversations-that-stop-at-any-byte": cut_anywhere,
    "/hostile/lengths-that-lie": lying_lengths,
    "/hostile/mutated-conversations": mutations,
    "/hostile/names-never-lead-elsewhere": names_that_lead_elsewhere,
    "/hostile/a-thousand-callers-at-once": a_thousand_at_once,
    "/hostile/the-silent-are-given-up": the_silent,
    "/hostile/the-endless-are-cut-off": the_endless,
    "/hostile/no-room-is-told-and-nothing-half-there": no_room,
    "/hostile/a-folder-that-goes-is-told": a_folder_that_goes,
    "/hostile/damaged-data-sets-are-refused": data_sets,
    "/hostile/deflated-bombs-are-refused": deflated_bombs,
}

if __name__ == "__main__":
    if len(sys.argv) > 2:
        CASES = {f"/hostile/{sys.argv[2]}-mutated-conversations":
                 lambda: mutations(int(sys.argv[2]), int((sys.argv + ["1"])[3]))}
    sys.exit(run_cases(CASES))

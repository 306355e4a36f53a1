# SPDX-License-Identifier: MIT
"""Mutated PDUs and data sets: at the port of a node, and as answers of a node that `find` and `get` ask. Each conversation
has to end in a sentence; nobody is let in by it, nothing is lost, no process stays."""
import concurrent.futures
import json
import os
import pathlib
import random
import re
import struct
import threading

import dicom_file
import dicom_peer as peer
from command_line import run
from node import Node, until

STUDY, SERIES, IMAGE, LEVEL, NUMBER, CLASS = 0x0020000d, 0x0020000e, 0x00080018, 0x00080052, 0x00100020, 0x00080016
CRASHED = re.compile(r"without a word; what came|invalid answer|took more time or memory")
UID = re.compile(r"[0-9]+(\.[0-9]+)*")
MARK = "ODL_TEST_MUTANTS"
N = 3  # pictures of a node that is asked


def ours(mark):
    """Processes that were started with that mark and live."""
    found = []
    for path in pathlib.Path("/proc").iterdir():
        try:
            if path.name.isdigit() and f"{MARK}={mark}".encode() in (path / "environ").read_bytes():
                found.append((path / "comm").read_text().strip())
        except OSError:
            pass
    return found


def many(count, jobs, one):
    """one (number) for each number; yields what it finds wrong."""
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        for wrong in pool.map(one, range(count)):
            if wrong:
                yield wrong


# ---- At the port ----

def caller(dice):
    """What a caller says."""
    data = peer.data_set(size=200)
    if dice.random() < 0.4:
        return peer.request() + peer.store(peer.mutated(data, dice, 150)) + peer.RELEASE
    whole = peer.request() + peer.store(data) + peer.RELEASE
    return peer.mutated(whole, dice, len(peer.request()) + 400)


def at_the_port(count, seed=1, jobs=2, timeout=300):
    """Of a node that knows one caller: mutants of what that one says, half of them under another title."""
    mark = f"{os.getpid()}-port-{seed}"
    env = {**os.environ, MARK: mark}
    good = peer.data_set("9.9", size=300)
    with Node("mutants", callers="TEST", more=("--most-associations", 1000, "--most-idle", 2), env=env) as node:
        # What is there before stays as it is.
        with peer.Peer(node.port) as one:
            one.associate()
            one.say(peer.store(good, "9.9"))
            assert one.status() == 0
            one.release()
        before = (node.folder / "1.2.3/1.2.3.4/9.9.dcm").read_bytes()

        def tell(number):
            dice = random.Random(f"{seed} {number}")
            data = caller(dice)
            stranger = number % 2 == 1
            if stranger:
                data = data[:26] + b"STRANGER".ljust(16) + data[42:]
            with peer.Peer(node.port) as one:
                try:
                    one.say(data)
                    kind, _ = one.hear()
                    return f"{number}: a stranger was let in" if stranger and kind == 2 and data[26:34] == b"STRANGER" else None
                except (peer.Gone, OSError):
                    return None

        yield from many(count, jobs, tell)
        until(lambda: node.n_ended() >= count + 1, f"all end: {node.n_ended()} of {count + 1}", timeout)
        until(lambda: not node.helpers(), "helpers end")
        with peer.Peer(node.port) as one:
            assert one.associate()[0] == 2
            one.say(peer.store(good, "9.9"))
            assert one.status() == 0
            one.release()
        yield from [f"crashed: {line}" for line in node.words if CRASHED.search(line)][:5]
        if (node.folder / "1.2.3/1.2.3.4/9.9.dcm").read_bytes() != before:
            yield "what was there has changed"
        told = [line.split(" ", 1)[1] for line in node.lines if line.split(" ")[0] in ("stored", "apart", "again")]
        if sorted(set(told)) != node.files():
            yield f"{sorted(set(node.files()) ^ set(told))} were told or are there, not both"
        inside = node.folder.resolve()
        yield from [f"{path} leads out" for path in node.folder.rglob("*") if inside not in path.resolve().parents]
    until(lambda: not ours(mark), f"no process stays: {ours(mark)}")


# ---- Answers ----

def uid(number):
    return f"1.2.3.4.{number}"


def picture(number):
    return peer.data_set(uid(number), size=400, writer=dicom_file.Writer().put(NUMBER, "LO", "P1"))


class Mutant(peer.Rogue):
    """A node with pictures of one study that mutates some of what it says."""

    def __init__(self, dice):
        self.dice, self.in_data = dice, dice.random() < 0.4
        self.chance = dice.choice((0.1, 0.3, 0.6))
        super().__init__(self.talk)

    def wire(self, data):
        return peer.mutated(data, self.dice, len(data)) if not self.in_data and self.dice.random() < self.chance else data

    def data(self, data):
        return peer.mutated(data, self.dice, len(data)) if self.in_data and self.dice.random() < self.chance else data

    def talk(self, one):
        one.say(self.wire(peer.acceptance(one.hear()[1])))
        try:
            while True:
                asked, context, keys = peer.hear_query(one)
                if asked[0x0100] == struct.pack("<H", peer.FIND):
                    self.find(one, asked, context, keys)
                else:
                    self.get(one, asked, context, keys)
        except peer.Gone as gone:
            if gone.args == (5,):
                one.say(self.wire(struct.pack(">BBII", 6, 0, 4, 0)))

    def find(self, one, asked, context, keys):
        level = keys[LEVEL].strip().decode()
        row = {LEVEL: level, STUDY: "1.2.3", NUMBER: "P1"}
        rows = [row] if level in ("STUDY", "PATIENT") else [{**row, SERIES: "1.2.3.4", 0x00080060: "CT"}] if level == "SERIES" \
            else [{**row, SERIES: "1.2.3.4", IMAGE: uid(n), CLASS: peer.CT} for n in range(N)]
        for one_row in rows:
            one.say(self.wire(peer.answer_query(asked, context, peer.PENDING, self.data(peer.implicit_set(one_row)))))
        one.say(self.wire(peer.answer_query(asked, context, 0)))

    def get(self, one, asked, context, keys):
        wanted = keys.get(IMAGE, b"").rstrip(b"\0").decode()
        numbers = [n for n in range(N) if not wanted or wanted == uid(n)]
        for number in numbers:
            one.say(self.wire(peer.store(self.data(picture(number)), uid(number), number=number + 1, context=3)))
            one.answer()
        counts = {0x1021: len(numbers), 0x1022: 0, 0x1023: 0}
        one.say(self.wire(peer.answer_query(asked, context, 0, elements={
            element: struct.pack("<H", count) for element, count in counts.items()})))


def conversation(number, seed, mark, *arguments, statuses):
    """One with a mutant; returns the process and a description of what went wrong."""
    with Mutant(random.Random(f"{seed} {number}")) as node:
        done = run(arguments[0], "--from", node.name, "--most-idle", 1, *arguments[1:], status=None,
                   env={**os.environ, MARK: mark})
    if done.returncode not in statuses:
        return done, f"{number}: status {done.returncode}: {done.stderr}"
    if done.returncode != 0 and not done.stderr.startswith("ondelette-cli: "):
        return done, f"{number}: no sentence: {done.stderr}"
    return done, f"{number}: crashed: {done.stderr}" if CRASHED.search(done.stderr) else None


def at_find(count, seed=1, jobs=4):
    mark = f"{os.getpid()}-find-{seed}"

    def one(number):
        level = ("patient", "study", "series", "image")[number % 4]
        done, wrong = conversation(number, seed, mark, "find", "--json", "--level", level, statuses=(0, 1))
        try:
            rows = json.loads(done.stdout)
        except ValueError as why:
            return f"{number}: {why}: {done.stdout}"
        bad = [row for row in rows for key in ("study", "series", "image")
               if row.get(key) is not None and (not UID.fullmatch(row[key]) or len(row[key]) > 64)]
        return wrong or (f"{number}: {bad}" if bad else None)

    yield from many(count, jobs, one)
    until(lambda: not ours(mark), f"no process stays: {ours(mark)}")


def at_get(count, seed=1, jobs=4):
    mark = f"{os.getpid()}-get-{seed}"
    lock, kept = threading.Lock(), [0]

    def one(number):
        folder = pathlib.Path(f"mutant{number}")
        done, wrong = conversation(number, seed, mark, "get", "--study", "1.2.3", "-o", folder, statuses=(0, 1, 3))
        there = sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())
        told = sorted({line.split(" ", 1)[1] for line in done.stdout.splitlines() if not line.startswith("missing ")})
        n_missing = done.stdout.count("missing ")
        with lock:
            kept[0] += len(there)
        for path in folder.rglob("*.dcm"):
            path.unlink()
        if there != told:
            return f"{number}: told {told}, there {there}"
        if any(not path.removeprefix("apart/").startswith("1.2.3/") for path in there):
            return f"{number}: not asked for: {there}"
        if (n_missing > 0) > (done.returncode == 1):
            return f"{number}: {n_missing} missing, status {done.returncode}"
        return wrong

    yield from many(count, jobs, one)
    until(lambda: not ours(mark), f"no process stays: {ours(mark)}")
    if count >= 50 and kept[0] == 0:
        yield "nothing was ever got"

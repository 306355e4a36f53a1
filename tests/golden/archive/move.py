#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""`get` by C-MOVE from DCMTK's dcmqrscp, Orthanc, and nodes that move what they should not, to a node of ours.

usage: move.py ONDELETTE_CLI
"""
import pathlib
import struct
import sys
import threading

import pydicom

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "helpers"))
import dicom_file  # noqa: E402
import dicom_peer as peer  # noqa: E402
from archives import Dcmqrscp, Orthanc  # noqa: E402
from command_line import fails, run, run_cases, shared  # noqa: E402
from node import Relay, free_port, skip_without_ipv6  # noqa: E402

STUDY, SERIES, IMAGE, LEVEL, NUMBER, CLASS = 0x0020000d, 0x0020000e, 0x00080018, 0x00080052, 0x00100020, 0x00080016
GET_ROOT = b"1.2.840.10008.5.1.4.1.2.2.3"
# With the options by which storescu sends them; dcmqrscp takes compressed ones only if all are.
FILES = {"CT_small.dcm": "-x=", "examples_jpeg2k.dcm": "-xv", "MR_small_implicit.dcm": "-xi", "MR_small_RLE.dcm": "-xr"}
PLAIN = {"CT_small.dcm": "-x=", "MR_small_implicit.dcm": "-xi", "MR_small_bigendian.dcm": "-xb", "MR_small.dcm": "-x="}


def one_study(names):
    """The files as pictures of one study and two series."""
    made = []
    for number, name in enumerate(names):
        picture = pydicom.dcmread(shared(f"pydicom/{name}"))
        picture.StudyInstanceUID, picture.PatientID, picture.PatientName = "1.2.7", "P1", "Doe^Jane"
        picture.SeriesInstanceUID, picture.SOPInstanceUID = f"1.2.7.{number % 2 + 1}", f"1.2.7.0.{number}"
        picture.file_meta.MediaStorageSOPInstanceUID = picture.SOPInstanceUID
        path = pathlib.Path(f"{number}.dcm")
        picture.save_as(path)
        made.append(path)
    return made


def get(name, *more, status=0, folder="got"):
    """The lines of standard output by their first word, and those of standard error."""
    done = run("get", "--from", name, "-o", folder, *more, status=status)
    lines = {}
    for line in done.stdout.splitlines():
        word, path = line.split(" ", 1)
        lines.setdefault(word, []).append(path)
    there = sorted(str(path.relative_to(folder)) for path in pathlib.Path(folder).rglob("*") if path.is_file())
    told = sorted(path for word in ("stored", "again", "apart") for path in lines.get(word, []))
    assert set(told) <= set(there), (told, there)
    return lines, done.stderr.splitlines()


def same(made, folder="got"):
    for path in made:
        source = pydicom.dcmread(path)
        found, = pathlib.Path(folder).rglob(f"{source.SOPInstanceUID}.dcm")
        got = pydicom.dcmread(found)
        if got.PatientID != source.PatientID or len(got.PixelData) == 0:
            yield f"{path} differs"


def whole_study(kind, names, **how):
    """And a series and a picture alone; what is in the archive beside it stays there."""
    port = free_port()
    made = one_study(names)
    with kind(moves={"HERE": port}, **how) as archive:
        for path, name in zip(made, names):
            archive.put(path, options=(names[name],))
        archive.put(shared("pydicom/CT_small.dcm"))
        to = "--move-to", f"HERE:{port}"
        lines, said = get(archive.name, "--study", "1.2.7", *to)
        assert list(lines) == ["stored"] and len(lines["stored"]) == len(made) and not said, (lines, said)
        yield from same(made)
        lines, said = get(archive.name, "--study", "1.2.7", *to)
        assert list(lines) == ["again"] and len(lines["again"]) == len(made) and not said, (lines, said)
        lines, said = get(archive.name, "--study", "1.2.7", "--series", "1.2.7.2", *to, folder="series")
        assert sorted(lines["stored"]) == [f"1.2.7/1.2.7.2/1.2.7.0.{n}.dcm" for n in (1, 3)] and not said, (lines, said)
        lines, said = get(archive.name, "--study", "1.2.7", "--series", "1.2.7.1", "--image", "1.2.7.0.2", *to, folder="one")
        assert lines == {"stored": ["1.2.7/1.2.7.1/1.2.7.0.2.dcm"]} and not said, (lines, said)


def who_does_not_know_us(kind):
    """A destination that the node does not know, and one where it believes us elsewhere."""
    made = one_study(["CT_small.dcm"])
    with kind(moves={"ELSEWHERE": free_port()}) as archive:
        archive.put(*made, options=("-x=",))
        for title in ("UNKNOWN", "ELSEWHERE"):
            lines, said = get(archive.name, "--study", "1.2.7", "--move-to", f"{title}:{free_port()}", status=1)
            text = "\n".join(said)
            if list(lines) != ["missing"] or f"it has to know “{title}” there" not in text or "0 of 1" not in said[-1]:
                yield f"{title}: {lines} {said}"


def over_ipv6():
    """To a node of ours at ::1, by a relay, since Orthanc calls IPv4 alone. Who may call is held against that address."""
    skip_without_ipv6()
    port = free_port()
    with Relay(port, back=True) as back, Orthanc(moves={"HERE": back.port}) as archive, Relay(archive.port) as there:
        archive.put(*one_study(["CT_small.dcm", "MR_small_implicit.dcm"]))
        name, to = f"ARCHIVE@[::1]:{there.port}", ("--move-to", f"HERE:{port}")
        lines, said = get(name, "--study", "1.2.7", *to)
        assert list(lines) == ["stored"] and len(lines["stored"]) == 2 and not said, (lines, said)
        lines, said = get(name, "--study", "1.2.7", *to, "--callers", "ARCHIVE@fd00::/8", folder="none", status=1)
        assert list(lines) == ["missing"] and "--callers" in "\n".join(said), (lines, said)


def orthanc_strangers():
    """It lets them associate, and aborts then; that is told as an abort."""
    with Orthanc() as archive:
        archive.put(*one_study(["CT_small.dcm"]))
        done = run("get", "--from", archive.name, "-o", "x", "--study", "1.2.7", "--aet", "OTHER", "--move-to",
                   f"OTHER:{free_port()}", status=1)
        assert "aborted by the other side" in done.stderr and not done.stdout, done


# ---- Nodes that do what they should not ----

def uid(number):
    return f"1.2.3.4.{number}"


def picture(number, patient="P1", **more):
    return peer.data_set(more.pop("instance", uid(number)), writer=dicom_file.Writer().put(NUMBER, "LO", patient), **more)


class Fake(peer.Rogue):
    """A node with pictures of one study and series that has C-MOVE alone. on_move: what it does when it is to move some:
    a function of the session and the numbers of the pictures."""

    title = "ANY"

    def __init__(self, n, on_move, refuse=(GET_ROOT,)):
        self.n, self.on_move, self.refuse, self.destinations = n, on_move, refuse, []
        self.here = free_port()
        super().__init__(self.talk)

    def talk(self, one):
        request = one.hear()[1]
        one.say(peer.acceptance(request, (1,) if any(root + b"@" in request for root in self.refuse) else ()))
        try:
            while True:
                asked, context, keys = peer.hear_query(one)
                if asked[0x0100] == struct.pack("<H", peer.FIND):
                    self.answer_find(one, asked, context, keys)
                    continue
                assert asked[0x0100] == struct.pack("<H", 0x0021), asked
                self.destinations.append(asked[0x0600].decode().strip())
                wanted = keys.get(IMAGE, b"").rstrip(b"\0").decode()
                numbers = [n for n in range(self.n) if not wanted or wanted == uid(n)]
                self.on_move(Session(self, one, asked, context), numbers)
        except peer.Gone as gone:
            if gone.args == (5,):
                one.say(struct.pack(">BBII", 6, 0, 4, 0))

    def answer_find(self, one, asked, context, keys):
        level = keys[LEVEL].strip().decode()
        row = {LEVEL: level, STUDY: "1.2.3", NUMBER: "P1"}
        rows = [row] if level == "STUDY" else [{**row, SERIES: "1.2.3.4", 0x00080060: "CT"}] if level == "SERIES" else \
            [{**row, SERIES: "1.2.3.4", IMAGE: uid(n), CLASS: peer.CT} for n in range(self.n)]
        for one_row in rows:
            one.say(peer.answer_query(asked, context, peer.PENDING, peer.implicit_set(one_row)))
        one.say(peer.answer_query(asked, context, 0))


class Session:
    """Something that is to be moved."""

    def __init__(self, node, one, asked, context):
        self.node, self.one, self.asked, self.context = node, one, asked, context

    def call(self, calling=b"ANY", called=None):
        """A caller at the node of theirs, and the answer to its request."""
        other = peer.Peer(self.node.here)
        answer = other.associate(calling=calling, called=called or self.node.destinations[-1].encode())
        return other, answer

    def send(self, *numbers, **more):
        other, answer = self.call()
        assert answer[0] == 2, answer
        statuses = []
        with other:
            for at, n in enumerate(numbers):
                other.say(peer.store(picture(n, **more), more.get("instance", uid(n)), number=at + 1))
                statuses.append(other.status())
            other.release()
        return statuses

    def end(self, completed, failed=0, status=0):
        counts = {0x1021: completed, 0x1022: failed, 0x1023: 0}
        self.one.say(peer.answer_query(self.asked, self.context, status,
                                       elements={tag: struct.pack("<H", value) for tag, value in counts.items()}))


def fake(n, on_move, *more, status=0, title="HERE", **how):
    with Fake(n, on_move, **how) as node:
        lines, said = get(node.name, "--study", "1.2.3", "--most-idle", 3, *more,
                          *(("--move-to", f"{title}:{node.here}") if title else ()), status=status)
        return lines, said, node.destinations


def by_itself():
    """A node without C-GET is asked to move, to our title; its own port is the usual one, which may be taken here."""
    def on_move(session, numbers):
        session.node.here = 11112
        assert session.send(*numbers) == [0] * len(numbers)
        session.end(len(numbers))
    lines, said, destinations = fake(2, on_move, title=None, status=None)
    if any("cannot listen" in line for line in said):
        assert not destinations and len(lines["missing"]) == 2, (lines, said)
        return
    assert lines == {"stored": [f"1.2.3/1.2.3.4/{uid(n)}.dcm" for n in range(2)]}, (lines, said)
    assert destinations == ["ONDELETTE"] and len(said) == 1 and "lets nobody get anything (C-GET)" in said[0], said


def neither():
    lines, said, destinations = fake(1, None, refuse=(GET_ROOT, b"1.2.840.10008.5.1.4.1.2.2.2"), status=1)
    assert list(lines) == ["missing"] and not destinations, lines
    assert any("moves nothing to others (C-MOVE)" in line for line in said), said


def what_was_not_asked_for():
    """Refused, whoever sends it; also once the association is there that may send."""
    def on_move(session, numbers):
        assert session.send(0, 7) == [0, 0x0124]
        assert session.send(0, study="1.2.9") == [0x0124]
        session.end(1)
    lines, said, _ = fake(1, on_move)
    assert lines == {"stored": [f"1.2.3/1.2.3.4/{uid(0)}.dcm"]}, lines
    assert f"{uid(7)} was not kept: it was not asked for" in "\n".join(said), said
    assert "of another study or series" in "\n".join(said), said
    assert len([path for path in pathlib.Path("got").rglob("*") if path.is_file()]) == 1


def strangers():
    """Only the node that was asked may call, and only our title."""
    def on_move(session, numbers):
        other, answer = session.call(calling=b"STRANGER")
        assert answer == (3, (1, 1, 3)), answer
        other, answer = session.call(called=b"OTHER")
        assert answer == (3, (1, 1, 7)), answer
        session.send(*numbers)
        session.end(1)
    lines, said, _ = fake(1, on_move)
    assert list(lines) == ["stored"] and any("STRANGER" in line and "--callers" in line for line in said), (lines, said)

    def from_a_stranger(session, numbers):
        other, answer = session.call(calling=b"STRANGER")
        assert answer[0] == 2, answer
        with other:
            other.say(peer.store(picture(0), uid(0)))
            assert other.status() == 0
            other.release()
        session.end(1)
    with Fake(1, from_a_stranger) as node:
        lines, said = get(node.name, "--study", "1.2.3", "--move-to", f"HERE:{node.here}", "--callers", "STRANGER@127.0.0.1")
    assert list(lines) == ["again"] and not said, (lines, said)


def is_another_patients():
    def on_move(session, numbers):
        session.send(0, patient="P2")
        session.end(1)
    lines, said, _ = fake(1, on_move, status=3)
    assert list(lines) == ["stored"] and "another patient" in said[0], (lines, said)


def parts_that_lack():
    """What was not counted is asked for by series, then by picture; failures that are counted are believed."""
    def on_move(session, numbers):
        session.send(*numbers[:1 if len(session.node.destinations) < 3 else None])
        session.end(1)
    lines, said, destinations = fake(3, on_move)
    assert sorted(lines["stored"]) == [f"1.2.3/1.2.3.4/{uid(n)}.dcm" for n in range(3)], lines
    assert 3 <= len(destinations) <= 5, destinations

    def counts(session, numbers):
        session.end(0, len(numbers), status=0xb000)
    lines, said, destinations = fake(3, counts, status=1)
    assert len(lines["missing"]) == 3 and len(destinations) == 1, (lines, destinations)


def refuses():
    def on_move(session, numbers):
        session.end(0, status=0xa801)
    lines, said, destinations = fake(3, on_move, status=1)
    assert len(destinations) == 1 and len(lines["missing"]) == 3, (lines, destinations)
    assert any("status A801" in line for line in said) and any("it has to know “HERE” there" in line for line in said), said


def the_silent_and_the_busy():
    """One that says nothing is given up; one that sends for longer than that is not."""
    def silent(session, numbers):
        session.one.hear()
    lines, said, _ = fake(1, silent, status=1)
    assert "said nothing for too long" in "\n".join(said) and list(lines) == ["missing"], (lines, said)

    def slow(session, numbers):
        wait = threading.Event()
        for n in numbers:
            session.send(n)
            wait.wait(1.5)
        session.end(len(numbers))
    with Fake(4, slow) as node:
        lines, said = get(node.name, "--study", "1.2.3", "--most-idle", 4, "--move-to", f"HERE:{node.here}", folder="slow")
    assert len(lines["stored"]) == 4 and not said and len(node.destinations) == 1, (lines, said)


def a_large_picture():
    """That takes longer to come than a node may be silent, which says nothing while it sends."""
    def on_move(session, numbers):
        other, _ = session.call()
        data = peer.store(picture(0, size=4000), uid(0))
        wait = threading.Event()
        with other:
            for at in range(0, len(data), 900):
                other.say(data[at:at + 900])
                wait.wait(1)
            assert other.status() == 0
            other.release()
        session.end(1)
    lines, said, _ = fake(1, on_move)
    assert list(lines) == ["stored"] and not said, (lines, said)


def is_closed_in_the_end():
    """Nobody listens any more when it is done, nor when it cannot be done."""
    def on_move(session, numbers):
        session.send(*numbers)
        session.end(len(numbers))
    with Fake(1, on_move) as node:
        get(node.name, "--study", "1.2.3", "--move-to", f"HERE:{node.here}")
        try:
            peer.Peer(node.here)
            yield "it still listens"
        except OSError:
            pass


def port_is_taken():
    def on_move(session, numbers):
        raise AssertionError("it was asked")
    with Fake(1, on_move) as node, Fake(1, on_move) as other:
        lines, said = get(node.name, "--study", "1.2.3", "--move-to", f"HERE:{other.port}", status=1)
        assert list(lines) == ["missing"] and "cannot listen" in said[0], (lines, said)


def usage():
    there = ("get", "--from", "ANY@127.0.0.1:104", "--study", "1.2", "-o", "x")
    for text in ("HERE:0", "HERE:x", ":104", "A-TITLE-THAT-IS-LONG", "HERE:70000"):
        fails(2, "--move-to", arguments=(*there, "--move-to", text))


CASES = {
    "/move/a-whole-study-of-dcmqrscp": lambda: whole_study(Dcmqrscp, PLAIN),
    "/move/a-whole-study-of-orthanc": lambda: whole_study(Orthanc, FILES),
    "/move/a-whole-study-of-orthanc-with-gdcm": lambda: whole_study(Orthanc, FILES, gdcm=True),
    "/move/over-ipv6": over_ipv6,
    "/move/orthanc-cuts-strangers-off": orthanc_strangers,
    "/move/dcmqrscp-does-not-know-us": lambda: who_does_not_know_us(Dcmqrscp),
    "/move/orthanc-does-not-know-us": lambda: who_does_not_know_us(Orthanc),
    "/move/a-node-without-c-get-is-asked-to-move": by_itself,
    "/move/neither-is-said": neither,
    "/move/what-was-not-asked-for-is-not-kept": what_was_not_asked_for,
    "/move/strangers-are-not-let-in": strangers,
    "/move/another-patients-picture-is-told-as-one": is_another_patients,
    "/move/what-lacks-is-asked-for-again": parts_that_lack,
    "/move/a-refusal-is-told": refuses,
    "/move/the-silent-are-given-up-and-the-slow-are-not": the_silent_and_the_busy,
    "/move/a-picture-that-comes-slowly-is-waited-for": a_large_picture,
    "/move/nobody-listens-in-the-end": is_closed_in_the_end,
    "/move/a-port-that-is-taken-is-said": port_is_taken,
    "/move/what-is-wrong-is-said": usage,
}

if __name__ == "__main__":
    sys.exit(run_cases(CASES))

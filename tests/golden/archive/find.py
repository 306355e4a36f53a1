#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""`find` against DCMTK's dcmqrscp, Orthanc, and nodes that answer what they should not.

usage: find.py ONDELETTE_CLI
"""
import contextlib
import csv
import io
import json
import pathlib
import random
import socket
import struct
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "helpers"))
import dicom_file  # noqa: E402
import dicom_peer as peer  # noqa: E402
from archives import Dcmqrscp, Orthanc  # noqa: E402
from command_line import CLI, fails, run, run_cases  # noqa: E402
from node import Relay, skip_without_ipv6, tool, until  # noqa: E402

MR, US = "1.2.840.10008.5.1.4.1.1.4", "1.2.840.10008.5.1.4.1.1.6.1"
NAME, NUMBER, STUDY, SERIES, IMAGE, LEVEL = 0x00100010, 0x00100020, 0x0020000d, 0x0020000e, 0x00080018, 0x00080052


def write(study, series, image, name=b"Doe^Jane", number="ID1", modality="CT", date="20190401", text=b"Thorax", sets="",
          sop_class=peer.CT):
    """A picture as a file; its UIDs are short ones."""
    writer = dicom_file.Writer()
    if sets:
        writer.put(0x00080005, "CS", sets)
    writer.put(0x00080020, "DA", date).put(0x00080030, "TM", "101112").put(0x00080050, "SH", f"A{study}")
    writer.put(0x00081030, "LO", text).put(0x0008103e, "LO", b"Series " + str(series).encode())
    writer.put(NUMBER, "LO", number).put(0x00100030, "DA", "19700102").put(0x00100040, "CS", "F")
    writer.put(0x00200010, "SH", "1").put(0x00200011, "IS", series).put(0x00200013, "IS", image)
    uids = f"1.2.{study}", f"1.2.{study}.{series}", f"1.2.{study}.{series}.{image}"
    peer.data_set(uids[2], uids[0], uids[1], sop_class, writer=writer)
    writer.put(0x00080060, "CS", modality).put(NAME, "PN", name)
    path = pathlib.Path(f"{uids[2]}.dcm")
    path.write_bytes(peer.whole_file(writer.body(), uids[2], sop_class))
    return path


def some():
    """Studies of three patients: CT and SR-like MR series in the first one, MR, and ultrasound."""
    return [write(1, 1, 1), write(1, 1, 2), write(1, 2, 1, modality="MR", sop_class=MR),
            write(2, 1, 1, b"Roe^Richard", "ID2", "MR", "20200229", b"Head", sop_class=MR),
            write(3, 1, 1, b"Poe^Edgar", "ID3", "US", "20210815", b"Heart, \"again\"", sop_class=US)]


def find(archive, *more, status=0, said=()):
    """Rows as JSON; what was said on standard error has these words, one line each."""
    done = run("find", "--from", archive.name, "--json", *more, status=status)
    lines = done.stderr.splitlines()
    assert len(lines) == len(said) and all(word in line for word, line in zip(said, lines)), (more, lines)
    return json.loads(done.stdout)


def studies(archive, *more, **how):
    return sorted(row["study"] for row in find(archive, *more, **how))


def each_level(kind):
    with kind() as archive:
        archive.put(*some())
        got = {row["study"]: row for row in find(archive)}
        assert sorted(got) == ["1.2.1", "1.2.2", "1.2.3"], got
        row = got["1.2.3"]
        wanted = {"patient_name": "Poe^Edgar", "patient_id": "ID3", "date": "20210815", "accession": "A3",
                  "description": 'Heart, "again"'}
        assert {key: row[key] for key in wanted} == wanted and "series" not in row, row
        rows = find(archive, "--level", "series")
        assert sorted(row["series"] for row in rows) == ["1.2.1.1", "1.2.1.2", "1.2.2.1", "1.2.3.1"], rows
        # What levels above say stands beside it.
        assert all(row["patient_name"] and row["date"] and row["study"] in row["series"] for row in rows), rows
        rows = find(archive, "--level", "image", "--study", "1.2.1")
        assert sorted(row["image"] for row in rows) == ["1.2.1.1.1", "1.2.1.1.2", "1.2.1.2.1"], rows
        rows = find(archive, "--level", "image", "--study", "1.2.1", "--series", "1.2.1.2")
        assert [row["image"] for row in rows] == ["1.2.1.2.1"], rows
        rows = find(archive, "--level", "patient")
        assert sorted(row["patient_id"] for row in rows) == ["ID1", "ID2", "ID3"], rows


def forms():
    with Orthanc() as archive:
        archive.put(*some())
        table = run("find", "--from", archive.name).stdout.splitlines()
        assert len(table) == 4 and "Patient" in table[0], table
        line, = [line for line in table if "1.2.3" in line]
        assert all(word in line for word in ("2021-08-15", "US", "Poe^Edgar", "ID3", 'Heart, "again"')), line
        assert len({line.index("1.2.") for line in table[1:]}) == 1, table
        rows = list(csv.DictReader(io.StringIO(run("find", "--from", archive.name, "--csv").stdout)))
        wanted = find(archive)
        assert len(rows) == 3 and all(len(row) == len(wanted[0]) for row in rows), rows
        assert {row["study"]: row["description"] for row in rows} == \
            {row["study"]: row["description"] for row in wanted}, rows


def criteria(kind):
    none = ("nothing there matches",)
    cases = [
        (("--patient-id", "ID2"), ["1.2.2"], ()), (("--patient-id", "id9"), [], none),
        (("--patient-name", "Roe"), ["1.2.2"], ()), (("--patient-name", "roe"), ["1.2.2"], ()),
        (("--patient-name", "ROE^RICHARD"), ["1.2.2"], ()), (("--patient-name", "?oe^*"), ["1.2.1", "1.2.2", "1.2.3"], ()),
        (("--patient-name", "*^Edgar"), ["1.2.3"], ()), (("--patient-name", "Edgar"), [], none),
        (("--date", "20190401"), ["1.2.1"], ()), (("--date", "2020"), ["1.2.2"], ()),
        (("--date", "201904-2020"), ["1.2.1", "1.2.2"], ()), (("--date", "20200301-"), ["1.2.3"], ()),
        (("--date", "-20200229"), ["1.2.1", "1.2.2"], ()), (("--date", "2019-04-01"), ["1.2.1"], ()),
        (("--date", "2019-04-2020"), ["1.2.1", "1.2.2"], ()), (("--date", "2019-04-02-"), ["1.2.2", "1.2.3"], ()),
        (("--date", "2019-04-01-2020-02-29"), ["1.2.1", "1.2.2"], ()), (("--date", "-2020-02-28"), ["1.2.1"], ()),
        (("--date", "2020-02"), ["1.2.2"], ()), (("--date", "1999"), [], none),
        (("--description", "Head"), ["1.2.2"], ()), (("--description", "hea*"), ["1.2.2", "1.2.3"], ()),
        (("--accession", "A3"), ["1.2.3"], ()), (("--study", "1.2.1", "--date", "2019"), ["1.2.1"], ()),
    ]
    with kind() as archive:
        archive.put(*some())
        for more, wanted, said in cases:
            got = studies(archive, *more, said=said)
            if got != wanted:
                yield f"{more}: {got}"
        # dcmqrscp does not know descriptions of series.
        said = ("“series_description”", "nothing there matches") if kind == Dcmqrscp else ()
        rows = find(archive, "--level", "series", "--description", "series 2", said=said)
        if [row["series"] for row in rows] != ([] if said else ["1.2.1.2"]):
            yield f"description of series: {rows}"


def modalities():
    """dcmqrscp does not look at Modalities in Study, nor says so."""
    said = ("does not look at the modalities", "not what was asked for: 1")
    with Dcmqrscp() as archive:
        archive.put(*some())
        assert studies(archive, "--modality", "MR", said=said) == ["1.2.1", "1.2.2"]
        rows = find(archive, "--modality", "mr", "--patient-id", "ID1", said=said[:1])
        assert sorted(rows[0]["modalities"]) == ["CT", "MR"], rows
        rows = find(archive, "--level", "series", "--modality", "MR", said=said)
        assert sorted(row["series"] for row in rows) == ["1.2.1.2", "1.2.2.1"], rows
    with Orthanc() as archive:
        archive.put(*some())
        assert studies(archive, "--modality", "MR") == ["1.2.1", "1.2.2"]
        rows = find(archive, "--level", "series", "--modality", "MR")
        assert sorted(row["series"] for row in rows) == ["1.2.1.2", "1.2.2.1"], rows


def names(kind):
    """In whatever case and character set they are stored and asked for."""
    latin, utf = "ISO_IR 100", "ISO_IR 192"
    with kind() as archive:
        archive.put(write(1, 1, 1, "MÜLLER^ANNA".encode("latin-1"), "N1", sets=latin),
                    write(2, 1, 1, "Müller^Bernd".encode(), "N2", sets=utf),
                    write(3, 1, 1, "müller^carla".encode("latin-1"), "N3", sets=latin),
                    write(4, 1, 1, b"MULLER^DORA", "N4"),
                    write(5, 1, 1, "Łukasz^Anna".encode(), "N5", sets=utf))
        for text in ("müller", "Müller", "MÜLLER"):
            got = {row["patient_id"]: row["patient_name"] for row in find(archive, "--patient-name", text)}
            if not {"N1", "N2", "N3"} <= set(got) or "N5" in got or got["N1"] != "MÜLLER^ANNA" or got["N2"] != "Müller^Bernd":
                yield f"{text}: {got}"
        if [row["patient_id"] for row in find(archive, "--patient-name", "muller")] != ["N4"]:
            yield "muller"
        # Orthanc answers in Latin-1, without the letters that this lacks.
        row, = find(archive, "--patient-name", "łukasz")
        if row["patient_id"] != "N5" or not row["patient_name"].endswith("ukasz^Anna"):
            yield f"{row}"


def strangers():
    """Orthanc lets them associate, and aborts then."""
    with Orthanc() as archive:
        archive.put(*some())
        fails(1, "aborted by the other side", "do not know", arguments=("find", "--from", archive.name, "--aet", "OTHER"))
    fails(1, "nobody answers", arguments=("find", "--from", archive.name))


def over_ipv6():
    skip_without_ipv6()
    with Orthanc() as archive:
        archive.put(*some())
        with Relay(archive.port) as relay:
            rows = json.loads(run("find", "--from", f"ARCHIVE@[::1]:{relay.port}", "--json", "--patient-id", "ID2").stdout)
            assert [row["study"] for row in rows] == ["1.2.2"], rows
            done = run("get", "--from", f"ARCHIVE@[::1]:{relay.port}", "--study", "1.2.2", "-o", "got")
            assert done.stdout == "stored 1.2.2/1.2.2.1/1.2.2.1.1.dcm\n", done


# ---- Nodes that do what they should not ----

def study(number, **more):
    return {LEVEL: "STUDY", 0x00080020: "20190401", NAME: "Doe^Jane", NUMBER: "ID", STUDY: f"1.2.{number}",
            **{int(tag[1:], 16): value for tag, value in more.items()}}


def answers(*sets, status=0, count=1):
    """A node that gives these data sets as answers (bytes: as they stand)."""
    def serve(one):
        peer.accept(one)
        for _ in range(count):
            asked, context, _ = peer.hear_query(one)
            for one_set in sets:
                data = one_set if isinstance(one_set, bytes) else peer.implicit_set(one_set)
                one.say(peer.answer_query(asked, context, peer.PENDING, data))
            one.say(peer.answer_query(asked, context, status))
        peer.hear_release(one)
    return serve


def held_against_what_was_asked():
    with peer.Rogue(answers(study(1), study(2, x00100020="OTHER"), study(3, x00100020=""), study("x"), study(4, x0020000d=""),
                            study(1))) as rogue:
        rows = find(rogue, "--patient-id", "ID", said=("“patient_id”", "not what was asked for: 1", "no valid UID: 2"))
        assert [row["study"] for row in rows] == ["1.2.1"], rows
    with peer.Rogue(answers(study(1, x00080020="20180401"), study(2, x00080020="2019.04.01"), study(3))) as rogue:
        assert studies(rogue, "--date", "2019", said=("not what was asked for: 2",)) == ["1.2.3"]
    with peer.Rogue(answers(study(1), study(2), status=0xa700)) as rogue:
        assert studies(rogue, status=1, said=("status A700",)) == ["1.2.1", "1.2.2"]
    # Series of another study than the one they were asked for.
    with peer.Rogue(answers({**study(1), SERIES: "1.2.1.1"}, {**study(9), SERIES: "1.2.9.1"}, count=2)) as rogue:
        rows = find(rogue, "--level", "series", "--study", "1.2.1",
                    said=("not what was asked for: 1", "no valid UID: 1"))
        assert [row["series"] for row in rows] == ["1.2.1.1"], rows


def control_characters():
    nasty = "Doe\x1b[31m^Jane\x07\x9b2J\u202e\u2028"
    answer = study(1, x00080005="ISO_IR 192", x00100010=nasty, x00081030="a\nb\rc\td\x7f")
    with peer.Rogue(answers(answer)) as rogue:
        for form in ("--json", "--csv", None):
            text = run("find", "--from", rogue.name, *([form] if form else [])).stdout
            bad = [c for c in text if (ord(c) < 32 and c != "\n") or 127 <= ord(c) < 160 or c in "\u202e\u2028"]
            if bad or "Doe?[31m" not in text:
                yield f"{form}: {text!r}"
    with peer.Rogue(answers(study(1, x00100010=b"\xff\xfe\xfd", x00080005="ISO_IR 999"))) as rogue:
        row, = find(rogue)
        assert row["patient_name"] == r"\xFF\xFE\xFD", row


def damaged_answers():
    good = peer.implicit_set(study(1))
    nested = struct.pack("<HHIHHI", 8, 0x1115, 0xffffffff, 0xfffe, 0xe000, 0xffffffff)
    ends = struct.pack("<HHIHHI", 0xfffe, 0xe00d, 0, 0xfffe, 0xe0dd, 0)
    at = good.index(struct.pack("<HH", 0x0020, 0x000d))
    bad = [good[:-3], good[:4], b"\xde\xad\xbe\xef" * 50, nested * 2000 + ends * 2000,
           good[:at] + struct.pack("<HHI", 0x20, 0xd, 0x7fffffff) + good[at + 8:],
           good[:at] + struct.pack("<HHI", 0x20, 0xd, 0xffffffff) + good[at + 8:],
           good + bytes(2 << 20), peer.implicit_set({**study(1), STUDY: "1" * 100_000})]
    fine = [good, peer.implicit_set(study(2, x00100010="x" * 70_000)),
            peer.implicit_set(study(3))[:16] + nested + ends + peer.implicit_set(study(3))[16:]]
    with peer.Rogue(answers(*bad, *fine)) as rogue:
        rows = find(rogue, said=(f"damaged or have no valid UID: {len(bad)}",))
        assert [row["study"] for row in rows] == ["1.2.1", "1.2.2", "1.2.3"], rows
        assert 60 < len(rows[1]["patient_name"]) < 1000


def many():
    """Answers come at once, and a thousand of them; without end they are cut off."""
    with peer.Rogue(answers(*(study(n) for n in range(1000)))) as rogue:
        assert len(find(rogue)) == 1000
        rows = find(rogue, "--most", 100, status=1, said=("more than 100",))
        assert len(rows) in (100, 101), len(rows)

    def endless(one):
        peer.accept(one)
        asked, context, _ = peer.hear_query(one)
        while True:
            one.say(peer.answer_query(asked, context, peer.PENDING, peer.implicit_set(study(1))) * 100)
    with peer.Rogue(endless) as rogue:
        assert len(find(rogue, status=1, said=("more than 10000",))) == 1


def as_they_come():
    """A row is there before the next answer is."""
    def slow(one):
        peer.accept(one)
        asked, context, _ = peer.hear_query(one)
        one.say(peer.answer_query(asked, context, peer.PENDING, peer.implicit_set(study(1))))
        until(lambda: "1.2.1" in pathlib.Path("out").read_text(), "the first row")
        one.say(peer.answer_query(asked, context, peer.PENDING, peer.implicit_set(study(2))))
        one.say(peer.answer_query(asked, context, 0))
        peer.hear_release(one)
    for form in ("--json", "--csv", "--level=study"):
        with peer.Rogue(slow) as rogue, open("out", "w") as out:
            subprocess.run([CLI, "find", "--from", rogue.name, form], stdout=out, timeout=120, check=True)


def odd_peers():
    def aborts(one):
        peer.accept(one)
        peer.hear_query(one)
        one.say(peer.ABORT)

    def aborts_later(one):
        peer.accept(one)
        asked, context, _ = peer.hear_query(one)
        one.say(peer.answer_query(asked, context, peer.PENDING, peer.implicit_set(study(1))) + peer.ABORT)

    def closes(one):
        peer.accept(one)
        peer.hear_query(one)

    def never(one):
        peer.accept(one)
        peer.hear_query(one)
        one.hear()

    def takes_nothing(one):
        peer.accept(one, refuse=(1, 3))
        one.hear()

    def wrong_number(one):
        peer.accept(one)
        asked, context, _ = peer.hear_query(one)
        one.say(peer.answer_query({**asked, 0x0110: b"\x77\0"}, context, 0))
        one.hear()

    def no_data(one):
        peer.accept(one)
        asked, context, _ = peer.hear_query(one)
        one.say(peer.answer_query(asked, context, peer.PENDING))
        one.hear()

    def another_field(one):
        peer.accept(one)
        asked, context, _ = peer.hear_query(one)
        one.say(peer.answer_query(asked, context, 0, field=0x8001))
        one.hear()

    def nonsense(one):
        one.hear()
        one.say(b"HTTP/1.1 400 Bad Request\r\n\r\n")
        one.hear()

    def lies(one):
        peer.accept(one)
        one.hear()
        one.say(struct.pack(">BBI", 4, 0, 0xfffffff0) + b"x" * 100)
        one.hear()

    wanted = {aborts: "aborted", aborts_later: "aborted", closes: "cut off", never: "said nothing",
              takes_nothing: "no queries", wrong_number: "no DICOM", no_data: "no DICOM", another_field: "no DICOM",
              nonsense: "no DICOM", lies: "no DICOM"}
    for serve, words in wanted.items():
        with peer.Rogue(serve) as rogue:
            done = run("find", "--from", rogue.name, "--most-idle", 2, "--json", status=1)
            lines = done.stderr.splitlines()
            if len(lines) != 1 or words not in lines[0] or not isinstance(json.loads(done.stdout), list):
                yield f"{serve.__name__}: {done.stderr} {done.stdout}"


def dead_slow_and_refusing():
    """Who takes a connection and says nothing, who cuts it, who does not even take it, and who refuses: each in its words,
    with TLS, too, and none without end."""
    subprocess.run([tool("openssl"), "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=one",
                    "-keyout", "one.key", "-out", "one.pem"], check=True, capture_output=True)

    def mute(one):
        one.hear()
        one.hear()

    def resets(one):
        one.socket.recv(1)
        one.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))

    def rejects(one):
        one.hear()
        one.say(struct.pack(">BBIBBBB", 3, 0, 4, 0, 1, 1, 3))
    plain, encrypted = (), ("--tls-ca", "one.pem")
    cases = [(mute, plain, "takes connections there and answers nothing"),
             (mute, encrypted, "takes connections there and answers nothing"),
             (resets, plain, "cut off without a word"), (rejects, plain, "was rejected")]
    for serve, how, words in cases:
        with peer.Rogue(serve) as rogue:
            yield from told(rogue.name, how, words)
    with socket.socket() as full, contextlib.ExitStack() as waiting:
        full.bind(("127.0.0.1", 0))
        full.listen(0)
        name = f"ANY@127.0.0.1:{full.getsockname()[1]}"
        for _ in range(3):  # more than have room before nobody takes them
            one = waiting.enter_context(socket.socket())
            one.setblocking(False)
            one.connect_ex(full.getsockname())
        yield from told(name, plain, "nobody answered there in time")
    yield from told(name, plain, "not possible: nobody answers there")


def told(name, how, words):
    done = run("find", "--from", name, "--most-idle", 2, *how, status=1)
    if done.stderr.count("\n") != 1 or words not in done.stderr or "in progress" in done.stderr:
        yield f"{name} {how}, “{words}”: {done.stderr}"


def aborts_before_the_next_question():
    """What was said before a connection was cut is read, also where the next question was on its way by then."""
    def serve(one):
        peer.accept(one)
        asked, context, _ = peer.hear_query(one)
        one.say(peer.answer_query(asked, context, peer.PENDING, peer.implicit_set(study(1)))
                + peer.answer_query(asked, context, 0) + peer.ABORT)
        one.cut()
    for _ in range(5):
        with peer.Rogue(serve) as rogue:
            fails(1, "aborted by the other side", arguments=("find", "--from", rogue.name, "--level", "series"))


def mutated_answers(n=150):
    dice = random.Random(5)

    def serve(one):
        answer = peer.acceptance(one.hear()[1])
        one.say(answer)
        asked, context, _ = peer.hear_query(one)
        data = b"".join(peer.answer_query(asked, context, peer.PENDING, peer.implicit_set(study(k))) for k in range(3))
        data += peer.answer_query(asked, context, 0)
        one.say(peer.mutated(data, dice, len(data)))
        peer.hear_release(one)

    with peer.Rogue(serve) as rogue:
        for _ in range(n):
            done = run("find", "--from", rogue.name, "--most-idle", 1, "--json", status=None)
            if done.returncode not in (0, 1) or "without a word; what came" in done.stderr:
                yield f"{done.returncode} {done.stderr}"
            json.loads(done.stdout)


def slow_for_ever():
    """A byte now and then, of an answer that never ends."""
    def serve(one):
        peer.accept(one)
        asked, context, _ = peer.hear_query(one)
        for byte in peer.answer_query(asked, context, peer.PENDING, bytes(100_000)):
            one.say(bytes([byte]))
            time.sleep(0.05)
    with peer.Rogue(serve) as rogue:
        assert find(rogue, "--most-seconds", 2, status=1, said=("longer than it may",)) == []


def usage():
    there = ("find", "--from", "ANY@127.0.0.1:104")
    fails(2, "--from", arguments=("find",))
    fails(2, "TITLE@HOST:PORT", arguments=("find", "--from", "ANY"))
    for words, more in (("--level", ("--level", "room")), ("--date", ("--date", "yesterday")),
                        ("--date", ("--date", "2019-4-1")), ("--date", ("--date", "2019-04-01-02")),
                        ("--date", ("--date", "20190401-2020-01-0")), ("--date", ("--date", "-")),
                        ("--study", ("--study", "1.2*")), ("--series", ("--series", "1.2", "--level", "study")),
                        ("--date", ("--date", "2019", "--level", "patient")), ("--json", ("--json", "--csv")),
                        ("--patient-name", ("--patient-name", "a\\b")), ("--patient-id", ("--patient-id", "x" * 65)),
                        ("positive", ("--most", -1))):
        fails(2, words, arguments=(*there, *more))


CASES = {
    "/find/each-level-of-dcmqrscp": lambda: each_level(Dcmqrscp),
    "/find/each-level-of-orthanc": lambda: each_level(Orthanc),
    "/find/tables-json-and-csv-tell-the-same": forms,
    "/find/criteria-of-dcmqrscp": lambda: criteria(Dcmqrscp),
    "/find/criteria-of-orthanc": lambda: criteria(Orthanc),
    "/find/modalities-that-a-node-ignores-are-looked-at-here": modalities,
    "/find/names-in-any-case-and-encoding-of-dcmqrscp": lambda: names(Dcmqrscp),
    "/find/names-in-any-case-and-encoding-of-orthanc": lambda: names(Orthanc),
    "/find/an-abort-is-told-as-one": strangers,
    "/find/answers-are-held-against-what-was-asked": held_against_what_was_asked,
    "/find/control-characters-are-never-printed": control_characters,
    "/find/damaged-answers-are-left-out": damaged_answers,
    "/find/a-thousand-answers-and-no-end": many,
    "/find/rows-are-there-as-they-come": as_they_come,
    "/find/odd-peers-are-told": odd_peers,
    "/find/who-is-dead-or-slow-is-told-from-who-refuses": dead_slow_and_refusing,
    "/find/an-abort-before-the-next-question-is-told-as-one": aborts_before_the_next_question,
    "/find/mutated-answers": mutated_answers,
    "/find/who-is-slow-for-ever-is-cut-off": slow_for_ever,
    "/find/what-is-missing-or-wrong-is-said": usage,
    "/find/and-get-over-ipv6": over_ipv6,
}

if __name__ == "__main__":
    sys.exit(run_cases(CASES))

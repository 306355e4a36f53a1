#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""`get` against DCMTK's dcmqrscp, Orthanc, and nodes that send what they should not: all of a study arrives, or what
lacks is named.

usage: get.py ONDELETTE_CLI
"""
import pathlib
import random
import resource
import signal
import struct
import subprocess
import sys
import time

import pydicom

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "helpers"))
import dicom_file  # noqa: E402
import dicom_peer as peer  # noqa: E402
from archives import Dcmqrscp, Orthanc  # noqa: E402
from command_line import CLI, fails, run, run_cases, shared  # noqa: E402

STUDY, SERIES, IMAGE, LEVEL, NUMBER, CLASS = 0x0020000d, 0x0020000e, 0x00080018, 0x00080052, 0x00100020, 0x00080016
# One of each transfer syntax, with the option by which storescu sends it.
FILES = {"CT_small.dcm": "-x=", "examples_jpeg2k.dcm": "-xv", "MR_small_implicit.dcm": "-xi", "MR_small_RLE.dcm": "-xr",
         "SC_rgb_jpeg_gdcm.dcm": "-xs", "MR_small_jpeg_ls_lossless.dcm": "-xt"}


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


def get(archive, *more, status=0, folder="got"):
    """The lines of standard output by their first word, and those of standard error."""
    done = run("get", "--from", archive.name, "-o", folder, *more, status=status)
    lines = {}
    for line in done.stdout.splitlines():
        word, path = line.split(" ", 1)
        lines.setdefault(word, []).append(path)
    # Nothing lies there but what was told, whole.
    there = sorted(str(path.relative_to(folder)) for path in pathlib.Path(folder).rglob("*") if path.is_file())
    told = sorted(path for word in ("stored", "again", "apart") for path in lines.get(word, []))
    assert set(told) <= set(there) and not set(lines.get("missing", [])) & {path[:-4] for path in told}, (told, there)
    return lines, done.stderr.splitlines()


def same(made, folder="got", exactly=True):
    for path in made:
        source = pydicom.dcmread(path)
        found, = pathlib.Path(folder).rglob(f"{source.SOPInstanceUID}.dcm")
        got = pydicom.dcmread(found)
        if got.PixelData != source.PixelData or got.PatientID != source.PatientID:
            yield f"{path} differs"
        if exactly and got.file_meta.TransferSyntaxUID != source.file_meta.TransferSyntaxUID:
            yield f"{path} is in {got.file_meta.TransferSyntaxUID}"


def whole_study_of_orthanc(**how):
    """In which JPEG 2000 is, at which DCMTK's getscu gets no further without Orthanc's plugin."""
    made = one_study(FILES)
    with Orthanc(**how) as archive:
        archive.put(*made)
        lines, said = get(archive, "--study", "1.2.7")
        assert sorted(lines) == ["stored"] and len(lines["stored"]) == len(made) and not said, (lines, said)
        yield from same(made)
        lines, said = get(archive, "--study", "1.2.7")
        assert sorted(lines) == ["again"] and len(lines["again"]) == len(made) and not said, (lines, said)


def whole_study_of_dcmqrscp():
    """Which does not tell of which class pictures are, nor keep to their transfer syntaxes."""
    names = ["CT_small.dcm", "examples_jpeg2k.dcm", "MR_small_implicit.dcm"]
    made = one_study(names)
    with Dcmqrscp("+xv") as archive:
        for path, name in zip(made, names):
            archive.put(path, options=(FILES[name],))
        lines, said = get(archive, "--study", "1.2.7")
        assert len(lines["stored"]) == len(made) and "missing" not in lines and not said, (lines, said)
        yield from same(made, exactly=False)


def parts():
    made = one_study(FILES)
    with Orthanc() as archive:
        archive.put(*made)
        lines, _ = get(archive, "--study", "1.2.7", "--series", "1.2.7.2", folder="series")
        assert sorted(lines["stored"]) == [f"1.2.7/1.2.7.2/1.2.7.0.{n}.dcm" for n in (1, 3, 5)], lines
        lines, _ = get(archive, "--study", "1.2.7", "--series", "1.2.7.1", "--image", "1.2.7.0.2", folder="image")
        assert lines == {"stored": ["1.2.7/1.2.7.1/1.2.7.0.2.dcm"]}, lines
        for more in (("--study", "1.2.8"), ("--study", "1.2.7", "--series", "1.2.7.9")):
            lines, said = get(archive, *more, status=1, folder="none")
            assert not lines and "no pictures that were asked for" in said[-1], (lines, said)
        done = run("get", "--from", archive.name, "-o", "x", "--study", "1.2.7", "--aet", "OTHER", status=1)
        assert "aborted by the other side" in done.stderr and not done.stdout, done.stderr


def many_classes():
    """More than one association has room for."""
    made = []
    for number, tail in enumerate(("2", "4", "1", "1.1", "1.2", "6.1", "7", "12.1", "12.2", "20", "128", "77.1.4", "481.1",
                                   "2.1", "4.1", "66.4")):
        sop_class = f"1.2.840.10008.5.1.4.1.1.{tail}"
        uid = f"1.2.9.1.{number}"
        data = peer.data_set(uid, "1.2.9", f"1.2.9.{number % 3}", sop_class,
                             writer=dicom_file.Writer().put(NUMBER, "LO", "P"))
        made.append(pathlib.Path(f"{number}.dcm"))
        made[-1].write_bytes(peer.whole_file(data, uid, sop_class))
    with Orthanc() as archive:
        archive.put(*made)
        lines, said = get(archive, "--study", "1.2.9")
        assert len(lines["stored"]) == len(made) and "missing" not in lines and not said, (lines, said)
        yield from same(made)


# ---- Nodes that send what they should not ----

class Fake(peer.Rogue):
    """A node with pictures of one study and series. on_get: what it does when it is asked for some: a function of the
    session and the numbers of the pictures that were asked for."""

    shy = False  # tells the class of pictures only where it is asked for

    def __init__(self, n, on_get, patient="P1"):
        self.n, self.on_get, self.patient, self.n_gets, self.classes = n, on_get, patient, 0, []
        super().__init__(self.talk)

    def talk(self, one):
        request = one.hear()[1]
        one.say(peer.acceptance(request))
        try:
            while True:
                asked, context, keys = peer.hear_query(one)
                if asked[0x0100] == struct.pack("<H", peer.FIND):
                    self.answer_find(one, asked, context, keys)
                else:
                    self.n_gets += 1
                    wanted = keys.get(IMAGE, b"").rstrip(b"\0").decode()
                    numbers = [n for n in range(self.n) if not wanted or wanted == uid(n)]
                    self.on_get(Session(self, one, asked, context), numbers)
        except peer.Gone as gone:
            if gone.args == (5,):
                one.say(struct.pack(">BBII", 6, 0, 4, 0))

    def answer_find(self, one, asked, context, keys):
        level = keys[LEVEL].strip().decode()
        row = {LEVEL: level, STUDY: "1.2.3"}
        if level == "STUDY":
            rows = [{**row, NUMBER: self.patient}]
        elif level == "SERIES":
            rows = [{**row, SERIES: "1.2.3.4", 0x00080060: "CT"}]
        else:
            self.classes.append(CLASS in keys)
            more = {CLASS: peer.CT} if CLASS in keys or not self.shy else {}
            rows = [{**row, SERIES: "1.2.3.4", IMAGE: uid(n), **more} for n in range(self.n)]
        for row in rows:
            one.say(peer.answer_query(asked, context, peer.PENDING, peer.implicit_set(row)))
        one.say(peer.answer_query(asked, context, 0))


class Session:
    """An association in which something is got."""

    def __init__(self, node, one, asked, context):
        self.node, self.one, self.asked, self.context, self.n = node, one, asked, context, 0

    def send(self, number, data=None, instance=None):
        """Stores a picture, and returns the status of the answer. The context is that of CT, explicit."""
        self.n += 1
        self.one.say(peer.store(picture(number) if data is None else data, instance or uid(number), number=self.n, context=3))
        return self.one.status()

    def end(self, completed, failed=0, status=0):
        counts = {0x1021: completed, 0x1022: failed, 0x1023: 0}
        self.one.say(peer.answer_query(self.asked, self.context, status,
                                       elements={tag: struct.pack("<H", value) for tag, value in counts.items()}))


def uid(number):
    return f"1.2.3.4.{number}"


def picture(number, patient="P1", **more):
    return peer.data_set(uid(number), writer=dicom_file.Writer().put(NUMBER, "LO", patient), **more)


def fake(n, on_get, *more, status=0, folder="got", **how):
    with Fake(n, on_get, **how) as node:
        return (*get(node, "--study", "1.2.3", "--most-idle", 2, *more, status=status, folder=folder), node.n_gets)


def good_and_counted():
    def on_get(session, numbers):
        assert [session.send(n) for n in numbers] == [0] * len(numbers)
        session.end(len(numbers))
    lines, said, n_gets = fake(3, on_get)
    assert len(lines["stored"]) == 3 and not said and n_gets == 1, (lines, said, n_gets)


def classes_if_something_lacks():
    """They are not asked for at first, since Orthanc reads each file for them; what comes then has usual ones."""
    class Shy(Fake):
        shy = True

    def all_at_once(session, numbers):
        for n in numbers:
            session.send(n)
        session.end(len(numbers))

    def only_later(session, numbers):
        if session.node.n_gets == 1:
            session.end(0, len(numbers), status=0xb000)
        else:
            all_at_once(session, numbers)
    for on_get, asked in ((all_at_once, [False]), (only_later, [False, True])):
        with Shy(3, on_get) as node:
            lines, said = get(node, "--study", "1.2.3", folder=on_get.__name__)
            assert len(lines["stored"]) == 3 and not said and node.classes == asked, (lines, said, node.classes)
    # A picture alone costs one file to read.
    with Shy(3, all_at_once) as node:
        get(node, "--study", "1.2.3", "--series", "1.2.3.4", "--image", uid(1), folder="one")
        assert node.classes == [True], node.classes


def another_patient():
    """Kept, since it was asked for, and told."""
    def on_get(session, numbers):
        for n in numbers:
            session.send(n, picture(n, "P2" if n == 1 else "P1"))
        session.end(len(numbers))
    lines, said, _ = fake(3, on_get, status=3)
    assert len(lines["stored"]) == 3 and len(said) == 1, (lines, said)
    assert all(word in said[0] for word in (uid(1), "another patient", "P1", "P2")), said


def what_was_not_asked_for():
    statuses = []

    def on_get(session, numbers):
        statuses.append(session.send(7))
        statuses.append(session.send(0, picture(0, study="1.2.99")))
        statuses.append(session.send(0, picture(0, series="1.2.99")))
        statuses.append(session.send(0, picture(1)))
        statuses.append(session.send(0))
        statuses.append(session.send(0))
        session.end(1)
    lines, said, _ = fake(1, on_get)
    assert statuses == [0x0124, 0x0124, 0x0124, 0xa900, 0, 0], statuses
    assert lines == {"stored": [f"1.2.3/1.2.3.4/{uid(0)}.dcm"]}, lines
    assert len(said) == 3 and "not asked for" in said[0] and "another study" in said[1] and "another instance" in said[2], said
    assert len(list(pathlib.Path("got").rglob("*.dcm"))) == 1


def sentences_without_end():
    """A node that gives cause for thousands is told of in the first of them."""
    def on_get(session, numbers):
        for n in range(1100):
            session.send(0, peer.data_set(f"1.9.{n}"), f"1.9.{n}")
        session.send(0)
        session.end(1)
    lines, said, _ = fake(1, on_get)
    assert list(lines) == ["stored"] and len(said) == 1000, (lines, len(said))


def aborts_and_goes_on():
    """One that cuts every association off after a picture: asked again, all arrives, and the abort is told."""
    def on_get(session, numbers):
        session.send(numbers[session.node.n_gets % len(numbers)])
        session.one.say(peer.ABORT)
    lines, said, _ = fake(4, on_get)
    assert len(lines["stored"]) == 4 and len(said) == 1 and "aborted" in said[0], (lines, said)


def numbers_that_do_not_add_up():
    def on_get(session, numbers):
        for n in numbers:
            if n != 2:
                session.send(n)
        session.end(len([n for n in numbers if n != 2]))
    lines, said, n_gets = fake(4, on_get, status=1)
    assert len(lines["stored"]) == 3 and lines["missing"] == [f"1.2.3/1.2.3.4/{uid(2)}.dcm"], lines
    assert "counts 3 of 4" in said[0] and "3 of 4 pictures" in said[-1] and n_gets > 2, (said, n_gets)


def counted_failures():
    """What a node says that it cannot send is not asked for again and again."""
    def on_get(session, numbers):
        for n in numbers[1:]:
            session.send(n)
        session.end(max(len(numbers) - 1, 0), 1, status=0xb000)
    lines, said, n_gets = fake(4, on_get, status=1)
    assert len(lines["stored"]) == 3 and len(lines["missing"]) == 1 and n_gets <= 2, (lines, said, n_gets)


def refuses():
    def on_get(session, numbers):
        session.end(0, 0, status=0xa701)
    lines, said, _ = fake(2, on_get, status=1)
    assert len(lines["missing"]) == 2 and "status A701" in said[0], (lines, said)


def never_answers():
    def on_get(session, numbers):
        session.send(0)
        session.one.hear()
    lines, said, _ = fake(2, on_get, status=1)
    assert len(lines["stored"]) == 1 and lines["missing"] == [f"1.2.3/1.2.3.4/{uid(1)}.dcm"], lines
    assert "said nothing for too long" in said[0] and "1 of 2" in said[1], said


def sends_for_ever():
    def on_get(session, numbers):
        while True:
            session.send(99)
    began = time.monotonic()
    lines, said, _ = fake(1, on_get, "--most-seconds", 2, status=1)
    assert time.monotonic() - began < 60
    assert list(lines) == ["missing"] and "not asked for" in said[0] and "longer than it may" in said[-1], (lines, said)
    assert not list(pathlib.Path("got").rglob("*.dcm"))


def damaged():
    """Data sets that are damaged, and associations that end in the middle of one."""
    whole = picture(0)
    bad = [b"", b"\xde\xad\xbe\xef" * 100, whole[:20], peer.data_set(uid(0), study=""),
           whole.replace(b"LO\2\0P1", b"LO\xf0\xffP1")]

    def on_get(session, numbers):
        if session.node.n_gets == 1:
            statuses = [session.send(0, data) for data in bad]
            assert statuses == [0xc000] * len(bad), statuses
            session.send(1)
            session.end(1, 1)
        else:
            session.one.say(peer.values(peer.command(peer.STORE, 1, peer.CT, uid(0)), 3, True)
                            + peer.values(whole, 3, size=50)[:-20])
            raise peer.Gone()
    lines, said, _ = fake(2, on_get, status=1)
    assert lines["stored"] == [f"1.2.3/1.2.3.4/{uid(1)}.dcm"] and len(lines["missing"]) == 1, lines
    assert any("damaged" in line for line in said), said
    assert len([path for path in pathlib.Path("got").rglob("*") if path.is_file()]) == 1


def lying_lengths():
    lies = [struct.pack(">BBI", 4, 0, 0xfffffff0) + b"x" * 100,
            struct.pack(">BBIIBB", 4, 0, 6, 0x7fffffff, 3, 1),
            peer.values(b"\0\0\2\0\xff\xff\xff\x7f" + b"x" * 20, 3, True),
            peer.values(peer.command(peer.STORE, 1, peer.CT, uid(0)), 200, True) + peer.values(picture(0), 200),
            b"HTTP/1.1 400 Bad Request\r\n\r\n"]
    for number, lie in enumerate(lies):
        def on_get(session, numbers):
            session.one.say(lie)
            session.one.hear()
        lines, said, _ = fake(1, on_get, status=1, folder=f"got{number}")
        if list(lines) != ["missing"] or not any("no DICOM" in line for line in said):
            yield f"{lie[:20]}: {lines} {said}"


def no_room():
    def limit():
        resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)

    def on_get(session, numbers):
        statuses = [session.send(n, picture(n, size=300_000 if n == 1 else 100)) for n in numbers]
        assert statuses in ([0, 0xa700], [0xa700]), statuses
        session.end(len(numbers) - 1, 1)
    with Fake(2, on_get) as node:
        done = run("get", "--from", node.name, "--study", "1.2.3", "-o", "got", status=1, preexec_fn=limit)
    assert "too large" in done.stderr and "1 of 2" in done.stderr, done.stderr
    assert len([path for path in pathlib.Path("got").rglob("*") if path.is_file()]) == 1


def first_stays():
    def on_get(session, numbers):
        session.send(0, picture(0, fill=session.node.fill))
        session.end(1)
    for fill, word in ((1, "stored"), (2, "apart"), (1, "again")):
        with Fake(1, on_get) as node:
            node.fill = fill
            lines, said = get(node, "--study", "1.2.3")
            assert list(lines) == [word] and len(said) == (word == "apart"), (lines, said)


def twice_with_other_bytes():
    """Within one conversation; each file that is there is told."""
    def on_get(session, numbers):
        for fill in (1, 2, 2, 1):
            assert session.send(0, picture(0, fill=fill)) == 0
        session.end(1)
    lines, said, _ = fake(1, on_get)
    assert sorted(lines) == ["apart", "stored"] and [len(lines[word]) for word in sorted(lines)] == [1, 1], lines
    assert len(said) == 1 and "there are others with their UIDs" in said[0] and said[0].endswith(": 1"), said
    assert len([path for path in pathlib.Path("got").rglob("*") if path.is_file()]) == 2


def kills(moments=15):
    """What lies there is whole, whenever it is killed."""
    dice = random.Random(4)

    def on_get(session, numbers):
        for n in numbers:
            session.send(n, picture(n, size=200_000))
        session.end(len(numbers))
    n_there = set()
    for moment in range(moments):
        with Fake(40, on_get) as node:
            with subprocess.Popen([CLI, "get", "--from", node.name, "--study", "1.2.3", "-o", f"got{moment}"],
                                  stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
                # Some before the first picture is there, the others after some are.
                for _ in range(dice.choice((0, 1, 3, 10))):
                    process.stdout.readline()
                time.sleep(0.1 * dice.random())
                process.kill()
        there = [path for path in pathlib.Path(f"got{moment}").rglob("*") if path.is_file()]
        n_there.add(len(there))
        for path in there:
            if not path.read_bytes().endswith(picture(int(path.stem.split(".")[-1]), size=200_000)):
                yield f"{path} is not whole"
    assert len(n_there) > 1, n_there


def mutations(n=80):
    """Whatever a node says, what lies there is whole and was asked for, and there is a sentence."""
    dice = random.Random(6)
    whole = picture(0, size=2000)

    def on_get(session, numbers):
        data = peer.store(whole, uid(0), context=3) + peer.answer_query(
            session.asked, session.context, 0, elements={0x1021: b"\1\0", 0x1022: b"\0\0", 0x1023: b"\0\0"})
        session.one.say(peer.mutated(data, dice, len(data)))
        while session.one.hear()[0] == 4:
            pass
        raise peer.Gone(5)
    for number in range(n):
        with Fake(1, on_get) as node:
            done = run("get", "--from", node.name, "--study", "1.2.3", "-o", f"got{number}", "--most-idle", 1, status=None)
        there = [path for path in pathlib.Path(f"got{number}").rglob("*") if path.is_file()]
        if done.returncode not in (0, 1, 3) or (done.returncode and not done.stderr):
            yield f"{number}: {done.returncode} {done.stderr}"
        if len(there) > 1 or any(path.name != f"{uid(0)}.dcm" for path in there) or len(there) != (done.returncode != 1):
            yield f"{number}: {there} {done.returncode} {done.stderr}"


def usage():
    there = ("get", "--from", "ANY@127.0.0.1:104")
    fails(2, "--from", arguments=("get", "--study", "1.2", "-o", "x"))
    fails(2, "--study", arguments=(*there, "-o", "x"))
    fails(2, "-o FOLDER", arguments=(*there, "--study", "1.2"))
    fails(2, "--series", arguments=(*there, "-o", "x", "--study", "1.2", "--image", "1.3"))
    fails(2, "--study", arguments=(*there, "-o", "x", "--study", "../x"))
    fails(2, "positive", arguments=(*there, "-o", "x", "--study", "1.2", "--most", "-1"))
    fails(1, "nobody answers", arguments=("get", "--from", "ANY@127.0.0.1:1", "-o", "x", "--study", "1.2"))


CASES = {
    "/get/a-whole-study-of-orthanc": whole_study_of_orthanc,
    "/get/a-whole-study-of-orthanc-with-gdcm": lambda: whole_study_of_orthanc(gdcm=True),
    "/get/a-whole-study-of-dcmqrscp": whole_study_of_dcmqrscp,
    "/get/series-and-pictures-alone": parts,
    "/get/more-kinds-than-one-association-has-room-for": many_classes,
    "/get/what-is-counted-is-asked-for-once": good_and_counted,
    "/get/classes-are-asked-for-if-something-lacks": classes_if_something_lacks,
    "/get/another-patients-picture-is-told-as-one": another_patient,
    "/get/what-was-not-asked-for-is-not-kept": what_was_not_asked_for,
    "/get/sentences-come-to-an-end": sentences_without_end,
    "/get/an-abort-is-told-and-the-rest-asked-for-again": aborts_and_goes_on,
    "/get/numbers-that-do-not-add-up": numbers_that_do_not_add_up,
    "/get/failures-that-are-counted-are-believed": counted_failures,
    "/get/a-refusal-is-told": refuses,
    "/get/who-never-answers-is-given-up": never_answers,
    "/get/who-sends-for-ever-is-cut-off": sends_for_ever,
    "/get/damaged-data-sets-leave-nothing": damaged,
    "/get/lengths-that-lie": lying_lengths,
    "/get/no-room-is-told-and-nothing-half-there": no_room,
    "/get/the-first-one-with-a-uid-stays": first_stays,
    "/get/a-uid-that-comes-twice-is-told-twice": twice_with_other_bytes,
    "/get/kills-at-any-moment-leave-whole-files": kills,
    "/get/mutated-conversations": mutations,
    "/get/what-is-missing-or-wrong-is-said": usage,
}

if __name__ == "__main__":
    sys.exit(run_cases(CASES))

#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""`send` against DCMTK's storescp, the program's own node, and peers that do what they should not.

usage: send.py ONDELETTE_CLI
"""
import calendar
import hashlib
import os
import pathlib
import random
import resource
import struct
import subprocess
import sys
import threading
import time

import pydicom

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "helpers"))
import dicom_peer as peer  # noqa: E402
from command_line import CLI, compare, fails, run, run_cases, shared  # noqa: E402
from node import Node, Relay, Storescp, free_port, skip_without_ipv6, tool, until  # noqa: E402

# One of each transfer syntax.
FILES = ["CT_small.dcm", "MR_small_implicit.dcm", "MR_small_bigendian.dcm", "image_dfl.dcm", "MR_small_RLE.dcm",
         "SC_rgb_jpeg_gdcm.dcm", "SC_rgb_dcmtk_+eb+cr.dcm", "JPGExtended.dcm", "examples_jpeg2k.dcm", "JPEG2000.dcm",
         "MR_small_jpeg_ls_lossless.dcm", "reportsi.dcm", "rtplan.dcm"]

LOSSY = [f"1.2.840.10008.1.2.4.{end}" for end in (50, 51)]


def write(name="one.dcm", **what):
    pathlib.Path(name).write_bytes(peer.whole_file(peer.data_set(**what), **what))
    return name


def sent(done):
    return [line.split(" ", 1)[1] for line in done.stdout.splitlines() if line.startswith("sent ")]


def each_in_its_own_syntax():
    """To a storescp that takes everything (+xa)."""
    names = [shared(f"pydicom/{name}") for name in FILES]
    unique = {}
    for name in names:
        unique.setdefault(pydicom.dcmread(name).SOPInstanceUID, name)
    with Storescp("+xa") as other:
        done = run("send", *unique.values(), "--to", f"ANY@127.0.0.1:{other.port}")
        assert sent(done) == [str(name) for name in unique.values()] and not done.stderr, done
        assert len(other.files()) == len(unique), other.files()
        for path in other.folder.iterdir():
            got = pydicom.dcmread(path)
            source = pydicom.dcmread(unique[got.SOPInstanceUID])
            if got.file_meta.TransferSyntaxUID != source.file_meta.TransferSyntaxUID:
                yield f"{path}: {got.file_meta.TransferSyntaxUID}"
            if got.get("PixelData") != source.get("PixelData"):
                yield f"{path}: other pixels"
            if got.file_meta.get("SourceApplicationEntityTitle") != "ONDELETTE":
                yield f"{path}: from {got.file_meta.get('SourceApplicationEntityTitle')}"


def to_our_own_node():
    """Also in high-throughput JPEG 2000, which DCMTK does not send; byte for byte."""
    syntax = "1.2.840.10008.1.2.4.201"
    name = write(syntax=syntax)
    with Node() as node:
        done = run("send", name, "--to", f"NODE@127.0.0.1:{node.port}", "--aet", "SENDER")
        assert sent(done) == [name] and not done.stderr, done
        path, = node.files()
        raw = (node.folder / path).read_bytes()
        assert syntax.encode() in raw[:400] and raw.endswith(peer.data_set()), raw[:400]
        node.await_words("SENDER at 127.0.0.1", "stored: 1")


def without_compression():
    """To a storescp that takes implicit little endian alone, the least that every node takes."""
    names = [shared(f"pydicom/{name}") for name in FILES if "MR_small_" not in name]
    with Storescp("+xi") as other:
        done = run("send", *names, "--to", f"ANY@127.0.0.1:{other.port}")
        assert sent(done) == [str(name) for name in names], done
        for name in names:
            source = pydicom.dcmread(name)
            got, = [pydicom.dcmread(path) for path in other.folder.iterdir()
                    if pydicom.dcmread(path).SOPInstanceUID == source.SOPInstanceUID]
            plain = source.file_meta.TransferSyntaxUID == peer.IMPLICIT
            if got.file_meta.TransferSyntaxUID != peer.IMPLICIT:
                yield f"{name}: {got.file_meta.TransferSyntaxUID}"
            if plain == (f"{name}: sent in another" in done.stderr):
                yield f"{name}: {done.stderr}"
            if "PixelData" not in source:
                continue
            # By this program's decoder, whose samples other tests hold against other programs'.
            path, = [one for one in other.folder.iterdir() if source.SOPInstanceUID in one.name]
            pathlib.Path("got.dcm").write_bytes(path.read_bytes())
            if not compare(name, "got.dcm")["equal"]:
                yield f"{name}: other samples"
            if got.get("PatientName") != source.get("PatientName"):
                yield f"{name}: another patient"
            if source.file_meta.TransferSyntaxUID in LOSSY and got.get("LossyImageCompression") != "01":
                yield f"{name}: its losses are forgotten"
            checked = subprocess.run([tool("dcmftest"), path], capture_output=True, text=True)
            if checked.returncode != 0:
                yield f"{name}: {checked.stdout}"


def where_storescu_stops():
    """It proposes no compressed transfer syntax, and stops at the first file that has one; ours goes as it is."""
    names = [shared(f"pydicom/{name}") for name in ("CT_small.dcm", "examples_jpeg2k.dcm", "MR_small.dcm")]
    with Storescp("+xa") as other:
        done = subprocess.run([tool("storescu"), "127.0.0.1", str(other.port), *map(str, names)], capture_output=True)
        assert done.returncode != 0 and len(other.files()) == 1, (done, other.files())
        done = run("send", *names, "--to", f"ANY@127.0.0.1:{other.port}")
        assert len(sent(done)) == 3 and len(other.files()) == 3 and not done.stderr, done


def over_ipv6():
    """To our own node, and to DCMTK's."""
    skip_without_ipv6()
    name = write()
    with Node(callers="TEST@::1", more=("--listen", "::1")) as node:
        done = run("send", name, "--to", f"NODE@[::1]:{node.port}", "--aet", "TEST")
        assert sent(done) == [name] and len(node.files()) == 1, done
    with Storescp("+xa") as other, Relay(other.port) as relay:
        done = run("send", name, "--to", f"ANY@[::1]:{relay.port}")
        assert sent(done) == [name] and len(other.files()) == 1, done
    fails(1, "nobody answers", arguments=("send", name, "--to", f"ANY@[::1]:{free_port()}"))
    for host in ("::1", "[::1", "::1]", "[]", "[127.0.0.1", "[localhost]", "[::1%lo]", "[[::1]]"):
        fails(2, "TITLE@HOST:PORT", arguments=("send", name, "--to", f"ANY@{host}:104"))


def log(**more):
    return [line.split("\t") for line in run("send", "--log", **more).stdout.splitlines()]


def own_state():
    return {**os.environ, "XDG_STATE_HOME": os.path.abspath("state")}


def what_went_where():
    """Each that a node answered for, or may have got; nobody else may read it, and no patient is in it."""
    env = own_state()
    assert log(env=env) == []
    pathlib.Path("text.dcm").write_text("no DICOM file")
    names = [write(f"{number}.dcm", instance=f"1.{number}") for number in range(2)]
    with Storescp("+xa") as other:
        run("send", *names, "text.dcm", "--to", f"ANY@127.0.0.1:{other.port}", env=env, status=1)
    first = f"ANY@127.0.0.1:{other.port}"
    run("send", *names, "--to", first, env=env, status=1)  # nobody is there any more

    def refuses(one):
        peer.accept(one)
        take_one(one)
        answer_status(one, 0xa700)
        peer.hear_release(one)

    def cuts(one):
        peer.accept(one)
        take_one(one)
    for serve in (refuses, cuts):
        with peer.Rogue(serve) as rogue:
            run("send", write("one.dcm"), "--to", rogue.name, env=env, status=1)
    lines = log(env=env)
    assert [line[1] for line in lines] == ["sent", "sent", "status A700", "unanswered"], lines
    assert [line[3:] for line in lines[:2]] == [["1.0", "1.2.3"], ["1.1", "1.2.3"]] and lines[0][2] == first, lines
    for line in lines:
        assert time.time() - 3600 < calendar.timegm(time.strptime(line[0], "%Y-%m-%dT%H:%M:%SZ")) < time.time() + 5, line
    path = pathlib.Path("state/ondelette/sent.log")
    assert path.stat().st_mode & 0o777 == 0o600 and path.parent.stat().st_mode & 0o777 == 0o700, path.stat()
    assert "A^B" not in path.read_text() and "ID" not in path.read_text()


def what_a_node_forwards():
    env = own_state()
    with Storescp("+xa") as other, Node(more=("--forward", f"ANY@127.0.0.1:{other.port}", "--forward-originals"),
                                        env=env) as node:
        node.run("storescu", write())
        until(lambda: log(env=env), "the log")
    line, = log(env=env)
    assert line[1:] == ["sent", f"ANY@127.0.0.1:{other.port}", "1.2.3.4.5", "1.2.3"], line


def bounded_log():
    """A full one is moved away, and the one before goes; what cannot be noted is sent, and said once."""
    env = own_state()
    folder = pathlib.Path("state/ondelette")
    folder.mkdir(parents=True)
    (folder / "sent.log").write_text("a line\n" * (600 << 10))
    (folder / "sent.log.1").write_text("an old line\n")
    with Storescp("+xa") as other:
        to = "--to", f"ANY@127.0.0.1:{other.port}"
        names = [write(f"{number}.dcm", instance=f"1.{number}") for number in range(3)]
        run("send", *names, *to, env=env)
        assert len((folder / "sent.log").read_text().splitlines()) == 3
        assert (folder / "sent.log.1").read_text().startswith("a line\n")
        lines = log(env=env)
        assert lines[0] == ["a line"] and lines[-1][3] == "1.2" and sorted(os.listdir(folder)) == ["sent.log", "sent.log.1"]
        # Many at once lose nothing, and no line is torn.
        several = [subprocess.Popen([CLI, "send", *names, *to], env=env, stdout=subprocess.DEVNULL) for _ in range(6)]
        assert [one.wait(120) for one in several] == [0] * 6
        lines = (folder / "sent.log").read_text().splitlines()
        assert len(lines) == 21 and all(line.count("\t") == 4 for line in lines), lines
        # A link is not followed.
        (folder / "sent.log").unlink()
        (folder / "sent.log").symlink_to("elsewhere")
        done = run("send", *names, *to, env=env)
        assert len(sent(done)) == 3 and done.stderr.count("cannot be noted") == 1, done
        assert not (folder / "elsewhere").exists()


def whole_lines():
    """A line has room, or nothing of it is written; what a loss of power has left of one goes."""
    env = own_state()
    folder = pathlib.Path("state/ondelette")
    folder.mkdir(parents=True)
    path, before = folder / "sent.log", "time\tsent\tnode\tinstance\tstudy\n" * 300
    path.write_text(before + "2026-01-01T00:00:00Z\tsent\tANY@12")
    name = write("one.dcm", instance="1.7")
    with Storescp("+xa") as other:
        to = "--to", f"ANY@127.0.0.1:{other.port}"
        run("send", name, *to, env=env)
        first = path.read_text()
        added = first[len(before):]
        assert first.startswith(before) and added.count("\n") == 1 and added.split("\t")[3] == "1.7", added

        def little_room():
            resource.setrlimit(resource.RLIMIT_FSIZE, (len(first) + 20, resource.RLIM_INFINITY))
        done = subprocess.run([CLI, "send", name, *to], env=env, preexec_fn=little_room, capture_output=True, text=True,
                              timeout=120)
    assert done.returncode == 0 and done.stderr.count("cannot be noted") == 1, done
    assert path.read_text() == first


def many_kinds():
    """More kinds than an association has contexts."""
    names = []
    for number in range(150):
        names.append(write(f"{number}.dcm", instance=f"1.2.{number}", sop_class=f"1.2.840.10008.5.1.4.1.1.{number}"))
    with Node() as node:
        done = run("send", *names, "--to", f"NODE@127.0.0.1:{node.port}")
        assert sent(done) == names and len(node.files()) == 150, done
        node.await_words("stored: 64")
        assert node.n_ended() == 3, node.words


def what_cannot_be_sent():
    """The others are sent all the same, and the status tells."""
    good = write()
    pathlib.Path("text.dcm").write_text("this is no DICOM file, and there is more of it")
    pathlib.Path("cut.dcm").write_bytes(pathlib.Path(good).read_bytes()[:300])
    pathlib.Path("folder").mkdir()
    with Node() as node:
        done = run("send", "text.dcm", "cut.dcm", good, "folder", "nothing.dcm", "--to", f"NODE@127.0.0.1:{node.port}",
                   status=1)
        assert sent(done) == [good], done
        for name in ("text.dcm", "cut.dcm", "folder", "nothing.dcm"):
            lines = [line for line in done.stderr.splitlines() if line.startswith(f"ondelette-cli: {name}: ")]
            if len(lines) != 1:
                yield f"{name}: {done.stderr}"


def refusals():
    good = write()
    port = free_port()
    for arguments, words in (((good, "--to", "NODE"), "TITLE@HOST:PORT"), ((good,), "--to"),
                             ((good, "--to", "NODE@:104"), "TITLE@HOST:PORT"),
                             ((good, "--to", "NODE@host:0"), "TITLE@HOST:PORT"),
                             ((good, "--to", "A-TITLE-THAT-IS-LONG@127.0.0.1:104"), "A-TITLE-THAT-IS-LONG"),
                             (("--to", "NODE@127.0.0.1:104"), "files"),
                             ((good, "--to", "NODE@host:104", "--most-idle", "-1"), "positive"),
                             ((good, "--to", "NODE@host:104", "--queue", "q", "--retry", "-1"), "positive"),
                             ((good, "--to", "NODE@host:104", "--retry", "9"), "--retry"),
                             ((good, "--to", "NODE@host:104", "--tls-any-host"), "--tls-any-host"),
                             ((good, "--log"), "--log"), (("--log", "--waiting"), "--log")):
        fails(2, words, arguments=("send", *arguments))
    fails(1, "one.dcm", "nobody answers", arguments=("send", good, "--to", f"NODE@127.0.0.1:{port}"))
    fails(1, "one.dcm", "nowhere.invalid", arguments=("send", good, "--to", "NODE@nowhere.invalid:104"))
    with Node(callers="OTHER") as node:
        fails(1, "rejected", "Calling AE Title Not Recognized",
              arguments=("send", good, "--to", f"NODE@127.0.0.1:{node.port}"))


def take_one(one):
    """Reads a C-STORE to its end."""
    one.answer()
    while one.hear()[1][5] & 2 == 0:
        pass


def status_answer(status, number=1, comment=b"", field=0x8001):
    words = peer.command(field, number, peer.CT, "1.2.3.4.5", False, elements={
        0x0120: struct.pack("<H", number), 0x0900: struct.pack("<H", status), 0x0902: comment + b" " * (len(comment) % 2)})
    return peer.values(words, 1, True)


def answer_status(one, status, **more):
    one.say(status_answer(status, **more))


def mutated_answers(n=80):
    """Whatever the other side answers, the sender ends with a sentence, or was answered Success."""
    good = write()
    dice = random.Random(2)

    def serve(one):
        answer = peer.acceptance(one.hear()[1])
        success = status_answer(0)
        data = peer.mutated(answer + success, dice, len(answer) + len(success))
        one.say(data[:len(answer)])
        take_one(one)
        one.say(data[len(answer):])
        one.hear()
        one.say(struct.pack(">BBII", 6, 0, 4, 0))

    with peer.Rogue(serve) as rogue:
        for _ in range(n):
            done = run("send", good, "--to", f"ANY@127.0.0.1:{rogue.port}", "--most-idle", "1", status=None)
            lines = done.stderr.splitlines()
            if (done.returncode, len(lines)) not in ((0, 0), (1, 1)) or "without a word; what came" in done.stderr:
                yield f"{done.returncode} {done.stderr}"


def odd_peers():
    """Each is a failure with a sentence that says what happened."""
    good = write()

    def aborts_at_once(one):
        one.hear()
        one.say(peer.ABORT)

    def aborts_after_data(one):
        peer.accept(one)
        take_one(one)
        one.say(peer.ABORT)

    def aborts_in_between(one):
        peer.accept(one)
        one.answer()
        one.say(peer.ABORT)
        one.hear()

    def closes(one):
        peer.accept(one)
        take_one(one)

    def answers_failure(one):
        peer.accept(one)
        take_one(one)
        answer_status(one, 0xa700, comment=b"disk\x07 full")
        one.hear()
        one.say(struct.pack(">BBII", 6, 0, 4, 0))

    def answers_warning(one):
        peer.accept(one)
        take_one(one)
        answer_status(one, 0xb000)
        one.hear()
        one.say(struct.pack(">BBII", 6, 0, 4, 0))

    def answers_another(one):
        peer.accept(one)
        take_one(one)
        answer_status(one, 0, number=7)
        one.hear()

    def answers_no_store(one):
        peer.accept(one)
        take_one(one)
        answer_status(one, 0, field=0x8030)
        one.hear()

    def talks_nonsense(one):
        one.hear()
        one.say(b"HTTP/1.1 400 Bad Request\r\n\r\n")
        one.hear()

    def lies_about_length(one):
        one.hear()
        one.say(struct.pack(">BBI", 2, 0, 0xfffffff0) + b"x" * 100)
        one.hear()

    def takes_nothing(one):
        peer.accept(one, refuse=(1, 3))
        one.hear()
        one.say(struct.pack(">BBII", 6, 0, 4, 0))

    def says_nothing(one):
        peer.accept(one)
        take_one(one)
        one.hear()

    wanted = {
        aborts_at_once: "aborted", aborts_after_data: "aborted", aborts_in_between: "aborted", closes: "cut off",
        answers_failure: "A700: disk? full", answers_warning: "B000", answers_another: "no DICOM",
        answers_no_store: "no DICOM", talks_nonsense: "no DICOM", lies_about_length: "no DICOM",
        takes_nothing: "does not take this kind", says_nothing: "said nothing",
    }
    for serve, words in wanted.items():
        with peer.Rogue(serve) as rogue:
            done = run("send", good, "--to", f"ANY@127.0.0.1:{rogue.port}", "--most-idle", "2", status=1)
            lines = done.stderr.splitlines()
            if len(lines) != 1 or words not in lines[0] or done.stdout:
                yield f"{serve.__name__}: {done.stderr} {done.stdout}"


def aborts_before_the_next_file():
    """What was said before a connection was cut is read, also where the next file was on its way by then."""
    names = [write(f"{number}.dcm", instance=f"1.{number}") for number in range(2)]

    def serve(one):
        peer.accept(one)
        take_one(one)
        one.say(status_answer(0) + peer.ABORT)
        one.cut()
    for _ in range(5):
        with peer.Rogue(serve) as rogue:
            done = run("send", *names, "--to", f"ANY@127.0.0.1:{rogue.port}", status=1)
            assert sent(done) == names[:1] and "aborted by the other side" in done.stderr, done


def breaks_off_at_one_file():
    """The others go by another association; a node that breaks off at each is left alone, and all are told."""
    names = [write(f"{number}.dcm", instance=f"1.{number}") for number in range(6)]
    taken, calls = [], []

    def serve(one):
        peer.accept(one)
        calls.append(len(taken))
        while True:
            asked = one.answer()
            instance = asked[0x1000].rstrip(b"\0").decode()
            while one.hear()[1][5] & 2 == 0:
                pass
            if instance in bad:
                one.say(peer.ABORT)
                return
            taken.append(instance)
            one.say(status_answer(0, number=struct.unpack("<H", asked[0x0110])[0]))
    for bad, wanted, n_calls in ((["1.1", "1.4"], [0, 2, 3, 5], 3), ([f"1.{n}" for n in range(6)], [], 3)):
        taken.clear()
        calls.clear()
        with peer.Rogue(serve) as rogue:
            done = run("send", *names, "--to", f"ANY@127.0.0.1:{rogue.port}", status=1)
        assert sent(done) == [names[n] for n in wanted] and len(calls) == n_calls, (done, calls)
        lines = [line for line in done.stderr.splitlines() if "aborted by the other side" in line]
        assert len(lines) == len(names) - len(wanted), done.stderr


def queue():
    """What the node does not take stays, also when the file is gone, and is sent by the next run."""
    names = [write(f"{number}.dcm", instance=f"1.{number}") for number in range(3)]
    port = free_port()
    to = "--to", f"ANY@127.0.0.1:{port}", "--queue", "waiting"
    done = run("send", *names, *to, status=4)
    assert not sent(done) and sum("nobody answers" in line for line in done.stderr.splitlines()) == 3, done
    assert "waits there" in done.stderr.splitlines()[-1], done
    for name in names:
        os.remove(name)
    assert len(os.listdir("waiting")) == 3
    pathlib.Path("text.dcm").write_text("no DICOM file")
    with Storescp(port=port) as other:
        done = run("send", "text.dcm", *to, status=1)
        assert len(sent(done)) == 3 and "text.dcm: it is no DICOM" in done.stderr, done
        assert len(other.files()) == 3 and not os.listdir("waiting")
        assert run("send", *to).stdout == ""
    fails(1, "nothing.dcm", arguments=("send", "nothing.dcm", *to))


def what_windows_left():
    """Their queues are listed and sent, and what was tried in vain is noted for them."""
    port = free_port()
    node = f"ANY@127.0.0.1:{port}"
    outbox = pathlib.Path("state/ondelette/outbox")
    folder = outbox / hashlib.sha256(node.encode()).hexdigest()[:16]
    folder.mkdir(parents=True)
    (folder / "0000000000000001-one.dcm").write_bytes(pathlib.Path(write()).read_bytes())
    here = {"env": {**os.environ, "XDG_STATE_HOME": os.path.abspath("state")}}
    assert run("send", "--waiting", **here).stdout == "-\t1\t0\t-\t-\n"
    for tries in (1, 2):
        run("send", "--waiting", "--to", node, status=4, **here)
        row = run("send", "--waiting", **here).stdout.rstrip("\n").split("\t")
        assert row[:3] == [node, "1", str(tries)] and "nobody answers there" in row[4], row
        assert abs(calendar.timegm(time.strptime(row[3], "%Y-%m-%dT%H:%M:%SZ")) - time.time()) < 600, row
    notes = [path for path in outbox.iterdir() if path.is_file()]
    assert len(notes) == 1 and notes[0].stat().st_mode & 0o777 == 0o600, notes
    with Storescp(port=port) as other:
        assert len(sent(run("send", "--waiting", "--to", node, **here))) == 1
        assert len(other.files()) == 1
    assert run("send", "--waiting", **here).stdout == "" and not any(path.is_file() for path in outbox.rglob("*"))
    # A note that somebody has damaged says nothing, and nothing is lost.
    (folder / "0000000000000001-one.dcm").write_bytes(b"x")
    for text in (b"\0\xff" * 50, b"[waiting]\ntries=-5\nnode=a\\nb\x01\nwhy=\ttabs\n", b"x" * 100000):
        notes[0].write_bytes(text)
        line, = run("send", "--waiting", **here).stdout.splitlines()
        if line.split("\t")[1:4] != ["1", "0", "-"] or not line.replace("\t", "").isprintable():
            yield repr(line)
    fails(2, "--waiting", arguments=("send", "--waiting", "one.dcm", "--to", node), **here)
    fails(2, "--waiting", arguments=("send", "--waiting", "--queue", "x", "--to", node), **here)


def retries():
    port = free_port()
    started = []
    timer = threading.Timer(3, lambda: started.append(Storescp(port=port)))
    timer.start()
    done = run("send", write(), "--to", f"ANY@127.0.0.1:{port}", "--queue", "waiting", "--retry", 100)
    timer.join()
    with started[0] as other:
        assert len(sent(done)) == 1 and len(other.files()) == 1, done


def kills(n=25):
    """The sender is killed at any moment: all arrives in the end, and what it says is sent is there."""
    dice = random.Random(9)
    names = [write(f"{number}.dcm", instance=f"1.{number}", size=100_000) for number in range(2 * n)]
    port = free_port()
    to = "--to", f"ANY@127.0.0.1:{port}", "--queue", "waiting"
    run("send", *names, *to, status=4)
    n_said = 0
    with Storescp(port=port) as other:
        for _ in range(n):
            with subprocess.Popen([CLI, "send", *to], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as one:
                # Some before the first one is sent, the others after some are.
                said = [one.stdout.readline() for _ in range(dice.choice((0, 0, 1, 2)))]
                time.sleep(0.05 * dice.random())
                one.kill()
                said += one.stdout.read().splitlines()
            there = len(os.listdir("waiting"))
            n_said += sum(map(bool, said))
            # What is told is not there any more; one may have been taken and not told.
            if len(other.files()) + there < len(names) or n_said > len(names) - there:
                yield f"{len(other.files())} there, {there} waiting, {n_said} said"
        n_left = len(os.listdir("waiting"))
        run("send", *to)
        assert 0 < n_left < len(names), n_left
        assert len(other.files()) == len(names) and not os.listdir("waiting"), other.files()
        for path in other.folder.iterdir():
            picture = pydicom.dcmread(path)
            source = pydicom.dcmread(f"{picture.SOPInstanceUID.split('.')[1]}.dcm")
            if picture.PixelData != source.PixelData:
                yield f"{path} is not whole"


CASES = {
    "/send/each-file-goes-in-its-own-transfer-syntax": each_in_its_own_syntax,
    "/send/without-compression-where-a-peer-takes-no-other": without_compression,
    "/send/our-own-node-takes-what-dcmtk-does-not-know": to_our_own_node,
    "/send/more-kinds-than-contexts-are-several-associations": many_kinds,
    "/send/what-cannot-be-sent-is-told-and-the-rest-sent": what_cannot_be_sent,
    "/send/refusals-are-said": refusals,
    "/send/a-file-at-which-a-node-breaks-off-keeps-none-back": breaks_off_at_one_file,
    "/send/a-queue-keeps-what-was-not-taken": queue,
    "/send/what-waits-is-tried-again": retries,
    "/send/a-queue-survives-kills": kills,
    "/send/what-windows-could-not-send-is-listed-and-sent": what_windows_left,
    "/send/mutated-answers-are-failures-with-a-sentence": mutated_answers,
    "/send/a-compressed-file-stops-storescu-and-not-us": where_storescu_stops,
    "/send/over-ipv6": over_ipv6,
    "/send/what-went-where-is-noted": what_went_where,
    "/send/what-a-node-forwards-is-noted": what_a_node_forwards,
    "/send/the-log-is-bounded-and-fails-no-sending": bounded_log,
    "/send/the-log-has-whole-lines": whole_lines,
    "/send/aborts-and-other-oddities-are-told-as-such": odd_peers,
    "/send/an-abort-before-the-next-file-is-told-as-one": aborts_before_the_next_file,
}

if __name__ == "__main__":
    sys.exit(run_cases(CASES))

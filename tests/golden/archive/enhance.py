#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""What a node makes of what it received by rules, and sends on: against `process`, and DCMTK's storescp.

usage: enhance.py ONDELETTE_CLI
"""
import os
import pathlib
import random
import re
import signal
import sys
import time

import numpy as np
import pydicom

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "helpers"))
import dicom_file  # noqa: E402
import dicom_peer as peer  # noqa: E402
from command_line import compare, fails, run, run_cases, shared  # noqa: E402
from node import Node, Storescp, free_port, until  # noqa: E402

RULES = """
[magnetic resonance]
modality = MR
preset = bone
strength = 0.5

[scanner]
modality = ct
maker = GE*
preset = bone
"""


def rules(text=RULES):
    pathlib.Path("rules").write_text(text)
    return "--preset-rules", "rules", "--state", "state"


def derived_as_process_makes_it():
    """Forwarded to a storescp: pixels, and what the header says of them, but for times and identifiers."""
    names = {name: shared(f"pydicom/{name}") for name in ("CT_small.dcm", "MR_small.dcm", "reportsi.dcm")}
    with Storescp() as other, Node(more=(*rules(), "--forward", f"ANY@127.0.0.1:{other.port}")) as node:
        node.run("storescu", "-R", names["CT_small.dcm"])
        node.run("storescu", "-R", names["MR_small.dcm"])
        node.run("storescu", "-R", names["reportsi.dcm"])
        until(lambda: len(other.files()) == 2, (node.lines, node.words))
        until(lambda: sum(line.startswith("forwarded") for line in node.lines) == 2, node.lines)
        got = {pydicom.dcmread(path).Modality: path for path in other.folder.iterdir()}
        for modality, name, strength in (("CT", "CT_small.dcm", 1), ("MR", "MR_small.dcm", 0.5)):
            run("process", names[name], "-o", f"{modality}.dcm", "--preset", "bone", "--strength", strength)
            ours, made = pydicom.dcmread(f"{modality}.dcm"), pydicom.dcmread(got[modality])
            pathlib.Path("made.dcm").write_bytes(got[modality].read_bytes())
            assert compare("made.dcm", f"{modality}.dcm")["equal"], modality
            source = pydicom.dcmread(names[name])
            assert made.SourceImageSequence[0].ReferencedSOPInstanceUID == source.SOPInstanceUID
            assert made.SOPInstanceUID not in (source.SOPInstanceUID, ours.SOPInstanceUID)
            assert made.StudyInstanceUID == source.StudyInstanceUID
            for word in ("DerivationDescription", "ImageType", "SeriesDescription", "PatientID"):
                if made.get(word) != ours.get(word):
                    yield f"{modality}: {word} is {made.get(word)}, not {ours.get(word)}"
        # The originals stay here, alone.
        assert len(node.files()) == 3 and not list(pathlib.Path("state/outbox").iterdir()), node.files()


def ultrasound(name, maker, instance):
    """A sector of noise on black, as a file of a scanner."""
    down, right = np.mgrid[:120, :160]
    far, angle = np.hypot(down + 20, right - 80), np.arctan2(right - 80, down + 20)
    values = np.where((far > 40) & (far < 130) & (abs(angle) < .6), np.random.default_rng(3).integers(60, 250, (120, 160)), 0)
    made = pydicom.Dataset()
    made.file_meta = pydicom.dataset.FileMetaDataset()
    made.file_meta.TransferSyntaxUID = pydicom.uid.ExplicitVRLittleEndian
    made.SOPClassUID = made.file_meta.MediaStorageSOPClassUID = pydicom.uid.UltrasoundImageStorage
    made.SOPInstanceUID = made.file_meta.MediaStorageSOPInstanceUID = instance
    made.StudyInstanceUID, made.SeriesInstanceUID, made.PatientID, made.PatientName = "1.2.7", "1.2.7.1", "4711", "A^B"
    made.Modality, made.Manufacturer, made.BodyPartExamined = "US", maker, "abdomen"
    made.SamplesPerPixel, made.PhotometricInterpretation, made.Rows, made.Columns = 1, "MONOCHROME2", 120, 160
    made.BitsAllocated, made.BitsStored, made.HighBit, made.PixelRepresentation = 8, 8, 7, 0
    made.PixelData = values.astype(np.uint8).tobytes()
    made.is_little_endian, made.is_implicit_VR = True, False
    made.save_as(name, write_like_original=False)
    return name


def by_the_example_of_rules():
    """That of resources/examples: maker, body part and sector count, and what differs in one gets the next one."""
    example = pathlib.Path(__file__).resolve().parents[3] / "resources/examples/rules.ini"
    cases = {"Maker 5": (ultrasound("maker.dcm", "Maker 5", "1.2.7.2"), ("--strength", 0.7, "--inside", "sector")),
             "Another": (ultrasound("another.dcm", "Another", "1.2.7.3"), ())}
    with Node(more=("--preset-rules", example, "--state", "state")) as node:
        for name, _ in cases.values():
            node.run("storescu", name)
        until(lambda: sum(line.startswith("derived") for line in node.lines) == 2, (node.lines, node.words))
        for path in node.files():
            made = pydicom.dcmread(node.folder / path)
            if "SourceImageSequence" not in made:
                continue
            source, how = cases[made.Manufacturer]
            run("process", source, "-o", "own.dcm", "--force", "--preset", "ultrasound-soft", *how)
            if not np.array_equal(made.pixel_array, pydicom.dcmread("own.dcm").pixel_array):
                yield f"{made.Manufacturer}: {made.DerivationDescription}"
            if np.array_equal(made.pixel_array, pydicom.dcmread(source).pixel_array):
                yield f"{made.Manufacturer}: nothing was done"


def the_example_of_a_service():
    """resources/examples: the node knows each of its options, and may read and write where it is told to."""
    unit = (pathlib.Path(__file__).resolve().parents[3] / "resources/examples/ondelette-node.service").read_text()
    command = unit[unit.index("ExecStart="):unit.index("Restart=")]
    options = re.findall(r"--[a-z-]+", command)
    known = re.findall(r"--[a-z-]+", run("node", "--help").stdout)
    assert len(options) == 8 and set(options) <= set(known), (options, known)
    assert "StateDirectory=ondelette-node" in unit and command.count("%S/ondelette-node/") == 2, unit


def kept_here():
    """Without a node to forward to, derived objects lie beside what they were made from."""
    with Node(more=rules()) as node:
        node.run("storescu", shared("pydicom/CT_small.dcm"))
        until(lambda: any(line.startswith("derived") for line in node.lines), (node.lines, node.words))
        source = pydicom.dcmread(shared("pydicom/CT_small.dcm"))
        files = node.files()
        assert len(files) == 2 and all(path.startswith(source.StudyInstanceUID) for path in files), files
        path, = [path for path in files if source.SOPInstanceUID not in path]
        made = pydicom.dcmread(node.folder / path)
        assert path == f"{made.StudyInstanceUID}/{made.SeriesInstanceUID}/{made.SOPInstanceUID}.dcm", path
        # Received again, it is not made again.
        node.run("storescu", shared("pydicom/CT_small.dcm"))
        node.await_words("there already: 1")
        assert node.files() == files


def originals():
    with Storescp("+xa") as other, Node(more=("--forward", f"ANY@127.0.0.1:{other.port}", "--forward-originals",
                                              "--state", "state")) as node:
        node.run("storescu", "-xs", shared("pydicom/SC_rgb_jpeg_gdcm.dcm"))
        until(lambda: other.files(), (node.lines, node.words))
        got = pydicom.dcmread(next(other.folder.iterdir()))
        source = pydicom.dcmread(shared("pydicom/SC_rgb_jpeg_gdcm.dcm"))
        assert got.PixelData == source.PixelData and got.SOPInstanceUID == source.SOPInstanceUID
        assert got.file_meta.SourceApplicationEntityTitle == "NODE"


def queue_survives():
    """The node to forward to is away; ours is killed; later all arrives, once."""
    port = free_port()
    more = (*rules(), "--forward", f"ANY@127.0.0.1:{port}", "--forward-originals")
    node = Node(more=more)
    for number in range(5):
        with peer.Peer(node.port) as one:
            one.associate()
            writer = dicom_file.Writer().put(0x00080070, "LO", "GE")
            data = peer.data_set(f"1.{number}", size=4096, writer=writer).replace(b"Maker ", b"GE    ")
            one.say(peer.store(data, f"1.{number}"))
            assert one.status() == 0
            one.release()
    node.await_words("nobody answers")
    node.end(signal.SIGKILL)
    with Storescp(port=port) as other, Node(more=more) as node:
        until(lambda: len(other.files()) == 10, (other.files(), node.lines, node.words))
        until(lambda: sum(line.startswith("forwarded") for line in node.lines) == 10, node.lines)
        assert not list(pathlib.Path("state/outbox").iterdir())
        sources = [pydicom.dcmread(path).get("SourceImageSequence") for path in other.folder.iterdir()]
        made = [one[0].ReferencedSOPInstanceUID for one in sources if one]
        assert sorted(made) == [f"1.{number}" for number in range(5)], made


def refused_ones_keep_nothing_back():
    """What the node refuses is tried again after a while, alone; what comes after it goes at once."""
    said = []

    def serve(one):
        peer.accept(one)
        while True:
            asked = one.answer()
            while one.hear()[1][5] & 2 == 0:
                pass
            instance = asked[0x1000].rstrip(b"\0").decode()
            said.append(instance)
            one.say(peer.values(peer.command(0x8001, 1, peer.CT, instance, False, elements={
                0x0120: asked[0x0110], 0x0900: b"\0\xa7" if instance == "1.0" else b"\0\0"}), 1, True))

    def send(node, name):
        with peer.Peer(node.port) as one:
            one.associate()
            one.say(peer.store(peer.data_set(name), name))
            assert one.status() == 0
            one.release()
    with peer.Rogue(serve) as rogue, Node(more=("--forward", rogue.name, "--forward-originals", "--state", "state")) as node:
        send(node, "1.0")
        # Pauses grow, so that a machine that stands still for a while does not matter.
        for number in range(1, 4):
            until(lambda: said.count("1.0") >= number, said)
            before = said.count("1.0")
            send(node, f"1.{number}")
            until(lambda: f"1.{number}" in said, said)
            if said.count("1.0") == before:
                break
        else:
            yield f"each waits for the one that is refused: {said}"
        node.await_words("1.0", "A700")
        until(lambda: any(line == f"forwarded 1.{number}.dcm" for line in node.lines), node.lines)
        assert [path.name for path in pathlib.Path("state/outbox").iterdir()] == ["1.0.dcm"]


def a_process_that_dies():
    """Killed while it works at several: they are made all the same."""
    n = 6
    more = (*rules("[all]\npreset=bone\n"),)
    with Node(more=more) as node:
        with peer.Peer(node.port) as one:
            one.associate()
            for number in range(n):
                one.say(peer.store(peer.data_set(f"1.{number}", size=2_000_000), f"1.{number}"))
                assert one.status() == 0
            one.release()
        killed = 0
        while sum(line.startswith("derived") for line in list(node.lines)) < n:
            assert not node.said("could be made"), node.words
            for pid in node.helpers():
                try:
                    words = pathlib.Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")
                    if b"process" in words and sum(b"/todo/" in word for word in words) > 1 and killed < 2:
                        os.kill(pid, signal.SIGKILL)
                        killed += 1
                except (FileNotFoundError, ProcessLookupError):
                    pass
            time.sleep(0.01)
        assert killed, "it was quicker"


def kills(n=12):
    """At any moment between receiving, deriving and sending on: of each instance that was answered Success one
    derived object arrives, and no instance is received twice."""
    dice = random.Random(11)
    answered = []
    with Storescp() as other:
        more = (*rules("[all]\npreset=bone\n"), "--forward", f"ANY@127.0.0.1:{other.port}")
        for moment in range(n):
            node = Node(more=more)
            try:
                with peer.Peer(node.port) as one:
                    one.associate()
                    for number in range(dice.randrange(1, 6)):
                        name = f"1.{moment + 1}.{number + 1}"
                        one.say(peer.store(peer.data_set(name, size=4096), name, number=number + 1))
                        if one.status() == 0:
                            answered.append(name)
            except (peer.Gone, OSError):
                pass
            time.sleep(dice.choice((0, 0.05, 0.2, 0.5, 1)) * dice.random())
            node.end(signal.SIGKILL)
        with Node(more=more) as node:
            until(lambda: not any(any(pathlib.Path("state", where).rglob("*.dcm"))
                                  for where in ("coming", "todo", "derived", "outbox")), (node.lines, node.words))
            there = [pathlib.Path(path).stem for path in node.files()]
        made = [pydicom.dcmread(path).SourceImageSequence[0].ReferencedSOPInstanceUID for path in other.folder.iterdir()]
        assert len(answered) > n, answered
        assert sorted(set(there)) == sorted(there) and set(answered) <= set(there), (answered, there)
        # Those that came when it was killed may be there without an answer.
        assert sorted(made) == sorted(there), (sorted(made), sorted(there))


def usage():
    node = ("node", "--aet", "NODE", "--port", "0", "--callers", "any", "-o", "folder", "--state", "state")
    for text, words in (("[a]\npreset=nothing-of-that-name\n", "nothing-of-that-name"), ("[a]\nmodality=CT\n", "names no preset"),
                        ("[a]\npreset=bone\ncolour=red\n", "colour"), ("", "no rule"), ("preset=bone\n", "rules")):
        rules(text)
        done = run(*node, "--preset-rules", "rules", status=1 if words == "rules" else 2)
        if words not in done.stderr or len(done.stderr.splitlines()) != 1:
            yield f"{text!r}: {done.stderr}"
    fails(2, "--forward-originals", arguments=(*node, "--forward-originals"))
    fails(2, "what to forward", arguments=(*node, "--forward", "ANY@127.0.0.1:104"))
    fails(2, "TITLE@HOST:PORT", arguments=(*node, "--forward", "ANY", "--forward-originals"))
    fails(1, "nowhere", arguments=(*node, "--preset-rules", "nowhere"))
    # Two would make and send the same.
    with Node("first", more=rules()):
        fails(1, "state: another node", "--state", arguments=(*node, "--preset-rules", "rules"))
    with Node("second", more=rules()):
        pass


CASES = {
    "/enhance/derived-objects-are-those-of-process": derived_as_process_makes_it,
    "/enhance/the-example-of-rules-does-what-it-says": by_the_example_of_rules,
    "/enhance/the-example-of-a-service-can-be-started": the_example_of_a_service,
    "/enhance/they-stay-here-where-nobody-gets-them": kept_here,
    "/enhance/originals-go-too-where-that-is-said": originals,
    "/enhance/what-waits-survives-a-kill": queue_survives,
    "/enhance/what-is-refused-keeps-nothing-back": refused_ones_keep_nothing_back,
    "/enhance/a-death-of-process-loses-nothing": a_process_that_dies,
    "/enhance/kills-at-any-moment-lose-nothing": kills,
    "/enhance/what-is-missing-or-wrong-is-said": usage,
}

if __name__ == "__main__":
    sys.exit(run_cases(CASES))

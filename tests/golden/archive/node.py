#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""The node against DCMTK's callers: what it takes, keeps, refuses and says.

usage: node.py ONDELETTE_CLI
"""
import pathlib
import socket
import subprocess
import sys

import pydicom

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "helpers"))
import dicom_peer as peer  # noqa: E402
from command_line import fails, run_cases, shared  # noqa: E402
from node import PATIENCE, Node, skip_without_ipv6, tool, until  # noqa: E402

# Files of the test data in each transfer syntax, which DCMTK's caller proposes then.
UNCOMPRESSED = {"-xi": "MR_small_implicit.dcm", "-xe": "CT_small.dcm", "-xb": "MR_small_bigendian.dcm",
                "-xd": "image_dfl.dcm"}
COMPRESSED = {"-xr": "MR_small_RLE.dcm", "-xs": "SC_rgb_jpeg_gdcm.dcm", "-xy": "SC_rgb_dcmtk_+eb+cr.dcm",
              "-xx": "JPGExtended.dcm", "-xv": "examples_jpeg2k.dcm", "-xw": "JPEG2000.dcm",
              "-xt": "MR_small_jpeg_ls_lossless.dcm"}


def write(name="one.dcm", **what):
    """A small file that storescu takes."""
    pathlib.Path(name).write_bytes(peer.whole_file(peer.data_set(**what), **what))
    return name


def data_of(path):
    """The bytes of the data set of a file."""
    raw = pathlib.Path(path).read_bytes()
    assert raw[128:132] == b"DICM" and raw[132:140] == b"\2\0\0\0UL\4\0", raw[128:144]
    return raw[144 + int.from_bytes(raw[140:144], "little"):]


def verification():
    with Node() as node:
        node.run("echoscu")
        node.await_words("TEST at 127.0.0.1", "stored: 0")
        assert node.files() == [] and node.lines == [f"listening 127.0.0.1 port {node.port}"], node.lines
        assert node.end() == 0


def one_instance():
    name = shared("pydicom/CT_small.dcm")
    source = pydicom.dcmread(name)
    with Node() as node:
        node.run("storescu", name)
        path = f"{source.StudyInstanceUID}/{source.SeriesInstanceUID}/{source.SOPInstanceUID}.dcm"
        assert node.files() == [path], node.files()
        until(lambda: f"stored {path}" in node.lines, node.lines)
        node.await_words("stored: 1")
        got = pydicom.dcmread(node.folder / path)
        assert got.file_meta.TransferSyntaxUID == peer.EXPLICIT
        del source[0xfffcfffc]  # storescu leaves the padding of the file out
        assert got == source
        checked = subprocess.run([tool("dcmftest"), node.folder / path], capture_output=True, text=True)
        assert checked.returncode == 0, checked.stdout


def all_syntaxes():
    for option, name in {**UNCOMPRESSED, **COMPRESSED}.items():
        source = pydicom.dcmread(shared(f"pydicom/{name}"))
        with Node(f"folder{option}") as node:
            node.run("storescu", option, shared(f"pydicom/{name}"))
            path, = node.files()
            got = pydicom.dcmread(node.folder / path)
            if got.file_meta.TransferSyntaxUID != source.file_meta.TransferSyntaxUID:
                yield f"{option}: {got.file_meta.TransferSyntaxUID}"
            if got.PixelData != source.PixelData:
                yield f"{option}: other pixels"
            if got.get("PatientName") != source.get("PatientName"):
                yield f"{option}: another patient"


def bytes_as_they_came():
    """In each transfer syntax that the program reads, and those that DCMTK does not know, as high-throughput
    JPEG 2000; and none that it does not read."""
    rows = pathlib.Path(__file__).resolve().parents[3] / "src/decoder/dicom/syntax.c"
    table = [line for line in rows.read_text().splitlines() if line.strip().startswith("{ UID (")]
    known = {"1.2.840.10008.1.2" + line.split('"')[1]: "REFUSED" not in line for line in table}
    assert len(known) > 30 and known["1.2.840.10008.1.2.4.201"] and not known["1.2.840.10008.1.2.4.94"]
    with Node() as node:
        for number, (syntax, read) in enumerate(known.items()):
            implicit = syntax == peer.IMPLICIT
            if implicit or "1.99" in syntax or syntax.endswith("1.2.2"):
                continue  # storescu sent these
            body = peer.data_set(instance=f"1.2.{number}")
            with peer.Peer(node.port) as one:
                kind, taken = one.associate(contexts=((peer.CT, (syntax,)),))
                if kind != 2 or (taken[1][0] == 0) != read:
                    yield f"{syntax}: {kind} {taken}, read: {read}"
                if kind != 2 or taken[1][0] != 0:
                    continue
                one.say(peer.store(body, f"1.2.{number}"))
                if one.status() != 0:
                    yield f"{syntax}: not kept"
                one.release()
            got = data_of(node.folder / f"1.2.3/1.2.3.4/1.2.{number}.dcm")
            if got != body:
                yield f"{syntax}: other bytes"


def same_instance_again():
    with Node() as node:
        first, other = peer.data_set(fill=1), peer.data_set(fill=2)
        with peer.Peer(node.port) as one:
            one.associate()
            for data in (first, first, other, other, first):
                one.say(peer.store(data))
                assert one.status() == 0
            one.release()
        files = node.files()
        assert len(files) == 2 and files[0] == "1.2.3/1.2.3.4/1.2.3.4.5.dcm", files
        assert files[1].startswith("apart/1.2.3/1.2.3.4/1.2.3.4.5-"), files
        assert data_of(node.folder / files[0]) == first and data_of(node.folder / files[1]) == other
        node.await_words("stored: 1, there already: 3, kept apart: 1")
        assert node.said(files[1], "kept apart"), node.words
        until(lambda: len(node.lines) == 6, node.lines)
        assert [line.split()[0] for line in node.lines[1:]] == ["stored", "again", "apart", "again", "again"]


def same_picture_in_another_syntax():
    """The first one stays, whichever it is, and what cannot be proved to be the same is kept apart."""
    plain = shared("pydicom/CT_small.dcm")
    made = {"rle": ["dcmcrle", "+un"], "ls": ["dcmcjpls", "+el", "+un"], "jpeg": ["dcmcjpeg", "+e1", "+un"],
            "implicit": ["dcmconv", "+ti"], "deflated": ["dcmconv", "+td"], "lossy": ["dcmcjpeg", "+eb", "+un"]}
    options = {"rle": "-xr", "ls": "-xt", "jpeg": "-xs", "implicit": "-xi", "deflated": "-xd", "lossy": "-xy"}
    for name, command in made.items():
        subprocess.run([tool(command[0]), *command[1:], plain, f"{name}.dcm"], check=True, timeout=PATIENCE)
    changed = pydicom.dcmread("rle.dcm")
    changed.InstitutionName = "Elsewhere"
    changed.save_as("changed.dcm")
    same = ["rle", "ls", "implicit", "deflated"]
    with Node() as node:
        node.run("storescu", "-xe", plain)
        for number, name in enumerate(same, 1):
            node.run("storescu", options[name], f"{name}.dcm")
            until(lambda n=number: len(node.lines) == 2 + n, node.lines)
        assert [line.split()[0] for line in node.lines[1:]] == ["stored"] + ["again"] * len(same), (node.lines, node.words)
        assert sum("another transfer syntax" in line for line in node.words) == len(same), node.words
        # Another element, a compressed one that says that it is derived, and other samples.
        for name in ("changed", "jpeg", "lossy"):
            node.run("storescu", options.get(name, "-xr"), f"{name}.dcm")
        until(lambda: len(node.lines) == 5 + len(same), node.lines)
        assert [line.split()[0] for line in node.lines[-3:]] == ["apart"] * 3, node.lines
        kept = [name for name in node.files() if not name.startswith("apart/")]
        assert len(kept) == 1 and pydicom.dcmread(node.folder / kept[0]).file_meta.TransferSyntaxUID == peer.EXPLICIT
    with Node("compressed") as node:
        node.run("storescu", "-xr", "rle.dcm")
        node.run("storescu", "-xe", plain)
        until(lambda: len(node.lines) == 3, node.lines)
        assert [line.split()[0] for line in node.lines[1:]] == ["stored", "again"], (node.lines, node.words)
        kept, = node.files()
        assert pydicom.dcmread(node.folder / kept).file_meta.TransferSyntaxUID == pydicom.uid.RLELossless


def same_uid_elsewhere():
    """One UID in two studies: the first one stays, also when the node was started anew in between."""
    for number in range(2):
        with Node() as node, peer.Peer(node.port) as one:
            one.associate()
            for study in ("1.7", "1.8"):
                one.say(peer.store(peer.data_set(study=study)))
                assert one.status() == 0
            one.say(peer.store(peer.data_set(instance="1.9", study="1.8"), "1.9"))
            assert one.status() == 0
            one.release()
            node.await_words("stored: 2, there already: 0, kept apart: 1" if number == 0 else
                             "stored: 0, there already: 3, kept apart: 0")
        files = node.files()
        assert len(files) == 3 and files[0] == "1.7/1.2.3.4/1.2.3.4.5.dcm" and files[1] == "1.8/1.2.3.4/1.9.dcm", files
        assert files[2].startswith("apart/1.8/1.2.3.4/1.2.3.4.5-"), files


def at_an_address_of_ipv6():
    skip_without_ipv6()
    with Node(callers="TEST@::1", more=("--listen", "::1")) as node:
        with peer.Peer(0, made=socket.create_connection(("::1", node.port))) as one:
            one.associate()
            one.say(peer.store(peer.data_set()))
            assert one.status() == 0
            one.release()
        node.await_words("TEST at ::1", "stored: 1")
    with Node("all", callers="TEST@127.0.0.1", more=("--listen", "::")) as node:
        node.run("echoscu")
        node.await_words("TEST at 127.0.0.1", "ended in order")
        # Another address of the same machine, which is not that caller's.
        with peer.Peer(0, made=socket.create_connection(("::1", node.port))) as one:
            assert one.hear() == (3, b"\0\1\1\3")
        node.await_words("::1", "names nobody there")
    with Node("mapped", callers="TEST@::ffff:127.0.0.0/104", more=("--listen", "::")) as node:
        node.run("echoscu")
        node.await_words("TEST at 127.0.0.1", "ended in order")
    # Networks; a machine may choose its address in one of 64 bits.
    with Node("network", callers="TEST@::/120", more=("--listen", "::1", "--most-associations", "1")) as node:
        with peer.Peer(0, made=socket.create_connection(("::1", node.port))) as one:
            assert one.associate()[0] == 2
            with peer.Peer(0, made=socket.create_connection(("::1", node.port))) as other:
                assert other.hear() == (3, b"\0\2\3\2")
            one.release()


def callers():
    name = write()
    with Node(callers="CT1@127.0.0.1,MR@10.0.0.0/8") as node:
        node.run("storescu", name, calling="CT1")
        refused = node.run("storescu", name, calling="CT2", status=None)
        assert refused.returncode != 0 and "Calling AE Title Not Recognized" in refused.stderr, refused
        refused = node.run("storescu", name, calling="MR", status=None)
        assert refused.returncode != 0 and "Calling AE Title Not Recognized" in refused.stderr, refused
        refused = node.run("storescu", name, calling="CT1", called="OTHER", status=None)
        assert refused.returncode != 0 and "Called AE Title Not Recognized" in refused.stderr, refused
        node.await_words("CT2 at 127.0.0.1", "--callers does not name")
        # Blanks at its ends are no part of a title.
        with peer.Peer(node.port) as one:
            assert one.associate(calling=b" CT1", called=b"  NODE ")[0] == 2
            one.release()
        node.await_words("CT1 at 127.0.0.1", "OTHER")
        assert len(node.files()) == 1
    with Node("other", callers="CT1@10.1.2.3") as node:
        refused = node.run("echoscu", calling="CT1", status=None)
        assert refused.returncode != 0 and "Calling AE Title Not Recognized" in refused.stderr, refused
        node.await_words("127.0.0.1", "names nobody there")
        assert not node.helpers()


def usage():
    good = ("node", "--aet", "NODE", "--port", "0", "--callers", "any", "-o", "folder")
    fails(2, "--callers", "any", arguments=good[:5] + good[7:])
    fails(2, "--aet", arguments=good[:1] + good[3:])
    fails(2, "-o FOLDER", arguments=good[:7])
    fails(2, "--port", arguments=good[:3] + good[5:])
    fails(2, "scanner.example", "numbers", arguments=good[:6] + ("CT@scanner.example",) + good[7:])
    for address in ("::1/129", "127.0.0.1/33", "::1/-1", "::1/x", ""):
        fails(2, "numbers", arguments=good[:6] + (f"CT@{address}",) + good[7:])
    for title in ("NODE ", " NODE", "A\\B", "A\x01", "Ä"):
        fails(2, "--aet", arguments=("node", "--aet", title) + good[3:])
    fails(2, "SEVENTEEN-LETTERS", arguments=good[:6] + ("SEVENTEEN-LETTERS",) + good[7:])
    fails(2, "localhost", "numbers", arguments=good + ("--listen", "localhost"))
    fails(2, "positive", arguments=good + ("--metrics", "-1"))
    fails(2, "positive", arguments=good + ("--most-megabytes", "nan"))
    fails(2, "--forward-plainly", arguments=good + ("--forward-plainly",))
    fails(2, "--tls-any-host", arguments=good + ("--tls-any-host",))
    fails(1, "198.51.100.7", arguments=good + ("--listen", "198.51.100.7"))
    pathlib.Path("file").touch()
    fails(1, "file", arguments=good[:8] + ("file",))


def what_is_no_storage():
    """A query is refused in its context; in one of storage it is an unknown operation."""
    find = "1.2.840.10008.5.1.4.1.2.1.1"
    with Node() as node, peer.Peer(node.port) as one:
        kind, taken = one.associate(contexts=((find, (peer.EXPLICIT,)), (peer.CT, (peer.EXPLICIT,)),
                                              (peer.VERIFICATION, (peer.IMPLICIT,)), ("1.3.6.1.4.1.7", (peer.IMPLICIT,)),
                                              (peer.CT, ("1.2.3.4",))))
        assert kind == 2 and [taken[n][0] for n in (1, 3, 5, 7, 9)] == [3, 0, 0, 0, 4], taken
        one.say(peer.values(peer.command(peer.FIND, 1, find), 3, True) + peer.values(b"\0" * 8, 3))
        got = one.answer()
        assert got[0x0100] == b"\x20\x80" and got[0x0900] == b"\x11\x02", got
        one.say(peer.values(peer.command(peer.ECHO, 2, peer.VERIFICATION, data=False), 5, True))
        assert one.status() == 0
        one.release()


def large_and_split():
    """Fragments of all sizes, several in a PDU, and commands in parts."""
    data = peer.data_set(size=3_000_000)
    with Node() as node, peer.Peer(node.port) as one:
        one.associate()
        words = peer.command(peer.STORE, 1, peer.CT, "1.2.3.4.5")
        one.say(peer.values(words, 1, True, size=20))
        both = b"".join(peer.values(data[at:at + 5000], last=False)[6:] for at in (0, 5000))
        one.say(peer.pdu(4, both) + peer.values(data[10000:10100], size=2, last=False)
                + peer.values(data[10100:], size=100_000))
        assert one.status() == 0
        one.release()
        assert data_of(node.folder / node.files()[0]) == data


def metrics():
    """Counts as lines for programs, while it runs and at the end."""
    def last(node):
        lines = [line.split() for line in list(node.lines) if line.startswith("metrics ")]
        return dict((word.split("=")[0], int(word.split("=")[1])) for word in lines[-1][1:]) if lines else {}
    with Node(callers="TEST", more=("--metrics", "1")) as node:
        with peer.Peer(node.port) as one:
            one.associate()
            for instance, fill in (("1.1", 1), ("1.1", 1), ("1.1", 2), ("1.2", 1)):
                one.say(peer.store(peer.data_set(instance, fill=fill), instance))
                assert one.status() == 0
            one.say(peer.store(b"", "1.3"))
            assert one.status() == 0xc000
            until(lambda: last(node).get("not-kept"), node.lines)
            assert last(node)["open"] == 1, node.lines
            one.release()
        node.run("echoscu", calling="OTHER", status=1)
        until(lambda: node.n_ended() == 2, node.words)
        assert node.end() == 0
    wanted = {"associations": 2, "open": 0, "turned-away": 0, "stored": 2, "again": 1, "apart": 1, "not-kept": 1, "derived": 0,
              "not-derived": 0, "forwarded": 0, "waiting": 0}
    got = last(node)
    assert {word: got[word] for word in wanted} == wanted and list(got)[0] == "seconds", got
    assert got["bytes"] >= 4 * len(peer.data_set("1.1")), got
    assert not any("metrics" in line for line in node.words)


def durable():
    with Node(more=["--durable"]) as node:
        node.run("storescu", write())
        assert len(node.files()) == 1


CASES = {
    "/node/echoscu-is-answered": verification,
    "/node/an-instance-is-stored-by-study-and-series": one_instance,
    "/node/all-transfer-syntaxes-of-dcmtk-are-taken": all_syntaxes,
    "/node/data-sets-are-kept-byte-for-byte": bytes_as_they_came,
    "/node/the-same-is-kept-once-and-another-apart": same_instance_again,
    "/node/the-same-in-another-transfer-syntax-is-kept-once": same_picture_in_another_syntax,
    "/node/the-same-uid-in-another-study-is-kept-apart": same_uid_elsewhere,
    "/node/callers-are-known-by-title-and-address": callers,
    "/node/what-is-missing-or-wrong-is-said": usage,
    "/node/what-is-no-storage-is-refused": what_is_no_storage,
    "/node/fragments-of-all-sizes-are-put-together": large_and_split,
    "/node/it-listens-at-ipv6-too": at_an_address_of_ipv6,
    "/node/counts-are-lines-on-request": metrics,
    "/node/it-syncs-when-asked": durable,
}

if __name__ == "__main__":
    sys.exit(run_cases(CASES))

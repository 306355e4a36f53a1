#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""TLS of the node and of `send`, against DCMTK's storescu and storescp.

usage: tls.py ONDELETTE_CLI
"""
import pathlib
import random
import ssl
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "helpers"))
import dicom_peer as peer  # noqa: E402
from archives import Orthanc  # noqa: E402
from command_line import fails, run, run_cases  # noqa: E402
from node import Node, Storescp, free_port, skip_without_ipv6, tool, until  # noqa: E402


def openssl(*arguments):
    subprocess.run([tool("openssl"), *map(str, arguments)], check=True, capture_output=True)


def authority(name):
    openssl("req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", 2, "-subj", f"/CN={name}", "-keyout", f"{name}.key",
            "-out", f"{name}.pem")


def certificate(name, by, bits=2048, days=2, hosts="IP:127.0.0.1,DNS:localhost"):
    openssl("req", "-newkey", f"rsa:{bits}", "-nodes", "-subj", f"/CN={name}", "-keyout", f"{name}.key", "-out", "request")
    pathlib.Path("extensions").write_text(f"subjectAltName={hosts}\n")
    openssl("x509", "-req", "-in", "request", "-CA", f"{by}.pem", "-CAkey", f"{by}.key", "-CAcreateserial", "-days", days,
            "-extfile", "extensions", "-out", f"{name}.pem")


def keys():
    authority("ours")
    authority("others")
    for name, by in (("node", "ours"), ("scanner", "ours"), ("stranger", "others")):
        certificate(name, by)
    pathlib.Path("one.dcm").write_bytes(peer.whole_file(peer.data_set()))


def files(name, by="ours"):
    return "--tls-key", f"{name}.key", "--tls-cert", f"{name}.pem", "--tls-ca", f"{by}.pem"


def storescu(node, *options, status=None):
    return node.run("storescu", "-R", *options, "one.dcm", status=status).returncode


def who_is_vouched_for_is_let_in():
    keys()
    with Node(more=files("node")) as node:
        # One after the other, and each a sentence.
        assert storescu(node, "+tls", "stranger.key", "stranger.pem", "+cf", "ours.pem", "+cf", "others.pem") != 0
        node.await_words("127.0.0.1", "TLS")
        assert storescu(node, "+tla", "-ic") != 0  # without a certificate
        until(lambda: node.n_ended() == 2, node.words)
        assert storescu(node) != 0  # without TLS
        until(lambda: node.n_ended() == 3, node.words)
        assert sum("agree upon TLS" in line for line in node.words) == 3, node.words
        assert not node.files()
        assert storescu(node, "+tls", "scanner.key", "scanner.pem", "+cf", "ours.pem") == 0, node.words
        assert node.files() == ["1.2.3/1.2.3.4/1.2.3.4.5.dcm"]
        assert (node.folder / node.files()[0]).read_bytes().endswith(peer.data_set())
        node.await_words("ended in order", "stored: 1")
        # Titles count as ever.
        node.run("echoscu", "+tls", "scanner.key", "scanner.pem", "+cf", "ours.pem", called="OTHER", status=1)


def keys_that_are_too_weak():
    keys()
    certificate("weak", "ours", bits=1024)
    with Node(more=files("node")) as node:
        assert storescu(node, "+tls", "weak.key", "weak.pem", "+cf", "ours.pem") != 0
        assert not node.files()
        node.await_words("agree upon TLS")


def of_another_time(name, begin, end):
    """A certificate that holds from one day to another."""
    if not pathlib.Path("authority").exists():
        pathlib.Path("authority").write_text("[ca]\ndefault_ca=own\n[own]\ndatabase=given\nserial=serial\nnew_certs_dir=.\n"
                                             "default_md=sha256\npolicy=all\nx509_extensions=hosts\n[all]\ncommonName=supplied\n"
                                             "[hosts]\nsubjectAltName=IP:127.0.0.1\n")
        pathlib.Path("given").touch()
        pathlib.Path("serial").write_text("01\n")
    openssl("req", "-newkey", "rsa:2048", "-nodes", "-subj", f"/CN={name}", "-keyout", f"{name}.key", "-out", "request")
    openssl("ca", "-batch", "-config", "authority", "-in", "request", "-cert", "ours.pem", "-keyfile", "ours.key",
            "-startdate", begin, "-enddate", end, "-out", f"{name}.pem", "-notext")


def of_another_day_or_nobody():
    """Certificates that hold no more, not yet, or that nobody vouches for but themselves, on either side; one that holds
    shows that the others fail for that alone."""
    keys()
    of_another_time("past", "20200101000000Z", "20210101000000Z")
    of_another_time("future", "20900101000000Z", "20910101000000Z")
    of_another_time("present", "20200101000000Z", "20900101000000Z")
    openssl("req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", 2, "-subj", "/CN=alone", "-addext",
            "subjectAltName=IP:127.0.0.1", "-keyout", "alone.key", "-out", "alone.pem")
    for name in ("past", "future", "alone", "present"):
        good = name == "present"
        with Node(f"there-{name}", more=files(name)) as there, Node(f"here-{name}", more=files("node")) as here:
            for node, ours in ((there, "scanner"), (here, name)):
                done = run("send", "one.dcm", "--to", f"NODE@127.0.0.1:{node.port}", *files(ours), status=0 if good else 1)
                if len(node.files()) != good or len(done.stderr.splitlines()) != (not good):
                    yield f"{name}, {ours}: {node.files()} {done.stderr}"


def sending():
    keys()
    with Storescp("+tls", "node.key", "node.pem", "+cf", "ours.pem") as other:
        to = "--to", f"ANY@127.0.0.1:{other.port}"
        assert run("send", "one.dcm", *to, *files("scanner")).stdout == "sent one.dcm\n"
        assert len(other.files()) == 1
        for wrong in ((*to, *files("scanner", "others")), (*to, *files("stranger")), to):
            done = run("send", "one.dcm", *wrong, status=1)
            if len(done.stderr.splitlines()) != 1 or done.stdout:
                yield f"{wrong}: {done.stderr}"
            if wrong != to and "TLS" not in done.stderr and "cut off" not in done.stderr:
                yield f"{wrong}: {done.stderr}"
    # Who asks for a certificate cuts off whoever has none, when all is agreed upon.
    with Node("strict", more=files("node")) as node:
        fails(1, "TLS", arguments=("send", "one.dcm", "--to", f"NODE@127.0.0.1:{node.port}",
                                                                  "--tls-ca", "ours.pem"))
    with Storescp(folder="plain") as other:
        fails(1, "TLS", arguments=("send", "one.dcm", "--to", f"ANY@127.0.0.1:{other.port}", *files("scanner")))
        assert not other.files()
    with Node(more=files("node")) as node:
        run("send", "one.dcm", "--to", f"NODE@127.0.0.1:{node.port}", *files("scanner"))
        assert len(node.files()) == 1


def over_ipv6():
    """The certificate has to be of that address."""
    skip_without_ipv6()
    keys()
    certificate("six", "ours", hosts="IP:::1")
    for name, good in (("six", True), ("node", False)):
        with Node(name, more=("--listen", "::1", *files(name))) as node:
            done = run("send", "one.dcm", "--to", f"NODE@[::1]:{node.port}", *files("scanner"), status=0 if good else 1)
            assert len(node.files()) == good and ("not of the host" in done.stderr) == (not good), done


def hosts():
    """A certificate that is good, and of another host."""
    keys()
    certificate("other", "ours", hosts="DNS:other.example,IP:127.0.0.9")
    for name, host, good in (("node", "127.0.0.1", True), ("node", "localhost", True), ("other", "127.0.0.1", False),
                             ("other", "localhost", False)):
        with Storescp("+tls", f"{name}.key", f"{name}.pem", "+cf", "ours.pem", folder=f"{name}-{host}") as there:
            arguments = "send", "one.dcm", "--to", f"ANY@{host}:{there.port}", *files("scanner")
            done = run(*arguments, status=0 if good else 1)
            if not good and ("not of the host" not in done.stderr or len(done.stderr.splitlines()) != 1 or there.files()):
                yield f"{name} {host}: {done.stderr}"
            run(*arguments, "--tls-any-host")


def encrypted(**settings):
    """Orthanc with TLS."""
    return Orthanc(DicomTlsEnabled=True, DicomTlsPrivateKey=str(pathlib.Path("node.key").absolute()),
                   DicomTlsCertificate=str(pathlib.Path("node.pem").absolute()),
                   DicomTlsTrustedCertificates=str(pathlib.Path("ours.pem").absolute()), **settings)


def moving():
    """Orthanc calls back, and is known by its certificate; who calls back without TLS is not let in."""
    keys()
    port = free_port()
    for folder, both in (("both", True), ("there", False)):
        us = {"AET": "ONDELETTE", "Host": "127.0.0.1", "Port": port, "UseDicomTls": both}
        with encrypted(folder=folder, DicomModalities={"us": us}) as archive:
            archive.put("one.dcm")
            there = "get", "--from", archive.name, "--study", "1.2.3", "-o", f"got-{folder}", "--move-to", f"ONDELETTE:{port}"
            done = run(*there, *files("scanner"), status=0 if both else 1)
            if done.stdout != f"{'stored' if both else 'missing'} 1.2.3/1.2.3.4/1.2.3.4.5.dcm\n":
                yield f"{both}: {done}"
            if ("agree upon TLS" in done.stderr) == both:
                yield f"{both}: {done.stderr}"
    # Nobody could call back one that has no certificate.
    with encrypted(folder="without") as archive:
        done = run("get", "--from", archive.name, "--study", "1.2.3", "-o", "none", "--move-to", f"ONDELETTE:{port}",
                   *files("scanner")[4:], status=1)
        assert not done.stdout, done


def asking():
    keys()
    with encrypted() as archive:
        archive.put("one.dcm")
        assert "1.2.3" in run("find", "--from", archive.name, "--csv", *files("scanner")).stdout
        done = run("get", "--from", archive.name, "--study", "1.2.3", "-o", "got", *files("scanner"))
        assert done.stdout == "stored 1.2.3/1.2.3.4/1.2.3.4.5.dcm\n", done.stdout
        for verb in (("find",), ("get", "--study", "1.2.3", "-o", "none")):
            for wrong in ((), files("stranger"), files("scanner", "others")):
                done = run(*verb, "--from", archive.name, *wrong, status=1)
                if len(done.stderr.splitlines()) != 1 or done.stdout:
                    yield f"{verb} {wrong}: {done.stderr}"


def usage():
    keys()
    node = ("node", "--aet", "NODE", "--port", "0", "--callers", "any", "-o", "folder")
    fails(2, "--tls-key", arguments=(*node, "--tls-ca", "ours.pem"))
    fails(2, "--tls-ca", arguments=(*node, *files("node")[:4]))
    fails(1, "nowhere.key", arguments=(*node, *files("node")[:1], "nowhere.key", *files("node")[2:]))
    fails(1, "files of TLS", arguments=("send", "one.dcm", "--to", "ANY@127.0.0.1:104", "--tls-key", "node.key", "--tls-cert",
                                        "scanner.pem", "--tls-ca", "ours.pem"))
    fails(1, "files of TLS", arguments=("send", "one.dcm", "--to", "ANY@127.0.0.1:104", "--tls-ca", "one.dcm"))


def hostile():
    """Noise in place of a handshake, and what is no DICOM behind a good one."""
    keys()
    dice = random.Random(5)
    with Node(more=(*files("node"), "--most-associations", 1000, "--most-idle", 2)) as node:
        for _ in range(40):
            head = dice.choice((b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", b"\x80\x2e\x01\0\2", b""))
            with peer.Peer(node.port) as one:
                one.say(head + dice.randbytes(dice.randrange(1, 600)))
        context = ssl.create_default_context(cafile="ours.pem")
        context.check_hostname = False
        context.load_cert_chain("scanner.pem", "scanner.key")
        for said in (b"GET / HTTP/1.1\r\n\r\n", peer.request()[:50], peer.request() + b"\4\0\xff\xff\xff\xff", peer.ABORT, b""):
            with peer.Peer(node.port) as plain:
                with peer.Peer(0, made=context.wrap_socket(plain.socket)) as one:
                    one.say(said)
        until(lambda: node.n_ended() == 45, (node.n_ended(), node.words[-3:]))
        assert not node.said("ended without a word"), node.words
        assert storescu(node, "+tls", "scanner.key", "scanner.pem", "+cf", "ours.pem") == 0
        assert len(node.files()) == 1


CASES = {
    "/tls/who-is-vouched-for-is-let-in-and-nobody-else": who_is_vouched_for_is_let_in,
    "/tls/keys-that-are-too-weak-are-refused": keys_that_are_too_weak,
    "/tls/certificates-of-another-day-or-of-nobody-are-refused": of_another_day_or_nobody,
    "/tls/send-knows-the-node-and-is-known": sending,
    "/tls/certificates-are-of-the-host-that-is-called": hosts,
    "/tls/over-ipv6": over_ipv6,
    "/tls/find-and-get": asking,
    "/tls/what-is-moved-to-us-comes-encrypted": moving,
    "/tls/what-is-missing-or-wrong-is-said": usage,
    "/tls/noise-is-no-handshake": hostile,
}

if __name__ == "__main__":
    sys.exit(run_cases(CASES))

# SPDX-License-Identifier: MIT
"""Archives of others on free ports of this machine: DCMTK's dcmqrscp, and Orthanc."""
import contextlib
import glob
import json
import os
import pathlib
import signal
import socket
import subprocess
import urllib.request

from node import PATIENCE, free_port, listens_here_alone, only_here, tool, until
from tap import Skip


class Archive:
    """A process that listens; usable in `with`."""

    title = "ARCHIVE"

    def start(self, *command):
        self.log = open(self.folder / "log", "w+b")
        self.process = subprocess.Popen([*map(str, command)], stdout=self.log, stderr=self.log, env=only_here(),
                                        start_new_session=True)
        until(self.listens, f"{command[0]} listens")
        assert all(map(listens_here_alone, self.ports())) or not only_here()

    def listens(self):
        assert self.process.poll() is None, (self.folder / "log").read_text(errors="replace")
        return all(self.answers(port) for port in self.ports())

    def ports(self):
        return [self.port]

    @staticmethod
    def answers(port):
        with socket.socket() as one:
            return one.connect_ex(("127.0.0.1", port)) == 0

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait(PATIENCE)
        # dcmqrscp has a process per association, which keeps the listening socket open until it ends.
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.log.close()

    @property
    def name(self):
        return f"{self.title}@127.0.0.1:{self.port}"

    def put(self, *files, options=()):
        """By DCMTK's sender, in the files' own transfer syntax."""
        done = subprocess.run([tool("storescu"), "-R", *options, "-aec", self.title, "127.0.0.1", str(self.port),
                               *map(str, files)], capture_output=True, text=True, timeout=PATIENCE)
        assert done.returncode == 0, (done.stdout, done.stderr)


class Dcmqrscp(Archive):
    """moves: titles and ports at 127.0.0.1 to which pictures may be moved."""

    def __init__(self, *options, folder="dcmqrscp", moves=None):
        self.folder, self.port = pathlib.Path(folder).absolute(), free_port()
        self.folder.mkdir()
        storage = self.folder / "storage"
        storage.mkdir()
        (self.folder / "config").write_text(f"""
NetworkTCPPort = {self.port}
MaxPDUSize = 16384
MaxAssociations = 16
HostTable BEGIN
{"".join(f"{title.lower()} = ({title}, 127.0.0.1, {port}){chr(10)}" for title, port in (moves or {}).items())}HostTable END
VendorTable BEGIN
VendorTable END
AETable BEGIN
{self.title} {storage} RW (10000, 1024mb) ANY
AETable END
""")
        self.start(tool("dcmqrscp"), "-c", self.folder / "config", *options)


def gdcm_plugin():
    """Orthanc's decoder of JPEG 2000 and others, of Debian's package orthanc-gdcm."""
    found = sorted(glob.glob(os.environ.get("ODL_ORTHANC_GDCM", "/usr/lib/orthanc/libOrthancGdcm.so*")))
    if not found:
        raise Skip("orthanc-gdcm is not installed")
    return found[0]


class Orthanc(Archive):
    """known: titles that may ask; others may store alone. moves: as of dcmqrscp. gdcm: with that plugin."""

    def __init__(self, known=("ONDELETTE",), folder="orthanc", moves=None, gdcm=False, **settings):
        self.folder, self.port, self.http = pathlib.Path(folder).absolute(), free_port(), free_port()
        self.folder.mkdir()
        (self.folder / "config.json").write_text(json.dumps({
            "StorageDirectory": str(self.folder), "IndexDirectory": str(self.folder), "HttpPort": self.http,
            "RemoteAccessAllowed": False, "AuthenticationEnabled": False, "DicomAet": self.title,
            "DicomPort": self.port, "DicomModalities": {title: [title, "127.0.0.1", (moves or {}).get(title, 104)]
                                                    for title in {*known, *(moves or {})}},
            "Plugins": [gdcm_plugin()] if gdcm else [], **settings}))
        self.start(tool("Orthanc"), self.folder / "config.json")
        if gdcm:
            assert "gdcm" in self.ask("plugins"), self.ask("plugins")

    def ports(self):
        return [self.port, self.http]

    def ask(self, what):
        with urllib.request.urlopen(f"http://127.0.0.1:{self.http}/{what}", timeout=PATIENCE) as answer:
            return json.loads(answer.read())

    def put(self, *files, **_):
        for file in files:
            request = urllib.request.Request(f"http://127.0.0.1:{self.http}/instances",
                                             data=pathlib.Path(file).read_bytes(), method="POST")
            with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
                assert answer.status == 200

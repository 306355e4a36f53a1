# SPDX-License-Identifier: MIT
"""Starts nodes of the program and of DCMTK on free ports of this machine alone, and ends them."""
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import threading
import time

import command_line
from processes import children
from tap import Skip

PATIENCE = 120


def tool(name):
    if shutil.which(name) is None:
        raise Skip(f"{name} is not installed")
    return name


def until(condition, what, patience=PATIENCE):
    end = time.monotonic() + patience
    while not condition():
        assert time.monotonic() < end, f"in vain: {what}"
        time.sleep(0.01)


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def only_here():
    """The environment of programs of others, which listen at the loopback alone then, whatever they would like."""
    built = pathlib.Path(command_line.CLI).parent.parent / "tests/helpers/libonly-here.so"
    library = os.environ.get("ODL_ONLY_HERE", str(built))
    return {**os.environ, "LD_PRELOAD": library} if os.path.isfile(library) else None


def listens_here_alone(port):
    """Whether nobody outside reaches that port (proc(5): addresses in hexadecimal digits, 0A: listens)."""
    rows = [line.split() for line in pathlib.Path("/proc/net/tcp").read_text().splitlines()[1:]]
    return all(row[1].split(":")[0] == "0100007F" for row in rows
               if row[3] == "0A" and int(row[1].split(":")[1], 16) == port)


def skip_without_ipv6():
    try:
        socket.create_server(("::1", 0), family=socket.AF_INET6).close()
    except OSError as why:
        raise Skip(f"no IPv6: {why}") from why


class Relay:
    """A port of ::1 that leads to one of 127.0.0.1, since DCMTK's programs and Orthanc know IPv4 alone; or back."""

    def __init__(self, port, back=False):
        self.to = ("::1" if back else "127.0.0.1", port)
        self.socket = socket.create_server(("127.0.0.1", 0)) if back else \
            socket.create_server(("::1", 0), family=socket.AF_INET6)
        self.port = self.socket.getsockname()[1]
        threading.Thread(target=self.run, daemon=True).start()

    def run(self):
        while True:
            try:
                here, _ = self.socket.accept()
            except OSError:
                return
            try:
                there = socket.create_connection(self.to)
            except OSError:
                here.close()
                continue
            for pair in ((here, there), (there, here)):
                threading.Thread(target=self.pass_on, args=pair, daemon=True).start()

    @staticmethod
    def pass_on(one, other):
        try:
            while data := one.recv(65536):
                other.sendall(data)
            other.shutdown(socket.SHUT_WR)
        except OSError:
            pass

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.socket.close()


class Node:
    """`ondelette-cli node` with a folder; usable in `with`. before: a command that runs it."""

    def __init__(self, folder="archive", callers="any", title="NODE", more=(), before=(), **options):
        self.folder = pathlib.Path(folder)
        self.lines, self.words = [], []
        self.process = subprocess.Popen(
            [*before, command_line.CLI, "node", "--aet", title, "--port", "0", "--callers", callers, "-o", str(folder),
             *map(str, more)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **options)
        self.readers = [threading.Thread(target=self.read, args=pair, daemon=True)
                        for pair in ((self.process.stdout, self.lines), (self.process.stderr, self.words))]
        for reader in self.readers:
            reader.start()
        until(lambda: self.lines or self.process.poll() is not None, "the node listens")
        # The first line, also where something waited since the node ran before.
        assert self.lines and self.lines[0].startswith("listening "), (self.lines, self.words)
        self.port = int(self.lines[0].split()[-1])

    @staticmethod
    def read(pipe, lines):
        for line in pipe:
            lines.append(line.rstrip("\n"))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.end()

    def end(self, number=signal.SIGTERM):
        if self.process.poll() is None:
            self.process.send_signal(number)
        self.process.wait(PATIENCE)
        for reader in self.readers:
            reader.join(PATIENCE)
        return self.process.returncode

    def files(self):
        return sorted(str(path.relative_to(self.folder)) for path in self.folder.rglob("*") if path.is_file())

    def said(self, *words):
        return any(all(word in line for word in words) for line in list(self.words))

    def await_words(self, *words):
        until(lambda: self.said(*words), f"{words} in {self.words}")

    def n_ended(self):
        return sum("stored: " in line for line in list(self.words))

    def helpers(self):
        """Processes that it has started."""
        return children(self.process.pid)

    def run(self, program, *arguments, called="NODE", calling="TEST", status=0):
        """One of DCMTK's callers against it."""
        done = subprocess.run([tool(program), "-aec", called, "-aet", calling, *map(str, arguments[:-1]),
                               "127.0.0.1", str(self.port), *([str(arguments[-1])] if arguments else [])],
                              capture_output=True, text=True, timeout=PATIENCE)
        assert status is None or done.returncode == status, (done.returncode, done.stdout, done.stderr)
        return done


class Storescp:
    """DCMTK's storescp on a free port, with a folder for what it receives."""

    def __init__(self, *options, folder="taken", port=None):
        self.folder = pathlib.Path(folder)
        self.folder.mkdir(exist_ok=True)
        self.port = port or free_port()
        self.process = subprocess.Popen(
            [tool("storescp"), "-od", str(folder), *options, str(self.port)],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=only_here())
        until(self.listens, "storescp listens")
        assert listens_here_alone(self.port) or not only_here()

    def listens(self):
        assert self.process.poll() is None, "storescp has ended"
        with socket.socket() as one:
            return one.connect_ex(("127.0.0.1", self.port)) == 0

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait(PATIENCE)

    def files(self):
        return sorted(os.listdir(self.folder))

#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""The node is killed at many moments: every instance that was answered Success is there, whole, and none twice.

usage: kill.py ONDELETTE_CLI
"""
import pathlib
import random
import signal
import sys
import threading
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "helpers"))
import dicom_peer as peer  # noqa: E402
from command_line import run_cases  # noqa: E402
from node import Node, until  # noqa: E402

MOMENTS = 50
CALLERS = 3


def instance(caller, number):
    return f"1.{caller + 1}.{number + 1}"


def data_of(caller, number):
    return peer.data_set(instance(caller, number), size=20_000, fill=(caller * 50 + number) % 250)


def call(port, caller, answered, first=0):
    """Stores one after the other, until the node has gone."""
    try:
        with peer.Peer(port) as one:
            if one.associate()[0] != 2:
                return
            for number in range(first, first + 100_000):
                name = instance(caller, number)
                one.say(peer.store(data_of(caller, number), name, number=number % 60000 + 1))
                if one.status() == 0:
                    answered.append((caller, number))
    except (peer.Gone, OSError):
        return


def killed(moments=MOMENTS):
    dice = random.Random(3)
    answered = []
    for moment in range(moments):
        node = Node()
        firsts = [sum(1 for caller, _ in answered if caller == one) for one in range(CALLERS)]
        news = [[] for _ in range(CALLERS)]
        threads = [threading.Thread(target=call, args=(node.port, one, news[one], firsts[one])) for one in range(CALLERS)]
        for thread in threads:
            thread.start()
        if moment % 10 != 0:
            until(lambda: any(news), "an instance is stored")
        time.sleep(dice.random() * 0.15)
        helpers = node.helpers()
        node.end(signal.SIGKILL)
        for thread in threads:
            thread.join(60)
        # Helpers end with it.
        until(lambda: not any(pathlib.Path(f"/proc/{one}").exists() and "Z" not in
                              pathlib.Path(f"/proc/{one}/stat").read_text().split(")")[1][:3] for one in helpers
                              if pathlib.Path(f"/proc/{one}").exists()), "helpers end")
        answered += [one for some in news for one in some]
        files = node.files()
        assert len(set(files)) == len(files) and not any("apart" in path for path in files), files
        there = {pathlib.Path(path).name for path in files}
        for caller, number in answered:
            if f"{instance(caller, number)}.dcm" not in there:
                yield f"moment {moment}: {instance(caller, number)} was answered and is not there"
    assert len(answered) > moments, len(answered)
    # All that is there is whole, also what was not answered any more.
    for path in node.folder.rglob("*.dcm"):
        _, caller, number = map(int, path.stem.split("."))
        if not path.read_bytes().endswith(data_of(caller - 1, number - 1)):
            yield f"{path} is not whole"
    # Sent again, all is found to be there already.
    before = node.files()
    with Node() as again:
        with peer.Peer(again.port) as one:
            one.associate()
            for number, (caller, which) in enumerate(answered[:100]):
                one.say(peer.store(data_of(caller, which), instance(caller, which), number=number + 1))
                assert one.status() == 0
            one.release()
        again.await_words("stored: 0, there already: 100")
        assert again.files() == before


if __name__ == "__main__":
    sys.exit(run_cases({"/kill/what-was-answered-is-there-whole-and-once": killed}))

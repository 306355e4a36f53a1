#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""A node that does what no node should, for the tests of the window: `rogue_node.py KIND [N]` writes its port.

silent: takes a connection and says nothing; abort: lets callers associate, and aborts at the first question;
many: answers N studies; forever: never stops answering; refuse: rejects every association.
"""
import itertools
import signal
import struct
import sys

import dicom_peer as peer

NAME, NUMBER, STUDY, DATE, CHARACTER_SET = 0x00100010, 0x00100020, 0x0020000d, 0x00080020, 0x00080005
REJECTION = struct.pack(">BBIBBBB", 3, 0, 4, 0, 1, 1, 3)


def study(number):
    return peer.implicit_set({CHARACTER_SET: "ISO_IR 192", NAME: f"Person^{number}", NUMBER: str(number),
                              STUDY: f"1.2.3.{number + 1}", DATE: f"2020{1 + number % 12:02}{1 + number % 28:02}"})


def silent(one):
    one.hear()
    one.hear()


def abort(one):
    peer.accept(one)
    one.hear()
    one.say(peer.ABORT)


def refuse(one):
    one.hear()
    one.say(REJECTION)


def answer(one, numbers):
    peer.accept(one)
    asked, context, _ = peer.hear_query(one)
    for number in numbers:
        one.say(peer.answer_query(asked, context, peer.PENDING, study(number)))
    one.say(peer.answer_query(asked, context, peer.SUCCESS))
    peer.hear_release(one)


KINDS = {
    "silent": silent,
    "abort": abort,
    "refuse": refuse,
    "many": lambda one: answer(one, range(int(sys.argv[2]))),
    "forever": lambda one: answer(one, itertools.count()),
}

if __name__ == "__main__":
    rogue = peer.Rogue(KINDS[sys.argv[1]])
    print(rogue.port, flush=True)
    signal.pause()

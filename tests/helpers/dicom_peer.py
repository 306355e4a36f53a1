# SPDX-License-Identifier: MIT
"""One side of an association (PS3.8, PS3.7), which says what it is told to, also what it should not."""
import socket
import struct
import threading

import dicom_file

VERIFICATION = "1.2.840.10008.1.1"
CT = "1.2.840.10008.5.1.4.1.1.2"
IMPLICIT = "1.2.840.10008.1.2"
EXPLICIT = "1.2.840.10008.1.2.1"
APPLICATION = "1.2.840.10008.3.1.1.1"
SUCCESS = 0
STORE, GET, ECHO, FIND, ANSWER = 0x0001, 0x0010, 0x0030, 0x0020, 0x8000
PENDING = 0xff00
ABORT = struct.pack(">BBIBBBB", 7, 0, 4, 0, 0, 0, 0)
RELEASE = struct.pack(">BBII", 5, 0, 4, 0)


def item(kind, body):
    return struct.pack(">BBH", kind, 0, len(body)) + body


def pdu(kind, body, length=None):
    return struct.pack(">BBI", kind, 0, len(body) if length is None else length) + body


def request(calling=b"TEST", called=b"NODE", contexts=((CT, (EXPLICIT,)),), most=16384,
            application=APPLICATION, version=1):
    """An A-ASSOCIATE-RQ."""
    body = struct.pack(">HH16s16s32x", version, 0, called.ljust(16), calling.ljust(16))
    body += item(0x10, application.encode())
    for number, (sop_class, syntaxes) in enumerate(contexts):
        inner = item(0x30, sop_class.encode()) + b"".join(item(0x40, one.encode()) for one in syntaxes)
        body += item(0x20, struct.pack(">B3x", 2 * number + 1) + inner)
    user = item(0x51, struct.pack(">I", most)) + item(0x52, b"1.2.3.4") + item(0x55, b"TEST")
    return pdu(1, body + item(0x50, user))


def command(field, number, sop_class="", instance="", data=True, **more):
    """A command set; more: element -> (VR, value)."""
    elements = {0x0100: struct.pack("<H", field), 0x0110: struct.pack("<H", number),
                0x0700: b"\0\0", 0x0800: struct.pack("<H", 1 if data else 0x0101)}
    for element, text in ((0x0002, sop_class), (0x1000, instance)):
        if text:
            raw = text if isinstance(text, bytes) else text.encode()
            elements[element] = raw + b"\0" * (len(raw) % 2)
    elements.update(more.get("elements", {}))
    body = b"".join(struct.pack("<HHI", 0, element, len(value)) + value
                    for element, value in sorted(elements.items()))
    return struct.pack("<HHII", 0, 0, 4, len(body)) + body


def values(data, context=1, is_command=False, size=16372, last=True):
    """P-DATA-TF PDUs with one fragment each."""
    out = b""
    parts = [data[at:at + size] for at in range(0, len(data), size)] or [b""]
    for number, part in enumerate(parts):
        flags = is_command | 2 * (last and number == len(parts) - 1)
        out += pdu(4, struct.pack(">IBB", len(part) + 2, context, flags) + part)
    return out


def data_set(instance="1.2.3.4.5", study="1.2.3", series="1.2.3.4", sop_class=CT, size=64, fill=7, syntax=EXPLICIT,
             writer=None):
    """A small picture."""
    side = max(2, int((size / 2) ** .5))
    writer = writer or dicom_file.Writer(syntax)
    writer.put(0x00080016, "UI", sop_class).put(0x00080018, "UI", instance)
    writer.put(0x00080060, "CS", "CT").put(0x00080070, "LO", "Maker").put(0x00100010, "PN", "A^B")
    writer.put(0x0020000d, "UI", study).put(0x0020000e, "UI", series)
    writer.put(0x00280002, "US", 1).put(0x00280004, "CS", "MONOCHROME2").put(0x00280010, "US", side)
    writer.put(0x00280011, "US", side).put(0x00280100, "US", 16).put(0x00280101, "US", 16)
    writer.put(0x00280102, "US", 15).put(0x00280103, "US", 0)
    writer.put(0x7fe00010, "OW", bytes([fill]) * (2 * side * side))
    return writer.body()


def whole_file(data, instance="1.2.3.4.5", sop_class=CT, syntax=EXPLICIT, **_):
    """A DICOM file with that data set (PS3.10 7.1)."""
    meta = dicom_file.Writer()
    meta.put(0x00020001, "OB", b"\0\1").put(0x00020002, "UI", sop_class).put(0x00020003, "UI", instance)
    meta.put(0x00020010, "UI", syntax).put(0x00020012, "UI", "1.2.3.4")
    body = meta.body()
    return b"\0" * 128 + b"DICM" + struct.pack("<HH2sHI", 2, 0, b"UL", 4, len(body)) + body + data


def store(data, instance="1.2.3.4.5", sop_class=CT, number=1, context=1):
    """A whole C-STORE request."""
    return values(command(STORE, number, sop_class, instance), context, True) + values(data, context)


def mutated(whole, dice, head):
    """With some bytes changed, left out or doubled, most of them before `head`."""
    data = bytearray(whole)
    for _ in range(dice.choice((1, 1, 2, 5, 20))):
        place = dice.randrange(head if dice.random() < 0.8 else len(data))
        kind = dice.randrange(5)
        if kind == 0:
            data[place:place + 1] = bytes([dice.randrange(256)])
        elif kind == 1:
            data[place:place + 1] = bytes([data[min(place, len(data) - 1)] ^ 1 << dice.randrange(8)])
        elif kind == 2:
            del data[place:place + dice.randrange(1, 9)]
        elif kind == 3:
            data[place:place] = data[place:place + dice.randrange(1, 9)]
        else:
            data[place:place + 4] = dice.choice((b"\0" * 4, b"\xff" * 4, b"\x7f\xff\xff\xff", b"\x80\0\0\0"))
    return bytes(data)


class Gone(Exception):
    """The other side has closed the connection."""


class Peer:
    """A connection, over which anything can be sent."""

    def __init__(self, port, timeout=60, made=None):
        self.socket = made or socket.create_connection(("127.0.0.1", port), timeout=timeout)
        self.socket.settimeout(timeout)
        self.rest = b""

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.socket.close()

    def say(self, data):
        self.socket.sendall(data)

    def exactly(self, n):
        while len(self.rest) < n:
            try:
                more = self.socket.recv(65536)
            except ConnectionError:
                more = b""
            if not more:
                raise Gone()
            self.rest += more
        out, self.rest = self.rest[:n], self.rest[n:]
        return out

    def hear(self):
        """The next PDU: its kind and body."""
        kind, _, length = struct.unpack(">BBI", self.exactly(6))
        return kind, self.exactly(length)

    def associate(self, **how):
        """The answer to a request: its kind, and the result of each context or the reason."""
        self.say(request(**how))
        kind, body = self.hear()
        if kind != 2:
            return kind, tuple(body[1:4])
        results, at = {}, 68
        while at < len(body):
            what, _, length = struct.unpack(">BBH", body[at:at + 4])
            if what == 0x21:
                inner = body[at + 4:at + 4 + length]
                syntax = inner[8:].decode().rstrip("\0") if inner[2] == 0 else ""
                results[inner[0]] = inner[2], syntax
            at += 4 + length
        return kind, results

    def answer(self):
        """The next command set, as element -> bytes."""
        whole = b""
        while True:
            kind, body = self.hear()
            if kind != 4:
                raise Gone(kind)
            whole += body[6:]
            if body[5] & 2:
                break
        found, at = {}, 0
        while at < len(whole):
            _, element, length = struct.unpack("<HHI", whole[at:at + 8])
            found[element] = whole[at + 8:at + 8 + length]
            at += 8 + length
        return found

    def status(self):
        return struct.unpack("<H", self.answer()[0x0900])[0]

    def cut(self):
        """Ends the connection so that whatever the other side writes fails at once; what was said before arrives."""
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.socket.close()

    def release(self):
        self.say(RELEASE)
        kind, _ = self.hear()
        assert kind == 6, kind


class Rogue:
    """Listens, and hands each connection to a function."""

    def __init__(self, serve):
        self.socket = socket.create_server(("127.0.0.1", 0))
        self.port = self.socket.getsockname()[1]
        self.name = f"ANY@127.0.0.1:{self.port}"
        self.serve, self.wrong = serve, None
        self.thread = threading.Thread(target=self.run, daemon=True)
        self.thread.start()

    def run(self):
        while True:
            try:
                made, _ = self.socket.accept()
            except OSError:
                return
            with Peer(0, made=made) as one:
                try:
                    self.serve(one)
                except (Gone, OSError):
                    pass
                except AssertionError as wrong:
                    self.wrong = wrong

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.socket.close()
        assert self.wrong is None, self.wrong


def acceptance(body, refuse=()):
    """The answer to a request for an association: all contexts in their first transfer syntax, and all roles."""
    out, at, roles = body[:68] + item(0x10, APPLICATION.encode()), 68, b""
    while at < len(body):
        what, _, length = struct.unpack(">BBH", body[at:at + 4])
        inner = body[at + 4:at + 4 + length]
        if what == 0x20:
            at_syntax = 4 + inner[4:].index(b"\x40")
            n = struct.unpack(">H", inner[at_syntax + 2:at_syntax + 4])[0]
            out += item(0x21, bytes([inner[0], 0, 3 if inner[0] in refuse else 0, 0])
                        + item(0x40, inner[at_syntax + 4:at_syntax + 4 + n]))
        elif what == 0x50:
            roles = roles_of(inner)
        at += 4 + length
    return pdu(2, out + item(0x50, item(0x51, struct.pack(">I", 16384)) + item(0x52, b"1.2.3") + roles))


def roles_of(user):
    """The roles that the user information of a request proposes, as they stand."""
    roles, at = b"", 0
    while at < len(user):
        what, _, length = struct.unpack(">BBH", user[at:at + 4])
        if what == 0x54:
            roles += user[at:at + 4 + length]
        at += 4 + length
    return roles


def accept(one, refuse=()):
    one.say(acceptance(one.hear()[1], refuse))


def keys(data):
    """A data set in implicit little endian without sequences, as tag -> bytes."""
    found, at = {}, 0
    while at < len(data):
        group, element, length = struct.unpack("<HHI", data[at:at + 8])
        found[group << 16 | element] = data[at + 8:at + 8 + length]
        at += 8 + length
    return found


def implicit_set(values_by_tag):
    """The other way round."""
    out = b""
    for tag, value in sorted(values_by_tag.items()):
        raw = value if isinstance(value, bytes) else str(value).encode()
        raw += b" " * (len(raw) % 2)
        out += struct.pack("<HHI", tag >> 16, tag & 0xffff, len(raw)) + raw
    return out


def hear_query(one):
    """The next C-FIND or C-GET: its command set, context and keys."""
    words, data, context = b"", b"", 0
    while True:
        kind, body = one.hear()
        if kind != 4:
            raise Gone(kind)
        context = body[4]
        if body[5] & 1:
            words += body[6:]
        else:
            data += body[6:]
            if body[5] & 2:
                return keys(words), context, keys(data)


def answer_query(asked, context, status, data=None, field=None, elements=None):
    """An answer to a C-FIND or C-GET, with a data set where there is one."""
    number = struct.unpack("<H", asked[0x0110])[0]
    words = command(field or ANSWER | struct.unpack("<H", asked[0x0100])[0], number, asked[0x0002], data=data is not None,
                    elements={0x0120: asked[0x0110], 0x0900: struct.pack("<H", status), **(elements or {})})
    return values(words, context, True) + (values(data, context) if data is not None else b"")


def hear_release(one):
    one.hear()
    one.say(struct.pack(">BBII", 6, 0, 4, 0))

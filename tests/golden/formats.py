#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Pictures of formats besides PNG and TIFF, against NumPy, OpenJPEG and FFmpeg; standard streams.

usage: formats.py ONDELETTE_CLI
"""
import io
import pathlib
import struct
import subprocess
import sys

import numpy as np
from PIL import Image

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "helpers"))
import pixels  # noqa: E402
from command_line import CLI, compare, fails, process, random_picture, read, run, run_cases, shared  # noqa: E402

TYPES = ("u1", "<u2", ">u2", "i1", "<i2", "<i4", ">i4", "<u4", "<i8", "<f2", "<f4", ">f4", "<f8", "?")


def values(path, *more):
    """What the program makes of a file, as the floats of a TIFF."""
    process(path, "-o", "values.tif", "--force", *more)
    return pixels.read_tiff("values.tif")[1].squeeze()


def alike(got, wanted):
    """Equal but for the rounding of samples to fractions of full scale and back."""
    wanted = np.asarray(wanted, np.float64)
    return got.shape == wanted.shape and np.abs(got - wanted).max() <= 2e-6 * max(np.abs(wanted).max(), 1)


def numbers(dtype, shape, seed=1):
    random = np.random.default_rng(seed)
    kind = np.dtype(dtype)
    if kind.kind == "f":
        return random.normal(0, 100, shape).astype(dtype)
    if kind.kind == "b":
        return random.random(shape) > 0.5
    low, high = np.iinfo(kind).min, np.iinfo(kind).max
    return random.integers(max(low, -1 << 23), min(high, 1 << 23), shape).astype(dtype)


def arrays_have_their_numbers():
    for dtype in TYPES:
        for order in "CF":
            array = np.array(numbers(dtype, (19, 23)), order=order)
            np.save("array.npy", array)
            got = values("array.npy")
            assert alike(got, array), (dtype, order)


def arrays_have_colours():
    for channels in (1, 3, 4):
        array = numbers("u1", (9, 11, channels))
        np.save("colours.npy", array)
        assert alike(values("colours.npy"), array.squeeze()), channels


def arrays_are_volumes_over_time():
    array = numbers("<f4", (2, 5, 9, 11))
    for order in "CF":
        np.save("volumes.npy", np.array(array, order=order))
        image = read("info", "volumes.npy")
        assert image["frames"] == 10 and image["slices"] == 5, image
        for frame in (1, 4, 6, 10):
            got = values("volumes.npy", "--frame", frame)
            assert alike(got, array[(frame - 1) // 5, (frame - 1) % 5]), (order, frame)
    fails(1, "no frame 11", arguments=("process", "volumes.npy", "-o", "x.png", "--frame", 11))


def numbers_that_are_none_are_replaced_and_told():
    array = numbers("<f4", (9, 11))
    array[2, 3], array[4, 5] = np.nan, np.inf
    np.save("holes.npy", array)
    assert "2 samples are not numbers" in process("holes.npy", "-o", "x.tif").stderr
    assert np.isfinite(values("holes.npy", "-f", "median:size=3")).all()
    assert np.array_equal(values("holes.npy").squeeze(), array, equal_nan=True)  # what no filter touched


def objects_are_never_read():
    np.save("objects.npy", np.array([[1, None]]), allow_pickle=True)
    fails(1, "objects.npy", "pickle", arguments=("info", "objects.npy"))


def lying_headers_are_refused():
    np.save("array.npy", numbers("<f4", (9, 11)))
    whole = pathlib.Path("array.npy").read_bytes()
    for shape, words in (("(9, 12)", "ends early"), ("(99999999999, 99999999999)", "ends early"),
                         ("(0, 11)", "no numbers"), ("()", "no picture"), ("(2, 2, 2, 2, 2, 2, 2, 2, 2)", "how many"),
                         ("(1, 1, 1, 1, 1, 2)", "no picture")):
        header = whole[10:128].replace(b"(9, 11)", shape.encode()).rstrip(b" \n").ljust(117) + b"\n"
        pathlib.Path("lie.npy").write_bytes(whole[:8] + len(header).to_bytes(2, "little") + header + whole[128:])
        fails(1, words, arguments=("info", "lie.npy"))


def headers_are_as_python_writes_them():
    """What numpy.load reads: both kinds of quotes, blanks, names of types."""
    array = (np.arange(6).reshape(2, 3) * 1.5 - 2).astype("<f4")
    for header in ("{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }",
                   '{"descr": "<f4", "fortran_order": False, "shape": (2, 3), }',
                   "{ 'descr' : '<f4' , 'fortran_order' : False , 'shape' : ( 2 , 3 ) }",
                   "{'shape': (2, 3), 'fortran_order': False, 'descr': 'f4'}", "{'descr': '=f4',\n 'fortran_order':False,\t'shape':(2,3)}",
                   "{'descr': 'float32', 'fortran_order': False, 'shape': (2, 3), }", "{'descr': 'f', 'fortran_order': False, 'shape': (2, 3), }",
                   "{'descr': u'<f4', 'fortran_order': False, 'shape': (2L, 3L), }"):
        head = header.encode() + b" " * (-(len(header) + 11) % 64) + b"\n"
        pathlib.Path("python.npy").write_bytes(b"\x93NUMPY\1\0" + len(head).to_bytes(2, "little") + head + array.tobytes())
        if "L," not in header:
            assert np.array_equal(np.load("python.npy"), array), header
        assert alike(values("python.npy"), array), header
    for header, words in (("{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3)", "how many"), ("[1, 2]", "how many"),
                          ("{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (2, 3)}", "numbers"),
                          ("{'descr': '<c8', 'fortran_order': False, 'shape': (2, 3)}", "names no numbers"),
                          ('{"descr": "|O", "fortran_order": False, "shape": (2, 3)}', "pickle"),
                          ("{'descr': '<f4', 'fortran_order': Perhaps, 'shape': (2, 3)}", "how many"),
                          ("{'descr': '<f4', 'descr", "how many")):
        head = header.encode() + b"\n"
        pathlib.Path("bad.npy").write_bytes(b"\x93NUMPY\1\0" + len(head).to_bytes(2, "little") + head + array.tobytes())
        fails(1, words, arguments=("info", "bad.npy"))


def results_are_arrays():
    process("phantom:48x37", "-o", "result.npy", "-f", "gaussian")
    process("phantom:48x37", "-o", "result.tif", "-f", "gaussian")
    array = np.load("result.npy")
    assert array.shape == (37, 48) and array.dtype == np.float32
    assert np.array_equal(array, pixels.read_tiff("result.tif")[1].squeeze())
    pixels.write_png("colours.png", random_picture(3, np.uint8))
    process("colours.png", "-o", "colours.npy")
    assert alike(np.load("colours.npy"), random_picture(3, np.uint8))


def plain_and_packed_netpbm():
    grey = numbers("u1", (7, 10))
    deep = numbers("<u2", (7, 10)) % 1001
    colours = numbers("u1", (7, 10, 3))
    bits = numbers("?", (7, 10))
    floats = numbers("<f4", (7, 10))

    def words(array):
        return " ".join(map(str, np.asarray(array).astype(int).ravel())).encode()

    for name, content, wanted in (
            ("p1", b"P1\n# a comment\n10 7\n" + words(bits), ~bits),
            ("p2", b"P2 10 7 255\n" + words(grey), grey), ("p3", b"P3\n10 7\n255\n" + words(colours), colours),
            ("p4", b"P4\n10 7\n" + np.packbits(bits, axis=1).tobytes(), ~bits),
            ("p5", b"P5\n10 7\n255\n" + grey.tobytes(), grey),
            ("deep", b"P5\n10 7\n1000\n" + deep.astype(">u2").tobytes(), deep),
            ("p6", b"P6\n10 7\n255\n" + colours.tobytes(), colours),
            ("pfm", b"Pf\n10 7\n-1.0\n" + floats[::-1].tobytes(), floats),
            ("pfm-big", b"Pf\n10 7\n1.0\n" + floats[::-1].astype(">f4").tobytes(), floats)):
        pathlib.Path(f"{name}.pnm").write_bytes(content)
        assert alike(values(f"{name}.pnm"), wanted), name
    assert read("info", "deep.pnm")["image"]["stored_max"] == 1000
    pathlib.Path("short.pgm").write_bytes(b"P5\n10 7\n255\n" + grey.tobytes()[:33])
    assert "ends too early" in process("short.pgm", "-o", "short.png", status=3).stderr
    for content in (b"P5\n", b"P5\n10 x\n255\n1", b"P5\n10 7\n70000\n1", b"P5\n0 7\n255\n1", b"Pf\n2 2\nnan\n1234",
                    b"P5\n999999999 999999999\n255\n1"):
        pathlib.Path("bad.pgm").write_bytes(content)
        fails(1, "bad.pgm", arguments=("info", "bad.pgm"))


def jpeg_2000_is_what_openjpeg_wrote():
    for name, dtype, channels, top in (("grey", np.uint8, 1, 255), ("deep", np.uint16, 1, 4095),
                                       ("colours", np.uint8, 3, 255)):
        array = (random_picture(channels, dtype) % (top + 1)).astype(dtype)
        kind = b"P6" if channels == 3 else b"P5"
        source = array.astype(">u2") if top > 255 else array
        pathlib.Path("in.ppm" if channels == 3 else "in.pgm").write_bytes(
            kind + b"\n53 37\n%d\n" % top + source.tobytes())
        for extension in ("jp2", "j2k"):
            subprocess.run(["opj_compress", "-i", "in.ppm" if channels == 3 else "in.pgm", "-o",
                            f"{name}.{extension}", "-n", "3"], check=True, capture_output=True)
            assert alike(values(f"{name}.{extension}"), array.squeeze()), (name, extension)
            assert read("info", f"{name}.{extension}")["image"]["stored_max"] == top
    whole = pathlib.Path("grey.jp2").read_bytes()
    pathlib.Path("short.jp2").write_bytes(whole[:len(whole) // 2])
    assert "ends too early" in process("short.jp2", "-o", "short.png", status=3).stderr
    pathlib.Path("head.jp2").write_bytes(whole[:100])
    fails(1, "damaged", arguments=("info", "head.jp2"))


def jpeg_2000_is_read_back():
    process("phantom:xray", "-o", "xray.jp2")
    assert compare("xray.jp2", "phantom:xray")["equal"]
    assert read("info", shared("openjpeg-data/cthead1.j2k"))["image"]["width"] == 256


def webp_tga_and_avif_are_what_ffmpeg_reads():
    pixels.write_png("in.png", random_picture(3, np.uint8))
    for name, options in (("in.webp", ["-c:v", "libwebp", "-lossless", "1"]), ("in.tga", []), ("in.avif", [])):
        subprocess.run(["ffmpeg", "-v", "error", "-y", "-i", "in.png", *options, name], check=True)
        raw = subprocess.run(["ffmpeg", "-v", "error", "-i", name, "-f", "rawvideo", "-pix_fmt", "rgb24", "-"],
                             check=True, capture_output=True).stdout
        wanted = np.frombuffer(raw, np.uint8).reshape(37, 53, 3).astype(int)
        got = values(name)
        # FFmpeg and libavif interpolate colours at half the size in two ways.
        most = 1e-3 if name != "in.avif" else 40
        assert np.abs(got - wanted).max() <= most and np.abs(got - wanted).mean() < 6, name


def deep(array, bits):
    """16-bit samples that AVIF's writer turns into `array` of so many bits."""
    return np.rint(array * (65535 / (2**bits - 1))).astype(np.uint16)


def avif_keeps_bits_and_channels():
    """Grey is one channel, whether the file says so or its channels are equal; 10 and 12 bits stay."""
    for bits in (8, 10, 12):
        for channels in (1, 3, 4):
            array = numbers("<u2", (37, 53, channels)) % 2**bits
            pixels.write_png("in.png", array.astype(np.uint8) if bits == 8 else deep(array, bits))
            equal = ["--lossless", "--range", "full", "-d", str(bits), "-j", "1", "-s", "10"]
            forms = [(equal, array)]
            if channels == 1:
                forms.append(([*equal, "--yuv", "400"], array))
            for angle in range(4) if channels != 4 else ():
                forms += [([*equal, "--irot", str(angle)], np.rot90(array, angle)),
                          ([*equal, "--irot", str(angle), "--imir", "0"], np.rot90(array, angle)[::-1]),
                          ([*equal, "--irot", str(angle), "--imir", "1"], np.rot90(array, angle)[:, ::-1])]
            if channels == 3:  # places of samples that are halved must be even
                forms.append(([*equal, "--clap", "40,1,30,1,1,2,-1,2"], array[3:33, 7:47]))
            for options, wanted in forms:
                done = subprocess.run(["avifenc", *options, "in.png", "in.avif"], check=False, capture_output=True)
                assert done.returncode == 0, (options, done)
                assert alike(values("in.avif"), wanted.squeeze()), (bits, channels, options)
                image = read("info", "in.avif")["image"]
                assert (image["channels"], image["stored_max"]) == (channels, 2**bits - 1), (bits, channels, image)


def avif_of_either_range_is_what_avifdec_reads():
    """Lossy colours against avifdec; grey against its luma, which avifdec itself does not stretch."""
    pixels.write_png("in.png", numbers("u1", (36, 52, 3)))
    for options in (["--yuv", "400"], ["--yuv", "420"], ["--yuv", "422"], ["--yuv", "444", "--cicp", "9/16/9"]):
        for span, (black, white) in ("full", (0, 255)), ("limited", (16, 235)):
            subprocess.run(["avifenc", *options, "--range", span, "-s", "10", "in.png", "in.avif"], check=True,
                           capture_output=True)
            out = "out.y4m" if "400" in options else "out.png"
            subprocess.run(["avifdec", "in.avif", out], check=True, capture_output=True)
            if "400" in options:
                luma = np.frombuffer(pathlib.Path(out).read_bytes().split(b"\nFRAME\n", 1)[1], np.uint8)
                wanted = np.clip((luma.reshape(36, 52) - float(black)) / (white - black) * 255, 0, 255)
            else:
                wanted = pixels.read_png(out).astype(float)
            unequal = np.abs(values("in.avif") - wanted).max()
            assert unequal <= 0.51, (options, span, unequal)


def avif_is_known_by_any_of_its_brands():
    pixels.write_png("in.png", random_picture(3, np.uint8))
    subprocess.run(["avifenc", "--lossless", "-s", "10", "in.png", "in.avif"], check=True, capture_output=True)
    whole = pathlib.Path("in.avif").read_bytes()
    for brand in b"mif1", b"miaf", b"msf1", b"1234":
        pathlib.Path("other.avif").write_bytes(whole[:8] + brand + whole[12:])
        assert alike(values("other.avif"), random_picture(3, np.uint8)), brand
    length = int.from_bytes(whole[:4], "big")
    for brand in b"mif1", b"msf1", b"heic":
        pathlib.Path("other.heif").write_bytes(whole[:8] + brand + whole[12:16] + b"mif1" * ((length - 16) // 4) + whole[length:])
        fails(1, "HEIF", arguments=("info", "other.heif"))


def gif(pictures, width=8, height=8):
    """pictures: left, top, indices of 2 bits; LZW with a clear code before every second one."""
    out = b"GIF89a" + struct.pack("<HHBBB", width, height, 0x81, 0, 0) + bytes([10, 20, 30, 255, 0, 0, 0, 255, 0, 0, 0, 255])
    for left, top, indices in pictures:
        codes = [code for n, index in enumerate(indices.ravel()) for code in ([4] * (n % 2 == 0) + [int(index)])] + [5]
        bits = "".join(f"{code:03b}"[::-1] for code in codes)
        data = bytes(int(bits[i:i + 8][::-1], 2) for i in range(0, len(bits), 8))
        blocks = b"".join(bytes([len(data[i:i + 255])]) + data[i:i + 255] for i in range(0, len(data), 255))
        out += b"!\xf9\x04\0\x0a\0\0\0," + struct.pack("<HHHHB", left, top, indices.shape[1], indices.shape[0], 0) + b"\2" + blocks + b"\0"
    return out + b";"


def whole_files_are_not_called_damaged():
    """A GIF's first picture may be smaller than the screen; Pillow agrees about each. Cut files are."""
    full, part = np.arange(64).reshape(8, 8) % 4, np.ones((3, 4), int)
    for name, pictures in (("whole", [(0, 0, full)]), ("top", [(1, 1, part)]), ("bottom", [(3, 5, part)]),
                           ("moves", [(1, 1, part), (0, 0, full)])):
        pathlib.Path(f"{name}.gif").write_bytes(gif(pictures))
        wanted = np.asarray(Image.open(f"{name}.gif").convert("RGBA"), float)
        done = process(f"{name}.gif", "-o", "out.npy", "--force")
        assert "damaged" not in done.stderr and ("frame 1 of 2" in done.stderr) == (name == "moves"), (name, done.stderr)
        got = np.load("out.npy")
        seen = wanted[..., 3] > 0 if name in ("whole",) else np.s_[pictures[0][1]:pictures[0][1] + 3, pictures[0][0]:pictures[0][0] + 4]
        assert np.array_equal(got[seen], wanted[seen]), name
    frames = [Image.new("RGB", (20, 10), colour) for colour in ((255, 0, 0), (0, 0, 255))]
    for lossless in True, False:
        frames[0].save("moves.webp", save_all=True, append_images=frames[1:], duration=[100, 300], lossless=lossless)
        done = process("moves.webp", "-o", "out.npy", "--force")
        assert "damaged" not in done.stderr and "frame 1 of 2" in done.stderr, done.stderr
    for name in "whole.gif", "top.gif", "moves.webp", "in.webp":
        if name == "in.webp":
            Image.fromarray(random_picture(3, np.uint8)).save(name, lossless=True)
        content = pathlib.Path(name).read_bytes()
        for part in 0.5, 0.7, 0.8:
            pathlib.Path(f"cut-{name}").write_bytes(content[:int(len(content) * part)])
            done = subprocess.run([CLI, "process", f"cut-{name}", "-o", "cut.npy", "--force"], capture_output=True, check=False,
                                  encoding="utf-8")
            assert done.returncode in (1, 3) and "damaged" in done.stderr, (name, part, done)


def grey_webp_and_tga_are_one_channel():
    grey = random_picture(1, np.uint8)
    pixels.write_png("in.png", grey)
    for name, options in (("in.webp", ["-lossless", "1"]), ("in.tga", ["-rle", "0"]), ("in.tga", ["-rle", "1"])):
        subprocess.run(["ffmpeg", "-v", "error", "-y", "-i", "in.png", *options, name], check=True)
        assert read("info", name)["image"]["channels"] == 1, name
        assert alike(values(name), grey.squeeze()), name
    # Without colour, but lossy: what a luma makes in libwebp, whose green is rounded in another way.
    subprocess.run(["ffmpeg", "-v", "error", "-y", "-i", "in.png", "-c:v", "libwebp", "-q:v", "60", "in.webp"], check=True)
    raw = subprocess.run(["ffmpeg", "-v", "error", "-i", "in.webp", "-f", "rawvideo", "-pix_fmt", "yuv420p", "-"],
                         check=True, capture_output=True).stdout
    luma = np.frombuffer(raw[:37 * 53], np.uint8).reshape(37, 53).astype(int)
    assert set(raw[37 * 53:]) == {128}
    assert alike(values("in.webp"), np.clip(((luma * 19077 >> 8) + 13074 - 14234) >> 6, 0, 255))
    # One sample of another colour makes three channels, unless it is a grey TGA.
    coloured = np.repeat(grey.reshape(37, 53, 1), 3, axis=2)
    coloured[20, 30] += np.array([0, 2, 0], np.uint8)
    pixels.write_png("in.png", coloured)
    for name, options in (("in.webp", ["-lossless", "1"]), ("in.tga", [])):
        subprocess.run(["ffmpeg", "-v", "error", "-y", "-i", "in.png", *options, name], check=True)
        assert alike(values(name), coloured), name
    subprocess.run(["avifenc", "--lossless", "-s", "10", "in.png", "in.avif"], check=True, capture_output=True)
    assert alike(values("in.avif"), coloured)


def files_of_two_sizes_are_refused():
    pathlib.Path("huge.webp").write_bytes(b"RIFF\x20\0\0\0WEBPVP8X\x0a\0\0\0" + b"\0" * 4 + b"\xff" * 6 + b"\0" * 40)
    pathlib.Path("huge.tga").write_bytes(bytes([0, 0, 2] + [0] * 9 + [255] * 4 + [24, 0]) + b"\0" * 40)
    pathlib.Path("huge.avif").write_bytes(b"\0\0\0\x20ftypavif" + b"\0" * 20 + b"ispe" + b"\0" * 4
                                          + b"\x7f\xff\xff\xff" * 2 + b"\0" * 40)
    for name in ("huge.webp", "huge.tga", "huge.avif"):
        fails(1, name, arguments=("info", name))


def standard_streams_are_dashes():
    process("phantom:64x48", "-o", "in.png")
    content = pathlib.Path("in.png").read_bytes()

    def piped(*arguments):
        return subprocess.run([CLI, *arguments], input=content, capture_output=True, check=False)

    out = piped("process", "-", "-o", "-", "--format", "png", "-f", "median")
    assert out.returncode == 0, out.stderr
    pathlib.Path("out.png").write_bytes(out.stdout)
    process("in.png", "-o", "direct.png", "-f", "median")
    assert compare("out.png", "direct.png")["equal"]
    array = np.load(io.BytesIO(piped("process", "-", "-o", "-", "--format", "npy").stdout))
    assert array.shape == (48, 64)
    for form in "jpeg", "webp", "tiff", "exr", "npy", "jp2", "j2k":
        name = f"named.{form}"
        process("in.png", "-o", name, "--force", "-f", "median", "--format", form)
        out = piped("process", "-", "-o", "-", "--format", form, "-f", "median").stdout
        pathlib.Path("streamed").write_bytes(out)
        assert compare("streamed", name)["equal"], form
    for name in "in.tga", "in.webp", "in.pgm", "in.bmp":
        subprocess.run(["ffmpeg", "-v", "error", "-y", "-i", "in.png", name], check=True)
        streamed = subprocess.run([CLI, "process", "-", "-o", "-", "--format", "npy"], check=False,
                                  input=pathlib.Path(name).read_bytes(), capture_output=True)
        process(name, "-o", "named.npy", "--force")
        assert streamed.stdout == pathlib.Path("named.npy").read_bytes(), (name, streamed.stderr)
    assert b"standard input" in piped("info", "-").stdout
    assert piped("compare", "-", "in.png").returncode == 0
    assert piped("process", "-", "-o", "folder/").returncode == 0 and pathlib.Path("folder/standard-input.png").is_file()
    assert b"--format" in piped("process", "-", "-o", "-").stderr
    nothing = subprocess.run([CLI, "info", "-"], input=b"", capture_output=True, check=False)
    assert nothing.returncode == 1 and b"standard input: the file is empty" in nothing.stderr, nothing


sys.exit(run_cases({
    "arrays of NumPy have their numbers": arrays_have_their_numbers,
    "arrays have colours": arrays_have_colours,
    "arrays are volumes over time": arrays_are_volumes_over_time,
    "numbers that are none are replaced, and told": numbers_that_are_none_are_replaced_and_told,
    "Python objects are never read": objects_are_never_read,
    "lying headers are refused": lying_headers_are_refused,
    "headers are as Python writes them": headers_are_as_python_writes_them,
    "results are arrays": results_are_arrays,
    "plain and packed Netpbm, and PFM": plain_and_packed_netpbm,
    "JPEG 2000 is what OpenJPEG wrote": jpeg_2000_is_what_openjpeg_wrote,
    "JPEG 2000 is read back": jpeg_2000_is_read_back,
    "WebP, TGA and AVIF are what FFmpeg reads": webp_tga_and_avif_are_what_ffmpeg_reads,
    "AVIF keeps its bits and channels, and is turned": avif_keeps_bits_and_channels,
    "AVIF is known by any of its brands": avif_is_known_by_any_of_its_brands,
    "whole files are not called damaged": whole_files_are_not_called_damaged,
    "AVIF of either range is what avifdec reads": avif_of_either_range_is_what_avifdec_reads,
    "grey WebP and TGA are one channel": grey_webp_and_tga_are_one_channel,
    "sizes that no file can back are refused": files_of_two_sizes_are_refused,
    "standard streams are dashes": standard_streams_are_dashes,
}))

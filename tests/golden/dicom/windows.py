#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""The windows and tables of grey levels that a DICOM file offers, against DCMTK's dcmj2pnm, and the
calibrated regions of ultrasound, against their own numbers.

usage: windows.py ONDELETTE_CLI
"""
import pathlib
import shutil
import struct
import subprocess
import sys

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "helpers"))
import pixels  # noqa: E402
from command_line import Skip, fails, read, run, run_cases, shared  # noqa: E402
from dicom_file import LITTLE, Writer  # noqa: E402

RAMP = np.arange(4096).reshape(64, 64)


def picture(values=RAMP, stored=12, frames=None):
    out = Writer(LITTLE)
    allocated = 16 if stored > 8 else 8
    out.put(0x00080016, "UI", "1.2.840.10008.5.1.4.1.1.7").put(0x00080018, "UI", "1.2.3.4")
    out.put(0x00080005, "CS", "ISO_IR 100")
    out.put(0x00280002, "US", 1).put(0x00280004, "CS", "MONOCHROME2")
    if frames:
        out.put(0x00280008, "IS", frames)
    out.put(0x00280010, "US", values.shape[-2]).put(0x00280011, "US", values.shape[-1])
    out.put(0x00280100, "US", allocated).put(0x00280101, "US", stored)
    out.put(0x00280102, "US", stored - 1).put(0x00280103, "US", 0)
    data = values.astype("<u2" if allocated == 16 else "u1").tobytes() * (frames or 1)
    return out.put(0x7fe00010, "OW" if allocated == 16 else "OB", data)


def windows(out, centres, widths, names=()):
    out.put(0x00281050, "DS", *centres).put(0x00281051, "DS", *widths)
    return out.put(0x00281055, "LO", "\\".join(names).encode("latin-1")) if names else out


def table(first, entries, bits, name):
    inner = Writer()
    words = struct.pack("<HHH", len(entries), first, bits)
    inner.elements[0x00283002] = "US", words
    inner.put(0x00283003, "LO", name)
    return inner.put(0x00283006, "OW", np.asarray(entries).astype("<u2").tobytes())


def shown(path, *options):
    """Levels from 0 to 255."""
    run("process", path, "-o", "shown.png", "--force", *options)
    return pixels.read_png("shown.png").astype(float) / 257


def theirs(path, *options):
    truth = shutil.which("dcmj2pnm")
    if truth is None:
        raise Skip("dcmj2pnm is not installed")
    done = subprocess.run([truth, *options, "--write-raw-pnm", str(path)], capture_output=True,
                          timeout=900)
    assert done.returncode == 0 and done.stdout.startswith(b"P5"), done.stderr
    return np.frombuffer(done.stdout[-4096:], "u1").reshape(64, 64, 1).astype(float)


def every_window_is_dcmtks():
    centres, widths = (2048, 300, -100, 3000.5), (4096, 100, 5000, 1)
    path = windows(picture(), centres, widths, ["Whole", "Größe", "", "Steep"]).write()
    listed = read("info", path)["image"]["windows"]
    want = [{"name": name, "centre": centre, "width": width}
            for name, centre, width in zip(("Whole", "Größe", "", "Steep"), centres, widths)]
    if listed != want:
        yield f"info lists {listed}"
    for i in range(len(centres)):
        apart = np.abs(shown(path, "--window", f"file:{i + 1}") - theirs(path, "+Wi", str(i + 1)))
        if apart.max() > 1.01:
            yield f"window {i + 1} differs from DCMTK's by {apart.max()} levels"
    if not np.array_equal(shown(path), shown(path, "--window", "file:1")):
        yield "the first window is not the default"
    if "window 2: centre 300, width 100, Größe" not in run("info", path).stdout:
        yield "info does not say the second window in words"
    fails(1, "window number 5", arguments=["process", path, "-o", "no.png", "--window", "file:5"])


def every_table_is_dcmtks():
    rising = np.minimum(np.arange(4096) // 16, 255)
    out = windows(picture(), (2048,), (4096,))
    out.items(0x00283010, table(0, rising, 8, "Rising"), table(1000, 255 - rising[:2000], 8, "Falling"))
    path = out.write()
    listed = read("info", path)["image"]["windows"]
    if [one["name"] for one in listed] != ["Rising", "Falling", ""]:
        yield f"info lists {listed}"
    for i in range(2):
        apart = np.abs(shown(path, "--window", f"file:{i + 1}") - theirs(path, "+Wl", str(i + 1)))
        if apart.max() > 1.01:
            yield f"table {i + 1} differs from DCMTK's by {apart.max()} levels"
    apart = np.abs(shown(path, "--window", "file:3") - theirs(path, "+Wi", "1"))
    if apart.max() > 1.01:
        yield f"the window after the tables differs from DCMTK's by {apart.max()} levels"


def frames_have_windows_of_their_own():
    """Of an enhanced picture; the third has what all share."""
    out = picture(frames=3)
    groups = []
    for pairs in (((100, 3000), (50, 200)), ((700,), (90,)), None):
        group = Writer()
        if pairs:
            group.items(0x00289132, windows(Writer(), *pairs))
        groups.append(group)
    out.items(0x52009230, *groups)
    shared_group = Writer().items(0x00289132, windows(Writer(), (2048, 1000), (4096, 10)))
    path = out.items(0x52009229, shared_group).write()
    for frame, choice, centre, width in ((1, 1, 100, 50), (1, 2, 3000, 200), (2, 1, 700, 90),
                                         (3, 1, 2048, 4096), (3, 2, 1000, 10)):
        got = shown(path, "--frame", frame, "--window", f"file:{choice}")
        want = shown(path, "--frame", frame, "--window", f"{centre},{width}")
        if not np.array_equal(got, want):
            yield f"frame {frame}, window {choice} is not {centre}/{width}"
    fails(1, "window number 2",
          arguments=["process", path, "-o", "no.png", "--frame", 2, "--window", "file:2"])


def bad_windows_are_left_out():
    out = windows(picture(), ("x", 2048, "1e400", 900), (100, 4096, 5, "-3"))
    told = read("info", out.write())
    image = told["image"]
    if (image["window_centre"], image["window_width"]) != (2048, 4096) or "windows" in image:
        yield f"of one valid window info says {image}"
    if "is invalid and is ignored" not in told["warning"]:
        yield f"the warning is {told['warning']}"
    many = windows(picture(), range(1, 101), range(1, 101)).write()
    told = read("info", many)
    if len(told["image"]["windows"]) != 32 or "more windows" not in told["warning"]:
        yield "of too many windows there are " + str(len(told["image"]["windows"]))
    short = windows(picture(), (1, 2, 3), (4, 5)).write()
    if len(read("info", short)["image"]["windows"]) != 2:
        yield "windows without a width are listed"


# ---- regions of ultrasound --------------------------------------------------------------------

CM, SECONDS, HERTZ, CM_PER_S = 3, 4, 5, 7


def region(box, units, deltas, kind=1, flags=0, reference=None):
    """box: left, top, and the last column and row."""
    out = Writer()
    out.put(0x00186012, "US", kind).put(0x00186014, "US", 1)
    for tag, number in zip((0x00186016, 0x00186018, 0x0018601a, 0x0018601c, 0x0018601e), (flags, *box)):
        out.elements[tag] = "UL", struct.pack("<I", number)
    out.put(0x00186024, "US", units[0]).put(0x00186026, "US", units[1])
    for tag, number in zip((0x0018602c, 0x0018602e), deltas):
        out.elements[tag] = "FD", struct.pack("<d", number)
    if reference:
        for tag, number in zip((0x00186020, 0x00186022), reference):
            out.elements[tag] = "SL", struct.pack("<i", number)
    return out


def with_regions(*regions, spacing=None):
    out = picture(np.zeros((200, 300), int), 8)
    if spacing:
        out.put(0x00280030, "DS", *spacing)
    return out.items(0x00186011, *regions).write()


def measured(path, line):
    return read("measure", path, *line.split())["measured"]


def lengths_have_the_scale_of_their_region():
    path = with_regions(region((0, 0, 99, 199), (CM, CM), (0.02, 0.03)),
                        region((150, 0, 299, 199), (CM, CM), (-0.05, 0.05)), spacing=(9, 9))
    one, two, both, none, edge, area = (measured(path, line)[0] for line in (
        "--length 10,10,40,50", "--length 160,10,160,60", "--length 50,50,200,50",
        "--length 110,10,110,20", "--length 0,0,100,200", "--ellipse 10,10,20,40"))
    for name, got, value, unit in (("one", one, np.hypot(30 * 0.2, 40 * 0.3), "mm"),
                                   ("a negative delta", two, 50 * 0.5, "mm"),
                                   ("across two", both, 150, "px"),
                                   ("outside", none, 90, "mm"),
                                   ("to the edge", edge, np.hypot(100 * 0.2, 200 * 0.3), "mm")):
        told = got["length"]
        if abs(told["value"] - value) > 1e-9 * value or told["unit"] != unit:
            yield f"{name}: {told}, not {value} {unit}"
    want = np.pi * 10 * 0.2 * 20 * 0.3
    if abs(area["area"]["value"] - want) > 1e-9 * want or area["area"]["unit"] != "mm²":
        yield f"an area: {area['area']}, not {want} mm²"
    if both.get("note") != "across regions of different scales" or both.get("spacing"):
        yield f"across two regions the note is {both.get('note')}"
    table = run("measure", path, "--length", "50,50,200,50", "--length", "10,10,40,50", "--csv").stdout
    rows = table.splitlines()
    if not rows[1].endswith(',"px",,,,,') or not rows[2].endswith(',"mm",object,,,,'):
        yield f"the table says {rows[1:]}"


def lying_spacing_is_no_scale():
    for lie in ("0\\0", "-0.5\\0.5", "0.5\\0", "1e30\\1e30", "1e-30\\1", "nan\\1", "0.5", "a\\b"):
        path = picture().put(0x00280030, "DS", lie).write()
        told = measured(path, "--length 10,10,40,50")[0]["length"]
        if told["unit"] != "px" or abs(told["value"] - 50) > 1e-9:
            yield f"with a spacing of {lie} a length is {told}"
        aspect = read("info", path)["image"].get("pixel_aspect", 1)
        if aspect != 1:
            yield f"with a spacing of {lie} pixels have the aspect {aspect}"


def an_inset_has_its_own_scale():
    """A colour box with the picture's scale is part of it; a zoomed inset is not."""
    whole = region((0, 0, 299, 199), (CM, CM), (0.02, 0.02), flags=1)
    for scale, unit in ((0.02, "mm"), (0.01, "px")):
        path = with_regions(whole, region((100, 50, 199, 149), (CM, CM), (scale, scale)))
        told = measured(path, "--length 10,10,150,100")[0]["length"]
        if told["unit"] != unit:
            yield f"into an inset of {scale} cm a length is {told}"
        inside = measured(path, "--length 110,60,110,70")[0]["length"]
        if abs(inside["value"] - scale * 100) > 1e-9:
            yield f"in an inset of {scale} cm a length is {inside}"


def doppler_and_motion_have_axes():
    path = with_regions(region((0, 0, 299, 99), (SECONDS, CM_PER_S), (0.004, -1.25), kind=3),
                        region((0, 100, 299, 199), (SECONDS, CM), (0.01, 0.05), kind=2))
    doppler = measured(path, "--length 10,20,60,80")[0]
    motion = measured(path, "--length 10,120,60,160")[0]
    for got, key, value, unit in ((doppler, "time", 0.2, "s"), (doppler, "velocity", 75, "cm/s"),
                                  (motion, "time", 0.5, "s"), (motion, "depth", 20, "mm")):
        told = got.get(key, {"value": 0, "unit": "nothing"})
        if abs(told["value"] - value) > 1e-9 or told["unit"] != unit:
            yield f"{key} is {told}, not {value} {unit}"
    if "length" in doppler or "length" in motion:
        yield "there is a length where there are no lengths"
    text = run("measure", path, "--length", "10,20,60,80").stdout
    if "Δt 0.200 s, Δv 75.0 cm/s" not in text:
        yield f"people are told {text}"
    area = measured(path, "--ellipse 10,10,20,40")[0]
    if area["area"]["unit"] != "px²" or area.get("note") != "no millimetres in this region":
        yield f"an area in a Doppler region: {area}"


def bad_regions_are_left_out():
    good = region((0, 0, 99, 99), (CM, CM), (0.02, 0.02))
    beyond, scale = "beyond the picture", "scale of one of its ultrasound regions is invalid"
    for word, bad in ((beyond, region((150, 0, 595, 199), (CM, CM), (0.05, 0.05))),
                      (beyond, region((150, 150, 150, 100), (CM, CM), (0.05, 0.05))),
                      (beyond, region((0xfffffff0, 0, 0xffffffff, 9), (CM, CM), (0.05, 0.05))),
                      (scale, region((150, 0, 299, 199), (CM, CM), (0, 0.05))),
                      (scale, region((150, 0, 299, 199), (CM, CM), (0.05, 1e30))),
                      (scale, region((150, 0, 299, 199), (CM, CM), (float("nan"), 0.05))),
                      (scale, region((150, 0, 299, 199), (SECONDS, CM), (float("inf"), 0.05)))):
        path = with_regions(bad, good)
        told = read("info", path)
        if word not in (told["warning"] or "") or len(told["image"]["regions"]) != 1:
            yield f"{word}: {told['warning']}, {told['image'].get('regions')}"
        if measured(path, "--length 200,10,200,60")[0]["length"]["unit"] != "px":
            yield f"{word}: its scale is used"
    many = with_regions(*[region((i, 0, i + 1, 9), (CM, CM), (0.1, 0.1)) for i in range(200)])
    told = read("info", many)
    if len(told["image"]["regions"]) != 64 or "more ultrasound regions" not in told["warning"]:
        yield f"of too many regions: {told['warning']}"


def real_regions():
    """The numbers are those that dcmdump shows."""
    path = shared("pydicom-data/OBXXXX1A.dcm")
    told = measured(path, "--length 200,100,300,100")[0]["length"]
    if abs(told["value"] - 100 * 0.26228787661969974) > 1e-9 or told["unit"] != "mm":
        yield f"a length in OBXXXX1A is {told}"
    aloka = shared("pydicom-data/gdcm-US-ALOKA-16.dcm")
    told = measured(aloka, "--length 100,100,100,200")[0]["length"]
    if abs(told["value"] - 100 * 0.38265306502580643) > 1e-9:
        yield f"a length in ALOKA-16 is {told}"
    # Two pictures beside each other.
    told = measured(aloka, "--length 100,100,500,100")[0]["length"]
    if told["unit"] != "px":
        yield f"across the two pictures of ALOKA-16 a length is {told}"
    # It was scaled down to 320 columns, and its region was not.
    scaled = shared("pydicom/examples_ybr_color.dcm")
    told = read("info", scaled)
    if "regions" in told["image"] or "beyond the picture" not in told["warning"]:
        yield f"the region of another size is used: {told['warning']}"


def regions_are_told():
    path = with_regions(region((5, 6, 104, 55), (CM, CM), (0.02, 0.03), reference=(10, -20)))
    want = {"kind": "2d", "left": 5, "top": 6, "right": 105, "bottom": 56, "unit_x": "cm",
            "delta_x": 0.02, "unit_y": "cm", "delta_y": 0.03, "reference_x": 15, "reference_y": -14,
            "reference_value_x": 0, "reference_value_y": 0}
    told = read("info", path)["image"]["regions"]
    if told != [want]:
        yield f"info says {told}"
    line = "region 1: 2D, at 5,6, 100×50, a pixel is 0.02 cm × 0.03 cm"
    if line not in run("info", path).stdout:
        yield "info does not say it in words"


def a_series_has_regions():
    """Its files are described one by one before a picture is read, which must not take their regions for damage."""
    folder = pathlib.Path("series")
    folder.mkdir()
    for i in range(3):
        out = picture(np.full((60, 120), i * 40), 8).put(0x00080018, "UI", f"1.2.3.{i}").put(0x0020000d, "UI", "1.2")
        out.put(0x0020000e, "UI", "1.2.3").put(0x00200013, "IS", i + 1)
        path = out.items(0x00186011, region((5, 6, 104, 55), (CM, CM), (0.02, 0.03))).write(folder)
    told = read("info", f"series:{path}")
    if told["frames"] != 3 or told["image"]["regions"][0]["right"] != 105:
        yield f"info says {told}"


sys.exit(run_cases({
    "every window is DCMTK's": every_window_is_dcmtks,
    "every table is DCMTK's": every_table_is_dcmtks,
    "frames have windows of their own": frames_have_windows_of_their_own,
    "bad windows are left out": bad_windows_are_left_out,
    "lengths have the scale of their region": lengths_have_the_scale_of_their_region,
    "lying spacing is no scale": lying_spacing_is_no_scale,
    "an inset has its own scale": an_inset_has_its_own_scale,
    "Doppler and M-mode have axes": doppler_and_motion_have_axes,
    "bad regions are left out": bad_regions_are_left_out,
    "real regions": real_regions,
    "regions are told": regions_are_told,
    "a series has regions": a_series_has_regions}))

#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""What `measure` says, against NumPy, SciPy, nibabel, pydicom, and scikit-image's ellipses.

usage: measure.py ONDELETTE_CLI
"""
import csv
import hashlib
import io
import math
import pathlib
import sys

import nibabel
import numpy as np
import pydicom
from scipy.ndimage import map_coordinates
from skimage.draw import ellipse as ellipse_pixels

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "helpers"))
import mha  # noqa: E402
import pixels  # noqa: E402
from command_line import fails, process, random_picture, read, run, run_cases, shared  # noqa: E402

LUMA = np.array([0.299, 0.587, 0.114])
GAUSS = "gaussian:sigma=1.5"
RANDOM = np.random.default_rng(17)


def write_volume(name, values, spacing):
    mha.write(name, values, f"ElementSpacing = {' '.join(map(str, spacing))}\n")


def text(numbers):
    return ",".join(map(str, numbers))


def angle(points, spacing):
    a, corner, b = np.reshape(points, (3, 2)) * spacing
    a, b = a - corner, b - corner
    return math.degrees(math.acos(a @ b / math.hypot(*a) / math.hypot(*b)))


def chosen(box, shape):
    """Rows and columns of the pixels whose middle lies in the ellipse in a box x, y, w, h."""
    x, y, width, height = box
    return ellipse_pixels(y + height / 2 - 0.5, x + width / 2 - 0.5, height / 2, width / 2, shape)


def boxes(shape, n):
    """Random ones, of all sizes, inside of the picture; whole and broken numbers."""
    for i in range(n):
        left, right = np.sort(RANDOM.uniform(0, shape[1], 2))
        top, bottom = np.sort(RANDOM.uniform(0, shape[0], 2))
        box = np.array([left, top, right - left, bottom - top])
        box = np.floor(box) if i % 3 == 0 else np.round(box, 2)
        if box[2] > 1 and box[3] > 1:
            yield box


def check(found, box, values, after=None, tolerance=1e-6, padding=None):
    where = chosen(box, values.shape)
    if padding is not None:
        inside = values[where] != padding
        where = tuple(places[inside] for places in where)
    assert found["n"]["value"] == len(where[0]), (box, found, len(where[0]))
    for key, part in (("value", values), ("after", after)):
        if part is None:
            assert key not in found["mean"], found
            continue
        inside = part[where].astype(float)
        for name, function in (("mean", np.mean), ("sigma", np.std), ("min", np.min),
                               ("max", np.max)):
            error = abs(found[name][key] - function(inside))
            assert error <= tolerance * max(1, np.abs(values).max()), (box, name, key, error)


def lengths_and_angles():
    values = RANDOM.integers(-1000, 2000, (2, 57, 83)).astype("i2")
    for spacing in ((1, 1, 1), (0.4, 0.2, 3), (0.123, 1.75, 1)):
        write_volume("a.mha", values, spacing)
        for _ in range(10):
            points = np.round(RANDOM.uniform(0, [83, 57] * 3), 2)
            a, b = points[:4].reshape(2, 2) * spacing[:2]
            got = read("measure", "a.mha", "--length", text(points[:4]), "--angle", text(points))
            length, corner = got["measured"]
            assert got["spacing"] == "object" and length["length"]["unit"] == "mm", got
            assert abs(length["length"]["value"] - math.hypot(*(b - a))) < 1e-9, got
            assert abs(corner["angle"]["value"] - angle(points, spacing[:2])) < 1e-6, got


def regions_of_slices():
    for code in ("i2", "f4"):
        values = RANDOM.normal(100, 300, (2, 57, 83)).astype(code)
        write_volume("a.mha", values, (0.4, 0.2, 3))
        for box in boxes((57, 83), 20):
            found = read("measure", "a.mha", "--frame", "2", "--ellipse", text(box))["measured"][0]
            check(found, box, values[1])
            area = math.pi * box[2] * 0.4 * box[3] * 0.2 / 4
            assert abs(found["area"]["value"] - area) < 1e-9 and found["area"]["unit"] == "mm²"


def colours():
    for depth in (np.uint8, np.uint16):
        picture = random_picture(3, depth, 57, 83)
        pixels.write_png("a.png", picture)
        for box in boxes((57, 83), 6):
            got = read("measure", "a.png", "--ellipse", text(box))
            found = got["measured"][0]
            check(found, box, picture @ LUMA)
            assert found["mean"]["unit"] == "luma" and found["area"]["unit"] == "px²", found
            assert got["spacing"] is None, got


def before_and_after():
    for name in ("dicom-test-files/REF/CT1_UNC", "pydicom/examples_ybr_color.dcm"):
        path = shared(name)
        process(path, "-o", "plain.tif", "--frame", "1", "--force")
        process(path, "-o", "out.tif", "--frame", "1", "-f", GAUSS, "--force")
        plain, out = (pixels.read_tiff(f"{n}.tif")[1].astype(float) for n in ("plain", "out"))
        colour = plain.shape[2] > 1
        header = pydicom.dcmread(path, stop_before_pixels=True)
        padding = None
        if "PixelPaddingValue" in header:
            padding = header.PixelPaddingValue * header.RescaleSlope + header.RescaleIntercept
        plain, out = (v[..., :3] @ LUMA if colour else v[..., 0] for v in (plain, out))
        for box in boxes(plain.shape, 6):
            got = read("measure", path, "-f", GAUSS, "--ellipse", text(box))
            found = got["measured"][0]
            assert "gaussian" in got["recipe"], got
            assert found["mean"]["unit"] == ("luma" if colour else "HU"), found
            # What is converted from YCbCr is rounded in the file.
            check(found, box, plain, out, 0.004 if colour else 1e-6, padding)


def both_recipes():
    """Values of another recipe stand in the place of those before, in the unit of the file as well."""
    values = np.random.default_rng(9).integers(-900, 2100, (1, 40, 50)).astype(np.int16)
    write_volume("both.mha", values, (1, 1, 1))
    box, x, y = "8,6,20,16", *np.meshgrid(np.arange(50) + 0.5, np.arange(40) + 0.5)
    inside = ((x - 18) / 10) ** 2 + ((y - 14) / 8) ** 2 <= 1
    pathlib.Path("median.txt").write_text("median:size=5\n")
    lines = run("measure", "both.mha", "--filter", "gaussian:sigma=2", "--against", "median.txt", "--statistics",
                "--ellipse", box).stdout.splitlines()
    told = {tuple(line.split("\t")[:2]): line.split("\t")[2:] for line in lines}
    for recipe, column in (("median:size=5", 0), ("gaussian:sigma=2", 1)):
        run("process", "both.mha", "--frame", 1, "--filter", recipe, "--force", "-o", "both.tif")
        wanted = pixels.read_tiff("both.tif")[1][..., 0][inside].astype(float)
        for name, number in (("mean", wanted.mean()), ("sigma", wanted.std())):
            got = float(told["region", name][column])
            assert abs(got - number) < 0.02, f"{recipe}, {name}: {got}, not {number}"


def polygons():
    """Of stars, which are not convex, against NumPy and matplotlib's paths."""
    from matplotlib.path import Path
    rows, columns = np.mgrid[:57, :83]
    middles = np.stack([columns + 0.5, rows + 0.5], axis=-1).reshape(-1, 2)
    values = RANDOM.normal(100, 300, (2, 57, 83)).astype("f4")
    write_volume("a.mha", values, (0.4, 0.2, 3))
    for n in (3, 4, 7, 30, 128):
        turns = np.sort(RANDOM.uniform(0, 2 * math.pi, n))
        if n == 3:
            turns = np.array([0.3, 2.5, 4.4])
        reach = RANDOM.uniform(4, 27, n)
        points = np.round(np.stack([41 + 1.4 * reach * np.cos(turns), 28 + reach * np.sin(turns)], axis=1), 3)
        kind = "--freehand" if n == 128 else "--polygon"
        found = read("measure", "a.mha", "--frame", "2", kind, text(points.ravel()))["measured"][0]
        after = np.roll(points, -1, axis=0)
        area = abs(np.sum(points[:, 0] * after[:, 1] - points[:, 1] * after[:, 0])) / 2 * 0.4 * 0.2
        length = np.hypot(*((after - points) * (0.4, 0.2)).T).sum()
        assert abs(found["area"]["value"] - area) < 1e-9 and found["area"]["unit"] == "mm²", (n, found)
        assert abs(found["perimeter"]["value"] - length) < 1e-9, (n, found)
        inside = values[1].ravel()[Path(points).contains_points(middles)].astype(float)
        assert found["n"]["value"] == len(inside) > 20, (n, found, len(inside))
        for name, function in (("mean", np.mean), ("sigma", np.std), ("min", np.min), ("max", np.max)):
            assert abs(found[name]["value"] - function(inside)) < 1e-3, (n, name)
    # One that crosses itself has no single area.
    pixels.write_png("a.png", np.full((60, 80, 1), 40, np.uint8))
    found = read("measure", "a.png", "--polygon", "10,10,30,30,30,10,10,30")["measured"][0]
    assert "area" not in found and found["n"]["value"] == 200, found
    both = read("measure", "a.png", "-f", GAUSS, "--polygon", "10,10,30,10,30,30,10,30")["measured"][0]
    assert both["n"]["value"] == 400 and abs(both["mean"]["after"] - 40) < 1e-4, both


def interpolated(values, positions):
    """Values at positions (x, y) of a picture, (0, 0) being a corner."""
    return map_coordinates(values, np.array(positions, float).T[::-1] - 0.5, order=1, mode="nearest")


def profiles():
    """Along lines, against SciPy: before and after filters, in the unit of the file, in mm or px."""
    values = RANDOM.normal(100, 300, (2, 57, 83)).astype("f4")
    write_volume("a.mha", values, (0.4, 0.2, 3))
    process("a.mha", "-o", "out.mha", "-f", GAUSS, "--force")
    out = np.frombuffer(pathlib.Path("out.mha").read_bytes()[-values.nbytes:], "f4").reshape(values.shape)
    for i in range(20):
        a, b = np.round(RANDOM.uniform(0, [[83, 57]] * 2), 2)
        if i == 0:
            a, b = np.array([[0, 0], [83, 57]])  # from corner to corner
        got = read("measure", "a.mha", "--frame", "2", "-f", GAUSS, "--profile", text([*a, *b]))
        found = got["measured"][0]
        n = math.ceil(math.hypot(*(b - a))) + 1
        places = a + np.linspace(0, 1, n)[:, None] * (b - a)
        samples = found["samples"]
        assert found["interpolation"] == "bilinear" and found["at_unit"] == "mm", found
        assert len(samples) == n == found["n"]["value"], (n, len(samples))
        assert np.allclose([(s["x"], s["y"]) for s in samples], places, atol=1e-9)
        length = math.hypot(*((b - a) * (0.4, 0.2)))
        assert np.allclose([s["at"] for s in samples], np.linspace(0, length, n), atol=1e-9)
        for key, picture in (("value", values[1]), ("after", out[1])):
            truth = interpolated(picture.astype(float), places)
            assert np.abs([s[key] for s in samples] - truth).max() < 2e-3, (key, a, b)
            assert abs(found["mean"][key] - truth.mean()) < 2e-3, (key, found["mean"])
            assert abs(found["sigma"][key] - truth.std()) < 2e-3, (key, found["sigma"])
    # The table has the same samples.
    rows = list(csv.DictReader(io.StringIO(run(
        "measure", "a.mha", "--frame", "2", "-f", GAUSS, "--csv", "--profile", text([*a, *b])).stdout)))
    rows = [row for row in rows if row["name"] == "sample"]
    assert [(float(r["at"]), float(r["value"]), float(r["after"])) for r in rows] == [
        (s["at"], s["value"], s["after"]) for s in samples]
    # In the unit of the file, of a real one; of colours the luma, in pixels.
    path = shared("dicom-test-files/REF/CT1_UNC")
    import pydicom
    data = pydicom.dcmread(path)
    found = read("measure", path, "--profile", "100.5,200.25,300,40")["measured"][0]
    hu = data.pixel_array * float(data.RescaleSlope) + float(data.RescaleIntercept)
    places = [(s["x"], s["y"]) for s in found["samples"]]
    assert found["unit"] == "HU" and np.abs(
        [s["value"] for s in found["samples"]] - interpolated(hu, places)).max() < 1e-3, found["unit"]
    picture = random_picture(3, np.uint8, 57, 83)
    pixels.write_png("a.png", picture)
    found = read("measure", "a.png", "--profile", "0,57,83,0")["measured"][0]
    places = [(s["x"], s["y"]) for s in found["samples"]]
    assert found["unit"] == "luma" and found["at_unit"] == "px" and np.abs(
        [s["value"] for s in found["samples"]] - interpolated(picture @ LUMA, places)).max() < 1e-3


def plane_picture(values, spacing, plane, at):
    """A plane of a volume (z, y, x) by hand: squares of the least spacing, z upwards; its pixels' voxels."""
    scale = np.array(spacing) / min(spacing)
    across, down = {"axial": (0, 1), "coronal": (0, 2), "sagittal": (1, 2)}[plane]
    size = np.ceil(np.array(values.shape[::-1]) * scale - 1e-9).astype(int)
    rows, columns = np.mgrid[:size[down], :size[across]] + 0.5
    voxels = np.zeros((3, *rows.shape))
    voxels[3 - across - down] = at
    voxels[across] = columns / scale[across] - 0.5
    voxels[down] = (values.shape[0] - rows / scale[2] if down == 2 else rows / scale[1]) - 0.5
    return map_coordinates(values.astype(float), voxels[::-1], order=1, mode="nearest"), voxels


def planes_of_volumes():
    """Lengths, angles, areas and values on planes, by nibabel's affine and by SciPy's interpolation."""
    data = RANDOM.normal(100, 300, (31, 23, 17)).astype("f4")
    turn, _ = np.linalg.qr(RANDOM.normal(size=(3, 3)) * 0.2 + np.eye(3))
    turn *= np.sign(np.diag(turn))
    spacing = np.array([0.7, 1.1, 2.6])
    affine = np.eye(4)
    affine[:3, :3] = turn * spacing
    nibabel.save(nibabel.Nifti1Image(data, affine), "v.nii")
    # To the left, back and up, as volumes are shown.
    values = data[::-1, ::-1].T
    flip = np.diag([-1, -1, 1])
    process("v.nii", "-o", "out.nii", "-f", GAUSS, "--force")
    out = nibabel.as_closest_canonical(nibabel.load("out.nii")).get_fdata()[::-1, ::-1].T
    scale = spacing / spacing.min()
    for plane, across, down, at in (("axial", 0, 1, 9), ("coronal", 0, 2, 11), ("sagittal", 1, 2, 5)):
        picture, _ = plane_picture(values, spacing, plane, at)
        after, _ = plane_picture(out, spacing, plane, at)

        def mm(step):
            voxels = np.zeros(3)
            voxels[across] = step[0] / scale[across]
            voxels[down] = step[1] / scale[down] * (-1 if down == 2 else 1)
            return affine[:3, :3] @ flip @ voxels

        for _ in range(5):
            a, b, c = np.round(RANDOM.uniform(0, [picture.shape[::-1]] * 3), 2)
            box = np.array([1.3, 2.2, *(np.array(picture.shape[::-1]) - 6)])
            length, corner, area, line = read(
                "measure", "v.nii", "--plane", f"{plane}:{at}", "-f", GAUSS, "--length", text([*a, *b]),
                "--angle", text([*a, *b, *c]), "--ellipse", text(box), "--profile", text([*a, *b]))["measured"]
            assert length["length"]["unit"] == "mm", length
            assert abs(length["length"]["value"] - np.linalg.norm(mm(b - a))) < 1e-4, (plane, length)
            u, v = mm(a - b), mm(c - b)
            truth = math.degrees(math.acos(u @ v / np.linalg.norm(u) / np.linalg.norm(v)))
            assert abs(corner["angle"]["value"] - truth) < 1e-2, (plane, corner, truth)
            truth = math.pi / 4 * np.linalg.norm(np.cross(mm((box[2], 0)), mm((0, box[3]))))
            assert abs(area["area"]["value"] - truth) < 1e-3 and area["area"]["unit"] == "mm²", (plane, area)
            check(area, box, picture, after, 1e-5)
            places = [(s["x"], s["y"]) for s in line["samples"]]
            for key, seen in (("value", picture), ("after", after)):
                error = np.abs([s[key] for s in line["samples"]] - interpolated(seen, places)).max()
                assert error < 5e-3, (plane, key, error)
    # Thick: the mean of the slab's voxels, which is what is shown.
    found = read("measure", "v.nii", "--plane", "axial:9:maximum:12", "--ellipse", "2,2,20,20")["measured"][0]
    thick = max(round(12 / scale[2]), 1)
    first = 9 - (thick - 1) // 2
    best = min((abs(plane_picture(values[f:f + thick].max(axis=0)[None].repeat(17, 0), spacing, "axial", 9)[0][
        chosen((2, 2, 20, 20), (99, 99))].mean() - found["mean"]["value"]), f) for f in (first - 1, first, first + 1))
    assert best[0] < 1e-3, (best, thick)
    # Turned about the cross-hair: in the plane's own directions, of squares.
    across, down = np.array([0.8, 0, 0.6]), np.array([0.6, 0, -0.8])
    name = "axial:15/11/8:turned:" + "/".join(map(str, [*across, *down]))
    found = read("measure", "v.nii", "--plane", name, "--length", "10,10,22,26", "--ellipse", "11,14,9,7")["measured"]
    assert abs(found[0]["length"]["value"] - 20 * 0.7) < 1e-5, found[0]
    rows, columns = np.mgrid[:36, :31]
    centre = (np.array([15, 11]) + 0.5) * scale[:2]
    steps = (columns + 0.5 - centre[0])[..., None] * across + (rows + 0.5 - centre[1])[..., None] * down
    voxels = np.array([15, 11, 8]) + steps / scale
    picture = map_coordinates(values.astype(float), np.moveaxis(voxels, -1, 0)[::-1], order=1, mode="nearest")
    check(found[1], (11, 14, 9, 7), picture, tolerance=1e-5)


def planes_of_dicom():
    """Of slices in files, by pydicom: spacing between them from their places; a tilted gantry has no mm."""
    import pydicom
    source = shared("dicom-test-files/REF/CT1_UNC")
    for tilted in (False, True):
        folder = pathlib.Path("tilted" if tilted else "series")
        folder.mkdir(exist_ok=True)
        places = []
        for i in range(6):
            data = pydicom.dcmread(source)
            data.SOPInstanceUID = data.file_meta.MediaStorageSOPInstanceUID = f"1.2.3.{int(tilted)}.{i}"
            data.SeriesInstanceUID = f"1.2.4.{int(tilted)}"
            data.InstanceNumber = i + 1
            data.ImageOrientationPatient = [1, 0, 0, 0, 1, 0]
            data.ImagePositionPatient = [-100, -120 + (2.2 * i if tilted else 0), 6.25 * i]
            data.SliceThickness = 99
            places.append(np.array(data.ImagePositionPatient, float))
            data.save_as(folder / f"{i}.dcm")
        spacing = [float(s) for s in data.PixelSpacing]
        path = str(folder)
        axial = read("measure", path, "--plane", "axial:3", "--length", "10,20,110,170")["measured"][0]
        truth = math.hypot(100 * spacing[1], 150 * spacing[0])
        assert abs(axial["length"]["value"] - truth) < 1e-6, (axial, truth)
        # From the middle of the lowest slice to that of the fourth, straight up.
        scale = min(np.linalg.norm(places[1] - places[0]) / spacing[0], 16)
        up = text([30, 5.5 * scale, 30, 2.5 * scale])
        done = read("measure", path, "--plane", "coronal:60", "--length", up)["measured"][0]["length"]
        if tilted:
            assert done["unit"] == "px", done
            assert "tilted" in run("measure", path, "--plane", "coronal:60", "--length", up).stdout
        else:
            truth = np.linalg.norm(places[3] - places[0])
            assert done["unit"] == "mm" and abs(done["value"] - truth) < 1e-6, (done, truth)


def both_outputs_agree():
    pixels.write_png("a.png", np.full((60, 80, 1), 40, np.uint8))
    done = run("measure", "a.png", "--length", "10,10,40,50", "--angle", "13,10,10,10,13,14",
               "--ellipse", "10,10,20,10")
    assert done.stdout.splitlines() == [
        "length 10,10,40,50: 50.0 px, millimetres unknown", "angle 13,10,10,10,13,14: 53.1°",
        "ellipse 10,10,20,10: 157.1 px², millimetres unknown", "    perimeter 48.4 px", "    mean 40.00", "    σ 0.00",
        "    min 40, max 40", "    n 160"], done.stdout
    rows = list(csv.DictReader(io.StringIO(run(
        "measure", "a.png", "--csv", "-f", GAUSS, "--angle", "13,10,10,10,13,14",
        "--ellipse", "10,10,20,10").stdout)))
    both = read("measure", "a.png", "-f", GAUSS, "--angle", "13,10,10,10,13,14",
                "--ellipse", "10,10,20,10")["measured"]
    assert [row["name"] for row in rows] == ["angle", "area", "perimeter", "mean", "sigma", "min", "max", "n"]
    for row in rows:
        found = both[row["kind"] == "ellipse"][row["name"]]
        assert float(row["value"]) == found["value"] and row["unit"] == found["unit"], row
        assert row["after"] == "" if "after" not in found else \
            float(row["after"]) == found["after"], row
        assert (row["input"], row["frame"], row["spacing"]) == ("a.png", "1", ""), row
    # The whole picture, from corner to corner.
    got = read("measure", "a.png", "--length", "0,0,80,60")["measured"][0]
    assert got["length"] == {"value": 100, "unit": "px"}, got


def write_beside(name, identity, *items):
    pathlib.Path(name + ".measured").write_text(
        f"[annotations]\nkey={identity}\nwidth=80\nheight=60\nitems={''.join(i + ';' for i in items)}\n")


def kept_beside():
    """By a UID where there is one, else by the contents; each of its frame; of no other picture."""
    picture = RANDOM.integers(0, 256, (60, 80, 1)).astype(np.uint8)
    pixels.write_png("b.png", picture)
    digest = hashlib.sha256(pathlib.Path("b.png").read_bytes() * 2).hexdigest()
    identity = f"contents {pathlib.Path('b.png').stat().st_size} {digest}"
    write_beside("b.png", identity, "length 0 10,10,40,50", "length 1 1,1,9,9", "ellipse 0 10,10,30,20")
    first, *found = read("measure", "b.png", "--beside", "--length", "0,0,80,60")["measured"]
    assert first["length"]["value"] == 100, first
    assert [(f["kind"], f["numbers"]) for f in found] == [
        ("length", "10,10,40,50"), ("ellipse", "10,10,20,10")], found
    check(found[1], np.array([10, 10, 20, 10]), picture[..., 0])
    write_beside("b.png", "contents 1 abc", "length 0 10,10,40,50")
    fails(1, "b.png.measured", "nothing", arguments=["measure", "b.png", "--beside"])
    # On a plane of a volume, seen there alone.
    write_volume("k.mha", RANDOM.integers(0, 99, (9, 60, 80)).astype("i2"), (0.4, 0.2, 3))
    digest = hashlib.sha256(pathlib.Path("k.mha").read_bytes() * 2).hexdigest()
    write_beside("k.mha", f"contents {pathlib.Path('k.mha').stat().st_size} {digest}", "length 0 1,1,9,9",
                 "length 0 30,40,60,80 coronal:5", "length 0 1,1,9,9 coronal:6", "length 0 1,1,9,9 oblique:5",
                 "length 0 1,1,9,9 coronal:5:mean:3")
    found = read("measure", "k.mha", "--beside", "--plane", "coronal:5")["measured"]
    assert [(f["numbers"], round(f["length"]["value"], 6)) for f in found] == [("30,40,60,80", 10)], found
    assert len(read("measure", "k.mha", "--beside")["measured"]) == 1
    # Of numbered pictures each has its own, as where it is opened alone.
    for name in ("s1.png", "s2.png"):
        pixels.write_png(name, RANDOM.integers(0, 256, (60, 80, 1)).astype(np.uint8))
    digests = [f"contents {len(data)} {hashlib.sha256(data * 2).hexdigest()}"
               for data in (pathlib.Path(name).read_bytes() for name in ("s1.png", "s2.png"))]
    write_beside("s2.png", digests[1], "length 0 10,10,40,50")
    write_beside("s1.png.series", digests[0], "length 0 0,0,80,60", "length 1 0,0,30,40")
    for source, frame, lengths in (("s2.png", 1, [50]), ("s1.png", 1, None), ("sequence:s1.png", 1, [100]),
                                   ("sequence:s1.png", 2, [50, 50])):
        if lengths is None:
            fails(1, "s1.png.measured", "nothing", arguments=["measure", source, "--beside"])
            continue
        found = read("measure", source, "--beside", "--frame", str(frame))["measured"]
        assert sorted(f["length"]["value"] for f in found) == lengths, (source, frame, found)
    path = shared("dicom-test-files/REF/CT1_UNC")
    import pydicom
    pathlib.Path("ct").write_bytes(pathlib.Path(path).read_bytes())
    write_beside("ct", "dicom " + pydicom.dcmread(path).SOPInstanceUID, "length 0 10,10,40,50")
    found = read("measure", "ct", "--beside")["measured"][0]
    spacing = float(pydicom.dcmread(path).PixelSpacing[0])
    assert abs(found["length"]["value"] - 50 * spacing) < 1e-9 and found["length"]["unit"] == "mm", found


def refusals():
    pixels.write_png("a.png", np.full((60, 80, 1), 40, np.uint8))
    for words, arguments in (
            (["what to measure"], []),
            (["--length", "X1,Y1,X2,Y2"], ["--length", "1,2,3"]),
            (["--angle"], ["--angle", "1,2,3,4"]),
            (["--polygon", "X1"], ["--polygon", "1,2,3,4"]),
            (["--polygon"], ["--polygon", ",".join(["1"] * 258)]),
            (["nothing to measure"], ["--polygon", "1,1,5,5,9,9"]),
            (["beyond the picture"], ["--polygon", "1,1,81,5,9,9"]),
            (["--length"], ["--length", "1,2,nan,4"]),
            (["--length"], ["--length", "1,2,3,4x"]),
            (["nothing to measure"], ["--length", "1,2,1,2"]),
            (["nothing to measure"], ["--ellipse", "1,2,0,5"]),
            (["beyond the picture", "80×60"], ["--length", "0,0,81,10"]),
            (["beyond the picture"], ["--ellipse", "70,10,20,10"]),
            (["beyond the picture"], ["--ellipse", "-1e300,10,1e308,10"]),
            (["coefficients"], ["--length", "0,0,9,9", "-f",
                                "soft-threshold:threshold=0.1 view=analysis"]),
            (["over time"], ["--length", "0,0,9,9", "-f", "recursive-average"]),
            (["blur"], ["--length", "0,0,9,9", "-f", "blur"]),
            (["no slices"], ["--length", "0,0,9,9", "--plane", "coronal:3"]),
            (["--plane", "coronal:120"], ["--length", "0,0,9,9", "--plane", "oblique:3"]),
            (["--plane"], ["--length", "0,0,9,9", "--plane", "coronal:3:mean:0"]),
            (["--plane"], ["--length", "0,0,9,9", "--plane", "coronal:1/2/3:turned:1/0/0/1/0/0"]),
            (["no engine"], ["--length", "0,0,9,9", "-e", "abacus"]),
            (["--json", "--csv"], ["--length", "0,0,9,9", "--json", "--csv"]),
            (["frame 0"], ["--length", "0,0,9,9", "--frame", "0"])):
        fails(2, *words, arguments=["measure", "a.png", *arguments])
    write_volume("a.mha", np.zeros((4, 5, 6), "i2"), (1, 1, 1))
    for name, words in (("coronal:5", ["6×5×4", "5 such planes, 0 to 4"]), ("axial:1000000000", ["4 such planes"])):
        fails(2, *words, arguments=["measure", "a.mha", "--plane", name, "--length", "0,0,1,1"])
    fails(2, "6×5×4", arguments=["measure", "a.mha", "--plane", "coronal:3:mean:7", "--length", "0,0,1,1"])
    fails(2, "one picture", arguments=["measure", "--length", "0,0,9,9"])
    fails(1, "missing.png", arguments=["measure", "missing.png", "--length", "0,0,9,9"])


def calibrated():
    """A length that is known makes millimetres where the file has none, and none where it has."""
    pixels.write_png("a.png", np.zeros((60, 80, 1), "u1"))
    ruler = ["--calibration", "10,10,40,50,25 mm"]  # 50 pixels
    length, = read("measure", "a.png", "--length", "0,0,30,40", *ruler)["measured"][:1]
    assert length["length"] == {"value": 25, "unit": "mm"}, length
    table = run("measure", "a.png", "--length", "0,0,30,40", "--csv", *ruler).stdout
    assert table.splitlines()[1].split(",")[-7:] == ["", '"mm"', "hand", "", "", "", ""], table
    assert "calibrated by hand" in run("measure", "a.png", "--length", "0,0,30,40", *ruler).stdout
    for words in ("0", "-1", "nonsense", "nan", "1e9"):
        fails(2, "25 mm", arguments=["measure", "a.png", "--length", "0,0,9,9", "--calibration", "1,2,3,4," + words])
    fails(2, "nothing to measure", arguments=["measure", "a.png", "--length", "0,0,9,9", "--calibration", "1,2,1,2,5"])
    write_volume("known.mha", np.zeros((1, 60, 80), "i2"), (0.5, 0.5, 1))
    told = run("measure", "known.mha", "--length", "0,0,30,40", *ruler).stdout
    assert "25.0 mm\n" in told and "not applied" in told, told


def around(points):
    return np.hypot(*(np.roll(points, -1, axis=0) - points).T).sum()


def calculations():
    """Volumes, ages and a weight by their formulas, from what was typed, in its order."""
    write_volume("a.mha", np.zeros((1, 300, 400), "i2"), (0.5, 0.5, 1))
    turns = np.arange(100) * 2 * np.pi / 100
    ring = {n: np.round([200 + 2 * r * np.cos(turns), 150 + 2 * r * np.sin(turns)], 3).T
            for n, r in (("hc", 28.2), ("ac", 24.1), ("ball", 40))}
    hc, ac = (around(ring[name]) * 0.05 for name in ("hc", "ac"))  # cm
    bpd, fl = 4.6, 3.3
    lines = ["--length", "10,10,102,10", "--length", "10,20,76,20"]  # 46 and 33 mm
    rings = ["--polygon", text(ring["hc"].ravel()), "--polygon", text(ring["ac"].ravel())]
    ball = ["--freehand", text(ring["ball"].ravel()), "--length", "200,230,200,70"]
    sphere = math.pi / 6 * 80 ** 3 / 1000
    weight = 10 ** (1.3596 - 0.00386 * ac * fl + 0.0064 * hc + 0.00061 * bpd * ac + 0.0424 * ac + 0.174 * fl)
    for name, typed, unit, truth, within in (
            ("ellipsoid", [*lines, "--length", "5,5,5,45"], "ml", math.pi / 6 * 46 * 33 * 20 / 1000, 1e-9),
            ("area-length", ball, "ml", sphere, 0.005),
            ("simpson", ball, "ml", sphere, 0.005),
            ("simpson-biplane", [*ball, "--ellipse", "120,70,160,160", "--length", "120,150,280,150"],
             "ml", sphere, 0.005),
            ("bpd", lines, "wk", 9.54 + 1.482 * bpd + 0.1676 * bpd ** 2, 1e-9),
            ("hc", rings, "wk", 8.96 + 0.540 * hc + 0.0003 * hc ** 3, 1e-9),
            ("ac", rings[2:], "wk", 8.14 + 0.753 * ac + 0.0036 * ac ** 2, 1e-9),
            ("fl", lines[2:], "wk", 10.35 + 2.460 * fl + 0.170 * fl ** 2, 1e-9),
            ("crl", lines, "wk", (8.052 * math.sqrt(1.037 * 46) + 23.73) / 7, 1e-9),
            ("efw", [*rings, *lines], "g", weight, 1e-9)):
        found, = read("measure", "a.mha", *typed, "--calculate", name)["calculated"]
        assert found["name"] == name and found["unit"] == unit and not found["outside_published_range"], found
        assert abs(found["value"] / truth - 1) < within, (name, found["value"], truth)
        assert "not for diagnosis" in found["warning"] and found["note"] is None, found
        line, = [row for row in csv.DictReader(io.StringIO(run(
            "measure", "a.mha", *typed, "--calculate", name, "--csv").stdout)) if row["kind"] == "calculation"]
        assert (line["name"], float(line["value"]), line["unit"], line["spacing"]) == \
            (name, found["value"], unit, "object"), line
        assert line["numbers"].endswith("; this program's, not for diagnosis"), line
        for one in found["inputs"]:
            assert f'{one["name"]}: {one["kind"]} {one["numbers"]}; ' in line["numbers"], (one, line)
    told = run("measure", "a.mha", *lines, "--calculate", "fl", "--calculate", "bpd").stdout.splitlines()
    assert told[2] == ("fl: Age by the femur length (FL): 25.3 weeks (25 weeks + 2 days). Hadlock et al., Radiology "
                       "1984; 152: 497–501. This program's, not for diagnosis."), told
    assert told[4].startswith("bpd: Age by the biparietal diameter (BPD): 19.9 weeks (19 weeks + 6 days). "), told


def calculations_that_are_refused():
    write_volume("a.mha", np.zeros((1, 300, 400), "i2"), (0.5, 0.5, 1))
    pixels.write_png("a.png", np.zeros((300, 400, 1), "u1"))
    long_one = ["--length", "10,10,390,10"]
    told = run("measure", "a.mha", *long_one, "--calculate", "bpd").stdout
    assert " weeks (" in told and ", outside the published range. " in told, told
    found, = read("measure", "a.mha", *long_one, "--calculate", "bpd")["calculated"]
    assert found["outside_published_range"] and found["note"] == "outside the published range", found
    assert "; outside the published range; " in run("measure", "a.mha", *long_one, "--calculate", "bpd", "--csv").stdout
    ruler = ["--calibration", "10,10,40,50,25 mm"]  # 50 pixels
    found, = read("measure", "a.png", "--length", "0,0,100,0", *ruler, "--calculate", "bpd")["calculated"]
    assert found["note"] == "calibrated by hand" and found["spacing"] == "hand", found
    assert abs(found["value"] - 21.14) < 1e-9, found
    assert ", calibrated by hand. " in run("measure", "a.png", "--length", "0,0,100,0", *ruler, "--calculate", "bpd").stdout
    contour = ["--ellipse", "100,100,100,80"]
    for status, words, typed in (
            (1, "in pixels", ["a.png", *long_one, "--calculate", "bpd"]),
            (1, "“Height” as well", ["a.mha", *long_one, *long_one, "--calculate", "ellipsoid"]),
            (1, "“Contour” as well", ["a.mha", *long_one, "--calculate", "simpson"]),
            (1, "does not lie in its contour", ["a.mha", *contour, "--length", "50,110,50,170", "--calculate", "simpson"]),
            (1, "crosses itself", ["a.mha", "--polygon", "10,10,30,30,30,10,10,30", "--calculate", "hc"]),
            (2, "no such calculation", ["a.mha", *long_one, "--calculate", "nonsense"]),
            (2, "say what to measure", ["a.mha", "--calculate", "bpd"]),
            (2, "leave out --calculate", ["a.mha", *contour, "--statistics", "--calculate", "hc"])):
        fails(status, words, arguments=["measure", *typed])
        assert run("measure", *typed, status=status).stdout == "", typed
    rows = read("list", "calculations")
    shown = run("list", "calculations").stdout
    assert len(rows) == 10 and all(f'\n{row["name"]} ' in "\n" + shown for row in rows), shown
    assert all(row["formula"] in shown and "not for diagnosis" in row["warning"] for row in rows)
    assert [row["least"] for row in rows if row["name"] == "crl"] == [6], rows


sys.exit(run_cases({
    "calculations by their formulas": calculations,
    "calculations that are refused, or outside their range": calculations_that_are_refused,
    "a known length calibrates": calibrated,
    "lengths and angles by the spacing of each axis": lengths_and_angles,
    "regions of slices": regions_of_slices,
    "polygons and lines drawn freely": polygons,
    "profiles along lines": profiles,
    "planes of volumes": planes_of_volumes,
    "planes of slices in files": planes_of_dicom,
    "of colours the luma": colours,
    "before and after the filters": before_and_after,
    "two recipes beside each other": both_recipes,
    "what the window kept beside a picture": kept_beside,
    "text and JSON say the same": both_outputs_agree,
    "what cannot be measured is refused in words": refusals,
}))

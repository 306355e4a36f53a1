#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""The six directions of the dual tree: their thresholds and gains against Kingsbury's transform in
NumPy, whose coefficients are those of the Python package dtcwt, and on gratings of one direction. A rule
and a gain for each band, in all three transforms, the others against PyWavelets.

usage: directions.py ONDELETTE_CLI DTCWT_FOLDER
"""
import pathlib
import sys

import numpy as np
import pywt

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "helpers"))
import command_line  # noqa: E402
import dual_tree  # noqa: E402
import pixels  # noqa: E402

FULL = 65535
LEVELS = 3
ENGINES = "reference", "cpu", "gl-compute"
ANGLES = 75, 15, 45, -75, -15, -45  # HL, LH, HH, and where they fall to the right
PLACES = 2, 0, 1, 3, 5, 4  # of these in the transform's arrays


def gain(level, angle):
    """Our coefficients to Kingsbury's; `level` 0 is the finest."""
    return 2.0 ** (1 - level + (1 if abs(angle) == 45 else 0))


def numbers(rows):
    return "/".join(":".join("auto" if v is None else f"{v:g}" for v in row) for row in rows)


def stored(samples):
    return np.rint(FULL * samples).astype(np.uint16)


def filtered(samples, recipe, engine):
    pixels.write_png("in.png", samples[..., None])
    command_line.process("in.png", "-o", "out.tif", "--force", "-e", engine, "-f", recipe)
    return pixels.read_tiff("out.tif")[1][..., 0].astype(np.float64) / FULL


def picture():
    rng = np.random.default_rng(5)
    smooth = rng.normal(0, 1, (64, 96)).cumsum(0).cumsum(1)
    return stored(0.6 * (smooth - smooth.min()) / np.ptp(smooth) + 0.2 + 0.2 * rng.random((64, 96)))


def coefficients_are_those_of_dtcwt(folder):
    """The transform in NumPy, which the other cases take for the truth."""
    if not folder.is_dir():
        raise command_line.Skip("shared/testdata is absent")
    for name, levels in ("64x96", 4), ("61x45", 3):
        low, details = dual_tree.forward(np.load(folder / f"input_{name}.npy"), levels)
        assert np.abs(low - np.load(folder / f"lowpass_{name}_L{levels}.npy")).max() < 1e-12, name
        for level, own in enumerate(details):
            wanted = np.load(folder / f"highpass_{name}_level{level + 1}.npy")
            assert np.abs(own - wanted).max() < 1e-12, (name, level)
        if name == "64x96":
            assert np.abs(dual_tree.inverse(low, details) - np.load(folder / f"input_{name}.npy")).max() < 1e-12


def seen(source, recipe, view, engine):
    command_line.process(source, "-o", "view.npy", "--force", "-e", engine, "-f", recipe, "--view", view)
    return np.load("view.npy").squeeze()


def place_of(shape, level, band):
    """Of a band, 1 HL, 2 LH or 3 HH, in the picture of coefficients."""
    height, width = ((n + (1 << level) - 1) >> level for n in shape)
    above, before = ((n + (1 << (level - 1)) - 1) >> (level - 1) for n in shape)
    return (slice(height, above) if band > 1 else slice(0, height),
            slice(width, before) if band % 2 else slice(0, width))


def views_are_those_of_numpy(engine):
    """Both views, and each direction by itself."""
    recipe = "soft-threshold:transform=dual-tree,threshold=0,levels="
    for shape, levels in ((64, 96), 4), ((61, 45), 3):
        samples = np.random.default_rng(3).random(shape, np.float32)
        details = dual_tree.forward(samples.astype(np.float64), levels)[1]
        np.save("in.npy", samples)
        views = [[seen("in.npy", f"{recipe}{levels}", view, engine) for view in pair]
                 for pair in (("coefficients", "filtered-coefficients"), ("falling", "filtered-falling"))]
        for before, after in views:
            assert np.abs(before - after).max() < 2e-6
        for level in range(levels):
            wanted = np.abs(details[level])
            for i, (angle, place) in enumerate(zip(ANGLES, PLACES)):
                own = views[i // 3][0][place_of(samples.shape, level + 1, i % 3 + 1)]
                theirs = gain(level, angle) * wanted[:own.shape[0], :own.shape[1], place]
                unequal = np.abs(own - theirs).max()
                assert theirs.max() > 1e-3 and unequal < 2e-6, (shape, level, angle, unequal)
                alone = seen("in.npy", f"{recipe}{levels}", f"band:{level + 1}:{angle}", engine)
                assert np.array_equal(alone[:own.shape[0], :own.shape[1]],
                                      views[i // 3][1][place_of(samples.shape, level + 1, i % 3 + 1)]), angle
                # By itself it has the last ones of odd lines, too.
                assert alone.shape == wanted.shape[:2], (shape, level, alone.shape)
                unequal = np.abs(alone - gain(level, angle) * wanted[..., place]).max()
                assert unequal < 2e-6, (shape, level, angle, unequal)


def odd_pictures_have_all_coefficients(engine):
    """Each direction of 257 x 255 samples against the transform in NumPy, and as it is shown."""
    samples = np.random.default_rng(8).random((255, 257))
    np.save("odd.npy", samples.astype(np.float32))
    details = dual_tree.forward(samples.astype(np.float32), 5)[1]
    recipe = "soft-threshold:transform=dual-tree,threshold=0,levels=5"
    for level in range(5):
        for angle, place in zip(ANGLES, PLACES):
            wanted = gain(level, angle) * np.abs(details[level][..., place])
            own = seen("odd.npy", recipe, f"band:{level + 1}:{angle}", engine)
            assert own.shape == wanted.shape and np.abs(own - wanted).max() < 4e-6, (level, angle, own.shape)
            if level in (0, 3):
                command_line.process("odd.npy", "-o", "odd.png", "--force", "-e", engine, "-f", recipe, "--view",
                                     f"band:{level + 1}:{angle}")
                shown = pixels.read_png("odd.png")[..., 0].astype(float)
                shown /= 65535 if shown.max() > 255 else 255
                assert shown.shape == own.shape
                dim = (shown > 0.02) & (shown < 0.98)
                power = np.median(shown[dim] / own[dim])
                assert power > 1.99999 and abs(np.log2(power) - round(np.log2(power))) < 0.02, (level, angle, power)
                assert np.abs(shown - np.clip(2 ** round(np.log2(power)) * own, 0, 1)).max() < 2 / 255
    done = command_line.process("odd.npy", "-f", recipe, "-o", "no.npy", "--view", "band:6:15", status=1)
    assert "of 5 levels" in done.stderr, done


def directions_have_names():
    common = ["process", "phantom:64x48", "-f"]
    plain = "soft-threshold:levels=2,threshold=0.1"
    dual = f"{plain},transform=dual-tree"
    for view, signs in ("coefficients", (75, 15, 45)), ("falling", (-75, -15, -45)):
        command_line.run(*common, dual, "-o", "bands.exr", "--force", "--view", view)
        head = pathlib.Path("bands.exr").read_bytes()[:8192]
        for name in ["level2.LL"] + [f"level{level}.{angle}" for level in (1, 2) for angle in signs]:
            assert b"name\0string\0" + len(name).to_bytes(4, "little") + name.encode() in head, name
    for view, recipe, word in (("band:1:15", plain, "dual-tree"), ("band:1:-15", plain, "dual-tree"),
                               ("falling", "gaussian", "dual-tree"), ("band:1:30", dual, "band:2:-15"),
                               ("band:1:0", dual, "band:2:-15")):
        command_line.fails(2 if "30" in view or view.endswith(":0") else 1, word,
                           arguments=[*common, recipe, "-o", "no.npy", "--view", view])
    inside = ["-f", "transform:levels=2,transform=dual-tree", "-f", "soft-threshold", "-f", "inverse"]
    command_line.run(*common[:2], *inside, "-o", "inside.npy", "--view", "band:2:-45")


def magnitudes_are_shown_from_black(engine):
    """With twice the gain of coefficients that have a sign, which keeps 95 % of all within the grey levels."""
    samples = picture()
    pixels.write_png("in.png", samples[..., None])
    recipe = "soft-threshold:transform=dual-tree,threshold=0.02,levels=2"
    for view in "coefficients", "filtered-falling":
        command_line.process("in.png", "-o", "shown.png", "--force", "-e", engine, "-f", recipe, "--view", view)
        got, values = pixels.read_png("shown.png")[..., 0] / FULL, seen("in.png", recipe, view, engine) / FULL
        for level in 1, 2:
            rising = seen("in.png", recipe, "coefficients", engine) / FULL
            parts = [place_of(samples.shape, level, band) for band in (1, 2, 3)]
            reach = np.quantile(np.concatenate([rising[part].ravel() for part in parts]), 0.95, method="inverted_cdf")
            power = 2 * 2.0 ** np.floor(np.log2(0.5 / reach))
            for part in parts:
                assert np.abs(got[part] - np.clip(power * values[part], 0, 1)).max() < 2 / 255, (view, level, power)


def by_numpy(samples, leave, base=1.0):
    """With `leave` of the magnitudes of (level, index of ANGLES), in our gains."""
    low, details = dual_tree.forward(samples / FULL, LEVELS)
    for level, own in enumerate(details):
        for i, (angle, place) in enumerate(zip(ANGLES, PLACES)):
            size = np.maximum(np.abs(own[..., place]), 1e-300) * gain(level, angle)
            own[..., place] *= leave(size, level, i) / size
    return dual_tree.inverse(base * low, details)


def check(got, wanted, samples, most=4e-6):
    assert np.abs(wanted - samples / FULL).max() > 0.02, "nothing was done"
    unequal = np.abs(got - wanted).max()
    assert unequal < most, unequal


def thresholds_equal(engine):
    samples = picture()
    rising = [[0.02, 0.05, 0.03], [0.04, 0.01, 0.02], [0.03, 0.03, 0.01]]
    falling = [[0.06, 0.01, 0.07], [None, 0.03, 0.05], [0, None, 0.06]]
    for rule in "soft", "hard", "garrote":
        def leave(size, level, i):
            own = falling[level][i - 3] if i > 2 else None
            return np.abs(pywt.threshold(size, rising[level][i % 3] if own is None else own, rule))
        got = filtered(samples, f"shrinkage:levels={LEVELS},transform=dual-tree,rule={rule},"
                       f"thresholds={numbers(rising)},falling-thresholds={numbers(falling)}", engine)
        check(got, by_numpy(samples, leave), samples)


def grating(angle, period=11):
    """Lines that rise to the right by `angle` degrees."""
    y, x = np.mgrid[:192, :192]
    across = np.sin(np.deg2rad(angle)) * x + np.cos(np.deg2rad(angle)) * y
    return stored(0.5 + 0.3 * np.sin(2 * np.pi / period * across))


def contrast(samples):
    return (samples - 0.5)[48:-48, 48:-48].std() / (0.3 * np.sqrt(0.5))


def thresholds_of(chosen):
    """That nothing exceeds, of those of ANGLES."""
    values = [int(i in chosen) for i in range(6)]
    return f"thresholds={numbers([values[:3]])},falling-thresholds={numbers([values[3:]])}"


def left(angle, chosen, engine):
    recipe = f"shrinkage:levels=4,transform=dual-tree,{thresholds_of(chosen)}"
    return contrast(filtered(grating(angle), recipe, engine))


def each_acts_on_its_direction(engine):
    for i, angle in enumerate(ANGLES):
        own, other = left(angle, [i], engine), left(-angle, [i], engine)
        print(f"# {engine}, {angle:+d}°: {own:.3f} is left, {other:.3f} of the other")
        assert own < 0.5 and other > own + 0.4, (angle, own, other)
    for angle, chosen in ((45, range(3)), (-45, range(3, 6))):
        own, other = left(angle, chosen, engine), left(-angle, chosen, engine)
        print(f"# {engine}, all that are like {angle:+d}°: {own:.3f}, {other:.3f}")
        assert own < 0.02 and other > 0.98, (angle, own, other)


def gains_equal(engine):
    samples = picture()
    rising, falling = [[1.5, 0, 1], [1, 2, 0.5], [0.7, 1, 1.2]], [[0, 1, 2], [None, None, 4], [1, 0.3, None]]

    def leave(size, level, i):
        own = falling[level][i - 3] if i > 2 else None
        return size * (rising[level][i % 3] if own is None else own)
    got = filtered(samples, f"scale-bands:levels={LEVELS},transform=dual-tree,gains={numbers(rising)},"
                   f"falling-gains={numbers(falling)},base=0.8", engine)
    check(got, by_numpy(samples, leave, 0.8), samples)


# Of HL, LH and HH: HH is shrunk by another rule, and what is left of LH is doubled.
INSIDE = ("shrinkage:rule=hard,thresholds=0:0:0.08 shrinkage:rule=soft,thresholds=0.03:0.02:0 "
          "scale-bands:gains=1:2:1,base=0.9 inverse")


def by_band(values, band):
    if band == 2:
        return pywt.threshold(values, 0.08, "hard")
    return (1 + band) * pywt.threshold(values, (0.03, 0.02)[band], "soft")


def rules_of_bands_equal(engine):
    samples = picture()
    got = filtered(samples, f"transform:levels={LEVELS},transform=dual-tree {INSIDE}", engine)
    check(got, by_numpy(samples, lambda size, level, i: by_band(size, i % 3), 0.9), samples)


def filtered_by_pywavelets(details):
    """Of all levels, the finest first; theirs are LH, HL, HH."""
    scaled = []
    for level, own in enumerate(details):
        scale = 0.5 ** level
        scaled.append(tuple(by_band(values * gain, band) / gain for values, gain, band in
                            zip(own, (scale, scale, 2 * scale), (1, 0, 2))))
    return scaled


def other_transforms_equal(engine):
    samples = picture()
    low, *details = pywt.wavedec2(samples / FULL, "haar", "periodization", LEVELS)
    wanted = pywt.waverec2([0.9 * low, *filtered_by_pywavelets(details[::-1])[::-1]], "haar", "periodization")
    got = filtered(samples, f"transform:wavelet=haar,levels={LEVELS} {INSIDE} border=periodic", engine)
    check(got, wanted, samples)
    levels = pywt.swt2(samples / FULL, "bior4.4", LEVELS)
    shrunk = filtered_by_pywavelets([own for _, own in levels[::-1]])[::-1]
    lows = [0.9 * levels[0][0]] + [low for low, _ in levels[1:]]
    wanted = pywt.iswt2(list(zip(lows, shrunk)), "bior4.4")
    got = filtered(samples, f"transform:wavelet=bior4.4,levels={LEVELS},transform=stationary {INSIDE} "
                   "border=periodic", engine)
    check(got, wanted, samples)


def stationary_gains_equal(engine):
    """Those of a filter by itself are those of one inside."""
    samples = picture()
    words = "gains=1.5:0:1/1:2:0.5,base=0.8"
    own = filtered(samples, f"scale-bands:wavelet=bior4.4,levels=2,transform=stationary,{words} border=periodic", engine)
    levels = pywt.swt2(samples / FULL, "bior4.4", 2)
    gains = (0, 1.5, 1), (2, 1, 0.5)
    shrunk = [tuple(g * v for g, v in zip(gains[1 - i], own)) for i, (_, own) in enumerate(levels)]
    wanted = pywt.iswt2([(0.8 * levels[0][0], shrunk[0]), (levels[1][0], shrunk[1])], "bior4.4")
    check(own, wanted, samples)


def engines_agree():
    samples = picture()[:61, :83]  # extended at every level
    recipe = "shrinkage:levels=4,transform=dual-tree,thresholds=0.1/0.05,falling-thresholds=0.02:auto:0.2/0.08"
    wanted = filtered(samples, recipe, "reference")
    for engine in ENGINES[1:]:
        unequal = np.abs(filtered(samples, recipe, engine) - wanted).max()
        assert unequal < 1e-5, f"{engine}: {unequal}"


def strength_scales_them():
    samples = picture()
    half = filtered(samples, "shrinkage:levels=2,transform=dual-tree,thresholds=0.04,"
                    "falling-thresholds=0.1:auto:0.02 strength=0.5", "cpu")
    wanted = filtered(samples, "shrinkage:levels=2,transform=dual-tree,thresholds=0.02,"
                      "falling-thresholds=0.05:auto:0.01", "cpu")
    assert (half == wanted).all()


CASES = {"gains are those of NumPy": gains_equal,
         "a rule for each band inside the dual tree is NumPy's": rules_of_bands_equal,
         "a rule for each band inside others is PyWavelets'": other_transforms_equal,
         "gains of the stationary transform are PyWavelets'": stationary_gains_equal,
         "thresholds are those of NumPy": thresholds_equal,
         "each threshold acts on its direction": each_acts_on_its_direction}
sys.exit(command_line.run_cases(
    {f"{name}: {engine}": lambda engine=engine, case=case: case(engine)
     for name, case in CASES.items() for engine in ENGINES}
    | {f"odd pictures have all coefficients: {engine}":
       lambda engine=engine: odd_pictures_have_all_coefficients(engine) for engine in ENGINES}
    | {f"views are those of NumPy: {engine}":
       lambda engine=engine: views_are_those_of_numpy(engine) for engine in ENGINES}
    | {f"magnitudes are shown from black: {engine}":
       lambda engine=engine: magnitudes_are_shown_from_black(engine) for engine in ENGINES}
    | {"directions have names": directions_have_names,
       "coefficients are those of dtcwt": lambda: coefficients_are_those_of_dtcwt(pathlib.Path(sys.argv[2])),
       "engines agree on odd sizes": engines_agree,
       "the strength scales them": strength_scales_them}))

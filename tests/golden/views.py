#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Views of what filters do, and colours of grey levels, as the command line writes them.

usage: views.py ONDELETTE_CLI
"""
import os
import pathlib
import sys

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "helpers"))
import pixels  # noqa: E402
from command_line import fails, process, random_picture, run_cases, shared, SOFT  # noqa: E402

ENGINES = ("reference", "cpu", "gl-fragment", "gl-lookup", "gl-compute")
RESIDUAL = ("--view", "residual")


def values(source, *arguments):
    process(source, "-o", "values.tif", "--force", *arguments)
    return pixels.read_tiff("values.tif")[1].astype(float)


def shown(source, *arguments):
    process(source, "-o", "shown.png", "--force", *arguments)
    return pixels.read_png("shown.png").astype(int)


def as_bytes(levels):
    return np.floor(255 * np.clip(levels, 0, 1) + 0.5).astype(int)


def residual_is_what_was_taken_away(engine):
    picture = random_picture(3, np.uint8)
    pixels.write_png("colour.png", picture)
    cases = (("phantom:131x97", ("-f", "median", "-f", SOFT)), ("colour.png", ("-f", "gaussian:sigma=1.2")),
             ("colour.png", ("-f", SOFT, "--colour", "luma")))
    for source, filters in cases:
        original = picture if source == "colour.png" else values(source, "-f", "pass-through", "-e", "cpu")
        common = (*filters, "-e", engine)
        taken = original - values(source, *common)
        assert np.abs(taken).max() > 5
        worst = np.abs(values(source, *common, *RESIDUAL) - taken).max() / 255
        assert worst < 1e-5, f"{source} {filters}: {worst}"


def residual_is_shown_about_grey():
    filters = ("-f", SOFT)
    taken = values("phantom:131x97", *filters, *RESIDUAL) / 255
    assert 0.02 < np.abs(taken).max() < 1, np.abs(taken).max()
    for window, steepness in ((), 1), (("-w", "100,51"), 255 / 50):
        got = shown("phantom:131x97", *filters, *RESIDUAL, *window)
        assert np.abs(got - as_bytes(0.5 + 4 * steepness * taken)).max() <= 1
    # Of a picture that nothing is taken from: grey everywhere.
    assert set(np.unique(shown("phantom:64x64", "-f", "soft-threshold:threshold=0", *RESIDUAL))) <= {127, 128}


def residual_in_bands_is_that_of_the_whole():
    source, filters = "phantom:1500x4000", ("-f", "gaussian:sigma=2")
    taken = values(source, "-f", "pass-through") - values(source, *filters)
    assert np.abs(values(source, *filters, *RESIDUAL) - taken).max() / 255 < 1e-5


def residual_needs_a_filter():
    fails(1, "residual", "no filter", arguments=["process", "phantom:64x64", "-o", "no.png", *RESIDUAL])
    fails(1, "residual", "no filter", arguments=["process", "phantom:64x64", "-o", "no.png", "-f",
                                                 "gaussian:bypass=yes", *RESIDUAL])
    fails(2, "taken away", arguments=["measure", "phantom:64x64", "--length", "0,0,9,9", "-f",
                                      "gaussian view=residual"])
    assert not pathlib.Path("no.png").exists()


def write_details(name, noise, channels=1, frame=0):
    """Waves of several lengths with noise, in a frame of black that wide."""
    height, width = 97, 131
    random = np.random.default_rng(3)
    y, x = np.mgrid[:height, :width]
    waves = sum(size * np.sin(x / length + y / length / 2) for size, length in ((30, 31), (9, 7), (2, 2)))
    picture = 120 + waves[..., None] + random.normal(0, noise, (height, width, channels)) * np.array([1, 3, 2])[:channels]
    picture = np.clip(np.rint(picture), 1, 255).astype(np.uint8)
    pixels.write_png(name, np.pad(picture, ((frame, frame), (frame, frame), (0, 0))))
    return name, height + 2 * frame, width + 2 * frame


def levels_of(height, width, levels):
    """The level of each sample, 0 where there are none, and the place in the picture that it stands for."""
    rows, columns = np.mgrid[:height, :width]
    level, at_row, at_column = np.zeros((height, width), int), rows.copy(), columns.copy()
    for i in range(1, levels + 1):
        within = (rows < height) & (columns < width)
        height, width = (height + 1) // 2, (width + 1) // 2
        own = within & ((rows >= height) | (columns >= width))
        level[own] = i
        at_row[own], at_column[own] = (rows[own] % height) << i, (columns[own] % width) << i
    return level, at_row, at_column


def gains_of(bands, steepness, frame=0, levels=4):
    """The greatest powers of two, to 1024, that keep the 95th percentile within black and white; NaN where it is close."""
    level, row, column = levels_of(*bands.shape[:2], levels)
    inside = (row >= frame) & (row < bands.shape[0] - frame) & (column >= frame) & (column < bands.shape[1] - frame)
    gains = []
    for i in range(1, levels + 1):
        magnitudes = [np.abs(channel[(level == i) & inside]) for channel in np.moveaxis(bands, 2, 0)]
        reach = max(np.quantile(m[m > 1e-6], 0.95, method="inverted_cdf") for m in magnitudes)
        power = np.log2(0.5 / reach / steepness)
        gains.append(np.nan if 0 <= power - np.floor(power) < 0.02 else 2.0 ** np.clip(np.floor(power), 0, 10))
    return np.array(gains)


def details_have_the_gains_that_numpy_finds():
    """Of each level its own, beside a picture that is shown as it is; filtered ones have those of the others."""
    found, skipped = set(), 0
    cases = (("weak.png", 0.3, 1, 0, ()), ("noisy.png", 25, 1, 0, ()), ("colour.png", 6, 3, 0, ()), ("framed.png", 1, 1, 16, ()),
             ("noisy.png", 25, 1, 0, ("-w", "120,31")), ("weak.png", 0.3, 1, 0, ("-w", "120,61")))
    for name, noise, channels, frame, window in cases:
        _, height, width = write_details(name, noise, channels, frame)
        steepness = 255 / (float(window[1].split(",")[1]) - 1) if window else 1
        offset = 0.5 - (120 - 0.5) / 255 * steepness if window else 0
        for transform in "decimated", "stationary":
            view = ("-f", f"soft-threshold:levels=4,threshold=0.02,transform={transform}", *window, "--view")
            bands = values(name, *view[:2], "--view", "coefficients") / 255
            gains = gains_of(bands, steepness, frame)
            found |= {int(gain) for gain in gains if gain == gain}
            skipped += np.isnan(gains).sum()
            level = levels_of(height, width, 4)[0][..., None]
            for kind in "coefficients", "filtered-coefficients":
                own = values(name, *view[:2], "--view", kind) / 255
                got = shown(name, *view, kind)
                own_gain = np.concatenate(([1], gains))[level]
                wanted = np.where(level > 0, 0.5 + own_gain * steepness * own, own * steepness + offset)
                known = np.isfinite(np.broadcast_to(own_gain, wanted.shape))
                worst = np.abs(got - as_bytes(np.nan_to_num(wanted)))[known].max()
                assert worst <= 1, (name, window, transform, kind, gains, worst)
    assert len(found) >= 6 and skipped < 8, (found, skipped)


def engines_show_the_same_gains():
    write_details("noisy.png", 25)
    for view in "coefficients", "level:2":
        first = shown("noisy.png", "-f", SOFT, "--view", view, "-e", "reference")
        for engine in set(ENGINES[1:]) - ({"gl-lookup"} if view == "level:2" else set()):  # which has no such view
            assert np.abs(shown("noisy.png", "-f", SOFT, "--view", view, "-e", engine) - first).max() <= 1, (view, engine)


def one_level_has_half_the_gain_of_its_coefficients():
    name, *_ = write_details("noisy.png", 6)
    filters = ("-f", "soft-threshold:levels=4,threshold=0")
    gains = gains_of(values(name, *filters, "--view", "coefficients") / 255, 1)
    for level in 1, 2, 3, 4:
        alone = values(name, *filters, "--view", f"level:{level}") / 255
        wanted = as_bytes(0.5 + max(gains[level - 1] / 2, 1) * alone)
        assert not np.isnan(gains[level - 1]) and np.abs(shown(name, *filters, "--view", f"level:{level}") - wanted).max() <= 1, level


def dicom_palette(name):
    """Red, green and blue of a palette with 256 entries of 8 bits, from its explicit VR file."""
    data = shared(f"pydicom/palettes/{name}.dcm").read_bytes()
    tables = []
    for element in (b"\x01\x12", b"\x02\x12", b"\x03\x12"):
        at = data.index(b"\x28\x00" + element + b"OW")
        size = int.from_bytes(data[at + 8:at + 12], "little")
        assert size == 256, size
        tables.append(np.frombuffer(data[at + 12:at + 12 + size], np.uint8))
    return np.array(tables).T.astype(int)


def ramp(bits):
    top = (1 << bits) - 1
    steps = np.arange(256) * (top // 255)
    pixels.write_png("ramp.png", np.tile(steps, (2, 1))[..., None].astype(np.uint8 if bits == 8 else np.uint16))


def maps_are_the_published_ones():
    import matplotlib
    ramp(8)
    for name, file in ("hot-iron", "hotiron"), ("pet", "pet"):
        got = shown("ramp.png", "--colour-map", name)
        assert got.shape == (2, 256, 3) and np.array_equal(got[0], dicom_palette(file)), name
    for name in ("viridis", "inferno"):
        wanted = np.floor(255 * np.array(matplotlib.colormaps[name].colors) + 0.5)
        got = shown("ramp.png", "--colour-map", name)
        assert np.abs(got[0] - wanted).max() <= 1, name
    assert np.array_equal(shown("ramp.png", "--colour-map", "grey"), shown("ramp.png"))
    ramp(16)
    deep = shown("ramp.png", "--colour-map", "hot-iron")
    assert np.array_equal(deep[0], 257 * dicom_palette("hotiron"))


def maps_follow_the_window():
    ramp(8)
    table = dicom_palette("hotiron")
    got = shown("ramp.png", "--colour-map", "hot-iron", "-w", "100,51")
    grey = shown("ramp.png", "-w", "100,51")
    assert np.count_nonzero((grey > 0) & (grey < 255)) > 20
    assert np.abs(got[0] - table[grey[0, :, 0]]).max() <= 3  # a level lies between two entries
    # Details have none.
    view = ("-f", "soft-threshold:levels=1,threshold=0", "--view", "analysis")
    coloured = shown("phantom:64x64", *view, "--colour-map", "hot-iron")
    plain = shown("phantom:64x64", *view)
    assert np.abs(coloured[:32, :32] - table[plain[:32, :32, 0]]).max() <= 3
    assert np.array_equal(coloured[32:], np.repeat(plain[32:], 3, axis=2))


def maps_are_for_grey_pictures():
    pixels.write_png("colour.png", random_picture(3, np.uint8))
    said = process("colour.png", "-o", "out.png", "--colour-map", "pet").stderr
    assert "grey pictures" in said, said
    assert np.array_equal(pixels.read_png("out.png"), pixels.read_png("colour.png"))
    common = ["process", "phantom:64x64", "-o"]
    fails(2, "sepia", "viridis", arguments=[*common, "no.png", "--colour-map", "sepia"])
    fails(2, "PNG", arguments=[*common, "no.tif", "--colour-map", "pet"])


def one_band_is_a_part_of_all():
    """Values and what is shown, of odd sizes; names of views that the window has."""
    source, filters = "phantom:75x61", ("-f", "soft-threshold:levels=3,threshold=0.02")
    process(source, *filters, "-o", "all.npy", "--view", "filtered-analysis")
    process(source, *filters, "-o", "all.png", "--view", "filtered-coefficients")
    everything, picture = np.load("all.npy").squeeze(), pixels.read_png("all.png")
    height, width = everything.shape
    for level in 1, 2, 3:
        low = (height + 1) // 2, (width + 1) // 2
        for name, rows, columns in (("LL", slice(0, low[0]), slice(0, low[1])), ("HL", slice(0, low[0]), slice(low[1], width)),
                                    ("LH", slice(low[0], height), slice(0, low[1])),
                                    ("HH", slice(low[0], height), slice(low[1], width))):
            if name == "LL" and level < 3:
                continue
            for end in "npy", "png":
                process(source, *filters, "-o", f"band.{end}", "--force", "--view", f"band:{level}:{name}")
            assert np.array_equal(np.load("band.npy").squeeze(), everything[rows, columns]), (level, name)
            assert np.array_equal(pixels.read_png("band.png").squeeze(), picture.squeeze()[rows, columns]), (level, name)
        height, width = low
    for view, word in (("band:4:HL", "3 levels"), ("band:1:LL", "no such band"), ("band:2", "band:2:HL"), ("band:1:XY", "band:2:HL"),
                       ("level:4", "3 levels"), ("bands", "result, coefficients"), ("result gaussian", "is not a value"), ("bands", "level:1 … level:16, or one band")):
        fails(1 if "4" in view or "LL" in view else 2, word, arguments=[
            "process", source, *filters, "-o", "no.png", "--view", view])
    fails(1, "3 levels", arguments=["process", source, "-f", "soft-threshold:levels=3,transform=dual-tree,threshold=0.1",
                                    "-o", "no-%d.png", "--frames", "1-2", "--view", "level:5"])
    fails(1, "still picture", arguments=["process", "all.png", *filters, "-o", "no.mha", "--view", "band:1:HH"])
    fails(2, "band:", arguments=["process", source, *filters, "-o", "no.dcm", "--view", "band:1:HH"])
    fails(2, "--crop", arguments=["process", source, *filters, "-o", "no.png", "--view", "band:1:HH", "--crop", "1,1,9,9"])


def stationary_bands_have_all_samples(engine):
    """Every 2^level-th of which a view of all bands has, those between for what is high; filtered, too, and inside a transform.

    For one band shaders are compiled anew, between draws: those of a step may still be at work when it is read."""
    uncached = {**os.environ, "MESA_SHADER_CACHE_DISABLE": "1"}
    source = "phantom:75x61"
    measuring = [("-f", "bayes-shrink:levels=2,transform=stationary")] if engine in ("reference", "cpu", "gl-compute") else []
    for filters in (("-f", "soft-threshold:levels=2,threshold=0.02,transform=stationary"), *measuring,
                    ("-f", "transform:levels=2,transform=stationary", "-f", "soft-threshold:threshold=0.02", "-f", "inverse")):
        process(source, *filters, "-o", "all.npy", "--force", "--view", "filtered-analysis", "-e", engine)
        everything = np.load("all.npy").squeeze()
        height, width = everything.shape
        for level in 1, 2:
            low = (height + 1) // 2, (width + 1) // 2
            for band, name in enumerate(("LL", "HL", "LH", "HH")):
                if name == "LL" and level < 2:
                    continue
                process(source, *filters, "-o", "band.npy", "--force", "--view", f"band:{level}:{name}", "-e", engine,
                        env=uncached if (level, name) == (2, "HH") else None)
                whole, half = np.load("band.npy").squeeze(), 2 ** (level - 1)
                assert whole.shape == everything.shape, (level, name, whole.shape)
                right, below = band % 2, band // 2
                few = everything[low[0] if below else 0:height if below else low[0], low[1] if right else 0:width if right else low[1]]
                got = whole[below * half::2 * half, right * half::2 * half]
                assert np.abs(got - few).max() < 1e-4 * max(np.abs(few).max(), 1), (filters, level, name)
            height, width = low
    said = process(source, *filters, "-o", "no.npy", "--view", "band:3:HL", "-e", engine, status=1).stderr
    assert "2 levels" in said, said


def kernels_of_sum_0_are_shown_about_grey(engine):
    """As far to each side as the file's window, or full range, is wide, times an eighth of what the kernel can make."""
    np.save("slope.npy", np.outer([1, 1, 1], [1, 0, -1.00001]).astype(np.float32))
    pixels.write_png("colour.png", random_picture(3, np.uint8))
    ct = shared("pydicom/CT_small.dcm")  # from -896 to 1167 HU
    for source, kernel, swing, full in (("phantom:131x97", "shape=sobel-x", 4, 256), ("phantom:131x97", "shape=laplace-3", 4, 256),
                                        ("phantom:131x97", "shape=laplace-5,border=symmetric", 24, 256),
                                        ("colour.png", "shape=sobel-y", 4, 256), (ct, "shape=quadrature,part=imaginary", 0.5, 2064),
                                        ("phantom:131x97", "kernel=slope.npy", 3, 256), (ct, "shape=sobel-y,border=symmetric", 4, 2064)):
        common = ("-e", engine, "--colour", "channels", "-f", f"convolve:{kernel}")
        taken = values(source, *common)
        ramp = 255 * swing / 4 if source == "colour.png" else full * swing / 4 - 1
        assert taken.min() < -ramp / 9 and taken.max() > ramp / 9, (source, kernel, taken.min(), taken.max(), ramp)
        got = shown(source, *common).squeeze() / (1 if full == 256 else 257)  # 16 bits of CT
        worst = np.abs(got - as_bytes(0.5 + taken / ramp).squeeze()).max()
        assert worst <= 1, (source, kernel, worst)


def other_results_keep_their_window():
    """A kernel whose sum is not 0, one that is not the last, and windows that somebody chose."""
    mean, sobel, window = ("-f", "convolve:kernel=mean.npy"), ("-f", "convolve:shape=sobel-x"), ("-w", "100,51")
    np.save("mean.npy", np.full((3, 3), 0.125, np.float32))
    for filters in mean, (*sobel, "-f", "gaussian"), (*sobel, "-f", "gaussian:bypass=yes", *window):
        ramp, black = (50, 100 - 25.5) if window[0] in filters else (255, 0)
        got = shown("phantom:131x97", *filters)
        plain = [word for word in filters if word not in window]
        assert np.abs(got - as_bytes((values("phantom:131x97", *plain) - black) / ramp)).max() <= 1, filters
    bypassed = shown("phantom:131x97", *sobel, "-f", "gaussian:bypass=yes")
    assert np.array_equal(bypassed, shown("phantom:131x97", *sobel))
    assert 120 < np.median(bypassed) < 135, np.median(bypassed)


CASES = {
    **{f"kernels whose sum is 0 are shown about mid-grey by {engine}":
       lambda name=engine: kernels_of_sum_0_are_shown_about_grey(name) for engine in ENGINES if engine != "gl-lookup"},
    "other results keep their window": other_results_keep_their_window,
    **{f"the residual of {engine} is the original less the result":
       lambda name=engine: residual_is_what_was_taken_away(name) for engine in ENGINES},
    "the residual is shown about mid-grey, with the gain that the legend names": residual_is_shown_about_grey,
    "the residual of a large picture is that of the whole": residual_in_bands_is_that_of_the_whole,
    "the residual needs a filter, and is not measured": residual_needs_a_filter,
    "details have the gains that NumPy finds, level by level": details_have_the_gains_that_numpy_finds,
    "all engines show the same gains": engines_show_the_same_gains,
    "one level has half the gain of its coefficients": one_level_has_half_the_gain_of_its_coefficients,
    "one band is a part of all": one_band_is_a_part_of_all,
    **{f"bands of the stationary transform have all samples by {engine}":
       lambda name=engine: stationary_bands_have_all_samples(name) for engine in ENGINES},
    "colour maps are those of DICOM and of matplotlib": maps_are_the_published_ones,
    "colour maps follow the window, and leave details grey": maps_follow_the_window,
    "colour maps are for grey pictures in PNG files": maps_are_for_grey_pictures,
}


sys.exit(run_cases(CASES))

#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Two pictures band by band, and illumination and texture, against PyWavelets and NumPy.

PyWavelets' bior4.4 is CDF 9/7 but for the scale of its bands, which combining does not see; its
mode periodization is our periodic border.

usage: stylise.py ONDELETTE_CLI
"""
import os
import pathlib
import sys

import numpy as np
import pywt

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "helpers"))
import pixels  # noqa: E402
from command_line import fails, process, random_picture, run_cases  # noqa: E402

ENGINES = ["cpu", "reference"]
LEVELS = 3
WAVELET = "bior4.4", "periodization"
LUMA = np.array([0.299, 0.587, 0.114])
BOUND = 2e-6


def picture(channels, seed, height=72, width=96):
    """Smooth, with noise on it: bands of either picture win."""
    random = np.random.default_rng(seed)
    smooth = random.normal(0, 1, (height, width, channels)).cumsum(0).cumsum(1)
    smooth = (smooth - smooth.min()) / np.ptp(smooth)
    return np.rint(65535 * (0.7 * smooth + 0.3 * random.random(smooth.shape))).astype(np.uint16)


def filtered(samples, recipe, *more, border="periodic"):
    pixels.write_png("in.png", samples)
    process("in.png", "-o", "out.tif", "--force", "-f", f"{recipe} border={border}", *more)
    return pixels.read_tiff("out.tif")[1].astype(np.float64) / np.iinfo(samples.dtype).max


def bands(plane):
    """The finest level last; of each HL, LH and HH."""
    low, *details = pywt.wavedec2(plane, *WAVELET, level=LEVELS)
    return low, [(v, h, d) for h, v, d in details]


def joined(low, details):
    return pywt.waverec2([low] + [(h, v, d) for v, h, d in details], *WAVELET)


def larger(a, b, scale):
    """A tie, in our scale, is the first one's."""
    return np.where(scale * np.abs(b) > scale * np.abs(a) + 2e-6, b, a)


def added(a, b, scale):
    return a + b


def stylised(a, b, rule, first, second, bases):
    """first, second: of each level, finest first, the shares of HL, LH and HH."""
    (low, details), (other_low, others) = bands(a), bands(b)
    combined = [tuple(rule(s * x, t * y, 0.5 ** l * gain)
                      for x, y, s, t, gain in zip(own, other, first[l], second[l], (1, 1, 2)))
                for l, (own, other) in enumerate(zip(details[::-1], others[::-1]))]
    return joined(bases[0] * low + bases[1] * other_low, combined[::-1])


def every_band(engine):
    """Both rules, in grey and in colour, one with the other."""
    first, second = [(1, 0.5, 2), (1,) * 3, (0.25,) * 3], [(1,) * 3, (0.5, 0, 3), (1.5,) * 3]
    shares = "first=1:0.5:2/1/0.25,second=1/0.5:0:3/1.5"
    for rule, function in (("maximum", larger), ("sum", added)):
        for channels, others in ((1, 1), (3, 3), (3, 1), (1, 3)):
            a, b = picture(channels, 1), picture(others, 12)
            pixels.write_png("second.png", b)
            got = filtered(a, f"stylise:with=second.png,rule={rule},levels={LEVELS},{shares},"
                           "first-base=0.5,second-base=0.25", "-e", engine)
            b = b / 65535
            if channels < others:
                b = b @ LUMA[:, None]
            for c in range(channels):
                wanted = stylised(a[..., c] / 65535, b[..., min(c, b.shape[2] - 1)], function,
                                  first, second, (0.5, 0.25))
                error = np.abs(got[..., c] - wanted).max()
                assert error < BOUND, f"{rule}, {channels} with {others}, {c}: {error}"


def of_the_luma():
    a, b = picture(3, 3), picture(3, 4)
    pixels.write_png("second.png", b)
    got = filtered(a, f"stylise:with=second.png,levels={LEVELS} colour=luma")
    before, after = a / 65535, b / 65535 @ LUMA
    ones = [(1,) * 3] * LEVELS
    wanted = stylised(before @ LUMA, after, larger, ones, ones, (1, 0))
    wanted = before + (wanted - before @ LUMA)[..., None]
    assert np.abs(got - wanted).max() < BOUND


def neutral():
    """Nothing of the second picture; all of illumination and texture."""
    for channels in (1, 3):
        a = random_picture(channels, np.uint8)
        pixels.write_png("second.png", random_picture(1, np.uint8, seed=2))
        for recipe in ("stylise:with=second.png,second=0", "stylise:with=second.png,second=0,rule=sum",
                       "decouple:illumination=1", "decouple:illumination=1,levels=9,least=0.01"):
            got = filtered(a, recipe)
            assert np.abs(got - a / 255).max() < BOUND, recipe
    # All of the second picture.
    pixels.write_png("second.png", a)
    got = filtered(random_picture(3, np.uint8, seed=5),
                   "stylise:with=second.png,first=0,first-base=0,second-base=1")
    assert np.abs(got - a / 255).max() < BOUND


def sector(channels, seed):
    """A picture with black around it, and some black inside."""
    samples = picture(channels, seed) // 256 * 256 + 2560
    y, x = np.mgrid[:72, :96]
    samples[np.hypot(y + 20, x - 48) > 75] = 0
    samples[30:33, 40:60] = 0
    return samples


def low_band(plane):
    low, details = bands(plane)
    return joined(low, [tuple(0 * d for d in own) for own in details])


def inside(plane, black):
    padded = np.pad(plane, 1, "reflect")
    height, width = plane.shape
    return np.max([padded[y:y + height, x:x + width] for y in range(3) for x in range(3)],
                  0) > black


def decoupled(samples, illumination, texture, brightness, least, black=1e-4):
    grey = samples @ LUMA if samples.shape[2] == 3 else samples[..., 0]
    place = np.maximum(low_band(inside(grey, black).astype(float)), 0.1)
    result = np.empty_like(samples)
    for c in range(samples.shape[2]):
        f = samples[..., c]
        light = np.maximum(low_band(f) / place, least)
        wanted = (1 - illumination) * brightness + illumination * light
        own = texture * f * wanted / light + (1 - texture) * wanted
        result[..., c] = np.where(inside(f, black), own, f)
    return result


def light_and_texture(engine):
    for channels in (1, 3):
        samples = sector(channels, 6)
        for shares in ((0, 1, 0.4, 0.05), (1, 0, 0.4, 0.05), (0.5, 1.5, 0.2, 0.3)):
            text = "illumination={},texture={},brightness={},least={}".format(*shares)
            got = filtered(samples, f"decouple:levels={LEVELS},{text}", "-e", engine)
            wanted = decoupled(samples / 65535, *shares)
            error = np.abs(got - wanted).max()
            assert error < 1e-5, f"{channels}, {text}: {error}"


def gain_is_flattened():
    """The same texture at all depths, once the gain is gone."""
    random = np.random.default_rng(7)
    gain = np.linspace(0.2, 0.9, 256)[:, None]
    texture = np.minimum(random.rayleigh(0.4, (256, 128)), 1)
    samples = np.rint(255 * gain * texture).astype(np.uint8)[..., None]
    rows = [filtered(samples, recipe, border="symmetric").mean((1, 2)).reshape(8, 32).mean(1)
            for recipe in ("pass-through", "decouple")]
    before, after = (np.ptp(own) / own.mean() for own in rows)
    assert before > 0.8 and after < 0.1, (before, after)


def small_and_empty():
    for shape in ((1, 1, 1), (1, 1, 3), (1, 37, 1), (53, 1, 3), (2, 2, 1)):
        for samples in (np.full(shape, 200, np.uint8), np.zeros(shape, np.uint8)):
            pixels.write_png("second.png", samples)
            for engine in ENGINES:
                got = filtered(samples, "decouple", "-e", engine)
                wanted = 0.4 if samples.any() else 0
                assert np.abs(got - wanted).max() < 1e-6, (shape, got)
                got = filtered(samples, "stylise:with=second.png", "-e", engine)
                assert np.abs(got - samples / 255).max() < BOUND, shape


def no_numbers():
    """NaN counts as the least sample, as everywhere."""
    samples = np.random.default_rng(8).random((32, 32)).astype(np.float32)
    samples[5, 7] = np.nan
    samples[20] = np.inf
    with open("in.mha", "wb") as out:
        out.write(b"ObjectType = Image\nNDims = 2\nDimSize = 32 32\nElementType = MET_FLOAT\n"
                  b"ElementByteOrderMSB = False\nElementDataFile = LOCAL\n" + samples.tobytes())
    for engine in ENGINES:
        for recipe in ("decouple", "stylise:with=in.mha"):
            process("in.mha", "-o", "out.tif", "--force", "-f", recipe, "-e", engine)
            assert np.isfinite(pixels.read_tiff("out.tif")[1]).all(), recipe


def refused():
    pixels.write_png("in.png", random_picture(1, np.uint8))
    pixels.write_png("small.png", random_picture(1, np.uint8, height=5))
    arguments = ["process", "in.png", "-o", "out.png", "-f"]
    fails(1, "small.png", "53 × 5", "53 × 37", "same size",
          arguments=[*arguments, "stylise:with=small.png"])
    fails(2, "stylise:with=FILE", arguments=[*arguments, "stylise"])
    fails(2, "17 entries", arguments=[*arguments, "stylise:with=in.png,first=" + "1/" * 16 + "1"])
    fails(2, "outside", arguments=[*arguments, "stylise:with=in.png,second=-1"])
    fails(2, "outside", arguments=[*arguments, "decouple:least=0"])
    assert not os.path.exists("out.png")


def moving_pictures():
    """Every frame with the same second picture."""
    pixels.write_png("second.png", picture(1, 9))
    recipe = "stylise:with=second.png,second=2"
    process("phantom:96x72", "-o", "%d.tif", "--frames", "1-2", "-f", recipe)
    process("phantom:96x72", "-o", "in-%d.png", "--frames", "1-2")
    for n in (1, 2):
        process(f"in-{n}.png", "-o", "still.tif", "--force", "-f", recipe)
        one, other = (pixels.read_tiff(name)[1] for name in (f"{n}.tif", "still.tif"))
        assert np.abs(one - other).max() < 255 * BOUND


sys.exit(run_cases(
    {f"{engine} combines the bands that PyWavelets has": lambda engine=engine: every_band(engine)
     for engine in ENGINES}
    | {f"{engine} decouples as NumPy does": lambda engine=engine: light_and_texture(engine)
       for engine in ENGINES}
    | {"the luma alone is stylised": of_the_luma,
       "neutral shares change nothing": neutral,
       "gain is flattened": gain_is_flattened,
       "small and empty pictures have a defined result": small_and_empty,
       "what is no number stays alone": no_numbers,
       "what does not fit is refused": refused,
       "moving pictures keep their second picture": moving_pictures}))

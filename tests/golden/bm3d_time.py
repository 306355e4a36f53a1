#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""BM3D of several frames, by what src/image/bm3d/time.h and follow.h say, in NumPy; its decibels.

usage: bm3d_time.py ONDELETTE_CLI
"""
import pathlib
import sys

import numpy as np
import pywt.data
from scipy import fft, linalg, ndimage

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "helpers"))
import bm3d_parts as parts  # noqa: E402
import command_line  # noqa: E402
import mha  # noqa: E402
import pixels  # noqa: E402
from once import once  # noqa: E402

NEAR, HOLD = 3, 0.2
MOST, ALONG, FARTHEST = (16, 32), (8, 16), (4, 0.64)
FARTHEST_WHITENED = 12


def spread(blocks, own, place):
    """The sum of squared differences of two blocks."""
    return ((blocks[place] - blocks[own]) ** 2).sum()


def follow(blocks, own, way, farthest):
    """How a block moves from frame to frame."""
    shape, moves = np.array(blocks.shape[1:3]) - 1, []
    start = at = before = np.array(own[1:])
    for frame in way:
        expected = np.clip(2 * at - before, start - parts.REACH, start + parts.REACH)
        corner = np.clip(expected - NEAR, 0, shape)
        best, least = None, farthest
        for place in corner + np.array(list(np.ndindex(2 * NEAR + 1, 2 * NEAR + 1))):
            if (place > shape).any() or (abs(place - start) > parts.REACH).any():
                continue
            distance = spread(blocks, own, (frame, *place))
            value = distance - HOLD * farthest * (place == expected).all()
            if distance <= farthest and value < least:
                best, least = place, value
        if best is None:
            break
        moves.append((frame, *(best - start)))
        before, at = at, best
    return moves


def group(blocks, centre, y, x, ways, second, farthest):
    """Places of a group: time, block, (frame, y, x)."""
    own = (centre, y, x)
    alone = [(centre, *place) for place in parts.group(blocks[centre], y, x, MOST[second], farthest).T]
    before, behind = (follow(blocks, own, way, farthest) for way in ways)
    moves = before[::-1] + [(centre, 0, 0)] + behind

    def along(place):
        return [(frame, place[1] + dy, place[2] + dx) for frame, dy, dx in moves]

    def stays(place):
        return all(abs(v - y) <= parts.REACH and abs(u - x) <= parts.REACH and 0 <= v < blocks.shape[1]
                   and 0 <= u < blocks.shape[2] and spread(blocks, place, (f, v, u)) <= farthest
                   for f, v, u in along(place))

    kept = [place for place in alone if stays(place)][:min(ALONG[second], 128 // len(moves))]
    kept = kept[:1 << (len(kept).bit_length() - 1)]
    if len(moves) == 1 or len(kept) * len(moves) < len(alone):
        return np.array([alone])
    return np.array([along(place) for place in kept]).transpose(1, 0, 2)


def run_pass(frames, guides, searched, centre, ways, sigma, profile, sums, weights):
    """Blocks are compared in `searched`; profile None: noise is white."""
    second = guides is not None
    farthest = (FARTHEST[second] if profile is None else FARTHEST_WHITENED) * (parts.SIDE * sigma) ** 2
    forward = fft.dct(np.eye(parts.SIDE), norm="ortho", axis=0) if second else parts.wavelets()
    blocks = np.lib.stride_tricks.sliding_window_view(frames, (parts.SIDE, parts.SIDE), (1, 2))
    seen = np.lib.stride_tricks.sliding_window_view(guides, (parts.SIDE, parts.SIDE), (1, 2)) if second else blocks
    compared = np.lib.stride_tricks.sliding_window_view(searched, (parts.SIDE, parts.SIDE), (1, 2))
    noise = parts.Noise(profile, forward) if profile is not None else None
    window = np.outer(np.kaiser(parts.SIDE, 2), np.kaiser(parts.SIDE, 2))
    for y in parts.places(frames.shape[1]):
        for x in parts.places(frames.shape[2]):
            at = group(compared, centre, y, x, ways, int(second), farthest)
            index = tuple(at.transpose(2, 0, 1))
            matrices = (fft.dct(np.eye(len(at)), norm="ortho", axis=0),
                        linalg.hadamard(at.shape[1]) / np.sqrt(at.shape[1]), forward, forward)
            rows = "st,gh,ij,lk,thjk->sgil"
            found = np.einsum(rows, *matrices, blocks[index], optimize=True)
            variances = np.ones(found.shape)
            if noise is not None:
                variances = noise.of_group(at.reshape(-1, 3), np.kron(*matrices[:2])).reshape(found.shape)
            if second:
                squares = np.einsum(rows, *matrices, seen[index], optimize=True) ** 2
                factors = squares / (squares + (1 if noise is None else 1.5) * sigma ** 2 * variances)
            else:
                factors = (abs(found) > 2.7 * sigma * np.sqrt(variances)).astype(float)
            if noise is not None:
                factors[0, 0, 0, 0] = 1  # the mean of the group stays
            weight = 1 / max((factors ** 2 * variances).sum(), 1e-3 if second else 1)
            back = [np.linalg.inv(matrix) for matrix in matrices]
            result = np.einsum(rows, *back, found * factors, optimize=True)
            for (frame, v, u), block in zip(at.reshape(-1, 3), result.reshape(-1, parts.SIDE, parts.SIDE)):
                sums[frame, v:v + parts.SIDE, u:u + parts.SIDE] += weight * window * block
                weights[frame, v:v + parts.SIDE, u:u + parts.SIDE] += weight * window


@once
def filtered(frames, sigma, half, profile=None):
    """All results of a sequence, time after time."""
    whitened = None
    if profile is not None:
        whitened = np.array([ndimage.convolve(frame, parts.whitening(profile), mode="mirror") for frame in frames])
    last, results = len(frames) - 1, []
    first_sums, second_sums = ([np.zeros_like(frames) for _ in range(2)] for _ in range(2))
    for time in range(half, last + half + 1):
        newest = min(time, last)
        oldest = max(newest - 2 * half, 0)
        anew = time == half or time <= min(2 * half, last)
        if anew:
            for of in first_sums + second_sums:
                of[:] = 0
        for centre in range(newest + 1) if anew else [time] * (time <= last):
            run_pass(frames, None, frames if whitened is None else whitened, centre,
                     (range(centre - 1, oldest - 1, -1), range(centre + 1, newest + 1)), sigma, profile, *first_sums)
        with np.errstate(invalid="ignore"):
            guides = first_sums[0] / first_sums[1]
        for centre in range(newest + 1) if anew else [time - half]:
            run_pass(frames, guides, guides if whitened is None else whitened, centre,
                     (range(centre - 1, oldest - 1, -1), range(centre + 1, newest + 1)), sigma, profile, *second_sums)
        centre = time - half
        results.append(second_sums[0][centre] / second_sums[1][centre])
    return np.array(results)


def process(frames, recipe, engine, *more):
    mha.write("in.mha", frames[:, None].astype("f4"), mha.UNIT)
    done = command_line.process("in.mha", "-o", "out-%d.tif", "--force", "-f", recipe, "-e", engine, *more)
    return np.array([pixels.read_tiff(f"out-{k + 1}.tif")[1][..., 0] for k in range(len(frames))]), done.stderr


def by_what_is_said(engine):
    for half, shape, n in ((1, (20, 25), 4), (2, (17, 20), 5))[:2 if engine == "cpu" else 1]:
        rng = np.random.default_rng(half)
        # Too little for a cut.
        clean = np.kron(0.4 + 0.1 * rng.integers(0, 4, (6, 6)), np.ones((8, 8)))
        frames = np.array([clean[k:shape[0] + k, 2 * k:shape[1] + 2 * k] for k in range(n)])
        frames = np.clip(frames + rng.normal(0, 0.07, frames.shape), 0, 1).astype("f4")
        got, _ = process(frames, f"bm3d:sigma=0.07,frames={2 * half + 1}", engine)
        unequal = np.abs(got - filtered(frames.astype(float), 0.07, half)).max(axis=(1, 2))
        assert (unequal < 2e-5).all(), f"{2 * half + 1} frames: {unequal}"


def by_what_is_said_of_noise(engine):
    profile = np.array([[float(f"{value:.4g}") for value in row]
                        for row in parts.profile_of(parts.coloured((256, 256)), 1)])
    rng = np.random.default_rng(4)
    clean = np.kron(0.4 + 0.1 * rng.integers(0, 4, (6, 6)), np.ones((8, 8)))
    frames = np.array([clean[k:20 + k, 2 * k:23 + 2 * k] + 0.07 * parts.coloured((20, 23), seed=k) for k in range(4)])
    frames = np.clip(frames, 0, 1).astype("f4")
    recipe = f"bm3d:sigma=0.07,frames=3,profile={parts.text(profile)}"
    got, _ = process(frames, recipe, engine)
    unequal = np.abs(got - filtered(frames.astype(float), 0.07, 1, profile)).max(axis=(1, 2))
    assert (unequal < 2e-5).all(), unequal
    white, _ = process(frames, "bm3d:sigma=0.07,frames=3", engine)
    assert np.abs(got - white).max() > 0.01  # of white noise it would be another picture


def psnr(samples, clean):
    return 10 * np.log10(1 / ((samples - clean) ** 2).mean())


def leaves_less_noise():
    """Of what stands still nearly as much as of the mean of the frames, of what moves 0.7 dB and more."""
    picture = pywt.data.camera()[100:356, 100:356] / 255
    for name, move in (("still", lambda k: picture),
                       ("moved", lambda k: ndimage.shift(picture, (0.7 * k, 1.3 * k), order=3, mode="mirror")),
                       ("turned", lambda k: ndimage.rotate(picture, 0.4 * k, reshape=False, mode="mirror"))):
        clean = np.array([np.clip(move(k), 0, 1)[64:192, 64:192] for k in range(6)])
        noisy = clean + np.random.default_rng(7).normal(0, 25 / 255, clean.shape)
        # No sample is cut off.
        levels = [psnr(process(noisy / 2 + 0.25, f"bm3d:sigma={25 / 510},frames={n}", "cpu")[0][3] * 2 - 0.5, clean[3])
                  for n in (1, 3)]
        print(f"# {name}: {levels[0]:.2f} dB, with three frames {levels[1]:.2f}")
        assert levels[1] >= levels[0] + 0.7, name
        if name == "still":
            mean = process(noisy[2:5].mean(axis=0)[None] / 2 + 0.25, f"bm3d:sigma={25 / 510 / np.sqrt(3)}", "cpu")[0][0]
            print(f"# the mean of three: {psnr(mean * 2 - 0.5, clean[3]):.2f}")
            assert levels[1] >= psnr(mean * 2 - 0.5, clean[3]) - 0.5


def profile_pays():
    """Three frames with the profile of their noise, beside one frame with it, and three with one sigma."""
    picture = pywt.data.camera()[100:356, 100:356] / 255
    profile = parts.text(parts.profile_of(parts.coloured((512, 512)), 1))
    clean = np.array([np.clip(ndimage.shift(picture, (0.7 * k, 1.3 * k), order=3, mode="mirror"), 0, 1)[64:192, 64:192]
                      for k in range(6)])
    noisy = clean + 25 / 255 * np.array([parts.coloured((128, 128), seed=k) for k in range(6)])
    levels = [psnr(process(noisy / 2 + 0.25, f"bm3d:sigma={25 / 510}{more}", "cpu")[0][3] * 2 - 0.5, clean[3])
              for more in (",frames=3", f",profile={profile}", f",profile={profile},frames=3")]
    print("# moved, noise smoothed by 2 and 0.7 pixels: three frames {:.2f} dB, one with a profile {:.2f}, "
          "three with it {:.2f}".format(*levels))
    assert levels[2] >= max(levels[:2]) + 0.7, levels


def cuts_end_it():
    """Behind a cut, in a single frame, and where a file has but one, the form of one frame is the result."""
    rng = np.random.default_rng(5)
    frames = np.clip(np.where(np.arange(4)[:, None, None] == 2, 0.8, 0.2) + rng.normal(0, 0.05, (4, 20, 30)), 0, 1)
    alone, _ = process(frames, "bm3d:sigma=0.05", "cpu")
    got, _ = process(frames, "bm3d:sigma=0.05,frames=3", "cpu")
    unequal = [(a != b).any() for a, b in zip(alone, got)]
    assert unequal == [True, True, False, False], unequal
    single, said = process(frames[2:3], "bm3d:sigma=0.05,frames=3", "cpu")
    assert (single[0] == alone[2]).all() and "1 frame" in said, said


CASES = {f"by what is said of it, on {engine}": lambda engine=engine: by_what_is_said(engine)
         for engine in ("cpu", "reference", "gl-compute")}
CASES |= {f"noise that is not white, on {engine}": lambda engine=engine: by_what_is_said_of_noise(engine)
          for engine in ("cpu", "reference", "gl-compute")}
CASES["leaves less noise than one frame"] = leaves_less_noise
CASES["a profile pays"] = profile_pays
CASES["ends at cuts"] = cuts_end_it
sys.exit(command_line.run_cases(CASES))

# SPDX-License-Identifier: MIT
"""What both forms of BM3D have in common, in NumPy."""
import numpy as np
import pywt
from scipy import fft, linalg, ndimage

SIDE, REACH, STEP = 8, 19, 3
COSINES = fft.dct(np.eye(SIDE), norm="ortho", axis=0)
LEAST_SHARE, LEAST_VARIANCE = 0.05, 1e-6  # of coefficients of noise that is not white


def wavelets():
    """Three levels of bior1.5 with periodic borders, rows of norm 1."""
    short = {"mode": "periodization", "level": 1}
    rows = np.eye(SIDE)
    for n in (8, 4, 2):
        level = np.eye(SIDE)
        level[:n, :n] = np.array([np.concatenate(pywt.wavedec(e, "bior1.5", **short)) for e in np.eye(n)]).T
        rows = level @ rows
    return rows / np.linalg.norm(rows, axis=1)[:, None]


def places(length):
    return sorted({*range(0, length - SIDE + 1, STEP), length - SIDE})


def group(blocks, y, x, most, farthest):
    """Where the blocks are that look like the one at y, x: a power of two of them."""
    top, left = max(y - REACH, 0), max(x - REACH, 0)
    window = blocks[top:y + REACH + 1, left:x + REACH + 1]
    distances = ((window - blocks[y, x]) ** 2).sum(axis=(2, 3))
    distances[y - top, x - left] = -1
    order = np.argsort(distances, axis=None, kind="stable")[:most]
    order = order[distances.flat[order] <= farthest]
    n = 1 << (len(order).bit_length() - 1)
    return np.array(np.unravel_index(order[:n], distances.shape)) + [[top], [left]]


def correlations(profile):
    """Of samples so many rows and columns apart, in σ²: what has that profile, by 64 equations of the variances."""
    lags = np.abs(np.subtract.outer(np.arange(SIDE), np.arange(SIDE)))
    along = np.array([[np.sum(np.outer(row, row)[lags == lag]) for lag in range(SIDE)] for row in COSINES])
    return linalg.solve(np.kron(along, along), profile.ravel() ** 2).reshape(SIDE, SIDE)


class Noise:
    """The covariance of each coefficient of two blocks, by the sums over all pairs of their samples."""

    def __init__(self, profile, forward):
        self.far = np.zeros((64, 64))
        self.far[:SIDE, :SIDE] = correlations(profile)
        self.forward, self.known = forward, {}

    def of_blocks(self, dy, dx):
        if (dy, dx) not in self.known:
            rows, columns = (np.abs(np.subtract.outer(np.arange(SIDE), np.arange(SIDE)) + d) for d in (dy, dx))
            samples = self.far[rows[:, :, None, None], columns]  # y, y', x, x'
            self.known[dy, dx] = np.einsum("ia,ib,jc,jd,abcd->ij", *[self.forward] * 4, samples, optimize=True)
        return self.known[dy, dx]

    def of_group(self, places, along):
        """Of blocks at (frame, row, column), behind a matrix along all of them; frames are strangers."""
        pairs = np.array([[self.of_blocks(abs(a[1] - b[1]), abs(a[2] - b[2])) * (a[0] == b[0]) for b in places]
                          for a in places])
        least = self.of_blocks(0, 0) * LEAST_SHARE + LEAST_VARIANCE
        return np.maximum(np.einsum("ij,ik,jkyx->iyx", along, along, pairs, optimize=True), least)


def whitening(profile):
    """The kernel that makes noise white: 1 / sqrt of its power + 0.05, of 32 x 32 points, its ends made less."""
    lags = np.minimum(np.arange(32), 32 - np.arange(32))
    known = np.zeros((17, 17))
    known[:SIDE, :SIDE] = correlations(profile)
    power = np.maximum(np.fft.fft2(known[np.ix_(lags, lags)]).real, 0)
    taps = np.arange(-8, 9)
    kernel = np.fft.ifft2(1 / np.sqrt(power + 0.05)).real[np.ix_(taps, taps)]
    kernel *= np.sqrt(np.outer(np.cos(np.pi * taps / 18), np.cos(np.pi * taps / 18)))
    left = np.abs(np.fft.fft2(kernel, (64, 64))) ** 2
    lags = np.minimum(np.arange(64), 64 - np.arange(64))
    noise = np.zeros((33, 33))
    noise[:SIDE, :SIDE] = known[:SIDE, :SIDE]
    return kernel / np.sqrt((left * np.fft.fft2(noise[np.ix_(lags, lags)]).real).mean())


def coloured(shape, along=2.0, down=0.7, seed=11):
    noise = ndimage.gaussian_filter(np.random.default_rng(seed).normal(0, 1, shape), (down, along), mode="wrap")
    return noise / noise.std()


def profile_of(noise, sigma):
    """The deviations of the coefficients of all blocks, of σ."""
    blocks = np.lib.stride_tricks.sliding_window_view(noise, (SIDE, SIDE))
    coefficients = np.einsum("ia,yxab,jb->yxij", COSINES, blocks, COSINES, optimize=True)
    return np.sqrt((coefficients ** 2).mean(axis=(0, 1))) / sigma


def text(profile):
    return "/".join(":".join(f"{value:.4g}" for value in row) for row in profile)

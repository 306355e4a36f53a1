# SPDX-License-Identifier: MIT
"""What both forms of BM3D have in common, in NumPy."""
import numpy as np
import pywt

SIDE, REACH, STEP = 8, 19, 3


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

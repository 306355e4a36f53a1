# SPDX-License-Identifier: MIT
"""Kingsbury's dual-tree transform in NumPy, tree by tree, for pictures whose sides are multiples of 4
at every level: near_sym_b at level 1, qshift_b beyond. Coefficients are scaled as in his text; the six
of a level are +15, +45, +75, -75, -45 and -15 degrees."""
import numpy as np

SQRT = np.sqrt(0.5)
_HALF_LOW = [-0.0017578125, 0, 0.022265625, -0.046875, -0.0482421875, 0.296875, 0.55546875]
_HALF_OUT = [7.062639508928571e-05, 0, -0.001341901506696428, -0.001883370535714286, 0.007156808035714285,
             0.02385602678571428, -0.05564313616071428, -0.05168805803571428, 0.2997576032366072,
             0.5594308035714286]
LOW = np.array(_HALF_LOW + _HALF_LOW[-2::-1])
LOW_OUT = np.array(_HALF_OUT + _HALF_OUT[-2::-1])
HIGH = LOW_OUT * (-1.0) ** np.arange(1, 20)
HIGH_OUT = LOW * (-1.0) ** np.arange(13)
A = np.array([0.003253142763653182, -0.00388321199915849, 0.03466034684485349, -0.03887280126882779,
              -0.1172038876991153, 0.275295384668882, 0.7561456438925225, 0.5688104207121227,
              0.011866092033797, -0.1067118046866654, 0.0238253847949203, 0.01702522388155399,
              -0.005439475937274115, -0.004556895628475491])
B = A[::-1]
A_HIGH = B * (-1.0) ** np.arange(14)
B_HIGH = A_HIGH[::-1]


def mirrored(at, n):
    at = at % (2 * n)
    return np.where(at < n, at, 2 * n - 1 - at)


def filtered(x, taps):
    """Of level 1, along the first axis."""
    m = len(taps) // 2
    extended = x[mirrored(np.arange(-m, len(x) + m), len(x))]
    return sum(taps[k] * extended[2 * m - k:len(x) + 2 * m - k] for k in range(2 * m + 1))


def convolved(x, taps):
    n = len(x) - len(taps) + 1
    return sum(taps[k] * x[len(taps) - 1 - k:len(taps) - 1 - k + n] for k in range(len(taps)))


def halved(x, a, b):
    """Both trees of a further level, along the first axis."""
    n, m = len(x), len(a)
    at = mirrored(np.arange(-m, n + m), n)
    t = np.arange(5, n + 2 * m - 2, 4)
    trees = [convolved(x[at[t - 1]], a[0::2]) + convolved(x[at[t - 3]], a[1::2]),
             convolved(x[at[t]], b[0::2]) + convolved(x[at[t - 2]], b[1::2])]
    out = np.empty((n // 2,) + x.shape[1:])
    first = 0 if (a * b).sum() > 0 else 1
    out[first::2], out[1 - first::2] = trees
    return out


def doubled(x, a, b):
    """Back, along the first axis."""
    n, m = len(x), len(a)
    at = mirrored(np.arange(-(m // 2), n + m // 2), n)
    t = np.arange(2, n + m - 1, 2)
    ta, tb = (t, t - 1) if (a * b).sum() > 0 else (t - 1, t)
    out = np.empty((2 * n,) + x.shape[1:])
    for i, (at_tree, taps) in enumerate(((tb, a[0::2]), (ta, b[0::2]), (tb, a[1::2]), (ta, b[1::2]))):
        out[i::4] = convolved(x[at[at_tree]], taps)
    return out


def pairs(band):
    """The coefficients that rise to the right and those that fall."""
    a, b, c, d = band[0::2, 0::2], band[0::2, 1::2], band[1::2, 0::2], band[1::2, 1::2]
    return SQRT * (a - d + 1j * (b + c)), SQRT * (a + d + 1j * (b - c))


def band_of(rising, falling):
    band = np.empty((2 * rising.shape[0], 2 * rising.shape[1]))
    band[0::2, 0::2], band[1::2, 1::2] = (falling + rising).real * SQRT, (falling - rising).real * SQRT
    band[0::2, 1::2], band[1::2, 0::2] = (rising + falling).imag * SQRT, (rising - falling).imag * SQRT
    return band


def forward(picture, levels):
    """The low band, and of each level from the finest on an array of (rows, columns, 6)."""
    low, details = np.asarray(picture, np.float64), []
    for level in range(levels):
        lows, highs = ((lambda x: filtered(x, LOW), lambda x: filtered(x, HIGH)) if level == 0 else
                       (lambda x: halved(x, B, A), lambda x: halved(x, B_HIGH, A_HIGH)))
        # What dtcwt puts at the ends of odd lines, and of those that cannot be halved in pairs.
        low = np.pad(low, [(0, n % 2) if level == 0 else (int(n % 4 > 0),) * 2 for n in low.shape], "edge")
        left, right = lows(low.T).T, highs(low.T).T
        (p15, m15), (p75, m75), (p45, m45) = map(pairs, (highs(left), lows(right), highs(right)))
        details.append(np.stack([p15, p45, p75, m75, m45, m15], -1))
        low = lows(left)
    return low, details


def inverse(low, details):
    for level in range(len(details) - 1, -1, -1):
        z = details[level]
        lows, highs = ((lambda x: filtered(x, LOW_OUT), lambda x: filtered(x, HIGH_OUT)) if level == 0 else
                       (lambda x: doubled(x, A, B), lambda x: doubled(x, A_HIGH, B_HIGH)))
        horizontal, vertical, diagonal = (band_of(z[..., i], z[..., 5 - i]) for i in (0, 2, 1))
        left = lows(low) + highs(horizontal)
        right = lows(vertical) + highs(diagonal)
        low = lows(left.T).T + highs(right.T).T
    return low

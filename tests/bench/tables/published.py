# SPDX-License-Identifier: MIT
"""Figures that others published or that were measured with their programs. Each says whose it is, of
what year and on what hardware."""

SIDES = (128, 256, 512, 1024, 2048, 4096, 8192)


def by_side(*values):
    """Of square pictures; 0: not published."""
    return {side: value for side, value in zip(SIDES, values) if value}


# Three-level 9/7 analysis, wavelet shrinkage, synthesis, upload included.
FILTER_SOURCE = ("published in 2007 (E. A. R. Nielsen, thesis, NTNU): GeForce 8800 GTX; its cpu rows: Core 2 "
                 "Duo 2 GHz, SIMD; previous-gpu: the lookup method on the same card, colour")
ELEMENTS = {  # per microsecond; colour counts 4 for each pixel
    "gpu-mono-16": by_side(29.2, 93.7, 255.5, 425.0, 394.3),
    "gpu-mono-32": by_side(29.5, 92.7, 255.5, 321.2, 273.8),
    "gpu-colour-16": by_side(41.4, 138.9, 340.1, 435.7, 528.3),
    "gpu-colour-32": by_side(41.3, 139.6, 326.1, 435.6, 441.8),
    "previous-gpu-32": by_side(102.1, 129.1, 116.3, 121.1, 79.5),
    "cpu-mono-32-single": by_side(17.7, 17.7, 18.1, 17.7, 17.7),
    "cpu-mono-32-dual": by_side(35.0, 35.0, 35.0, 35.0, 35.0),
}
FRAMES = {  # per second
    "gpu-mono-16": by_side(1782, 1430, 975, 405, 94),
    "gpu-mono-32": by_side(1801, 1414, 975, 306, 65),
    "gpu-colour-16": by_side(632, 530, 324, 104, 31),
    "gpu-colour-32": by_side(631, 532, 311, 104, 26),
    "previous-gpu-32": by_side(1558, 493, 111, 29, 5),
    "cpu-mono-32-single": by_side(1081, 270, 69, 17, 4),
}
PARTS = {  # milliseconds of gpu-mono-16
    "upload": by_side(0.033, 0.058, 0.159, 1.002, 8.295),
    "forward": by_side(0.113, 0.115, 0.078, 0.147, 0.159),
    "filter": by_side(0.085, 0.095, 0.069, 0.111, 0.110),
    "backward": by_side(0.307, 0.401, 0.694, 1.157, 2.033),
}
LOADS = {  # percent of one core at 20 frames a second
    "gpu-mono-16": by_side(1, 1, 1, 3, 8),
    "cpu-mono-32-single": by_side(1.8, 7.4, 29, 118, 474),
}

# Other Programs at the same work, mono: milliseconds of a frame.
PEERS_SOURCE = ("PDWT, PyWavelets, OpenJPEG and OpenJPH: measured in 2026, on an H200 and a two-core Xeon with "
                "AVX-512")
PDWT = "PDWT, CUDA, H200, data resident"
PEERS = {
    PDWT: by_side(0, 0, 0.062, 0.073, 0.160, 0.568, 2.155),
    "PyWavelets, Xeon, 1 thread": by_side(0.964, 2.731, 10.08, 69.9, 299.6),
    "OpenJPEG, Xeon, 1 thread": by_side(0.0661, 0.2765, 1.2365, 7.544, 39.2),
    "OpenJPH AVX-512, Xeon, 1 thread": by_side(0.0352, 0.105, 0.4304, 1.814, 10.73, 56.1),
}

# Decomposition of colour pictures, milliseconds.
VIDEO_SOURCE = ("published in 2012 (A. T. Eskildsen et al., Aalborg University): GeForce GTX 680, OpenCL, float32, "
                "PCI Express 2.0; its cpu: Core i7 970, one core, colour estimated as 3 × grey")
VIDEO = {  # size: levels, cpu, with transfer: lifting, filtering; without: lifting, filtering (0: not published)
    (852, 480): (2, 21.46, 3.66, 4.08, 0.75, 1.18),
    (1280, 720): (4, 59.16, 8.08, 9.32, 1.64, 3.11),
    (1920, 1080): (3, 168.28, 17.21, 20.92, 3.43, 7.88),
    (3840, 2160): (4, 623.11, 68.23, 86.91, 13.95, 33.28),
    (4520, 2540): (2, 1122.24, 89.14, 106.50, 16.70, 36.95),
    (7680, 4320): (5, 3642.12, 256.09, 386.82, 55.45, 158.29),
    (256, 256): (8, 2.75, 1.50, 1.56, 0, 0),
    (512, 512): (9, 15.33, 2.78, 3.64, 0, 0),
    (1024, 1024): (10, 99.71, 9.22, 13.84, 0, 0),
    (2048, 2048): (11, 299.08, 35.60, 55.06, 0, 0),
    (4096, 4096): (12, 1651.86, 128.07, 202.65, 0, 0),
    (8192, 8192): (13, 10394.70, 520.19, 840.06, 0, 0),
}
ACCEPTANCE = {  # 1920 × 1080 in colour, three levels, with transfer: mean, least, most
    "filtering, decomposition": (20.91, 16.98, 24.35),
    "lifting, decomposition": (16.42, 12.96, 20.06),
    "lifting, reconstruction": (16.23, 12.72, 20.78),
}

# Of the lookup method, five levels, milliseconds: in software; total, context, buffers, transform, rest.
START_SOURCE = ("published in 2007 (T. T. Wong et al., lookup tables): GeForce 7800 GTX, Athlon 64 X2 3800+; its "
                "clock ticks every 15.6 ms; one forward transform")
START = {
    128: (16, 468, 218, 15, 234, 1),
    256: (31, 500, 218, 32, 234, 16),
    512: (344, 578, 219, 78, 234, 47),
    1024: (2593, 813, 219, 218, 235, 141),
    1280: (2688, 1000, 219, 313, 234, 234),
    2048: (12312, 1672, 219, 625, 234, 594),
}

# The X-ray pipeline at 2920 × 2320, milliseconds; mean of 50 runs.
XRAY_SOURCE = ("published in 2011 (M. Brotherton, University of Huddersfield): Core i5-750, 4 cores, 2.66 GHz; "
               "Radeon HD 5770, DirectCompute, transfers included; its medians and histograms have 256 bins")
XRAY = {  # one core, four cores, GPU; 0: not published
    "whole pipeline, without contours": (29654.1, 7483.9, 3218.1),
    "whole pipeline, float": (44090.9, 11843.3, 4373.7),
    "median 19 × 19": (29448.0, 7394.8, 2944.2),
    "histogram and trough": (24.6, 24.6, 32.1),
    "threshold": (8.9, 5.8, 4.1),
    "Sobel": (171.7, 50.2, 92.3),
    "median 3 × 3": (2498.6, 654.9, 101.9),
    "median 19 × 19, float": (42820.7, 10764.8, 3083.6),
    "median 3 × 3, float": (3008.1, 805.5, 93.9),
}
# By invocations in a group, in the order of XRAY_GROUP_SIZES; of one dispatch.
XRAY_GROUP_SIZES = (1, 2, 4, 8, 10, 20, 40, 100, 200, 400)
XRAY_GROUPS = {
    "median": (723.5, 411.5, 251.6, 173.4, 155.6, 122.3, 104.5, 98.6, 99.5, 100.0),
    "sobel": (240.3, 164.6, 125.8, 107.8, 104.1, 96.1, 91.9, 89.1, 88.9, 89.5),
}

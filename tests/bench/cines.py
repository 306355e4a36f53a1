#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Real ultrasound beside what filters make of it: of one frame of each cine a part, original and filters from
left to right, as one picture (WebP) in FOLDER; and how strong speckle is in a part of one tissue, in Markdown:
the root of the mean square of x - Gaussian (x, sigma 6), so that slow changes count as tissue, by the mean.
There is no clean twin of real pictures: what is kept of them is for eyes to judge.

usage: cines.py ONDELETTE_CLI TESTDATA FOLDER [bm3d]

With `bm3d` other filters: BM3D with a profile of the noise, from all of the picture and from the tissue, and of
three frames with the deviation of the tissue.
"""
import os
import subprocess
import sys
import tempfile

import cv2
import numpy as np

CLI, DATA, FOLDER = (os.path.abspath(path) for path in sys.argv[1:4])
CINES = { # frame, the part that is shown, and in it the one of a tissue: x, y, width, height
    "echo": ("pydicom/examples_ybr_color.dcm", 10, (60, 0, 240, 220), (60, 168, 40, 20)),
    "spine-phantom": ("PlusLibData/SpinePhantomFreehand.igs.mha", 10, (250, 120, 240, 220), (170, 55, 40, 30)),
}
FILTERS = [None, "ultrasound-soft", "ultrasound-strong",
           "bivariate:sigma=auto,profile=auto,levels=4 colour=luma", "lee:model=speckle,noise=0.2,size=9 colour=luma"]
FROM_PART = "from the tissue: "
if sys.argv[4:] == ["bm3d"]:
    FILTERS = [None, "ultrasound-soft", "bm3d:profile=auto colour=luma", FROM_PART + "bm3d:profile=auto colour=luma",
               FROM_PART + "bm3d:frames=3 colour=luma"]


def shown(path, frame, text, part):
    from_part = ["--sigma-from", ",".join(map(str, part))] if text and text.startswith(FROM_PART) else []
    text = text and text.removeprefix(FROM_PART)
    with tempfile.TemporaryDirectory() as folder:
        out = os.path.join(folder, "%d.png")
        subprocess.run([CLI, "process", path, "--frames", str(frame), "-o", out,
                        *(["-f", text] if text else []), *from_part], check=True, stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL)
        return cv2.imread(os.path.join(folder, os.listdir(folder)[0]))


print("| cine | part | " + " | ".join(f"`{text}`" if text else "original" for text in FILTERS) + " |")
print("| --- " * (2 + len(FILTERS)) + "|")
for name, (file, frame, (x, y, w, h), (left, top, across, down)) in CINES.items():
    parts = [shown(os.path.join(DATA, file), frame, text, (x + left, y + top, across, down))[y:y + h, x:x + w]
             for text in FILTERS]
    cv2.imwrite(os.path.join(FOLDER, f"{name}.webp"), np.hstack(parts), [cv2.IMWRITE_WEBP_QUALITY, 75])
    speckle = []
    for part in parts:
        grey = part.mean(axis=2)
        fine = grey - cv2.GaussianBlur(grey, (0, 0), 6)
        inside = np.s_[top:top + down, left:left + across]
        speckle.append(f"{np.sqrt((fine[inside] ** 2).mean()) / grey[inside].mean():.2f}")
    print(f"| `{file}`, frame {frame} | {left}, {top}, {across} × {down} | " + " | ".join(speckle) + " |")

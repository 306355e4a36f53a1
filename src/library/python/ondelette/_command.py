# SPDX-License-Identifier: MIT
"""What the library leaves to the program: files, which helpers in a sandbox decode, and single bands."""
from __future__ import annotations

import json
import os
import pathlib
import subprocess
import tempfile
from typing import Any, Dict, Optional, Sequence, Tuple, Union

import numpy

from ._core import TYPES, _axes_of, as_samples
from ._error import Error


def _command(*words: Any) -> str:
    program = os.environ.get("ONDELETTE_CLI", "ondelette-cli")
    try:
        done = subprocess.run([program, *map(str, words)], capture_output=True, encoding="utf-8", stdin=subprocess.DEVNULL)
    except OSError as problem:
        raise Error(f"{program} cannot be run ({problem.strerror}): install Ondelette, or name it in ONDELETTE_CLI.") from None
    if done.returncode not in (0, 3):  # 3: damaged frames are marked
        raise Error(done.stderr.strip().removeprefix("ondelette-cli: ") or f"{program} failed")
    return done.stdout


def filters() -> list[Dict[str, Any]]:
    """All filters as data: name, label, description, domain, and parameters with their ranges and defaults."""
    return json.loads(_command("list", "filters", "--json"))


def _ordered(folder: pathlib.Path) -> list[numpy.ndarray]:
    return [numpy.load(path, allow_pickle=False) for path in sorted(folder.glob("*.npy"))]


def run_trusted(recipe: str, array: Any, engine: str, ends: Optional[Tuple[float, float]],
                spacing: Optional[Sequence[float]], axes: Optional[str]) -> numpy.ndarray:
    """What a recipe with code of files makes of an array, by the command line."""
    samples = as_samples(array)
    axes = _axes_of(samples, axes)
    if "t" in axes:
        raise Error("Code of files filters pictures and volumes here, not times: pass one after the other.")
    low, high = ends or TYPES[samples.dtype.name][1:]
    if spacing is not None:
        raise Error("“spacing” is not known to code of files.")
    with tempfile.TemporaryDirectory(prefix="ondelette-") as folder:
        source, text = pathlib.Path(folder) / "in.npy", pathlib.Path(folder) / "recipe.txt"
        made_in = pathlib.Path(folder) / "made"
        made_in.mkdir()
        out = made_in / ("%08d.npy" if "z" in axes and len(samples) > 1 else "out.npy")
        numpy.save(source, ((samples - low) / (high - low)).astype("float32"))
        words = ["--filter", recipe] if "\n" not in recipe.strip() else ["--recipe", text]
        text.write_text(recipe, encoding="utf-8")
        _command("process", source, "-o", out, *words, "--engine", engine, "--trust-code")
        made = numpy.stack(_ordered(made_in))
    return made.reshape(samples.shape) * numpy.float32(high - low) + numpy.float32(low)


def load(file: Union[str, os.PathLike], recipe: str = "", *, trust_code: bool = False) -> numpy.ndarray:
    """The samples of any file that Ondelette reads, or of a phantom, in the unit of the file: rows × columns (× 3 or
    4); of frames and slices one after the other in front. With `recipe` what the filters make of it; `trust_code`
    where it runs code of files."""
    name = os.fspath(file)
    with tempfile.TemporaryDirectory(prefix="ondelette-") as folder:
        about = json.loads(_command("info", name, "--json"))
        single = about["frames"] == 1
        out = pathlib.Path(folder) / ("picture.npy" if single else "%08d.npy")
        words = ["process", name, "-o", out, "--filter", recipe or "pass-through"] + ["--trust-code"] * trust_code
        _command(*words)
        arrays = _ordered(pathlib.Path(folder))
    if not arrays:
        raise Error(f"{name} has no pictures.")
    array = arrays[0] if single else numpy.stack(arrays)
    if not single and about["slices"] > 0 and about["slices"] < len(array):
        array = array.reshape(-1, about["slices"], *array.shape[1:])
    return array


def _scale(level: int, band: str) -> float:
    """From low-pass filters of gain 1, as Ondelette has them, to an orthonormal transform, as PyWavelets has it: √2 for
    each axis of each level along which it is low, 1/√2 for those along which the last one is high."""
    return 2.0 ** (len(band) * level / 2 - band.count("H"))


def bands(array: Any, wavelet: str = "cdf97", levels: int = 3, normalisation: str = "orthonormal",
          transform: str = "decimated") -> Dict[str, numpy.ndarray]:
    """The bands of a wavelet transform of a grey picture, by name: "HL1", "LH1", "HH1" (the finest, high along x, y and
    both), …, "LLn" for n levels; of a volume (slices × rows × columns) an array of three axes each, "HLL1", "LHL1", …,
    "HHH1", "LLLn", with a letter for x, y and z. `normalisation`: "orthonormal", as PyWavelets has it, or "unit-gain".
    `transform`: "decimated", or of pictures "stationary", whose bands are as large as the picture (`swt2`)."""
    if normalisation not in ("orthonormal", "unit-gain"):
        raise Error(f"“{normalisation}” is no normalisation: choose orthonormal or unit-gain.")
    if not 1 <= levels <= 16:
        raise Error("A transform has 1 to 16 levels.")
    samples = as_samples(array)
    if samples.ndim not in (2, 3) or not samples.size:
        raise Error("Bands are those of a grey picture, rows × columns, or of a volume, slices × rows × columns.")
    if transform not in ("decimated", "stationary") or (transform == "stationary" and samples.ndim == 3):
        raise Error("The transform is “decimated”, or of pictures “stationary”.")
    recipe = f"shrinkage:wavelet={wavelet},levels={levels},thresholds=0,transform={transform}"
    if samples.ndim == 3:
        recipe += ",dimensions=3"
    letters = ["".join("LH"[i >> axis & 1] for axis in range(samples.ndim)) for i in range(1 << samples.ndim)]
    names = [(level, band) for level in range(1, levels + 1) for band in letters[1:]] + [(levels, letters[0])]
    made = {}
    with tempfile.TemporaryDirectory(prefix="ondelette-") as folder:
        source, out = pathlib.Path(folder) / "in.npy", pathlib.Path(folder) / "out.npy"
        numpy.save(source, samples)
        for level, band in names:
            _command("process", source, "-o", out, "--filter", recipe, "--view", f"band:{level}:{band}", "--force")
            made[f"{band}{level}"] = numpy.load(out, allow_pickle=False)
            if normalisation == "orthonormal":
                made[f"{band}{level}"] *= numpy.float32(_scale(level, band))
    return made

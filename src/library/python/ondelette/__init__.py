# SPDX-License-Identifier: MIT
"""Ondelette from Python.

In the running window, where its preferences (*Other Programs*) or ``ondelette --arrays`` allow it::

    import numpy, ondelette
    ondelette.show(numpy.random.rand(480, 640).astype("f4"), name="noise")
    ondelette.recipe("gaussian:sigma=2")     # or move the sliders by hand
    smooth = ondelette.result(name="noise")

Without a window::

    smooth = ondelette.run("median:size=5", picture, engine="cpu")
    details = ondelette.bands(picture, wavelet="cdf97", levels=3)
    smooth = ondelette.run("shrinkage:dimensions=3", volume, spacing=(0.5, 0.5, 2))
    picture = ondelette.load("echo.dcm")
    ondelette.filters()                      # names, parameters, ranges as data

    @ondelette.register
    def steeper(picture, amount: "0..4  How much steeper edges get" = 0.5):
        return picture + amount * (picture - picture.mean())
    ondelette.run("gaussian:sigma=1 steeper:amount=2", picture)

Everything that fails is an :class:`Error` with a sentence.
"""
from ._command import bands, filters, load
from ._core import Filter, engines, run, version
from ._error import Error
from ._register import Registered, register
from ._window import Window, on_change, recipe, result, show

__all__ = ["Error", "Filter", "Registered", "Window", "bands", "engines", "filters", "load", "on_change", "recipe", "register",
           "result", "run", "show", "version"]
__version__ = "0.1.0"

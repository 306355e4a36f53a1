#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Pictures of the window in every mode, as people see it, for eyes to judge.

usage: screens.py BUILD OUT [-v VARIANT,…] [-m MODE,…]

Starts the program of the build folder once for each mode, on an X server and a bus of its own, gives
it actions, keys and a pointer, and writes OUT/VARIANT/MODE.png, and sheets of them, OUT/VARIANT-N.png.
Variants: light, dark, narrow (500 px), french. It says which modes did not come to be, and ends with 1.
Needs ODL_TESTDATA, Debian's xvfb, xdotool, imagemagick, dbus-daemon and python3-pydicom, and of the
build resources/gschemas.compiled, without which nothing would be dark or narrow; the French variant
also the target “ondelette-gmo”.
"""

import argparse
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

DATA = pathlib.Path(os.environ.get("ODL_TESTDATA", "."))
CT = "{data}/dicom-test-files/REF/CT1_UNC"
CHEST = "{data}/dicom-test-files/JPLL/RG3_JPLL"
ULTRASOUND = "{data}/pydicom-data/US1_UNCR.dcm"
CINE = "{data}/fo-dicom/HasFragmentSequence.dcm"
VOLUME = "{data}/PlusLibData/SpinePhantomFreehandReconstructed.mha"
CAT = "{data}/imageio-binaries/chelsea.png"
VIDEO = "{data}/imageio-binaries/realshort.mp4"
STUDY = "{work}/study"
SAVED = "{work}/study/DICOM/S0/IM0000"
SOFT = ["--filter", "soft-threshold:levels=3,threshold=0.05"]
WAVELET = ["--filter", "shrinkage"]

# Mode: (arguments, steps). Steps: `win.ACTION PARAMETER` or `app.…`, `key …`, `type …`, and in parts of the
# window `move x y`, `click x y [button]`, `drag x y x y`; `wait seconds`, `first` takes the picture of
# windows that move before it is still.
MODES = {
    "empty": ([], []),
    "still": ([CAT], []),
    "still-filters": ([CAT, *SOFT], []),
    "several-filters": ([CAT, "--filter", "median", *SOFT, "--filter", "clahe"], []),
    "help": ([CAT], ["key F1", "wait 1"]),
    "help-filter": ([CAT, *SOFT], ["win.help 'filters/soft-threshold'", "wait 1"]),
    "help-keys": ([CAT], ["win.help 'help/keys'", "wait 1"]),
    "help-search": ([CAT], ["app.help", "wait 1", "type speckle dB", "wait 1"]),
    "add-filter": ([CAT], ["click .85 .785"]),
    "ct": ([CT], ["move .45 .5"]),
    "ct-filtered": ([CT, *WAVELET], ["move .45 .5", "win.show-filters"]),
    "ct-hidden": ([CT], ["win.mask-names"]),
    "ultrasound": ([ULTRASOUND], ["move .5 .5"]),
    "chest": ([CHEST], []),
    "study": ([STUDY], []),
    "search": ([STUDY], ["win.search-sources", "type art"]),
    "search-nothing": ([STUDY], ["win.search-sources", "type xyz"]),
    "as-saved": ([SAVED], ["wait 1", "win.presentation 0"]),
    "study-hidden": ([STUDY], ["win.mask-names"]),
    "cine": ([CINE], ["win.play", "wait 2"]),
    "video": ([VIDEO, *SOFT], ["wait 1"]),
    "wipe": ([CT, *WAVELET], ["win.wipe"]),
    "wipe-coefficients": ([CAT, *WAVELET], ["win.wipe", "win.view 'analysis'"]),
    "beside": ([CT, *WAVELET], ["win.beside"]),
    "a-beside-b": ([CT, *WAVELET], ["win.recipe 'B'", "win.a-beside-b", "move .3 .3"]),
    "difference": ([CT, *WAVELET], ["win.recipe 'B'", "win.comparison 'difference'", "win.wipe"]),
    **{f"lab-{page}": ([CAT, *WAVELET], ["win.recipe 'B'", "win.comparison 'other'", f"win.lab-page '{page}'",
                                         "wait 2"])
       for page in ("bands", "histograms", "curves", "grey-levels", "metrics", "wavelet")},
    "lab-window": ([CT, *WAVELET], ["win.detach-lab", "wait 2"]),
    "panes-2": ([CT], ["win.layout '1x2'"]),
    "panes-4": ([STUDY, CT], ["win.layout '2x2'"]),
    "planes": ([VOLUME], []),
    "planes-wipe": ([VOLUME, *SOFT], ["win.wipe"]),
    "rendering": ([VOLUME], ["win.rendering 'ultrasound'", "wait 2"]),
    "coefficients": ([CAT, *WAVELET], ["win.view 'analysis'"]),
    "filtered-coefficients": ([CT, *WAVELET], ["win.view 'filtered-analysis'"]),
    "residual": ([CT, *WAVELET], ["win.view 'residual'"]),
    "magnifier": ([CT, *WAVELET], ["win.beside", "win.magnifier", "move .3 .5"]),
    "colour-map": ([CT], ["win.colour-map 'hot-iron'"]),
    "measuring": ([CT], ["win.tool 'length'", "drag .3 .4 .5 .55", "win.tool 'ellipse'",
                         "drag .4 .3 .6 .45"]),
    "profile": ([CT, *WAVELET], ["win.tool 'profile'", "drag .3 .4 .6 .55", "win.profile-plot"]),
    "statistics": ([CT, *WAVELET], ["win.tool 'ellipse'", "drag .4 .3 .6 .45",
                                    "win.region-statistics"]),
    "calculations": ([CT], ["win.tool 'ellipse'", "drag .35 .3 .55 .6", "win.tool 'length'", "drag .45 .6 .45 .3",
                            "drag .5 .8 .8 .8", "drag .5 .85 .7 .85", "drag .5 .9 .65 .9",
                            "win.calculations"]),
    "sweep-empty": ([CAT], ["win.sweep"]),
    "sweep": ([CAT, *SOFT], ["win.sweep", "wait 1"]),
    "statistics-empty": ([CT], ["win.region-statistics"]),
    "properties": ([CT], ["win.properties"]),
    "header": ([CT], ["win.properties", "key Tab", "key Tab", "key Tab", "key Return"]),
    "preferences": ([CAT], ["win.preferences"]),
    "engines": ([CAT, *SOFT], ["win.show-engines"]),
    "grey-levels": ([CT], ["win.edit-presets"]),
    "history": ([CAT, "--filter", "gaussian", *SOFT], ["win.clear-recipe", "win.undo", "click .939 .093"]),
    "save": ([CT], ["win.save"]),
    "save-dicom": ([CT, *WAVELET], ["win.save-dicom"]),
    "export": ([CINE, *SOFT], ["win.export"]),
    "print": ([CT, *WAVELET], ["win.print"]),
    "save-preset": ([CAT, *SOFT], ["win.save-preset"]),
    "shortcuts": ([CAT], ["win.show-help-overlay"]),
    "about": ([CAT], ["app.about"]),
    "broken": (["{data}/fo-dicom/GH179B.dcm"], []),
    "missing": (["{work}/gone.png"], []),
    "no-camera": (["webcam"], ["wait 2"]),
    "diagnostics": ([CINE, *SOFT], ["win.show-diagnostics", "wait 1"]),
    "picture-menu": ([CT], ["click .45 .5 3"]),
    "menu": ([CT], ["key F10"]),
    "full-screen": ([CT], ["win.full-screen"]),
}

VARIANTS = {  # size, style, language
    "light": ((1200, 800), "light", "en"),
    "dark": ((1200, 800), "dark", "en"),
    "narrow": ((500, 800), "light", "en"),
    "french": ((1200, 800), "light", "fr"),
}

BUS_NAME, WINDOW = "org.ondelette.Ondelette", "/org/ondelette/Ondelette/window/1"
PATIENCE = 60  # seconds


def write_study(folder):
    """Two patients, the first with two studies of two series, as a hospital writes them."""
    import pydicom
    from pydicom.uid import generate_uid
    template = DATA / "pydicom" / "CT_small.dcm"
    rows = [("Beispiel^Berta", "20240301", "Abdomen", "Native", 3),
            ("Beispiel^Berta", "20240301", "Abdomen", "Arterial phase, thin slices", 3),
            ("Beispiel^Berta", "20240617", "Follow-up", "Native", 2),
            ("Muster^Anton", "20231111", "Head without contrast medium", "Axial", 2)]
    studies = {}
    for n, (person, date, study, series, count) in enumerate(rows):
        series_uid = generate_uid()
        for i in range(count):
            file = pydicom.dcmread(template)
            file.PatientName, file.PatientID = person, person[:3].upper()
            file.StudyDate, file.StudyDescription, file.SeriesDescription = date, study, series
            file.StudyInstanceUID = studies.setdefault((person, date), generate_uid())
            file.SeriesInstanceUID, file.SOPInstanceUID = series_uid, generate_uid()
            file.file_meta.MediaStorageSOPInstanceUID = file.SOPInstanceUID
            file.SeriesNumber, file.InstanceNumber = n + 1, i + 1
            file.ImagePositionPatient = [-100, -100, 5 * i]
            target = folder / f"DICOM/S{n}"
            target.mkdir(parents=True, exist_ok=True)
            file.save_as(target / f"IM{i:04}")
    write_state(folder / "DICOM/S0")


def write_state(folder):
    """How somebody left the first picture: mirrored, behind a shutter, with a drawing and words."""
    import pydicom
    from pydicom.dataset import Dataset
    picture = pydicom.dcmread(folder / "IM0000")

    def item(**fields):
        out = Dataset()
        for name, value in fields.items():
            setattr(out, name, value)
        return out

    out = pydicom.dcmread(folder / "IM0000", stop_before_pixels=True)
    out.file_meta.MediaStorageSOPClassUID = out.SOPClassUID = "1.2.840.10008.5.1.4.1.1.11.1"
    out.SOPInstanceUID = out.file_meta.MediaStorageSOPInstanceUID = pydicom.uid.generate_uid()
    out.SeriesInstanceUID, out.Modality, out.ContentLabel = pydicom.uid.generate_uid(), "PR", "FOLLOW_UP"
    of = item(ReferencedSOPClassUID=picture.SOPClassUID, ReferencedSOPInstanceUID=picture.SOPInstanceUID)
    out.ReferencedSeriesSequence = [item(SeriesInstanceUID=picture.SeriesInstanceUID,
                                         ReferencedImageSequence=[of])]
    out.ImageRotation, out.ImageHorizontalFlip = 0, "Y"
    out.ShutterShape, out.ShutterPresentationValue = "CIRCULAR", 0
    out.CenterOfCircularShutter, out.RadiusOfCircularShutter = [64, 64], 60
    line = item(GraphicAnnotationUnits="PIXEL", GraphicDimensions=2, NumberOfGraphicPoints=2,
                GraphicData=[64, 64, 64, 90], GraphicType="CIRCLE", GraphicFilled="N")
    words = item(UnformattedTextValue="Compare in June", BoundingBoxAnnotationUnits="PIXEL",
                 BoundingBoxTextHorizontalJustification="LEFT", BoundingBoxTopLeftHandCorner=[20, 10],
                 BoundingBoxBottomRightHandCorner=[110, 20])
    out.GraphicAnnotationSequence = [item(GraphicLayer="NOTES", GraphicObjectSequence=[line],
                                          TextObjectSequence=[words])]
    out.GraphicLayerSequence = [item(GraphicLayer="NOTES", GraphicLayerOrder=1)]
    out.SoftcopyVOILUTSequence = [item(WindowCenter=1000, WindowWidth=800)]
    out.save_as(folder / "PR0000")


class Screen:
    """One variant: an X server, a bus and settings of its own."""

    def __init__(self, build, work, name):
        self.build, self.work, self.name = build, work, name
        self.size, self.style, self.language = VARIANTS[name]
        self.home = work / name
        self.home.mkdir()
        read, write = os.pipe()
        self.server = subprocess.Popen(
            ["Xvfb", "-displayfd", str(write), "-screen", "0", "1200x800x24", "-nolisten", "tcp",
             "-noreset"],
            pass_fds=[write], stderr=subprocess.DEVNULL)
        os.close(write)
        display = os.read(read, 16).decode().strip()
        self.bus = subprocess.Popen(
            ["dbus-daemon", "--session", "--print-address", "--nofork"],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.environment = dict(
            os.environ, DISPLAY=f":{display}", GDK_BACKEND="x11", LIBGL_ALWAYS_SOFTWARE="1",
            DBUS_SESSION_BUS_ADDRESS=self.bus.stdout.readline().strip(), LC_ALL="C.UTF-8",
            LANGUAGE=self.language, GSETTINGS_BACKEND="keyfile", HOME=str(self.home),
            GTK_A11Y="none", GIO_USE_VFS="local", TMPDIR=str(self.home),
            ODL_DECODER=str(build / "src/decoder/ondelette-decoder"))
        for kind in ["DATA", "CONFIG", "CACHE", "STATE", "RUNTIME"]:
            folder = self.home / kind.lower()
            folder.mkdir(mode=0o700)
            self.environment[f"XDG_{kind}_{'DIR' if kind == 'RUNTIME' else 'HOME'}"] = str(folder)
        for name in ["WAYLAND_DISPLAY", "ODL_TEST_ENGINE"]:
            self.environment.pop(name, None)
        settings = self.home / "config/glib-2.0/settings"
        settings.mkdir(parents=True)
        (settings / "keyfile").write_text(
            f"[org/ondelette/Ondelette]\nstyle='{self.style}'\nremember-recent=false\n"
            f"window-width={self.size[0]}\nwindow-height={self.size[1]}\n")
        self.settings = (settings / "keyfile").read_text()

    def close(self):
        for process in self.bus, self.server:
            process.terminate()
            process.wait()

    def run(self, *command):
        return subprocess.run(command, env=self.environment, check=True, capture_output=True,
                              text=True).stdout

    def activate(self, name, parameter):
        scope, action = name.split(".")
        where = WINDOW if scope == "win" else WINDOW.split("/window")[0]
        self.run("gdbus", "call", "--session", "--dest", BUS_NAME, "--object-path", where,
                 "--method", "org.gtk.Actions.Activate", action,
                 f"[<{parameter}>]" if parameter else "[]", "{}")

    def point(self, x, y):
        # A step beside it first: without a motion there is no pointer inside.
        x, y = round(float(x) * self.size[0]), round(float(y) * self.size[1])
        self.run("xdotool", "mousemove", str(x - 3), str(y))
        self.run("xdotool", "mousemove", str(x), str(y))

    def step(self, text):
        word, *rest = text.split(" ", 1)
        rest = rest[0] if rest else ""
        if word == "key":
            self.run("xdotool", "key", "--clearmodifiers", rest)
        elif word == "type":
            self.run("xdotool", "type", rest)
        elif word == "wait":
            time.sleep(float(rest))
        elif word == "move":
            self.point(*rest.split())
        elif word == "click":
            x, y, *button = rest.split()
            self.point(x, y)
            self.run("xdotool", "click", *(button or ["1"]))
        elif word == "drag":
            x, y, to_x, to_y = rest.split()
            self.point(x, y)
            self.run("xdotool", "mousedown", "1")
            self.point(to_x, to_y)
            self.run("xdotool", "mouseup", "1")
        else:
            self.activate(word, rest)

    def shoot(self, path):
        self.run("import", "-silent", "-window", "root", str(path))
        return path.read_bytes()

    def still(self, path, patience):
        """The picture when nothing moves any more, else the last one."""
        before, end = b"", time.monotonic() + patience
        while time.monotonic() < end:
            now = self.shoot(path)
            if now == before:
                return
            before = now
            time.sleep(.4)

    def take(self, mode, path):
        arguments, steps = MODES[mode]
        (self.home / "config/glib-2.0/settings/keyfile").write_text(self.settings)
        shutil.rmtree(self.home / "data")  # what was measured
        (self.home / "data").mkdir()
        self.run("xdotool", "mousemove", str(self.size[0] - 2), str(self.size[1] - 2))
        arguments = [text.format(data=DATA, work=self.work) for text in arguments]
        with open(self.home / f"{mode}.log", "w") as log:
            program = subprocess.Popen([self.build / "src/ondelette", *arguments],
                                       env=self.environment, stderr=log, cwd=self.home)
        try:
            end = time.monotonic() + PATIENCE
            while not self.run("sh", "-c", "xdotool search --onlyvisible --pid "
                               f"{program.pid} || true").split():
                if program.poll() is not None or time.monotonic() > end:
                    raise RuntimeError("no window")
                time.sleep(.1)
            window = self.run("xdotool", "search", "--onlyvisible", "--pid",
                              str(program.pid)).split()[-1]
            self.run("xdotool", "windowfocus", window)
            self.still(path, 5)
            for step in steps:
                self.step(step)
                time.sleep(.4)
            self.still(path, 3)
        finally:
            program.kill()
            program.wait()
            # Else the next one would be taken for its second start.
            while "true" in self.run("gdbus", "call", "--session", "--dest",
                                     "org.freedesktop.DBus", "--object-path", "/", "--method",
                                     "org.freedesktop.DBus.NameHasOwner", BUS_NAME):
                time.sleep(.1)


def sheets(folder, out, columns, rows):
    pictures = sorted(folder.glob("*.png"))
    each = columns * rows
    font = subprocess.run(["fc-match", "-f", "%{file}", "sans"], check=True, capture_output=True,
                          text=True).stdout
    for n, start in enumerate(range(0, len(pictures), each), 1):
        subprocess.run(["montage", "-font", font, "-label", "%t", *pictures[start:start + each], "-tile",
                        f"{columns}x{rows}", "-geometry", f"{1800 // columns}x+6+6",
                        out / f"{folder.name}-{n}.png"], check=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("-v", "--variants", default=",".join(VARIANTS))
    parser.add_argument("-m", "--modes", default=",".join(MODES))
    options = parser.parse_args()
    needed = ["resources/gschemas.compiled"]
    needed += ["po/fr/LC_MESSAGES/ondelette.mo"] if "french" in options.variants else []
    for path in needed:
        if not (options.build / path).exists():
            parser.error(f"{options.build} has no {path}: build it first")
    failed = []
    with tempfile.TemporaryDirectory() as work:
        work = pathlib.Path(work)
        write_study(work / "study")
        for variant in options.variants.split(","):
            screen = Screen(options.build.resolve(), work, variant)
            folder = options.out / variant
            folder.mkdir(parents=True, exist_ok=True)
            try:
                for mode in options.modes.split(","):
                    path = folder / f"{mode}.png"
                    try:
                        screen.take(mode, path)
                        # Nothing but windows, which may be wider than the first one.
                        subprocess.run(["mogrify", "-bordercolor", "black", "-border", "1",
                                        "-trim", "+repage", path], check=True)
                    except (RuntimeError, subprocess.CalledProcessError) as error:
                        failed.append(f"{variant}/{mode}: {getattr(error, 'stderr', error)}")
                    log = (screen.home / f"{mode}.log").read_text()
                    if "CRITICAL" in log:
                        failed.append(f"{variant}/{mode}: {log.strip()}")
            finally:
                screen.close()
            columns = 3 if screen.size[0] > 600 else 6
            sheets(folder, options.out, columns, 3 if columns == 3 else 2)
    for line in failed:
        print(line, file=sys.stderr)
    return bool(failed)


if __name__ == "__main__":
    sys.exit(main())

# SPDX-License-Identifier: MIT
"""What “bench” measured, read from its JSON, and how tables of it are written."""
import math

PARTS = ("upload", "forward", "filter", "backward")
# The copies that an engine is measured against: the better of these.
YARDSTICKS = {"gl-compute": ("gl-buffer", "gl-image"), "gl-fragment": ("gl-fragment",),
              "gl-lookup": ("gl-fragment",)}


class Case:
    """One engine on one geometry: its rows begin with the total."""

    def __init__(self, row):
        self.row, self.variant, self.rows = row, row["variant"], {}
        self.size = (row["width"], row["height"])
        self.side = row["width"] if row["width"] == row["height"] else 0
        self.parts_variant = row["variant"]

    def add(self, row):
        self.rows[row["part"]] = row
        if row["part"] in PARTS:
            self.parts_variant = row["variant"]

    def ms(self, part):
        return self.rows[part]["median_ms"] if part in self.rows else 0

    @property
    def is_gl(self):
        return "overlapped" in self.rows

    @property
    def frame_ms(self):
        """When frames follow each other, upload included."""
        return self.ms("overlapped") or self.ms("total")

    @property
    def resident_ms(self):
        if not self.is_gl:
            return 0
        return self.ms("resident") or sum(self.ms(part) for part in PARTS[1:])

    def name(self, variant=None):
        row, variant = self.row, variant or self.variant
        threads = "" if self.is_gl else f", {row['threads']} thread{'s'[:row['threads'] != 1]}"
        return (row["engine"] + f":{variant}" * (variant != "default")
                + f" {'mono' if row['channels'] == 1 else 'colour'}-{row['precision']}{threads}")


class Results:
    def __init__(self, data):
        self.machine = data["machine"]
        self.starts, self.loads = data.get("starts", []), data.get("loads", [])
        self.copies = [row for row in data["rows"] if row["engine"] == "copy"]
        self.cases = []
        for row in data["rows"]:
            if row["engine"] == "copy" or row["part"] == "decode":
                continue
            if row["part"] == "total":
                self.cases.append(Case(row))
            self.cases[-1].add(row)
        self.sides = sorted({case.side for case in self.cases} - {0})

    def lines(self):
        """name -> the cases of square pictures by side, in the order in which they were measured"""
        lines = {}
        for case in self.cases:
            if case.side:
                lines.setdefault(case.name(), {}).setdefault(case.side, case)
        return lines

    def copy_speed(self, case):
        """GB/s of the copy that a case is measured against; 0: unknown."""
        keys = ["width", "height", "channels"] + ["threads"] * (case.row["engine"] not in YARDSTICKS)
        wanted = YARDSTICKS.get(case.row["engine"], ("memory",))
        return max((copy["gb_per_s"] for copy in self.copies if copy["variant"] in wanted
                    and all(copy[key] == case.row[key] for key in keys)), default=0)

    def find(self, engine, side, precision=32, threads=0):
        """The grey square of an engine in its own choice of variant, three levels; None: not measured."""
        for case in self.cases:
            row = case.row
            if (row["engine"], case.side, row["channels"], row["precision"], row["levels"]) == (
                    engine, side, 1, precision, 3) and threads in (0, row["threads"]):
                return case
        return None


# ---- text ----------------------------------------------------------------------------------


def number(value):
    if not value or not math.isfinite(value):
        return "–"
    digits = 4 if value < 1 else 3 if value < 10 else 2 if value < 100 else 1 if value < 1000 else 0
    return f"{value:.{digits}f}"


def table(title, headings, lines, note=""):
    """Lines are a name and numbers or words; those with nothing to say are left out."""
    lines = [[name, *(cell if isinstance(cell, str) else number(cell) for cell in cells)]
             for name, *cells in lines]
    lines = [line for line in lines if set(line[1:]) != {"–"}]
    if not lines:
        return ""
    widths = [max(len(line[c]) for line in [["", *headings], *lines]) for c in range(len(headings) + 1)]
    rows = ["  ".join([cells[0].ljust(widths[0]), *(cell.rjust(width) for cell, width
                                                    in zip(cells[1:], widths[1:]))]).rstrip()
            for cells in [["", *headings], *lines]]
    return "\n".join(["", title, "-" * len(title), *([note] if note else []), *rows, ""])


def side_table(found, title, lines, note=""):
    """Lines are names and numbers by side."""
    return table(title, [f"{side}²" for side in found.sides],
                 [[name, *(values.get(side, 0) for side in found.sides)] for name, values in lines], note)


def of_lines(found, value):
    return [(name, {side: value(case) for side, case in cases.items()})
            for name, cases in found.lines().items()]


def of_2007(figures):
    return [(f"  2007: {name}", values) for name, values in figures.items()]

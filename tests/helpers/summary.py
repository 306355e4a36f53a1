#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Counts single test cases of a Meson test run: summary.py BUILD [NAME…]

Reads the logs meson-logs/testlog*.json and waits*.json, to whose names Meson adds that of a wrapper. A TAP executable contributes its test points, any
other test one case. An executable that crashes, times out, breaks its plan or shows no test at all is a
failure of its own, whatever its finished test points said. The last line is always
"N passed, N failed, N skipped"; the exit status is 0 when something passed and nothing failed.
The slowest are named before, with the processor time that timed.sh measured; of all tests it stands in
meson-logs/processor.txt, the largest first.
"""
import json
import pathlib
import re
import subprocess
import sys

POINT = re.compile(r"^(not )?ok\b\s*(\d+)?\s*(?:- )?(.*?)\s*(?:#\s*(SKIP|TODO)\b\S*\s*(.*))?$", re.I)
PLAN = re.compile(r"^1\.\.(\d+)\s*(?:#\s*SKIP\b\S*\s*(.*))?$", re.I)
PROCESSOR = re.compile(r"^processor seconds: ([0-9.]+) ([0-9.]+)$", re.M)
SKIP_STATUS = 77
TAIL_LINES = 40
SLOWEST = 10


class Executable:
    """The outcome of one executable: names passed, and (name, reason) failed and skipped."""

    def __init__(self, record):
        self.record = record
        self.name = record["name"].split(" / ")[-1]
        self.passed, self.failed, self.skipped = [], [], []
        self.bailed = None
        self.planned = None
        lines = (record.get("stdout") or "").splitlines()
        if self.is_tap(lines):
            self.read_tap(lines)
        else:
            self.read_status()

    @staticmethod
    def is_tap(lines):
        return any(PLAN.match(line) or line.startswith("TAP version") for line in lines)

    def read_status(self):
        result = self.record["result"]
        if result in ("OK", "EXPECTEDFAIL"):
            self.passed.append(self.name)
        elif result == "SKIP" or self.record["returncode"] == SKIP_STATUS:
            self.skipped.append((self.name, "exit status 77"))
        else:
            self.failed.append((self.name, self.how_it_ended()))

    def read_tap(self, lines):
        for line in lines:
            plan = PLAN.match(line)
            point = POINT.match(line)
            if plan:
                self.planned = int(plan.group(1))
                if self.planned == 0 and plan.group(2) is not None:
                    self.skipped.append((self.name, plan.group(2) or "no reason given"))
            elif line.startswith("Bail out!"):
                self.bailed = line[len("Bail out!"):].strip() or "no reason given"
            elif point:
                self.read_point(*point.groups())
        self.check_end()

    def read_point(self, negative, _number, name, directive, reason):
        name, _, detail = name.partition(" - ")
        full = f"{self.name}: {name}"
        directive = (directive or "").upper()
        if directive == "SKIP":
            self.skipped.append((full, reason or "no reason given"))
        elif directive == "TODO":
            self.failed.append((full, f"incomplete: {reason}"))
        elif negative:
            self.failed.append((full, detail or "not ok"))
        else:
            self.passed.append(full)

    def check_end(self):
        points = len(self.passed) + len(self.failed) + len(self.skipped)
        status = self.record["returncode"]
        if self.bailed is not None and self.failed:
            return  # GLib bails out after a failed assertion, which is counted already
        if self.bailed is not None:
            self.failed.append((self.name, f"bailed out: {self.bailed}"))
        elif self.record["result"] in ("TIMEOUT", "INTERRUPT"):
            self.failed.append((self.name, self.how_it_ended()))
        elif status == SKIP_STATUS and not self.failed:
            self.skipped.append((self.name, "exit status 77"))
        elif status != 0 and not (status == 1 and self.failed):
            self.failed.append((self.name, self.how_it_ended()))
        elif points == 0:
            self.failed.append((self.name, "contains no test"))
        elif self.planned is None or (self.planned and self.planned != points):
            self.failed.append((self.name, f"planned {self.planned} tests, showed {points}"))

    def processor_seconds(self):
        """None: it was not measured, as of a test that was killed."""
        found = PROCESSOR.findall(self.record.get("stderr") or "")
        return sum(map(float, found[-1])) if found else None

    def how_it_ended(self):
        result, status = self.record["result"], self.record["returncode"]
        if result == "TIMEOUT":
            return f"timed out after {self.record['duration']:.0f} s"
        if status < 0:
            return f"killed by signal {-status}"
        if status > 128:
            return f"ended by signal {status - 128}"
        return f"ended with exit status {status} ({result})"

    def tail(self):
        text = "\n".join(filter(None, (self.record.get("stdout"), self.record.get("stderr"))))
        return "\n".join("    " + line for line in text.splitlines()[-TAIL_LINES:])


def read_log(build):
    executables = []
    for pattern in ("testlog*.json", "waits*.json"):
        for log in sorted(pathlib.Path(build, "meson-logs").glob(pattern)):
            with open(log, encoding="utf-8", errors="replace") as lines:
                executables += [Executable(json.loads(line)) for line in lines if line.strip()]
    return executables


def expected_names(build):
    out = subprocess.run(["/usr/bin/meson", "introspect", "--tests", build],
                         capture_output=True, text=True, check=True).stdout
    return [test["name"] for test in json.loads(out)]


def show_times(executables, build):
    costs = [(e.processor_seconds() or 0, e.record["duration"], e.name) for e in executables]
    print("\nslowest, and what it took of the processor:")
    for cost, duration, name in sorted(costs, key=lambda row: -row[1])[:SLOWEST]:
        print(f"  {duration:6.1f} s {cost:6.1f} s  {name}")
    print(f"all: {sum(cost for cost, _, _ in costs):.0f} s of processor time")
    with open(pathlib.Path(build, "meson-logs", "processor.txt"), "w", encoding="utf-8") as table:
        for cost, duration, name in sorted(costs, reverse=True):
            table.write(f"{cost:8.2f} s of the processor {duration:8.1f} s  {name}\n")


def main():
    build, wanted = sys.argv[1], sys.argv[2:]
    executables = read_log(build)
    passed = [name for e in executables for name in e.passed]
    failed = [item for e in executables for item in e.failed]
    skipped = [item for e in executables for item in e.skipped]
    if not wanted:
        seen = [e.name for e in executables]
        for name in expected_names(build):
            if name not in seen:
                failed.append((name, "was not run"))
    if not executables:
        failed.append(("all tests", "no test was run"))

    for executable in executables:
        if executable.failed:
            print(f"\n--- {executable.name}\n{executable.tail()}")
    for title, items in (("skipped", skipped), ("FAILED", failed)):
        if items:
            print(f"\n{title}:")
        for name, reason in items:
            print(f"  {name} ({reason})")
    if len(executables) > SLOWEST:
        show_times(executables, build)
    print(f"\n{len(passed)} passed, {len(failed)} failed, {len(skipped)} skipped")
    return 0 if passed and not failed else 1


if __name__ == "__main__":
    sys.exit(main())

"""The program shows for the small cases of the shared folder what their table says, and survives its hostile files.

    cases_test.py PROGRAM SHARED_DIR

Each row of cases/expect.tsv is a command: its exit code, its lines, and conditions on the PLY file that it writes. The
hostile files have a table of their own here, which says the same as cases/hostile/README.md: every command ends within
5 s of processor time and 1 GB, with success or one line.
"""

import csv
import os
import pathlib
import re
import resource
import struct
import subprocess
import sys
import tempfile
import unittest

PROGRAM = pathlib.Path(sys.argv[1])
CASES = pathlib.Path(sys.argv[2]) / "cases"
SECONDS, BYTES = 5, 1 << 30
SANITIZED = "--sanitized" in sys.argv  # sanitizers need more memory than any limit


def limit():
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS + 1))
    if not SANITIZED:
        resource.setrlimit(resource.RLIMIT_AS, (BYTES, BYTES))


def run(arguments, limited=False):
    """The outcome of `sinew`. A limited program has 5 s and 1 GB, and so has each process that it starts."""
    return subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, stdin=subprocess.DEVNULL, timeout=120,
                          preexec_fn=limit if limited else None)


def lines_of(raw):
    text = raw.decode("utf-8")  # throws where a character is cut
    # Unicode ends lines at more places than "\n".
    return text.splitlines()


def vertices_of(path):
    """The positions in a PLY file of the program: each vertex has six floats and a byte."""
    head, body = path.read_bytes().split(b"end_header\n", 1)
    count = int(re.search(rb"\nelement vertex (\d+)\n", head)[1])
    return [values[:3] for values in struct.iter_unpack("<6fB", body[:25 * count])]


def rows():
    with open(CASES / "expect.tsv", newline="") as table:
        return list(csv.DictReader(table, delimiter="\t", quoting=csv.QUOTE_NONE))


class Cases(unittest.TestCase):
    def test_each_row_of_the_table(self):
        for row in rows():
            with self.subTest(case=row["case"], arguments=row["arguments"]):
                self.check(row)

    def check(self, row):
        with tempfile.TemporaryDirectory() as folder:
            out = pathlib.Path(folder) / "out.ply"
            arguments = [part.replace("{dir}", str(CASES)).replace("{out}", str(out))
                         for part in row["arguments"].split(" ")]
            outcome = run(arguments)
            out_text, err_lines = outcome.stdout.decode(), lines_of(outcome.stderr)
            shown = f"exit code {outcome.returncode}\n{outcome.stdout.decode()}\n{outcome.stderr.decode()}"
            if row["exit"] == "refused":
                self.assertIn(outcome.returncode, range(1, 126), shown)
            elif row["exit"] != "-":
                self.assertEqual(outcome.returncode, int(row["exit"]), shown)
            if row["stderr lines"] != "-":
                self.assertEqual(len(err_lines), int(row["stderr lines"]), shown)
            self.match(row["stderr"], "\n".join(err_lines))
            self.match(row["stdout"], out_text)
            if row["ply"] != "-":
                self.conditions(row["ply"], vertices_of(out))

    def match(self, expression, text):
        if expression == "-":
            return
        if expression.startswith("!"):
            self.assertIsNone(re.search(expression[1:], text), text)
        else:
            self.assertIsNotNone(re.search(expression, text), text)

    def conditions(self, text, vertices):
        extents = [max(axis) - min(axis) for axis in zip(*vertices)]
        values = {"n": len(vertices), "size": max(extents)}
        for name, sign, number in re.findall(r"(\w+)(=|<|>)(\S+)", text):
            value, bound = values[name], float(number)
            self.assertTrue(value == bound if sign == "=" else value < bound if sign == "<" else value > bound,
                            f"{name} is {value}, not {sign} {number}")


class Hostile(unittest.TestCase):
    """Each is refused, or a warning says what was repaired or limited."""

    def refused(self, *arguments):
        outcome = self.bounded(*arguments)
        self.assertIn(outcome.returncode, range(1, 126), outcome.stdout.decode())
        return outcome

    def bounded(self, *arguments):
        """The outcome of a command that ends by itself, with success or one line of valid UTF-8."""
        outcome = run([str(a).replace("{dir}", str(CASES / "hostile")) for a in arguments], limited=True)
        shown = f"exit code {outcome.returncode}\n{outcome.stdout[-2000:]}\n{outcome.stderr[-2000:]}"
        self.assertIn(outcome.returncode, range(0, 126), shown)
        self.assertNotIn(b"bad_alloc", outcome.stderr)
        lines = lines_of(outcome.stderr)
        lines_of(outcome.stdout)
        if outcome.returncode != 0:
            self.assertEqual(len(lines), 1, shown)
        return outcome

    def refused_or_told(self, expression, *arguments):
        outcome = self.bounded(*arguments)
        if outcome.returncode == 0:
            shown = outcome.stdout.decode() + outcome.stderr.decode()
            warnings = [line for line in shown.splitlines() if line.startswith(("warning", "sinew: warning"))]
            self.assertRegex("\n".join(warnings), expression, shown)
        return outcome

    def test_a_key_far_away_retargeted_is_bounded(self):
        self.refused_or_told("key", "info", "{dir}/model.glb", "--animation", "{dir}/retarget_1e7s.glb",
                             "--retarget")

    def test_a_unit_that_is_no_number_is_refused_or_repaired(self):
        outcome = self.refused_or_told("(?i)unit", "info", "{dir}/nan_unit.fbx")
        self.assertNotRegex(outcome.stdout.decode(), r"(?m)^space.*\bnan\b")

    def test_equal_axes_are_refused_or_repaired(self):
        self.refused_or_told("(?i)ax[ei]s", "info", "{dir}/same_axes.fbx")

    def test_axes_that_are_no_numbers_are_refused(self):
        self.refused("info", "{dir}/nan_up.sinew")
        crowd = self.refused("crowd", "{dir}/nan_up.sinew", "--characters", "4", "--validate")
        self.assertIn(b"nan_up.sinew", crowd.stderr)

    def test_a_key_too_large_to_bake_is_refused(self):
        with tempfile.TemporaryDirectory() as folder:
            self.refused("bake", "{dir}/huge_key_nobake.sinew", "--output", folder + "/x.sinew")
            self.assertEqual(os.listdir(folder), [])

    def test_errors_are_one_line_of_whole_characters(self):
        for name in ("utf8_cut.glb", "unicode_lines.glb"):
            with self.subTest(name):
                self.assertEqual(len(lines_of(self.refused("info", "{dir}/" + name).stderr)), 1)

    def test_compressed_data_has_a_limit_of_its_total(self):
        self.refused("info", "{dir}/meshopt_amp.glb")
        self.refused("info", "{dir}/meshopt_amp.glb", "--isolate", "off")


if __name__ == "__main__":
    if not (CASES / "expect.tsv").exists():
        print(f"SKIPPED: NO CASES under {CASES}")
        sys.exit(77)  # SKIP_RETURN_CODE
    sys.argv = sys.argv[:1]
    unittest.main(verbosity=2)

#!/usr/bin/env python3
"""scripts/check_format passes formatted files, fails a planted line, and formats it with --fix."""
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

TOP = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
FORMATTED = "int twice(int x) { return 2 * x; }\n"


def check(root, *options):
    command = [sys.executable, os.path.join(TOP, "scripts", "check_format"), *options, root]
    return subprocess.run(command, capture_output=True, text=True, check=False)


class CheckFormat(unittest.TestCase):
    def setUp(self):
        self.root = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.root)
        shutil.copy(os.path.join(TOP, ".clang-format"), self.root)
        os.mkdir(os.path.join(self.root, "src"))
        self.write(FORMATTED)

    def path(self):
        return os.path.join(self.root, "src", "twice.cpp")

    def write(self, text):
        with open(self.path(), "w", encoding="utf-8") as file:
            file.write(text)

    def test_passes_formatted_files(self):
        result = check(self.root)
        self.assertEqual(result.returncode, 0, result.stdout)
        self.assertEqual(result.stdout, "1 files, 0 not formatted\n")

    def test_fails_planted_lines(self):
        for text in ["int twice(int x){return 2*x;}\n", FORMATTED + "\n\n\nint other;\n", "int* one;\nint *two;\n"]:
            self.write(text)
            result = check(self.root)
            self.assertEqual(result.returncode, 1, text)
            self.assertEqual(result.stdout, "src/twice.cpp\n1 files, 1 not formatted\n")

    def test_fix_formats_what_differs(self):
        self.write("int twice(int x){return 2*x;}\n")
        self.assertEqual(check(self.root, "--fix").returncode, 0)
        with open(self.path(), encoding="utf-8") as file:
            self.assertEqual(file.read(), FORMATTED)


if __name__ == "__main__":
    if check("absent").returncode == 77:
        print("SKIPPED: there is no clang-format 14 to test scripts/check_format with")
        sys.exit(77)
    unittest.main()

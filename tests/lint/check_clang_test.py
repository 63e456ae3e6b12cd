#!/usr/bin/env python3
"""scripts/check_clang passes a plain source, and fails it once a line is planted that clang++ or clang-tidy reports."""
import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

TOP = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
PLAIN = "int twice(int x) { return 2 * x; }\n"
# As in compile_commands.json of a build with g++ and precompiled headers.
OPTIONS = "-Wall -Wextra -Wshadow -Wno-restrict -Wno-stringop-overflow -std=c++20 -Winvalid-pch -include absent/cmake_pch.hxx"


def check(*arguments):
    command = [sys.executable, os.path.join(TOP, "scripts", "check_clang"), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)


class CheckClang(unittest.TestCase):
    def setUp(self):
        self.root = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.root)
        shutil.copy(os.path.join(TOP, ".clang-tidy"), self.root)
        os.mkdir(os.path.join(self.root, "src"))
        source = os.path.join(self.root, "src", "twice.cpp")
        command = f"/usr/bin/ccache /usr/bin/g++-12 {OPTIONS} -o twice.o -c {source}"
        with open(os.path.join(self.root, "compile_commands.json"), "w", encoding="utf-8") as file:
            json.dump([{"directory": self.root, "command": command, "file": source}], file)

    def check(self, text, *options):
        with open(os.path.join(self.root, "src", "twice.cpp"), "w", encoding="utf-8") as file:
            file.write(text)
        return check(*options, self.root, os.path.join(self.root, "src"))

    def assert_fails(self, text, named, *options):
        result = self.check(text, *options)
        self.assertEqual(result.returncode, 1, text)
        self.assertIn(named, result.stdout)
        self.assertTrue(result.stdout.endswith("1 files, 1 failed\n"), result.stdout)

    def assert_passes(self, *options):
        result = self.check(PLAIN, *options)
        self.assertEqual(result.returncode, 0, result.stdout)
        self.assertEqual(result.stdout, "1 files, 0 failed\n")

    def test_passes_a_plain_source(self):
        self.assert_passes()

    def test_fails_errors_and_warnings_of_clang(self):
        self.assert_fails("int twice(int x) { return 2 * y; }\n", "undeclared identifier")
        self.assert_fails("namespace { int twice(int x) { return 2 * x; } }\n", "unused function")
        self.assert_fails("class Twice { int x_ = 2; };\n", "private field 'x_' is not used")  # g++ has no such warning

    @unittest.skipUnless(shutil.which("clang-tidy"), "clang-tidy is not installed")
    def test_tidy_fails_the_checks_of_the_project(self):
        self.assert_passes("--tidy")
        self.assert_fails("struct lower_case {};\n", "readability-identifier-naming", "--tidy")
        self.assert_fails("int* null() { return 0; }\n", "modernize-use-nullptr", "--tidy")
        two_lines = "int half(int x) {\n  if (x > 0)\n    return x /\n           2;\n  return 0;\n}\n"
        self.assert_fails(two_lines, "braces-around-statements", "--tidy")

    def test_libcxx_fails_what_it_lacks(self):
        if self.check(PLAIN, "--libc++").returncode == 77:
            self.skipTest("libc++ is not installed")
        self.assert_passes("--libc++")
        self.assert_fails("#include <version>\n#ifdef _LIBCPP_VERSION\n#error libc++\n#endif\n", "libc++", "--libc++")

    def test_fails_paths_without_sources(self):
        result = check(self.root, os.path.join(self.root, "absent"))
        self.assertEqual(result.returncode, 1)
        self.assertIn("compiles no source", result.stderr)


if __name__ == "__main__":
    if not shutil.which("clang++"):
        print("SKIPPED: there is no clang++ to test scripts/check_clang with")
        sys.exit(77)
    unittest.main()

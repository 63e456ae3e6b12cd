#!/usr/bin/env python3
"""scripts/mutants finds rows that no longer fit the tree, and plants a fault in one line alone."""
import os
import shutil
import sys
import tempfile
import unittest

TOP = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
sys.path.insert(0, os.path.join(TOP, "scripts"))
from load_script import load_script  # noqa: E402

mutants = load_script("mutants")

SOURCE = "int twice(int x) {\n  return 2 * x;\n}\nint thrice(int x) {\n  return 3 * x;\n}\n"
ROW = mutants.Row("src/twice.cpp", "return 2 * x;", "return x;", r"^Twice\.IsTwice$", "once")


class Mutants(unittest.TestCase):
    def setUp(self):
        self.root = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.root)
        self.write("src/twice.cpp", SOURCE)
        self.write("tests/twice/twice_test.cpp", "TEST(Twice, IsTwice) {}\n")
        self.write("tests/twice/CMakeLists.txt", "sinew_test(twice\n  SOURCES twice_test.cpp\n  LIBRARIES sinew)\n"
                   "add_test(NAME twice.in_python\n  COMMAND ${Python3_EXECUTABLE} a.py $<TARGET_FILE:sinew_c>)\n")

    def write(self, name, text):
        os.makedirs(os.path.join(self.root, os.path.dirname(name)), exist_ok=True)
        mutants.write(os.path.join(self.root, name), text)

    def faults(self, **changes):
        return mutants.faults_of_table(self.root, [ROW._replace(**changes)])

    def test_passes_lines_that_exist_once(self):
        self.assertEqual(self.faults(), [])
        self.assertEqual(self.faults(test=r"^twice\.in_python$"), [])

    def test_fails_lines_that_changed_or_exist_twice(self):
        self.assertIn("0 times", self.faults(line="return 4 * x;")[0])
        self.assertIn("0 times", self.faults(file="src/gone.cpp")[0])
        self.write("src/twice.cpp", SOURCE + SOURCE)
        self.assertIn("2 times", self.faults()[0])

    def test_fails_tests_that_do_not_exist_and_faults_that_are_none(self):
        self.assertIn("no such test", self.faults(test=r"^Twice\.IsThrice$")[0])
        self.assertIn("is the line itself", self.faults(fault=ROW.line)[0])

    def test_plants_in_one_line_and_keeps_its_indentation(self):
        self.assertEqual(mutants.planted(SOURCE, ROW), SOURCE.replace("  return 2 * x;", "  return x;"))

    def test_knows_the_target_of_a_test(self):
        targets = mutants.targets_by_test(self.root)
        self.assertEqual(mutants.targets_of(ROW, targets), ["sinew_test_twice"])
        self.assertEqual(targets["twice.in_python"], ["sinew_c"])


if __name__ == "__main__":
    unittest.main()

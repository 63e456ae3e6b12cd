#!/usr/bin/env python3
"""Tests of scripts/check_skips: unknown reasons, and tests that were skipped although nothing was missing."""
import os
import sys
import tempfile
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "scripts"))
from load_script import load_script  # noqa: E402

check_skips = load_script("check_skips")

RESULTS = """<testsuite>
<testcase name="A" status="run"><system-out>NO DEVICE</system-out></testcase>
<testcase name="B" status="notrun"><skipped message="SKIP_RETURN_CODE=77"/><system-out>NO DEVICE: {}</system-out></testcase>
</testsuite>"""


class CheckSkips(unittest.TestCase):
    def faults(self, output, rows):
        with tempfile.TemporaryDirectory() as folder:
            with open(os.path.join(folder, "tests.xml"), "w", encoding="utf-8") as file:
                file.write(RESULTS.format(output))
            return list(check_skips.faults_of(check_skips.skipped_tests(folder), rows, lambda command: command == "true"))

    def test_a_known_reason_is_no_fault(self):
        self.assertEqual(self.faults("nothing was drawn", [["NO SHAPE", "true"], ["^NO DEVICE", "false"]]), [])

    def test_an_unknown_reason_is_one(self):
        [fault] = self.faults("no scene ''", [["NO DEVICE$", "false"]])
        self.assertIn("B was skipped for a reason", fault)
        self.assertIn("no scene ''", fault)

    def test_what_the_machine_has_is_no_reason(self):
        [fault] = self.faults("nothing was drawn", [["NO DEVICE", "true"]])
        self.assertIn("B was skipped (NO DEVICE), but the machine has it", fault)

    def test_the_table_of_the_tests_can_be_read(self):
        self.assertGreater(len(check_skips.read_table(os.path.join(ROOT, "tests/skips.tsv"))), 10)


unittest.main()

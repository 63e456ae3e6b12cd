"""Kernels that became worse are found, and those that did not are not."""
import copy
import os
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import families  # noqa: E402


def row(**changes):
    """A kernel of 100 instructions."""
    return {"family": "navi21", "kernel": "linear", "influences": 1, "rigid": False, "marginal_instructions": 100.0,
            "instructions": 900, "vgprs": 32, "subgroups_per_simd": 32, "spills": 0, "scratch_bytes": 0, **changes}


class Faults(unittest.TestCase):
    """families.faults()."""

    def faults_of(self, **changes):
        older = {"rows": [row(), row(kernel="morph", marginal_instructions=None)]}
        newer = copy.deepcopy(older)
        newer["rows"][0].update(changes)
        return list(families.faults(older, newer))

    def test_none_without_changes(self):
        self.assertEqual(self.faults_of(), [])

    def test_none_where_a_kernel_is_better_or_one_instruction_longer(self):
        self.assertEqual(self.faults_of(marginal_instructions=82.0, vgprs=24), [])
        self.assertEqual(self.faults_of(marginal_instructions=101.0), [])

    def test_two_instructions(self):
        self.assertEqual(self.faults_of(marginal_instructions=102.0),
                         ["navi21, linear, 1 influences: marginal_instructions were 100, are 102"])

    def test_spills_scratch_and_occupancy(self):
        self.assertIn("spills were 0, are 1", self.faults_of(spills=1)[0])
        self.assertIn("scratch_bytes were 0, are 16", self.faults_of(scratch_bytes=16)[0])
        self.assertIn("subgroups per SIMD were 32, are 28", self.faults_of(subgroups_per_simd=28)[0])

    def test_loops_that_are_not_unrolled_count_whole(self):
        older = {"rows": [row(marginal_instructions=None)]}
        newer = {"rows": [row(marginal_instructions=None, instructions=902)]}
        self.assertEqual(list(families.faults(older, newer)),
                         ["navi21, linear, 1 influences: instructions were 900, are 902"])


if __name__ == "__main__":
    unittest.main()

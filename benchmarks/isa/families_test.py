"""Kernels and other shaders that became worse are found, and those that did not are not."""
import copy
import json
import unittest

import families


def row(**changes):
    """A kernel of 100 instructions."""
    return {"family": "navi21", "kernel": "linear", "influences": 1, "rigid": False, "marginal_instructions": 100.0,
            "instructions": 900, "vgprs": 32, "subgroups_per_simd": 32, "spills": 0, "scratch_bytes": 0, **changes}


def shader(**changes):
    """A shader of 250 instructions."""
    return {"family": "navi21", "pipeline": "crowd_depth_pipeline", "stage": "vertex", "instructions": 250, "vgprs": 24,
            "sgprs": 128, "subgroups_per_simd": 32, "spills": 0, "scratch_bytes": 0, "code_bytes": 1344, **changes}


class Faults(unittest.TestCase):
    """families.faults()."""

    def faults_of(self, **changes):
        older = {"rows": [row(), row(kernel="morph", marginal_instructions=None)], "shaders": []}
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
        older = {"rows": [row(marginal_instructions=None)], "shaders": []}
        newer = {"rows": [row(marginal_instructions=None, instructions=902)], "shaders": []}
        self.assertEqual(list(families.faults(older, newer)),
                         ["navi21, linear, 1 influences: instructions were 900, are 902"])


class ShaderFaults(unittest.TestCase):
    """families.faults() and summary() of shaders other than the kernel."""

    def reports(self, **changes):
        older = {"driver": "Mesa", "rows": [row()], "shaders": [shader(), shader(stage="fragment", instructions=2)]}
        newer = copy.deepcopy(older)
        newer["shaders"][0].update(changes)
        return older, newer

    def faults_of(self, **changes):
        return list(families.faults(*self.reports(**changes)))

    def test_none_without_changes_or_where_a_shader_is_better(self):
        self.assertEqual(self.faults_of(), [])
        self.assertEqual(self.faults_of(instructions=240, vgprs=16, subgroups_per_simd=40), [])
        self.assertEqual(self.faults_of(instructions=251), [])

    def test_each_way_to_become_worse(self):
        title = "navi21, crowd_depth_pipeline, vertex: "
        self.assertEqual(self.faults_of(instructions=252), [title + "instructions were 250, are 252"])
        self.assertEqual(self.faults_of(spills=1), [title + "spills were 0, are 1"])
        self.assertEqual(self.faults_of(scratch_bytes=16), [title + "scratch_bytes were 0, are 16"])
        self.assertEqual(self.faults_of(subgroups_per_simd=28), [title + "subgroups per SIMD were 32, are 28"])

    def test_a_new_shader_is_counted_and_no_fault(self):
        older, newer = self.reports(pipeline="crowd_pulled_pipeline", instructions=999)
        self.assertEqual(list(families.faults(older, newer)), [])
        self.assertIn("1 other shaders compared, 1 not in the file, 1 only there", families.summary(older, newer))

    def test_a_list_that_lost_all_shaders(self):
        older, newer = self.reports()
        newer["shaders"] = []
        self.assertEqual(list(families.faults(older, newer)), ["navi21: the file has other shaders, and none is listed now"])

    def test_a_family_that_is_not_compiled_is_named(self):
        older, newer = self.reports()
        newer["rows"], newer["shaders"] = [], []
        self.assertEqual(list(families.faults(older, newer)), [])
        self.assertIn("Families only in the file: navi21", families.summary(older, newer))

    def test_a_file_without_other_shaders_says_so(self):
        older, newer = self.reports(spills=1)
        del older["shaders"]
        self.assertEqual(list(families.faults(older, newer)), [])
        self.assertEqual(list(families.summary(older, newer))[1],
                         "The file of Mesa has no counts of other shaders: they are not compared")

    def test_files_are_read_as_they_are_written(self):
        report = self.reports()[0]
        self.assertEqual(json.loads(families.text_of(report)), report)


if __name__ == "__main__":
    unittest.main()

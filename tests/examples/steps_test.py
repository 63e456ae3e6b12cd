#!/usr/bin/env python3
"""usage: steps_test.py FOLDER [unittest options]

Runs the seven steps of docs/tutorials/step_by_step.md. What they print is computed here again, and their pictures show
it. Each of these faults, planted once, fails a test: vertices as in joint space, an angle with the other sign, the key
before in place of both, no loop, no parent, no inverse bind matrix, the lightest influence, no weights, no record(), the
palette of the rest pose, no strides, no advance().
"""
import math
import os
import re
import unittest

import example
import glb_joints

CHARACTER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "assets", "character.glb")
NUMBER = r"(-?\d+\.\d+)"
POINT = rf"\({NUMBER}, {NUMBER}, {NUMBER}\)"
SAME = "0.00000[0-2]"  # a difference by rounding alone
WALK_SECONDS = 16 / 15


def is_orange(r, g, b):
    return r > g + 70 and g > b


def is_blue(r, g, b):
    return b > r + 40


def is_colored(r, g, b):  # the ground and the sky of the steps have no color
    return max(r, g, b) - min(r, g, b) > 12


def rows_of(picture, test):
    """Mean and extent of the rows with such pixels, as shares of the picture from its top."""
    rows = [y / picture.height for y in range(picture.height)
            for pixel in picture.pixels(y / picture.height, (y + 1) / picture.height) if test(*pixel)]
    return sum(rows) / len(rows), min(rows), max(rows)


class Steps(example.Example):
    outputs = {
        "step1_joint": rf"The joint is turned by {NUMBER} degrees\.\n"
                       rf"The tip of the arm: \(1\.000, 0\.000, 0\.000\) in joint space, {POINT} in model space\.\n",
        "step2_clip": rf"At {NUMBER} s of the clip the tip of the arm is at {POINT}\.\n"
                      rf"Difference from sample_clip\(\): {SAME}\n",
        "step3_pose": rf"hand_r is at {POINT}\.\nDifference from walk_hierarchy\(\): {SAME}\n",
        "step4_palette": rf"59 matrices; difference from build_palette\(\): {SAME}\n",
        "step5_cpu_skinning": rf"5935 vertices; difference from skin_on_cpu\(\): {SAME} m\n",
        "step6_compute_skinning": r"each frame: (\d+) bytes of palette in, (\d+) vertices skinned by (\d+) dispatches, "
                                  r"(\d+) bytes out\n",
        "step7_crowd": rf"(\d+) people, (\d+) of them seen, in (\d+) draws\n"
                       rf"Person 0 is at x = {NUMBER}, z = {NUMBER}, and {NUMBER} s into its clip\.\n",
    }

    def at(self, name, seconds):
        return self.draw(name, 1, "--seconds", str(seconds))

    def numbers_at(self, name, seconds):
        return [float(n) for n in re.match(self.outputs[name], self.at(name, seconds).said).groups()]

    def assert_near(self, numbers, expected, tolerance=0.0011):
        self.assertEqual(len(numbers), len(expected))
        for number, right in zip(numbers, expected):
            self.assertAlmostEqual(number, right, delta=tolerance)

    def assert_tip(self, numbers, degrees):
        self.assert_near(numbers, (math.cos(math.radians(degrees)), 1.4 + math.sin(math.radians(degrees)), 0))


class Joint(Steps):
    def test_tip_is_where_the_angle_says(self):
        for seconds in (0, 0.2, 0.5, 1.5):
            degrees = 50 * math.sin(math.pi * seconds)
            numbers = self.numbers_at("step1_joint", seconds)
            self.assert_near(numbers[:1], [degrees], 0.01)
            self.assert_tip(numbers[1:], degrees)

    def test_picture_shows_the_arm_up_level_and_down(self):
        up, level, down = (rows_of(self.at("step1_joint", s), is_orange)[0] for s in (0.5, 0, 1.5))
        self.assert_between(0.20, up, 0.36)
        self.assert_between(0.40, level, 0.52)
        self.assert_between(0.58, down, 0.74)

    def test_time_goes_on_in_steps_of_a_sixtieth(self):
        late = self.draw("step1_joint", 13, "--seconds", "0.3")
        self.assertEqual(late.rows, self.at("step1_joint", 0.5).rows)
        self.assertGreater(late.changed(self.at("step1_joint", 0.2)), 0.01)


class Clip(Steps):
    KEYS = ((0, 0), (0.5, 60), (0.8, 60), (1.3, -40), (1.6, 0))

    def degrees_at(self, seconds):
        """Halves of angles, whose sines and cosines are the quaternions, are blended linearly and normalized."""
        for (from_seconds, from_degrees), (to_seconds, to_degrees) in zip(self.KEYS, self.KEYS[1:]):
            if seconds <= to_seconds:
                t = (seconds - from_seconds) / (to_seconds - from_seconds)
                a, b = math.radians(from_degrees / 2), math.radians(to_degrees / 2)
                return 2 * math.degrees(math.atan2((1 - t) * math.sin(a) + t * math.sin(b),
                                                   (1 - t) * math.cos(a) + t * math.cos(b)))
        raise ValueError(seconds)

    def test_tip_is_between_the_keys(self):
        for seconds in (0, 0.125, 0.65, 1.0, 1.5):
            numbers = self.numbers_at("step2_clip", seconds)
            self.assert_near(numbers[:1], [seconds])
            self.assert_tip(numbers[1:], self.degrees_at(seconds))
        self.assert_tip(self.numbers_at("step2_clip", 1.6 + 0.125)[1:], self.degrees_at(0.125))

    def test_picture_shows_it(self):
        self.assertLess(rows_of(self.at("step2_clip", 0.65), is_orange)[0], 0.36)
        self.assertGreater(rows_of(self.at("step2_clip", 1.3), is_orange)[0], 0.54)
        self.assertLess(self.at("step2_clip", 0.25).changed(self.at("step2_clip", 1.85)), 0.001)


class Pose(Steps):
    def test_hand_is_where_the_file_and_the_turns_put_it(self):
        joints = glb_joints.Joints(CHARACTER)
        for seconds in (0, 0.2, 0.75):
            raise_axis, swing = (1, 0, 1), math.sin(2 * math.pi * seconds)
            turns = {"upper_arm_r": glb_joints.rotation_about(raise_axis, 95),
                     "forearm_r": glb_joints.rotation_about(raise_axis, 35 + 35 * swing)}
            self.assert_near(self.numbers_at("step3_pose", seconds), joints.place("hand_r", turns))

    def test_picture_shows_a_skeleton_with_a_raised_arm(self):
        picture = self.at("step3_pose", 0.25)
        self.assert_between(0.0002, picture.share(is_orange), 0.004)
        self.assertLess(rows_of(picture, is_orange)[0], 0.40)
        _, top, bottom = rows_of(picture, is_blue)
        self.assert_between(0.02, top, 0.30)
        self.assert_between(0.75, bottom, 0.95)


class Palette(Steps):
    def test_each_vertex_is_near_its_place_though_one_matrix_moves_it(self):
        for seconds in (0, 0.3, 0.8):
            rigid = [is_colored(*p) for p in self.at("step4_palette", seconds).pixels()]
            smooth = [is_colored(*p) for p in self.at("step5_cpu_skinning", seconds).pixels()]
            self.assert_between(0.05, sum(rigid) / len(rigid), 0.25)
            self.assertLess(sum(a != b for a, b in zip(rigid, smooth)) / sum(rigid), 0.12)

    def test_colors_are_those_of_joints(self):
        picture = self.at("step4_palette", 0.3)
        hues = {tuple(channel // 32 for channel in pixel) for pixel in picture.pixels() if is_colored(*pixel)}
        self.assertGreater(len(hues), 30)


class CpuSkinning(Steps):
    def test_picture_shows_the_character_in_its_colors(self):
        picture = self.at("step5_cpu_skinning", 0.3)
        self.assert_between(0.009, picture.share(lambda r, g, b: g > r + 14 and g > b - 8), 0.030)  # the shirt
        self.assert_between(0.001, picture.share(lambda r, g, b: r > g + 62), 0.006)  # the scarf

    def test_it_walks_in_a_loop(self):
        early = self.at("step5_cpu_skinning", 0.3)
        self.assert_between(0.01, early.changed(self.at("step5_cpu_skinning", 0.8)), 0.2)
        self.assertLess(early.changed(self.at("step5_cpu_skinning", 0.3 + WALK_SECONDS)), 0.002)


class ComputeSkinning(Steps):
    def test_picture_is_that_of_the_cpu(self):
        for seconds in (0, 0.3, 0.8):
            difference = self.at("step6_compute_skinning", seconds).changed(self.at("step5_cpu_skinning", seconds), steps=8)
            self.assertLess(difference, 0.002)

    def test_bytes_are_those_of_one_instance(self):
        palette_bytes, vertices, dispatches, skinned_bytes = self.numbers_at("step6_compute_skinning", 0.3)
        self.assertEqual((vertices, skinned_bytes), (5935, 5935 * 24))
        self.assert_between(1, dispatches, 8)  # one for each number of influences
        self.assert_between(59 * 48, palette_bytes, 70 * 48)


class Crowd(Steps):
    STRIDE = 1.12  # meters

    def test_rings_of_people(self):
        people, seen, draws, *place = self.numbers_at("step7_crowd", 0.3)
        self.assertEqual(people, sum(8 + 12 * ring for ring in range(5)))
        self.assert_between(people / 2, seen, people)
        self.assert_between(1, draws, 60)
        radius = 8 * self.STRIDE / math.tau
        angle = 0.3 / WALK_SECONDS * self.STRIDE / radius
        self.assert_near(place, (radius * math.cos(angle), radius * math.sin(angle), (0.3 * radius + 0.3) % WALK_SECONDS))


class CrowdLoop(Steps):
    def test_each_takes_the_place_of_the_next(self):
        early = self.at("step7_crowd", 0.3)
        self.assertGreater(early.changed(self.at("step7_crowd", 0.8)), 0.05)
        self.assertLess(early.changed(self.at("step7_crowd", 0.3 + WALK_SECONDS)), 0.01)


if __name__ == "__main__":
    example.run_tests()

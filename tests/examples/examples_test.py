#!/usr/bin/env python3
"""usage: examples_test.py FOLDER [unittest options]

Runs the drawing examples of a build folder with validation, and looks at their pictures: not that there is one, but that
the right share of it has the right colors. The ranges were measured on Mesa's software driver, and are as wide as other
drivers' edges and filters need. Each of these faults, planted once, fails a test: no evaluate(), no advance(), no
decoding of normals, the texture coordinates of another vertex, no colors of vertices, no barriers, this frame's
vertices as the previous ones, no previous transforms, no place_sockets(), only update group 0 drawn; streams of a model
that arrives in a wrong place, or others lost then; a model that is not removed;
acceleration structures that are not refitted, or all of the first pose; no VK_KHR_portability_subset on a device that
has it.
"""
import os
import re
import runpy
import shutil
import subprocess
import time
import unittest
import unittest.mock

import example

NAMES = ("minimal", "motion_vectors", "ray_tracing", "crowd_vulkan", *example.STEPS)
OUTPUT = r"instances (\d+), structures (\d+): (\d+) bytes; (\d+) with instances and scratch for (\d+) builds at once\n" \
         r"builds (\d+), refits (\d+)\n"


STREET = r"(\d+\.\d s: model \d is (added, the \w+|removed)\n)*\d+\.\d s: (\d+) people came, (\d+) left, in (\d+) slots\n"


# --- colors ---

def is_gray(r, g, b):
    return max(r, g, b) - min(r, g, b) <= 3


def is_teal(r, g, b):  # the built-in character's shirt
    return g > r + 14 and g > b - 8


def is_scarf(r, g, b):
    return r > g + 62


def is_shadow(r, g, b):  # on the ground of the day: only the sky reaches it
    return b > r + 4 and r < 110


def is_light(r, g, b):  # windows and lanterns of the street
    return r > 190 and g > 150 and r > b + 40


def is_bright(r, g, b):
    return max(r, g, b) - min(r, g, b) > 50


class Minimal(example.Example):
    def test_characters_have_their_colors_and_light(self):
        picture = self.draw("minimal", 3)
        self.assert_between(0.034, picture.share(is_teal), 0.044)  # other texture coordinates, other shares
        self.assert_between(0.0025, picture.share(is_scarf), 0.0075)
        self.assert_between(0.030, picture.share(is_shadow), 0.048)
        # The sun is on one side: shirts are lit there and dark on the other.
        light = sorted(sum(pixel) / 3 for pixel in picture.pixels() if is_teal(*pixel))
        self.assert_between(118, light[len(light) // 10], 142)
        self.assert_between(150, light[len(light) // 2], 172)
        self.assert_between(174, light[len(light) * 9 // 10], 196)

    def test_distant_characters_have_their_colors_too(self):
        # The last rows are small levels of detail.
        picture = self.draw("minimal", 2, *example.made_model(), "--characters", "2000")
        self.assert_between(0.27, picture.share(lambda r, g, b: r > b + 15, 0.14, 0.30), 0.36)  # hair and trousers
        self.assertLess(picture.share(lambda r, g, b: min(r, g, b) > 190, 0.14, 0.30), 0.01)

    def test_characters_move_and_the_rest_stands_still(self):
        model = example.made_model()
        early, late = self.draw("minimal", 1, *model), self.draw("minimal", 12, *model)
        self.assert_between(0.04, early.changed(late), 0.20)
        self.assertLess(sum(a != b for a, b in zip(early.pixels(0, 0.25), late.pixels(0, 0.25))), 20)

    def test_two_runs_give_the_same_picture(self):
        model = example.made_model()
        self.assertEqual(self.draw("minimal", 12, *model).rows, self.draw_again("minimal", 12, *model).rows)


class MotionVectors(example.Example):
    def test_nothing_has_moved_in_the_first_frame(self):
        self.assertEqual(self.draw("motion_vectors", 1, *example.made_model()).share(is_gray), 1)

    def test_hues_are_directions(self):
        picture = self.draw("motion_vectors", 12, *example.made_model())
        self.assertEqual(picture.share(is_gray, 0, 0.2), 1)  # the background does not move
        self.assert_between(0.72, picture.share(is_gray), 0.80)
        # Two rows go to the right, one to the left.
        self.assert_between(0.08, picture.share(lambda r, g, b: r > g + 30 and r > b + 30), 0.12)
        self.assert_between(0.04, picture.share(lambda r, g, b: g > r + 30 and b > r + 30), 0.065)
        # Only skinned motion is up or down: arms, knees, dancers.
        up = picture.share(lambda r, g, b: g > b + 20 and g > r - 15)
        down = picture.share(lambda r, g, b: b > g + 20 and b > r - 15)
        self.assert_between(0.010, up, 0.035)
        self.assert_between(0.008, down, 0.035)


class RayTracing(example.Example):
    outputs = {"ray_tracing": OUTPUT}

    def test_characters_have_the_colors_of_their_poses_and_shadows(self):
        picture = self.draw("ray_tracing", 3)
        self.assertEqual(picture.share(is_bright, 0, 0.25), 0)
        self.assert_between(0.24, picture.share(is_bright, 0.25, 0.72), 0.31)
        self.assert_between(0.015, picture.share(lambda r, g, b: g > r + 35 and g > b + 35), 0.024)
        self.assert_between(0.028, picture.share(lambda r, g, b: r > g + 50 and b > g + 40), 0.041)
        self.assert_between(0.024, picture.share(lambda r, g, b: g > r + 45 and b > r + 45), 0.036)
        self.assert_between(0.026, picture.share(lambda r, g, b: b >= r and r < 125 and not is_bright(r, g, b)), 0.042)

    def test_characters_and_their_mirror_images_move(self):
        early, late = self.draw("ray_tracing", 3), self.draw("ray_tracing", 20)
        self.assert_between(0.06, early.changed(late), 0.11)
        self.assertEqual(list(early.pixels(0, 0.25)), list(late.pixels(0, 0.25)))
        pairs = list(zip(early.pixels(0.85), late.pixels(0.85)))  # of what is there, only mirror images move
        changed = sum(max(abs(a - b) for a, b in zip(p, q)) > 2 for p, q in pairs) / len(pairs)
        self.assert_between(0.05, changed, 0.12)

    def test_counts_of_builds_and_refits(self):
        said = [int(number) for number in re.match(OUTPUT, self.draw("ray_tracing", 20).said).groups()]
        instances, structures, structure_bytes, all_bytes, at_once, builds, refits = said
        self.assertEqual((instances, structures, at_once, builds, refits), (40, 10, 10, 10, 190))
        self.assertTrue(0 < structure_bytes < all_bytes < 256 << 20)

    def test_a_budget_that_is_too_small(self):
        self.draw("ray_tracing", 3)
        done = example.run("ray_tracing", "--headless", os.path.join(self.folder, "p.png"), "--budget", "1")
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertRegex(done.stderr, r"\A[^\n]* 10 poses and 40 instances need [0-9.]+ MiB, more than the budget of 1.0 MiB\n\Z")


class Crowd(example.Example):
    outputs = {"crowd_vulkan": STREET}

    def test_models_and_people_come_and_go(self):
        said = self.draw("crowd_vulkan", 50, "--seconds", "61", "--characters", "30").said
        self.assertEqual(re.findall(r"s: (model .*)", said),
                         ["model 2 is added, the merchant", "model 3 is added, the weaver", "model 1 is removed",
                          "model 1 is added, the swordsman"])  # the last two while frames are drawn
        came, left, slots = (int(number) for number in re.match(STREET, said).groups()[-3:])
        self.assertTrue(came > slots and came - left <= slots <= 30, said)  # slots are used again

    def test_who_is_on_the_street_is_drawn(self):
        empty, full = (self.draw("crowd_vulkan", 4, "--seconds", "45", "--characters", n) for n in ("1", "160"))
        self.assert_between(0.108, full.changed(empty), 0.130)
        self.assert_between(0.0043, full.share(lambda r, g, b: r > g + 75), 0.0062)  # sunlit skin, scarfs, clothes
        self.assert_between(0.026, empty.share(is_light), 0.032)  # windows
        self.assert_between(0.0009, full.share(is_light) - empty.share(is_light), 0.0030)  # lanterns in hands


class UpdateRates(example.Example):
    outputs = {"crowd_vulkan": STREET}

    def test_what_is_not_updated_is_drawn_all_the_same(self):
        few, many = (self.draw("crowd_vulkan", frames, "--seconds", "1") for frames in (4, 7))
        self.assert_between(0.01, few.changed(many), 0.08)  # in no frame a group is lost


class SimulatedDevices(example.Example):
    outputs = {"crowd_vulkan": STREET}

    def test_a_device_that_must_have_its_extension_and_one_without_float_depth(self):
        script = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "scripts", "profiles")
        environment = runpy.run_path(script)["environment"]
        for device in ("portability", "no-d32"):
            for name, options in (("minimal", ()), ("motion_vectors", ()), ("crowd_vulkan", ("--seconds", "1"))):
                plain = self.draw(name, 2, *options)
                with unittest.mock.patch.dict(os.environ, environment(os.path.abspath(example.build), device)):
                    self.assertLess(self.draw_again(name, 2, *options).changed(plain, steps=1), 0.001, (device, name))


class Refusals(example.Example):
    def assert_refused(self, code, pattern, *arguments, names=NAMES, **options):
        for name in names:
            done = example.run(name, *arguments, **options)
            if done.returncode == 77 and code == 1:  # where no device has what an example needs
                self.assertRegex(done.stderr, rf"\A{example.program(name)}: SKIPPED: no device has ray queries[^\n]*\n\Z")
                continue
            self.assertEqual((done.returncode, done.stdout), (code, ""), done.stderr)
            self.assertRegex(done.stderr, rf"\A{example.program(name)}: [^\n]*{pattern}[^\n]*\n\Z")

    def test_command_lines(self):
        self.assert_refused(2, "unknown option '--wrong'", "--wrong")
        self.assert_refused(2, "--size needs", "--size", "0x5")
        self.assert_refused(2, "--frames needs a number", "--frames", "x")
        self.assert_refused(2, "--headless needs a value", "--headless")
        self.assert_refused(2, "--seconds needs a number", "--seconds", "-1")
        self.assert_refused(2, "(one FILE is enough|it takes no FILE)", "a.glb", "b.glb")

    def test_files(self):
        picture = os.path.join(self.folder, "p.png")
        readers = [name for name in NAMES if name not in example.STEPS[:2]]
        self.assert_refused(1, "missing.glb", "--headless", picture, "missing.glb", names=readers)
        small = ("--frames", "1", "--size", "16x16", "--seconds", "1")
        self.assert_refused(1, "cannot write", "--headless", os.path.join(self.folder, "none", "p.png"), *small)

    def test_no_display_and_no_driver(self):
        self.assert_refused(1, "no window can be opened", environment={"DISPLAY": "", "WAYLAND_DISPLAY": ""})
        nothing = {"VK_ICD_FILENAMES": os.devnull, "VK_DRIVER_FILES": os.devnull}
        self.assert_refused(1, "driver", "--headless", os.path.join(self.folder, "p.png"), environment=nothing)


@unittest.skipUnless(all(map(shutil.which, ("Xvfb", "xdotool"))), "Xvfb and xdotool are not installed")
class Windows(example.Example):
    def test_resized_minimized_and_closed(self):
        reading, writing = os.pipe()
        server = subprocess.Popen(["Xvfb", "-displayfd", str(writing), "-screen", "0", "800x600x24"], pass_fds=[writing],
                                  stderr=subprocess.DEVNULL)
        self.addCleanup(lambda: (server.terminate(), server.wait()))
        os.close(writing)
        with os.fdopen(reading) as file:
            display = ":" + file.readline().strip()
        # GLFW 3.4 looks for Wayland too, and libwayland complains where there is no such folder.
        environment = {**os.environ, "DISPLAY": display, "WAYLAND_DISPLAY": "", "XDG_RUNTIME_DIR": self.folder}
        command = [os.path.join(example.build, example.program("minimal")), "--validate", "--size", "320x180"]
        program = subprocess.Popen(command, env=environment, stderr=subprocess.PIPE, text=True)
        self.addCleanup(program.kill)

        def xdotool(*arguments):
            return subprocess.run(["xdotool", *arguments], env=environment, capture_output=True, text=True, check=True).stdout

        window = xdotool("search", "--sync", "--name", "sinew: minimal").split()[0]
        for size in (("200", "300"), ("500", "120"), ("1", "1"), ("320", "180")):
            xdotool("windowsize", window, *size)
            time.sleep(0.3)
        xdotool("windowunmap", window)
        time.sleep(0.2)
        xdotool("windowmap", window)
        time.sleep(0.3)
        self.assertIsNone(program.poll())
        xdotool("windowfocus", window)
        xdotool("keydown", "--window", window, "Escape")
        self.assertEqual((program.wait(120), program.stderr.read()), (0, ""))
        program.stderr.close()


if __name__ == "__main__":
    example.run_tests()

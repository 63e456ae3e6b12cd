#!/usr/bin/env python3
"""usage: crowd_test.py SOURCES LIBRARY [unittest options]

examples/python draws a crowd with validation on: no message, every vertex that of the CPU skinner, and a picture that
shows the character. The shares of colors are those of the built-in character, in ranges that other poses stay in. Each of
these faults, planted once, fails a test: palettes one instance too far, no evaluate(), the full mesh at every level,
texture coordinates of another vertex, no light, no shadows, no consumers' stage in SkinnerInfo.
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

SOURCES, LIBRARY = (sys.argv.pop(1) for _ in range(2))
sys.path[:0] = [os.path.join(SOURCES, "tests", "examples"), os.path.join(SOURCES, "examples", "python")]
import sinew  # noqa: E402
from picture import Picture  # noqa: E402

FRAME = re.compile(r"^frame \d: (\d+) of (\d+) instances visible, (\d+) skinned, (\d+) vertices, largest error (\S+) of",
                   re.MULTILINE)


def run(*options, folder):
    environment = {**os.environ, "VK_INSTANCE_LAYERS": "VK_LAYER_KHRONOS_validation", "VK_LAYER_VALIDATE_SYNC": "1",
                   "VK_LAYER_ENABLES": "VK_VALIDATION_FEATURE_ENABLE_SYNCHRONIZATION_VALIDATION_EXT:"
                                       "VALIDATION_CHECK_ENABLE_SYNCHRONIZATION_VALIDATION_QUEUE_SUBMIT"}
    command = [sys.executable, os.path.join(SOURCES, "examples", "python", "crowd.py"), "--library", LIBRARY,
               "--output", os.path.join(folder, "crowd.png"), "--size", "320x180", "--count", "60", *options]
    return subprocess.run(command, capture_output=True, text=True, check=False, env=environment, timeout=580)


class Crowd(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp()
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        cls.done = run("--frames", "3", folder=cls.folder)
        if cls.done.returncode == 77:
            print(cls.done.stdout)
            sys.exit(77)
        cls.picture = Picture(os.path.join(cls.folder, "crowd.png")) if cls.done.returncode == 0 else None

    def test_every_vertex_is_that_of_the_cpu_skinner(self):
        self.assertEqual(self.done.returncode, 0, self.done.stdout + self.done.stderr)
        frames = FRAME.findall(self.done.stdout)
        self.assertEqual(len(frames), 3, self.done.stdout)
        for visible, count, skinned, vertices, error in frames:
            self.assertLess(20, int(visible))
            self.assertLess(int(visible), int(count))  # some are outside of the picture
            self.assertLess(10, int(skinned))
            self.assertLess(10 * 300, int(vertices))
            self.assertLess(float(error), 1e-5)
            self.assertGreater(float(error), 0)  # two skinners never agree to the bit
        self.assertEqual(frames[0][0], frames[0][2])  # the first frame skins all that is visible
        self.assertLess(int(frames[1][2]), int(frames[1][0]))  # later ones not the distant

    def test_validation_says_nothing(self):
        self.assertNotRegex(self.done.stdout + self.done.stderr, r"VUID|Validation|SYNC-HAZARD")

    def test_the_picture_shows_the_crowd(self):
        self.assertIsNotNone(self.picture, self.done.stderr)
        self.assertEqual((self.picture.width, self.picture.height), (320, 180))
        teal = self.picture.share(lambda r, g, b: g > r + 14 and g > b - 8)
        scarf = self.picture.share(lambda r, g, b: r > g + 62 and r > 150)
        shadow = self.picture.share(lambda r, g, b: abs(r - g) < 14 and b > g and 60 < g < 135, top=0.5)
        sky = self.picture.share(lambda r, g, b: b > r + 8 and g > 150, bottom=0.1)
        lit = self.picture.share(lambda r, g, b: g > r + 14 and g > b - 8 and g > 165)
        for value, low, high, of in ((teal, 0.05, 0.2, "teal"), (scarf, 0.004, 0.03, "scarf"), (shadow, 0.05, 0.3, "shadow"),
                                     (sky, 0.9, 1, "sky"), (lit, 0.01, 0.15, "lit")):
            print(f"{of}: {value:.4f}")
            self.assertTrue(low <= value <= high, f"{of}: {value:.4f} of the picture")

    def test_poses_change(self):
        later = run("--frames", "1", "--start", "0.7", folder=self.folder)
        self.assertEqual(later.returncode, 0, later.stderr)
        changed = self.picture.changed(Picture(os.path.join(self.folder, "crowd.png")))
        self.assertTrue(0.03 < changed < 0.6, f"{changed:.3f} of the picture has changed")

    def test_a_sinew_file_draws_the_same_picture(self):
        lib, path = sinew.Library(LIBRARY), os.path.join(self.folder, "character.sinew")
        character = lib.get("character_import", sinew.Character,
                            os.fsencode(os.path.join(SOURCES, "assets", "character.glb")), None)
        lib.character_bake(character, None)
        lib.character_write(character, os.fsencode(path))
        lib.character_destroy(character)
        done = run(path, "--frames", "3", folder=self.folder)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.picture.rows, Picture(os.path.join(self.folder, "crowd.png")).rows)

    def test_bad_input_gets_a_line(self):
        for options, line in ((["/no/such/file.glb"], "no such file"), (["--library", "/no/such.so"], "/no/such.so"),
                              ([os.path.join(SOURCES, "README.md")], "README.md")):
            done = run(*options, folder=self.folder)
            self.assertNotEqual(done.returncode, 0)
            self.assertIn(line, done.stderr)
            self.assertNotIn("Traceback", done.stderr)


if __name__ == "__main__":
    unittest.main()

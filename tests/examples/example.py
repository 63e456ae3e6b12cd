"""Runs of the examples that draw, for tests of their pictures and of what they print."""
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

from picture import Picture

STEPS = ("step1_joint", "step2_clip", "step3_pose", "step4_palette", "step5_cpu_skinning", "step6_compute_skinning",
         "step7_crowd")
build = sys.argv.pop(1) if len(sys.argv) > 1 else ""


def made_model():
    """The built-in character as load_model() makes it, made by the build: loading takes no seconds. Or nothing."""
    path = os.path.join(build, "tests", "runtime", "models", "plain.sinew")
    return [path] if os.path.exists(path) else []


def program(name):
    return f"sinew_example_{name}"


def run(name, *options, environment=None):
    command = [os.path.join(build, program(name)), *options]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=120,
                          env={**os.environ, **(environment or {})})


class Example(unittest.TestCase):
    outputs = {}  # by the name of an example: a pattern of what it prints; else it prints nothing
    pictures = {}  # of the runs so far

    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder)

    def draw(self, name, frames, *options):
        """The picture of a run, which may be that of an earlier test."""
        key = (name, frames, *options)
        if key not in self.pictures:
            self.pictures[key] = self.draw_again(*key)
        return self.pictures[key]

    def draw_again(self, name, frames, *options):
        """The picture of a run that wrote nothing else than its output, and about which validation said nothing."""
        path = os.path.join(self.folder, f"{name}.png")
        done = run(name, "--headless", path, "--frames", str(frames), "--size", "320x180", "--validate", *options)
        if "no device" in done.stderr or "no Vulkan" in done.stderr:
            self.skipTest(done.stderr.strip().replace("SKIPPED: ", ""))
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertRegex(done.stdout, rf"\A{self.outputs.get(name, '')}\Z")
        picture = Picture(path)
        picture.said = done.stdout
        self.assertEqual((picture.width, picture.height), (320, 180))
        return picture

    def assert_between(self, low, value, high):
        self.assertTrue(low <= value <= high, f"{value} is not between {low} and {high}")


def run_tests():
    """Exit code 77 where all tests were skipped."""
    result = unittest.main(module="__main__", exit=False).result
    if len(result.skipped) >= max(result.testsRun, 1):
        print("SKIPPED:", result.skipped[0][1])
        sys.exit(77)
    sys.exit(0 if result.wasSuccessful() else 1)

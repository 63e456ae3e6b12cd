#!/usr/bin/env python3
"""The committed guard is what scripts/build_guard.py writes."""
import os
import subprocess
import sys
import tempfile
import unittest

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")


class Guard(unittest.TestCase):
    def test_files_are_those_of_the_script(self):
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run([sys.executable, os.path.join(ROOT, "scripts", "build_guard.py"), "--output", folder], check=True)
            names = sorted(os.listdir(folder))
            self.assertEqual(names, ["guard.md5anim", "guard.md5mesh", "guard.png"])
            for name in names:
                with open(os.path.join(folder, name), "rb") as written, \
                     open(os.path.join(ROOT, "assets", name), "rb") as committed:
                    self.assertEqual(written.read(), committed.read(), name)


if __name__ == "__main__":
    unittest.main()

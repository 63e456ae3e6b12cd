#!/usr/bin/env python3
"""scripts/shaders --check passes the tree as it is, and fails it once a source, an include or the words are changed."""
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

TOP = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
WORDS = "shaders/spirv/skin.comp.inc"


class Shaders(unittest.TestCase):
    def setUp(self):
        self.root = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.root)
        os.mkdir(os.path.join(self.root, "scripts"))
        shutil.copy(os.path.join(TOP, "scripts", "shaders"), os.path.join(self.root, "scripts"))
        for folder in ("shaders", "include"):
            shutil.copytree(os.path.join(TOP, folder), os.path.join(self.root, folder))

    def run_shaders(self, *options):
        command = [sys.executable, os.path.join(self.root, "scripts", "shaders"), *options]
        return subprocess.run(command, capture_output=True, text=True, check=False)

    def change(self, path, pattern, replacement):
        path = os.path.join(self.root, path)
        with open(path, encoding="utf-8") as file:
            text = file.read()
        with open(path, "w", encoding="utf-8") as file:
            file.write(re.sub(pattern, replacement, text, count=1))

    def assert_caught(self, path):
        result = self.run_shaders("--check")
        self.assertEqual(result.returncode, 1, result.stdout)
        self.assertRegex(result.stdout, rf"(?m)^{path} ")

    def test_passes_the_tree_as_it_is(self):
        result = self.run_shaders("--check")
        self.assertEqual(result.returncode, 0, result.stdout)

    def test_a_changed_source_is_caught(self):
        self.change("shaders/skin.comp", r"\Z", "// another line\n")
        self.assert_caught(WORDS)

    def test_a_changed_include_is_caught(self):
        self.change("shaders/shared/octahedron.glsl", r"\Z", "// another line\n")
        self.assert_caught(WORDS)

    def test_changed_words_are_caught_whatever_made_them(self):
        self.change(WORDS, "0x07230203", "0x07230204")
        self.assert_caught(WORDS)
        self.change(WORDS, "Made by .*", "Made by another compiler")
        self.assert_caught(WORDS)

    def test_a_missing_file_and_one_without_a_source_are_caught(self):
        os.remove(os.path.join(self.root, WORDS))
        self.assert_caught(WORDS)
        os.remove(os.path.join(self.root, "shaders/expand_palette.comp"))
        self.assert_caught("shaders/spirv/expand_palette.comp.inc")

    def test_what_another_compiler_made_needs_only_its_checksum(self):
        self.change(WORDS, "Made by .*", "Made by another compiler")
        self.assertEqual(self.run_shaders("--check").returncode, 0)

    @unittest.skipUnless(shutil.which("glslc"), "glslc is not installed")
    def test_writes_what_was_changed_and_nothing_else(self):
        self.change("shaders/expand_palette.comp", r"\Z", "// another line\n")
        written = self.run_shaders()
        self.assertEqual(written.stdout, "shaders/spirv/expand_palette.comp.inc\n", written.stderr)
        self.assertEqual(self.run_shaders("--check").returncode, 0)


if __name__ == "__main__":
    unittest.main()

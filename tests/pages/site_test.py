#!/usr/bin/env python3
"""scripts/site makes all pages: every Markdown file of docs is one and stands in the navigation, the sections of the
search are there, code keeps its comments, and in a browser no page is wider than its window. Exit code 77 without
Debian's theme of Doxygen.
"""
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
THEME = "/usr/share/doxygen-awesome-css/doxygen-awesome.css"
sys.path.insert(0, os.path.join(ROOT, "scripts"))
import pages  # noqa: E402
from files import found, read  # noqa: E402


class Site(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.site = os.path.join(cls.folder.name, "site")
        cls.made = subprocess.run([os.path.join(ROOT, "scripts/site"), cls.site], capture_output=True, text=True, check=False)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def setUp(self):
        self.assertEqual(self.made.returncode, 0, self.made.stdout + self.made.stderr)

    def test_every_page_of_docs_is_made_and_in_the_navigation(self):
        made, navigation = pages.inputs(os.path.join(ROOT, "docs/Doxyfile")), read(os.path.join(ROOT, "docs/site/layout.xml"))
        for path in found(ROOT, ".md", ["docs"]):
            self.assertIn(path, made)
            self.assertIn(f'url="@ref {pages.page_name(path)}"', navigation)
        tabs = re.findall(r'type="user" .*url="@ref (.*)"', navigation)
        self.assertEqual(sorted(tabs), sorted(set(tabs)))

    def test_sections_of_the_search_are_there(self):
        text = read(os.path.join(self.site, "sections.js"))
        sections = json.loads(text.removeprefix("const sections = ").removesuffix(";\n"))
        self.assertGreater(len(sections), 100)
        for _, _, address, _ in sections:
            page, _, anchor = address.partition("#")
            made = read(os.path.join(self.site, page))
            self.assertTrue(not anchor or f'id="{anchor}"' in made, address)

    def test_code_keeps_its_comments_and_text_its_form(self):
        index = re.sub(r"<[^>]*>", "", read(os.path.join(self.site, "index.html")))
        self.assertIn("// Once. A file becomes a model: meters, y up", index)
        for path in pages.inputs(os.path.join(ROOT, "docs/Doxyfile")):
            page = read(os.path.join(self.site, pages.page_name(path) + ".html"))
            self.assertNotRegex(page, r"&lt;(tt|td|code)\b|ilinebr", path)

    def test_pages_fit_into_their_windows(self):
        if not shutil.which("chromium"):
            self.skipTest("NO CHROMIUM: the pages were not opened")
        looked = subprocess.run([os.path.join(ROOT, "scripts/check_site"), self.site], capture_output=True, text=True, check=False)
        self.assertEqual(looked.returncode, 0, looked.stdout)

    def test_other_files_stay(self):
        other = os.path.join(self.folder.name, "other")
        os.mkdir(other)
        with open(os.path.join(other, "mine"), "w", encoding="utf-8"):
            pass
        refused = subprocess.run([os.path.join(ROOT, "scripts/site"), other], capture_output=True, text=True, check=False)
        self.assertEqual(refused.returncode, 1)
        self.assertIn("has other files", refused.stderr)
        self.assertTrue(os.path.exists(os.path.join(other, "mine")))


if __name__ == "__main__":
    if not os.path.exists(THEME) or not shutil.which("doxygen"):
        print("NO THEME: the pages were not made (packages doxygen, doxygen-awesome-css)")
        sys.exit(77)
    unittest.main()

#!/usr/bin/env python3
"""scripts/check_links and scripts/check_commands pass right pages, and fail planted faults; the filter of the pages."""
import os
import subprocess
import sys
import tempfile
import unittest

ROOT = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
SCRIPTS = os.path.join(ROOT, "scripts")
sys.path.insert(0, SCRIPTS)
import pages  # noqa: E402

# Answers --help-all as the program does.
PROGRAM = """#!/bin/sh
case "$1" in
crowd) [ "$2" != --frames ] || [ "$3" != 0 ] || { echo '--frames: 0 is too few' >&2; exit 2; }
  printf '  -h, --help    Print\\n  --fetch auto|input|pulling\\n               How\\n  --frames COUNT   Frames\\n' ;;
*) printf 'Draws.\\n\\nCommands\\n  crowd     Draws a crowd\\n\\nOptions\\n  -h, --help   Print\\n' ;;
esac
"""


class Folder(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = folder.name

    def write(self, path, text, mode=0o644):
        path = os.path.join(self.root, path)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        os.chmod(path, mode)
        return path

    def run_script(self, name, *arguments):
        return subprocess.run([sys.executable, os.path.join(SCRIPTS, name), "--root", self.root, *arguments],
                              capture_output=True, text=True, check=False)

    def expect(self, result, exit_code, words):
        self.assertEqual(result.returncode, exit_code, result.stdout + result.stderr)
        self.assertIn(words, result.stdout)


class Links(Folder):
    def check(self, text):
        self.write("docs/other.md", "# Other page\n## A `name`, twice\n## A name, twice\n")
        self.write("README.md", text)
        return self.run_script("check_links")

    def test_passes_links_that_lead_somewhere(self):
        right = ["[page](docs/other.md)", "[heading](docs/other.md#a-name-twice)", "[its like](docs/other.md#a-name-twice-1)",
                 "# Here\n[here](#here)", "[other\nsite](https://example.org/)", "`[code](absent.md)`",
                 "```\n[code](absent.md)\n```", "![folder](docs)"]
        for text in right:
            self.expect(self.check(text), 0, "0 lead nowhere")

    def test_fails_links_that_lead_nowhere(self):
        wrong = {"[a](absent.md)": "README.md:1: nothing is at absent.md",
                 "\n![b](docs/absent.png)": "README.md:2: nothing is at",
                 "[c](docs/other.md#a-name)": "no heading for docs/other.md#a-name", "[d](#absent)": "no heading",
                 "[two\nlines](absent.md)": "README.md:1: nothing", "| `a` | [b](absent.md) |\n|---|---|\n": "nothing is at"}
        for text, fault in wrong.items():
            self.expect(self.check(text), 1, fault)

    def test_fails_a_table_without_a_head(self):
        self.expect(self.check("| a | b |\n|---|---|\n| 1 | 2 |\n"), 0, "0 lead nowhere")
        self.expect(self.check("| a | b |\n|---|---|\n| 1 | 2 |\n\n| 3 | 4 |\n"), 1, "README.md:5: a table without a head")

    def test_looks_at_made_pages(self):
        site = os.path.dirname(self.write("site/index.html", '<a id="here" href="#here">a</a><a href="two.html">b</a>'))
        self.write("site/two.html", "<p>")
        self.expect(self.run_script("check_links", site), 0, "0 lead nowhere")
        self.write("site/two.html", '<a href="three.html">a</a>')
        self.expect(self.run_script("check_links", site), 1, "two.html:1: nothing is at three.html")
        self.write("site/two.html", '<a href="index.html#there">a</a>')
        self.expect(self.run_script("check_links", site), 1, "no heading for index.html#there")
        self.write("site/two.html", '<script src="https://example.org/a.js"></script>')
        self.expect(self.run_script("check_links", site), 1, "loads https://example.org/a.js from the network")
        self.write("site/two.html", "")
        self.write("site/menu.js", "var menu = {url:'three.html#a'};")
        self.expect(self.run_script("check_links", site), 1, "menu.js:1: nothing is at three.html")


class Commands(Folder):
    def check(self, text):
        program = self.write("sinew", PROGRAM, 0o755)
        self.write("scripts/crowd", "")
        self.write("README.md", text)
        return self.run_script("check_commands", "--values", "--program", program)

    def test_passes_commands_that_exist(self):
        right = ["`sinew crowd --fetch input FILE`", "`sinew crowd --frames\n3`", "`sinew --help`", "`sinew COMMAND --help`",
                 "```sh\nA=1 sinew crowd \\\n  --frames 3  # three | four\ncmake --preset a && scripts/crowd --frames 2\n```",
                 "```sh\nfor i in 1 2; do\n  sinew crowd\ndone\n```", "```sh\nsinew crowd 'a|b'\n```", "```\nany (thing\n```",
                 "`sinew skin 5 instances`"]
        for text in right:
            self.expect(self.check(text), 0, "0 faults")

    def test_fails_options_that_do_not_exist(self):
        self.expect(self.check("`sinew crowd --frame 3`"), 1, "README.md:1: sinew crowd has no option --frame")
        self.expect(self.check("\n`scripts/crowd --frame 3`"), 1, "README.md:2: sinew crowd has no option --frame")
        self.expect(self.check("`sinew crowds`"), 1, "no command crowds")
        self.expect(self.check("`sinew crowd --fetch all`"), 1, "--fetch is auto or input or pulling, not 'all'")
        self.expect(self.check("`sinew crowd --frames 0`"), 1, "README.md:1: --frames: 0 is too few")
        self.expect(self.check("```sh\nsinew crowd \\\n  --frames 1\nsinew crowd --no\n```"), 1, "README.md:4: ")

    def test_fails_what_cannot_be_pasted(self):
        self.expect(self.check("`sinew crowd --fetch input|pulling`"), 1, "'pulling' is no command")
        self.expect(self.check("```sh\nsinew crowd --fetch input|pulling\n```"), 1, "'pulling' is no command")
        self.expect(self.check("```sh\nsinew crowd\nThis is prose.\n```"), 1, "README.md:3: 'This' is no command")
        self.expect(self.check("```sh\nsinew crowd (\n```"), 1, "bash cannot read")
        self.expect(self.check("```sh\nscripts/absent\n```"), 1, "'scripts/absent' is no command")


class Filter(unittest.TestCase):
    def test_names_pages_by_their_files(self):
        names = {"README.md": "index", "docs/crowd.md": "crowd", "docs/tutorials/README.md": "tutorials",
                 "docs/tutorials/md5_guard.md": "tutorials-md5_guard", "CHANGELOG.md": "changelog"}
        for path, name in names.items():
            self.assertEqual(pages.page_name(path), name)

    def test_keeps_anchors_links_and_code(self):
        done = subprocess.run([sys.executable, os.path.join(SCRIPTS, "page_filter"), "docs/gpu.md"], cwd=ROOT, text=True,
                              capture_output=True, check=True).stdout
        self.assertIn("{#gpu}", done.splitlines()[0])
        self.assertIn("## An H100 {#gpu-an-h100}", done)
        self.assertNotIn(".md)", done)
        index = subprocess.run([sys.executable, os.path.join(SCRIPTS, "page_filter"), "README.md"], cwd=ROOT, text=True,
                               capture_output=True, check=True).stdout
        self.assertEqual(index.splitlines()[0], "# Sinew")
        self.assertIn("](gpu.html)", index)
        self.assertIn("](index.html#index-in-your-own-renderer)", index)
        self.assertIn("\n// Once. A file becomes a model", index)


if __name__ == "__main__":
    unittest.main()

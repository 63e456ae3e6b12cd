#!/usr/bin/env python3
"""Where Debian's packages are missing, scripts/install_packages says so in one line that leads to a complete table."""
import os
import re
import subprocess
import sys
import tempfile
import unittest

ROOT = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
sys.path.insert(0, os.path.join(ROOT, "scripts"))
import pages  # noqa: E402


def read(path):
    with open(os.path.join(ROOT, path), encoding="utf-8") as file:
        return file.read()


class Packages(unittest.TestCase):
    def test_other_systems_get_one_line_with_the_page(self):
        for there in ([], ["dpkg-query"], ["apt-get"]):  # Debian has both
            with tempfile.TemporaryDirectory() as folder:
                for name in there:
                    os.symlink("/bin/true", os.path.join(folder, name))
                told = subprocess.run(["/bin/bash", "scripts/install_packages", "g++", "cmake"], cwd=ROOT,
                                      env={"PATH": folder}, capture_output=True, text=True, check=False)
            self.assertEqual((told.returncode, told.stdout), (0, ""), told.stderr)
            self.assertEqual(told.stderr.count("\n"), 1, told.stderr)
            page, anchor = re.search(r"(docs/\S+\.md)#([\w-]+)", told.stderr).groups()
            self.assertIn(anchor, pages.anchors(read(page)))

    def test_the_table_has_every_package(self):
        listed = subprocess.run(["bash", "-c", '. scripts/packages.sh; echo "${program_packages[@]}"'], cwd=ROOT,
                                capture_output=True, text=True, check=True).stdout.split()
        table = [line.split("|") for line in read("docs/platforms.md").splitlines() if line.count("|") == 5]
        debian = {name for row in table for name in re.findall(r"`([^`]+)`", row[2])}
        self.assertEqual(set(listed) - debian, set())
        for row in table[2:]:
            self.assertTrue(row[3].strip() and row[4].strip(), row)

    def test_the_commands_install_only_packages_of_the_table(self):
        text = read("docs/platforms.md")
        table = [line.split("|") for line in text.splitlines() if line.count("|") == 5]
        block = re.search(r"```sh\n(sudo dnf.*?)```", text, re.DOTALL)[1].replace("\\\n", " ").splitlines()
        for line, column in zip(block, (3, 4)):
            names = {name for row in table for name in re.findall(r"`([^`]+)`", row[column])}
            wanted = [word for word in line.split() if word not in ("sudo", "dnf", "install", "pacman", "-S", "--needed")]
            self.assertEqual(set(wanted) - names, set())


if __name__ == "__main__":
    unittest.main()

#!/usr/bin/env python3
"""Each name that docs/tutorials/words.md gives as Sinew's is in the public headers."""
import os
import re
import unittest

ROOT = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def headers():
    for folder, _, names in os.walk(os.path.join(ROOT, "include")):
        for name in names:
            yield read(os.path.join(folder, name))


class Words(unittest.TestCase):
    def test_names_are_in_the_headers(self):
        known = set(re.findall(r"\w+", "\n".join(headers())))
        rows = [line.split("|") for line in read(os.path.join(ROOT, "docs/tutorials/words.md")).splitlines()
                if re.match(r"\| .*\|.*\|", line)]
        checked = 0
        for row in rows:
            for code in re.findall(r"`([^`]+)`", row[2] if not row[1].strip() == "yours" else ""):
                for name in re.findall(r"[A-Za-z_]\w+", code):
                    self.assertIn(name, known, "|".join(row))
                    checked += 1
        self.assertGreater(checked, 100)

    def test_members_belong_to_their_types(self):
        text = "\n".join(headers())
        for type_name, member in re.findall(r"`([A-Z]\w+)::(\w+)(?:\(\))?`", read(os.path.join(ROOT, "docs/tutorials/words.md"))):
            body = re.search(rf"\b(?:struct|class|enum class)(?: SINEW_API)? {type_name}\b[^;{{]*\{{(.*?)^(?:}};|$(?!.))|"
                             rf"\benum class {type_name}\b.*?\{{(.*?)\}}", text, re.DOTALL | re.MULTILINE)
            if body:  # a type of Sinew
                self.assertRegex(body[1] or body[2], rf"\b{member}\b", f"{type_name}::{member}")


if __name__ == "__main__":
    unittest.main()

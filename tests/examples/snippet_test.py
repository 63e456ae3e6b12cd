#!/usr/bin/env python3
"""The C++ of the README is what examples/minimal/main.cpp runs: its lines between `// README: begin` and `// README: end`.

With --write the README is changed instead.
"""
import os
import re
import sys
import textwrap

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
README = os.path.join(ROOT, "README.md")
MARKED = re.compile(r"^ *// README: begin\n(.*?)^ *// README: end\n", re.MULTILINE | re.DOTALL)
BLOCK = re.compile(r"(?<=^```cpp\n).*?(?=^```$)", re.MULTILINE | re.DOTALL)


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def main():
    parts = MARKED.findall(read(os.path.join(ROOT, "examples", "minimal", "main.cpp")))
    text = "".join(textwrap.dedent(part) for part in parts)
    readme = read(README)
    blocks = BLOCK.findall(readme)
    if len(blocks) != 1 or not parts:
        return f"expected one block of C++ in README.md and marked lines in main.cpp, found {len(blocks)} and {len(parts)}"
    if sys.argv[1:] == ["--write"]:
        with open(README, "w", encoding="utf-8") as file:
            file.write(BLOCK.sub(lambda _: text, readme))
        return 0
    if blocks[0] != text:
        return "README.md does not show the marked lines of examples/minimal/main.cpp: run tests/examples/snippet_test.py --write"
    print(f"{len(text.splitlines())} lines of C++")
    return 0


if __name__ == "__main__":
    sys.exit(main())

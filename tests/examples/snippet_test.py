#!/usr/bin/env python3
"""The C++ of the documents is what examples/minimal/main.cpp runs: its lines between `// README: begin` and
`// README: end`. The README and docs/embedding.md show all of them.

With --write the documents are changed instead.
"""
import os
import re
import sys
import textwrap

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
MARKED = re.compile(r"^ *// README: begin\n(.*?)^ *// README: end\n", re.MULTILINE | re.DOTALL)
BLOCK = re.compile(r"(?<=^```cpp\n).*?(?=^```$)", re.MULTILINE | re.DOTALL)
PARTS = 3
SHOWN = {"README.md": slice(0, PARTS), "docs/embedding.md": slice(0, PARTS)}  # which parts the first block of C++ has


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def main():
    parts = MARKED.findall(read(os.path.join(ROOT, "examples", "minimal", "main.cpp")))
    if len(parts) != PARTS:
        return f"expected {PARTS} marked parts in main.cpp, found {len(parts)}"
    for name, shown in SHOWN.items():
        path = os.path.join(ROOT, name)
        text = "".join(textwrap.dedent(part) for part in parts[shown])
        document = read(path)
        found = BLOCK.search(document)
        if not found:
            return f"{name} has no C++"
        if sys.argv[1:] == ["--write"]:
            with open(path, "w", encoding="utf-8") as file:
                file.write(document[: found.start()] + text + document[found.end():])
        elif found.group(0) != text:
            return f"{name} does not show the marked lines of examples/minimal/main.cpp: run tests/examples/snippet_test.py --write"
        else:
            print(f"{name}: {len(text.splitlines())} lines of C++")
    return 0


if __name__ == "__main__":
    sys.exit(main())

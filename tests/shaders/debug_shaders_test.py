#!/usr/bin/env python3
"""usage: debug_shaders_test.py FOLDER [LIBRARY]

The SPIR-V for debuggers in FOLDER has the source of each shader as text, the names of its variables and lines. With
LIBRARY, the file of a library, its kernel is that one.
"""
import os
import re
import struct
import sys

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
OP_SOURCE_CONTINUED, OP_SOURCE, OP_NAME, OP_LINE = 2, 3, 5, 8


def words_of(path):
    with open(path, encoding="utf-8") as file:
        return [int(word, 16) for word in re.findall(r"0x[0-9a-f]{8}", file.read())]


def text_of(words):
    return struct.pack(f"<{len(words)}I", *words).split(b"\0")[0].decode()


def instructions(words):
    at = 5
    while at < len(words):
        length, code = words[at] >> 16, words[at] & 0xffff
        yield code, words[at + 1:at + length]
        at += length


def check(name, folder):
    words = words_of(os.path.join(folder, "spirv", name + ".inc"))
    source, names, lines = "", set(), 0
    for code, operands in instructions(words):
        if code == OP_SOURCE and len(operands) > 3:
            source += text_of(operands[3:])
        elif code == OP_SOURCE_CONTINUED:
            source += text_of(operands)
        elif code == OP_NAME:
            names.add(text_of(operands[1:]))
        lines += code == OP_LINE
    with open(os.path.join(ROOT, "shaders", name), encoding="utf-8") as file:
        written = file.read()
    body = written[written.index("void main()"):].strip()
    assert body in source, f"{name}: its source is not in the SPIR-V"
    declared = set(re.findall(r"^  (?:float|u?int|[uib]?vec[234]|mat4|SkinJob|SkinChunk) (\w+) = ", body, re.MULTILINE))
    assert declared <= names, f"{name}: variables without names: {declared - names}"
    assert lines >= 1, f"{name}: {lines} lines"
    return len(declared), words


def main():
    folder = sys.argv[1]
    names = sorted(name for name in os.listdir(os.path.join(ROOT, "shaders")) if re.search(r"\.(comp|vert|frag)$", name))
    variables = sum(check(name, folder)[0] for name in names)
    assert len(names) > 10 and variables > 20, (names, variables)
    if len(sys.argv) > 2:
        kernel = check("skin.comp", folder)[1]
        with open(sys.argv[2], "rb") as file:
            assert struct.pack(f"<{len(kernel)}I", *kernel) in file.read(), f"{sys.argv[2]} has another kernel"
    print(f"{len(names)} shaders with source; {variables} variables of main() have names")


main()

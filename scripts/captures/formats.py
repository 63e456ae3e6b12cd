"""Decodes buffers by the formats that RenderDoc's buffer viewer takes: structs of vectors, scalar packing."""
import re
import struct

CODES = {"float": "f", "uint": "I", "int": "i", "ushort": "H", "short": "h", "ubyte": "B", "byte": "b"}
NORMALIZED = {"ushort": 65535.0, "short": 32767.0, "ubyte": 255.0, "byte": 127.0}
MEMBER = re.compile(r"(?:\[\[(\w+)\]\]\s*)?([a-z]+)([2-4]?)\s+(\w+)(?:\[(\d+)\])?$")


def parse(text):
    """The members of the only struct of a format: name, type, width, count, whether it is normalized."""
    text = re.sub(r"//[^\n]*", "", text)
    if "#pack(scalar)" not in text:
        raise ValueError("a format without #pack(scalar): RenderDoc would pad its vectors")
    body = re.search(r"struct\s+\w+\s*\{(.*?)\}", text, re.DOTALL).group(1)
    members = []
    for line in filter(None, (part.strip() for part in body.split(";"))):
        note, kind, width, name, count = MEMBER.match(line).groups()
        if note not in (None, "snorm", "unorm", "hex") or note == "snorm" and kind not in ("short", "byte"):
            raise ValueError(f"not a format: {line}")
        members.append((name, kind, int(width or 1), int(count or 1), note in ("snorm", "unorm")))
    return members


def decode(text, data):
    """Yields a dictionary for each element of the buffer. Every value is a list."""
    members = parse(text)
    layout = struct.Struct("<" + "".join(f"{width * count}{CODES[kind]}" for _, kind, width, count, _ in members))
    for values in layout.iter_unpack(data[:len(data) // layout.size * layout.size]):
        element, at = {}, 0
        for name, kind, width, count, normalized in members:
            part = values[at:at + width * count]
            element[name] = [value / NORMALIZED[kind] for value in part] if normalized else list(part)
            at += width * count
        yield element


def size_of(text):
    return struct.calcsize("<" + "".join(f"{width * count}{CODES[kind]}" for _, kind, width, count, _ in parse(text)))


def of_page(page):
    """The formats of docs/renderdoc.md by the title above each: the blocks of C."""
    blocks = r"^\*\*([^*\n]+)\*\*(?:[^\n]+\n)*\n?\n?```c\n(.*?)^```$"
    return dict(re.findall(blocks, page, re.MULTILINE | re.DOTALL))

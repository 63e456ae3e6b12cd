"""Pictures of the examples: a reader of PNG files with 8-bit red, green and blue, with or without alpha, and
measures of what they show."""
import struct
import zlib


def paeth(a, b, c):
    p = a + b - c
    pa, pb, pc = abs(p - a), abs(p - b), abs(p - c)
    return a if pa <= pb and pa <= pc else b if pb <= pc else c


def unfiltered(kind, line, above, step):
    """One row of a PNG with `step` bytes a pixel; filters are those of the PNG specification, section 9."""
    for i, value in enumerate(line):
        left, up = (line[i - step] if i >= step else 0), above[i]
        if kind == 1:
            value += left
        elif kind == 2:
            value += up
        elif kind == 3:
            value += (left + up) // 2
        elif kind == 4:
            value += paeth(left, up, above[i - step] if i >= step else 0)
        line[i] = value & 255
    return line


class Picture:
    def __init__(self, path):
        with open(path, "rb") as file:
            data = file.read()
        if data[:8] != b"\x89PNG\r\n\x1a\n":
            raise ValueError(f"{path} is not a PNG")
        self.width, self.height, depth, color = struct.unpack(">IIBB", data[16:26])
        self.channels = {(8, 2): 3, (8, 6): 4}.get((depth, color))
        if not self.channels:
            raise ValueError(f"{path} has not 8-bit red, green and blue")
        packed, at = b"", 8
        while at < len(data):
            size, kind = struct.unpack(">I4s", data[at:at + 8])
            if kind == b"IDAT":
                packed += data[at + 8:at + 8 + size]
            at += size + 12
        raw, stride = zlib.decompress(packed), self.channels * self.width
        above = bytes(stride)
        self.rows = []
        for y in range(self.height):
            start = y * (stride + 1)
            above = unfiltered(raw[start], bytearray(raw[start + 1:start + 1 + stride]), above, self.channels)
            self.rows.append(above)

    def pixels(self, top=0.0, bottom=1.0):
        """(r, g, b) of every pixel between two heights, as shares of the picture from its top."""
        for row in self.rows[round(top * self.height):round(bottom * self.height)]:
            yield from zip(*(row[channel::self.channels] for channel in range(3)))

    def share(self, test, top=0.0, bottom=1.0):
        """The share of these pixels for which test(r, g, b) is true."""
        hits = [bool(test(*pixel)) for pixel in self.pixels(top, bottom)]
        return sum(hits) / len(hits)

    def changed(self, other, steps=24):
        """The share of pixels with a channel that differs by more than `steps` from that of another picture."""
        pairs = zip(self.pixels(), other.pixels())
        return sum(max(abs(a - b) for a, b in zip(p, q)) > steps for p, q in pairs) / (self.width * self.height)

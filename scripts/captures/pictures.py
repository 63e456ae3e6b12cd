"""Pictures of a capture: its events with their durations as SVG, and a mesh as PNG."""
import struct
import zlib
from html import escape

WIDTH, ROW = 640, 20


def svg(width, height, parts):
    box = f'width="{width}" height="{height}" viewBox="0 0 {width} {height}"'
    return (f'<svg xmlns="http://www.w3.org/2000/svg" {box}>\n'
            f'<rect width="{width}" height="{height}" fill="#1e1f24"/>\n' + "\n".join(parts) + "\n</svg>\n")


def text(x, y, words, color="#e6e6e6", anchor="start"):
    return (f'<text x="{x}" y="{y}" fill="{color}" font-family="monospace" font-size="12" '
            f'text-anchor="{anchor}">{escape(words)}</text>')


def event_tree(rows):
    """rows: (depth, name, color of a label or None, milliseconds or None) from top to bottom."""
    parts = []
    for index, (depth, name, color, duration) in enumerate(rows):
        left, base = 12 + 18 * depth, 8 + ROW * index
        if color:
            red, green, blue = (round(255 * value) for value in color)
            parts.append(f'<rect x="{left}" y="{base + 3}" width="6" height="14" fill="rgb({red},{green},{blue})"/>')
        parts.append(text(left + 12, base + 14, name, "#e6e6e6" if color else "#9aa0aa"))
        if duration is not None:
            parts.append(text(WIDTH - 12, base + 14, f"{duration:.3f} ms", "#d0d0d0", "end"))
    return svg(WIDTH, 16 + ROW * len(rows), parts)


def fill(corners, gray, rows, depths):
    """A triangle of (x, y, z) in pixels, where it is nearer (z greater) than what is there."""
    (ax, ay, az), (bx, by, bz), (cx, cy, cz) = corners
    area = (bx - ax) * (cy - ay) - (cx - ax) * (by - ay)
    if area == 0:
        return
    size = len(rows)
    for y in range(max(int(min(ay, by, cy)), 0), min(int(max(ay, by, cy)) + 2, size)):
        for x in range(max(int(min(ax, bx, cx)), 0), min(int(max(ax, bx, cx)) + 2, size)):
            b = ((x - ax) * (cy - ay) - (cx - ax) * (y - ay)) / area
            c = ((bx - ax) * (y - ay) - (x - ax) * (by - ay)) / area
            if b < 0 or c < 0 or b + c > 1:
                continue
            z = az + b * (bz - az) + c * (cz - az)
            if z > depths[y][x]:
                depths[y][x], rows[y][x] = z, gray


def mesh(positions, triangles, size=320):
    """A gray PNG of the triangles from the front, lighter where they face the viewer. y is up, z towards him."""
    used = {vertex for triangle in triangles for vertex in triangle}
    low = [min(positions[vertex][axis] for vertex in used) for axis in range(2)]
    high = [max(positions[vertex][axis] for vertex in used) for axis in range(2)]
    scale = (size - 20) / max(high[0] - low[0], high[1] - low[1])
    rows, depths = [[30] * size for _ in range(size)], [[float("-inf")] * size for _ in range(size)]
    for triangle in triangles:
        a, b, c = corners = [positions[vertex] for vertex in triangle]
        u, v = [[p[axis] - a[axis] for axis in range(3)] for p in (b, c)]
        cross = [u[i - 2] * v[i - 1] - u[i - 1] * v[i - 2] for i in range(3)]
        length = sum(value * value for value in cross) ** 0.5 or 1
        placed = [(size / 2 + (x - (low[0] + high[0]) / 2) * scale, size - 10 - (y - low[1]) * scale, z)
                  for x, y, z in corners]
        fill(placed, round(70 + 180 * abs(cross[2]) / length), rows, depths)
    return png(rows)


def png(rows):
    """An 8-bit gray picture."""
    def chunk(name, data):
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    head = struct.pack(">2I5B", len(rows[0]), len(rows), 8, 0, 0, 0, 0)
    data = zlib.compress(b"".join(b"\0" + bytes(row) for row in rows), 9)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", data) + chunk(b"IEND", b"")

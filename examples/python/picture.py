"""A small software rasterizer and a writer of PNG files. It draws what is read back from the device: triangles with a
depth buffer, smooth light of one sun and the sky, textures, shadows on the ground."""
import math
import struct
import zlib

SAMPLES = 2  # along each axis of a pixel
SHADES = 64  # steps of light, from none of the sun to all of it
SUN, SKY = (0.95, 0.86, 0.70), (0.30, 0.34, 0.42)  # linear light
TO_SUN = (0.42, 0.77, 0.48)
GROUND_NEAR, HORIZON, SKY_HIGH = (0.40, 0.36, 0.31), (0.66, 0.68, 0.71), (0.30, 0.44, 0.64)  # linear colors
IN_SHADOW = (0.42, 0.47, 0.58)  # the share of the ground's light that the sky gives


def linear(byte):
    value = byte / 255
    return value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4


def encoded(value):
    value = min(value, 1.0)
    return round(255 * (12.92 * value if value <= 0.0031308 else 1.055 * value ** (1 / 2.4) - 0.055))


def mixed(a, b, share):
    return [x + (y - x) * share for x, y in zip(a, b)]


def light_tables(base_color):
    """For each channel and shade: the lit byte of each byte of a texture."""
    return [[bytes(encoded(linear(byte) * base_color[channel] * (SKY[channel] + SUN[channel] * shade / (SHADES - 1)))
                   for byte in range(256)) for shade in range(SHADES)] for channel in range(3)]


def shade_of(normal, sun):
    """The shade of a surface; a little light reaches around its edge."""
    lit = (normal[0] * sun[0] + normal[1] * sun[1] + normal[2] * sun[2] + 0.25) / 1.25
    return max(lit, 0.0) * (SHADES - 1)


class Camera:
    """Looks from `eye` to `target`; y is up. `view` of a point is its place to the right, up and in front of the eye."""
    def __init__(self, eye, target, field_of_view, width, height):
        self.eye, self.width, self.height = eye, width, height
        forward = [b - a for a, b in zip(eye, target)]
        size = math.hypot(*forward)
        fx, fy, fz = self.forward = [x / size for x in forward]
        flat = math.hypot(fx, fz)
        self.right = [-fz / flat, 0.0, fx / flat]
        rx, _, rz = self.right
        self.up = [-rz * fy, rz * fx - rx * fz, rx * fy]
        self.focal = height / (2 * math.tan(field_of_view / 2))  # pixels per unit at a distance of 1

    def view_from(self, world_from_model):
        """The rows of the affine matrix from model space to `view`."""
        rows = []
        for axis in (self.right, self.up, self.forward):
            row = [sum(axis[i] * world_from_model[i][column] for i in range(3)) for column in range(4)]
            row[3] -= sum(a * e for a, e in zip(axis, self.eye))
            rows.append(row)
        return rows

    def clip_from_world(self, near=0.1):
        """Column-major, for Vulkan: depth from 1 at `near` to 0 far away."""
        x, y, z = self.view_from([[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0]])
        sx, sy = 2 * self.focal / self.width, 2 * self.focal / self.height
        rows = [[sx * v for v in x], [-sy * v for v in y], [0, 0, 0, near], z]
        return [rows[row][column] for column in range(4) for row in range(4)]


class Picture:
    def __init__(self, camera):
        self.camera, self.width, self.height = camera, camera.width * SAMPLES, camera.height * SAMPLES
        self.depth = [0.0] * (self.width * self.height)  # 1 / distance
        self.shadow = bytearray(self.width * self.height)
        self.color = bytearray(3 * self.width * self.height)

    def project(self, positions, world_from_model):
        """(x, y, 1 / distance) of each position of three floats, in samples; None behind the eye."""
        (a, b, c, d), (e, f, g, h), (i, j, k, l) = self.camera.view_from(world_from_model)
        focal, cx, cy = self.camera.focal * SAMPLES, self.width / 2, self.height / 2
        points = []
        for x, y, z in zip(positions[0::3], positions[1::3], positions[2::3]):
            far = i * x + j * y + k * z + l
            if far < 0.1:
                points.append(None)
                continue
            w = 1 / far
            points.append((cx + (a * x + b * y + c * z + d) * focal * w, cy - (e * x + f * y + g * z + h) * focal * w, w))
        return points

    def rows_of(self, a, b, c):
        """The spans (y, first x, last x) of samples inside a triangle."""
        (x0, y0, _), (x1, y1, _), (x2, y2, _) = a, b, c
        if y0 > y1:
            x0, y0, x1, y1 = x1, y1, x0, y0
        if y1 > y2:
            x1, y1, x2, y2 = x2, y2, x1, y1
            if y0 > y1:
                x0, y0, x1, y1 = x1, y1, x0, y0
        first, last = max(math.ceil(y0 - 0.5), 0), min(math.ceil(y2 - 0.5), self.height)
        for y in range(first, last):
            at = y + 0.5
            left = x0 + (x2 - x0) * (at - y0) / (y2 - y0)
            right = x0 + (x1 - x0) * (at - y0) / (y1 - y0) if at < y1 else x1 + (x2 - x1) * (at - y1) / (y2 - y1)
            if left > right:
                left, right = right, left
            low, high = max(math.ceil(left - 0.5), 0), min(math.ceil(right - 0.5), self.width)
            if low < high:
                yield y, low, high

    def add_shadow(self, points, indices):
        """Darkens the ground below these triangles, which lie on it."""
        ones = bytes([1]) * self.width
        for i0, i1, i2 in zip(indices[0::3], indices[1::3], indices[2::3]):
            a, b, c = points[i0], points[i1], points[i2]
            if a is None or b is None or c is None:
                continue
            for y, low, high in self.rows_of(a, b, c):
                start = y * self.width
                self.shadow[start + low:start + high] = ones[low:high]

    def draw(self, points, shades, uvs, indices, texture):
        """Triangles that face the camera. `uvs` are in texels of the texture: (width, height, rgba, light tables)."""
        columns, rows, texels, (reds, greens, blues) = texture
        depth, color, width = self.depth, self.color, self.width
        for i0, i1, i2 in zip(indices[0::3], indices[1::3], indices[2::3]):
            a, b, c = points[i0], points[i1], points[i2]
            if a is None or b is None or c is None:
                continue
            x1, y1, x2, y2 = b[0] - a[0], b[1] - a[1], c[0] - a[0], c[1] - a[1]
            area = x1 * y2 - x2 * y1
            if area >= 0:  # seen from behind
                continue
            ends = []  # value at the first corner, and its slopes, of depth, shade, u and v
            for v0, v1, v2 in ((a[2], b[2], c[2]), (shades[i0], shades[i1], shades[i2]),
                               (uvs[2 * i0], uvs[2 * i1], uvs[2 * i2]), (uvs[2 * i0 + 1], uvs[2 * i1 + 1], uvs[2 * i2 + 1])):
                ends.append((v0, ((v1 - v0) * y2 - (v2 - v0) * y1) / area, ((v2 - v0) * x1 - (v1 - v0) * x2) / area))
            (w0, wx, wy), (s0, sx, sy), (u0, ux, uy), (t0, tx, ty) = ends
            for y, low, high in self.rows_of(a, b, c):
                dx, dy = low + 0.5 - a[0], y + 0.5 - a[1]
                w, s = w0 + wx * dx + wy * dy, s0 + sx * dx + sy * dy
                u, t = u0 + ux * dx + uy * dy, t0 + tx * dx + ty * dy
                for at in range(y * width + low, y * width + high):
                    if w > depth[at]:
                        depth[at] = w
                        texel = 4 * (int(t) % rows * columns + int(u) % columns)
                        shade = min(max(int(s), 0), SHADES - 1)
                        color[3 * at] = reds[shade][texels[texel]]
                        color[3 * at + 1] = greens[shade][texels[texel + 1]]
                        color[3 * at + 2] = blues[shade][texels[texel + 2]]
                    w, s, u, t = w + wx, s + sx, u + ux, t + tx

    def add_ground(self):
        """Ground and sky where nothing is drawn."""
        horizon = self.height / 2 - self.camera.focal * SAMPLES * -self.camera.forward[1] / math.hypot(
            self.camera.forward[0], self.camera.forward[2])
        for y in range(self.height):
            below = (y - horizon) / max(self.height - horizon, 1)
            if below > 0:
                lit = mixed(HORIZON, GROUND_NEAR, min(below * 2, 1) ** 0.5)
            else:
                lit = mixed(HORIZON, SKY_HIGH, min(-below * 4, 1))
            colors = bytes(map(encoded, lit)), bytes(encoded(x * s) for x, s in zip(lit, IN_SHADOW))
            for at in range(y * self.width, (y + 1) * self.width):
                if not self.depth[at]:
                    self.color[3 * at:3 * at + 3] = colors[self.shadow[at]]

    def write(self, path):
        """Writes a PNG of 8-bit red, green and blue. A pixel is the mean of its samples."""
        data, stride = bytearray(), 3 * self.width
        for y in range(0, self.height, SAMPLES):
            rows = [self.color[(y + i) * stride:(y + i + 1) * stride] for i in range(SAMPLES)]
            line = bytearray(stride // SAMPLES)
            for channel in range(3):
                columns = [row[channel + 3 * i::3 * SAMPLES] for row in rows for i in range(SAMPLES)]
                line[channel::3] = bytes(sum(samples) // len(columns) for samples in zip(*columns))
            data += b"\0" + line

        def chunk(kind, content):
            return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))
        size = struct.pack(">IIBBBBB", self.width // SAMPLES, self.height // SAMPLES, 8, 2, 0, 0, 0)
        with open(path, "wb") as file:
            file.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", size) + chunk(b"IDAT", zlib.compress(bytes(data), 9)) +
                       chunk(b"IEND", b""))

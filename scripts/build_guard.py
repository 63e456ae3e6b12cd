#!/usr/bin/env python3
"""usage: scripts/build_guard.py [--output FOLDER]

Writes a small guard that marches on the spot, in Doom 3's MD5, version 10: guard.md5mesh, guard.md5anim and the texture
guard.png, by default into assets. All of it is made here. Equal input gives equal files.

The format: z is up; the guard faces -y, as what Blender exports, and +x is its left. The unit is about an inch. A vertex has no position: it is the weighted
sum of points in joint spaces. Rotations have x, y and z; w is negative or 0. There are no normals: readers compute
them, and vertices with equal positions and uvs share one, so that each face of a box has uvs of its own. Triangles are
clockwise, as seen from outside.
"""
import argparse
import math
import os
import struct
import zlib

FRAMES_PER_SECOND = 24
FRAMES = 25  # the last equals the first

# Here positions are (forward, left, up); in_file() gives those of the format. Joints in the rest pose: name, parent,
# position in model space. All have the model's axes.
JOINTS = [("hips", -1, (0, 0, 38)), ("spine", 0, (0, 0, 42)), ("head", 1, (0, 0, 62)),
          ("upper_arm_l", 1, (0, 11, 57)), ("forearm_l", 3, (0, 11, 46)),
          ("upper_arm_r", 1, (0, -11, 57)), ("forearm_r", 5, (0, -11, 46)), ("spear", 6, (0, -11, 35)),
          ("thigh_l", 0, (0, 4.5, 37)), ("shin_l", 8, (0, 4.5, 20)),
          ("thigh_r", 0, (0, -4.5, 37)), ("shin_r", 10, (0, -4.5, 20))]
NUMBER = {name: number for number, (name, _, _) in enumerate(JOINTS)}

# The texture is 4 x 4 cells of 16 x 16 pixels. Most cells have one color.
CELL, CELLS = 16, 4
COLORS = [("tunic", (52, 84, 150)), ("trim", (34, 52, 98)), ("skin", (226, 178, 140)), ("steel", (168, 176, 186)),
          ("leather", (112, 74, 44)), ("boots", (62, 46, 36)), ("wood", (150, 108, 62)), ("gold", (214, 172, 62)),
          ("trousers", (92, 96, 84)), ("face", (226, 178, 140)), ("chest", (52, 84, 150)), ("plume", (176, 44, 44))]
CELL_OF = {name: number for number, (name, _) in enumerate(COLORS)}
# Pixels of the two cells with a picture: the color's cell, then x, y, width, height.
PAINTED = {"face": [("boots", 3, 5, 3, 2), ("boots", 10, 5, 3, 2), ("leather", 5, 11, 6, 1)],
           "chest": [("gold", 7, 3, 2, 10), ("gold", 4, 6, 8, 2)]}


def number(value):
    """At most five digits after the point, and no negative zero."""
    return f"{round(value, 5) + 0.0:.5f}".rstrip("0").rstrip(".")


def in_file(position):
    forward, left, up = position
    return left, -forward, up


def tuple_of(values):
    return "( " + " ".join(number(value) for value in values) + " )"


# --- the mesh ---

class Mesh:
    """Vertices are (position, uv, weights), where weights are pairs of a joint's name and a factor."""

    def __init__(self):
        self.vertices, self.triangles = [], []

    def add_face(self, corners, cell, inset, weights):
        """A quad or a triangle. Corners as seen from outside, clockwise: a quad's from the top left on. `weights` has
        an element for each corner. `inset` is the distance of the uvs from the edge of the cell, in pixels."""
        left, top = CELL * (CELL_OF[cell] % CELLS), CELL * (CELL_OF[cell] // CELLS)
        near, far = inset, CELL - inset
        first = len(self.vertices)
        for corner, (u, v), weight in zip(corners, [(near, near), (far, near), (far, far), (near, far)], weights):
            self.vertices.append((corner, ((left + u) / (CELL * CELLS), (top + v) / (CELL * CELLS)), weight))
        self.triangles += [(first, first + i, first + i + 1) for i in range(1, len(corners) - 1)]

    def add_limb(self, rings, sides, first_cap=None, last_cap=None):
        """A tube of rectangles, from top to bottom: each ring is (up, (back, front), (right, left), weights).
        `sides` names the cells of front, left, back and right; the caps those of the top and the bottom."""
        def corners(ring):
            z, (x0, x1), (y0, y1), _ = ring
            return [(x1, y1, z), (x0, y1, z), (x0, y0, z), (x1, y0, z)]  # front left, then around to the left

        for upper, lower in zip(rings, rings[1:]):
            a, b = corners(upper), corners(lower)
            for side, (i, j) in enumerate([(3, 0), (0, 1), (1, 2), (2, 3)]):
                self.add_face([a[i], a[j], b[j], b[i]], sides[side], 1 + side, [upper[3]] * 2 + [lower[3]] * 2)
        if first_cap:
            c = corners(rings[0])
            self.add_face([c[1], c[2], c[3], c[0]][::-1], first_cap, 5, [rings[0][3]] * 4)
        if last_cap:
            self.add_face(corners(rings[-1]), last_cap, 6, [rings[-1][3]] * 4)

    def add_box(self, joint, low, high, cell, front=None):
        """A box that one joint moves."""
        x, y = (low[0], high[0]), (low[1], high[1])
        weights = [(joint, 1)]
        self.add_limb([(high[2], x, y, weights), (low[2], x, y, weights)], [front or cell, cell, cell, cell], cell, cell)


def add_bent_limb(mesh, upper, lower, z, half, y, cells):
    """An arm or a leg: its vertices at the bend follow both joints. z: top, bend and bottom. Its ends are inside boxes."""
    def ring(height, weights):
        return height, (-half, half), (y - half, y + half), weights
    top, bend, bottom = z
    both = [(upper, 0.5), (lower, 0.5)]
    above = [ring(top, [(upper, 1)]), ring(bend + half, [(upper, 1)]), ring(bend, both)]
    below = [ring(bend, both), ring(bend - half, [(lower, 1)]), ring(bottom, [(lower, 1)])]
    mesh.add_limb(above, [cells[0]] * 4)
    mesh.add_limb(below, [cells[1]] * 4)


def body():
    mesh = Mesh()
    mesh.add_box("hips", (-5, -8, 34), (5, 8, 41), "trim")
    mesh.add_box("hips", (-5.4, -8.4, 39.5), (5.4, 8.4, 42), "leather", "leather")
    mesh.add_box("hips", (5.2, -1.5, 39.2), (6, 1.5, 42.3), "gold")
    mesh.add_limb([(60, (-4.5, 5), (-8, 8), [("spine", 1)]), (51, (-5, 5.5), (-8.5, 8.5), [("spine", 1)]),
                   (41.5, (-4.5, 4.5), (-7.5, 7.5), [("spine", 0.5), ("hips", 0.5)])], ["tunic"] * 4, "trim", "trim")
    mesh.add_box("spine", (5.2, -4.5, 47), (5.9, 4.5, 58), "tunic", "chest")
    mesh.add_box("head", (-2.5, -2.5, 59), (2.5, 2.5, 63), "skin")
    mesh.add_box("head", (-4.5, -4.5, 62), (4.5, 4.5, 71), "skin", "face")
    mesh.add_box("head", (-5.2, -5.2, 69.5), (5.6, 5.2, 74), "steel")
    mesh.add_box("head", (-5.2, -5.2, 63.5), (-1.5, 5.2, 69.5), "steel")
    mesh.add_box("head", (-5.6, -1, 71), (4.5, 1, 77), "plume")
    for side, y in (("l", 11), ("r", -11)):
        add_bent_limb(mesh, "upper_arm_" + side, "forearm_" + side, (60, 46, 38), 2.6, y, ("tunic", "trim"))
        mesh.add_box("upper_arm_" + side, (-3.2, y - 3.2, 56), (3.2, y + 3.2, 61), "steel")
        mesh.add_box("forearm_" + side, (-2.2, y - 2.2, 33), (2.2, y + 2.2, 38), "skin")
    for side, y in (("l", 4.5), ("r", -4.5)):
        add_bent_limb(mesh, "thigh_" + side, "shin_" + side, (38, 20, 4), 3.2, y, ("trousers", "boots"))
        mesh.add_box("shin_" + side, (-3.6, y - 3.4, 0), (7.5, y + 3.4, 4), "boots")
    return mesh


def spear():
    """Horizontal in the rest pose, through the right hand; upright as soon as the forearm is bent by 90 degrees."""
    mesh = Mesh()
    mesh.add_box("spear", (-44, -11.8, 34.2), (40, -10.2, 35.8), "wood")
    mesh.add_box("spear", (38, -12.4, 33.6), (41, -9.8, 36.4), "gold")
    point, weights = (54, -11, 35), [[("spear", 1)]] * 4
    base = [(41, -13.2, 34.4), (41, -8.8, 34.4), (41, -8.8, 35.6), (41, -13.2, 35.6)]
    for side in range(4):
        a, b = base[side], base[(side + 1) % 4]
        mesh.add_face([point, b, a], "steel", 1 + side, weights)
    mesh.add_face(base, "steel", 5, weights)
    return mesh


def mesh_text(mesh):
    vertices, weights = [], []
    for index, (position, uv, influences) in enumerate(mesh.vertices):
        vertices.append(f"\tvert {index} {tuple_of(uv)} {len(weights)} {len(influences)}")
        for joint, factor in influences:
            place = [p - j for p, j in zip(position, JOINTS[NUMBER[joint]][2])]
            weights.append(f"\tweight {len(weights)} {NUMBER[joint]} {number(factor)} {tuple_of(in_file(place))}")
    lines = [f"\ttri {index} {a} {b} {c}" for index, (a, b, c) in enumerate(mesh.triangles)]
    return "\n".join(['mesh {', '\tshader "guard.png"', f"\n\tnumverts {len(vertices)}", *vertices,
                      f"\n\tnumtris {len(lines)}", *lines, f"\n\tnumweights {len(weights)}", *weights, "}\n"])


def mesh_file():
    meshes = [body(), spear()]
    joints = [f'\t"{name}"\t{parent} {tuple_of(in_file(position))} ( 0 0 0 )' for name, parent, position in JOINTS]
    return "\n".join(["MD5Version 10", 'commandline "scripts/build_guard.py"', "", f"numJoints {len(JOINTS)}",
                      f"numMeshes {len(meshes)}", "", "joints {", *joints, "}\n", *map(mesh_text, meshes)])


# --- the animation ---

def pose(phase):
    """Rotations in degrees about one axis each, for joints that move: march on the spot, the spear upright."""
    step = math.sin(phase)
    left, right = max(0.0, step) ** 2, max(0.0, -step) ** 2
    bend = -88 + 3 * math.cos(2 * phase)  # of the right elbow
    return {"spine": ("up", 5 * step), "head": ("up", -5 * step), "upper_arm_l": ("left", 32 * step),
            "forearm_l": ("left", -16 + 10 * step), "upper_arm_r": ("left", 8), "forearm_r": ("left", bend - 8),
            "spear": ("left", -90 - bend), "thigh_l": ("left", -52 * left), "shin_l": ("left", 74 * left),
            "thigh_r": ("left", -52 * right), "shin_r": ("left", 74 * right)}


FLAG = {"left": 8, "up": 32}  # of the components in a frame; the others are those of the base frame


def animation_file():
    frames = [pose(2 * math.pi * frame / (FRAMES - 1)) for frame in range(FRAMES)]
    hierarchy, base = [], []
    count = 0
    for name, parent, position in JOINTS:
        flags = FLAG[frames[0][name][0]] if name in frames[0] else 0
        hierarchy.append(f'\t"{name}"\t{parent} {flags} {count if flags else 0}')
        count += 1 if flags else 0
        above = JOINTS[parent][2] if parent >= 0 else (0, 0, 0)
        base.append(f"\t{tuple_of(in_file([p - a for p, a in zip(position, above)]))} ( 0 0 0 )")
    text = ["MD5Version 10", 'commandline "scripts/build_guard.py"', "", f"numFrames {FRAMES}",
            f"numJoints {len(JOINTS)}", f"frameRate {FRAMES_PER_SECOND}", f"numAnimatedComponents {count}", "",
            "hierarchy {", *hierarchy, "}\n", "bounds {", *["\t( -16 -30 0 ) ( 16 12 96 )"] * FRAMES, "}\n",
            "baseframe {", *base, "}\n"]
    for index, frame in enumerate(frames):
        # sin(angle / 2) with the sign that makes w negative: all angles are below 180 degrees.
        values = [-math.sin(math.radians(frame[name][1]) / 2) for name, _, _ in JOINTS if name in frame]
        text += [f"frame {index} {{", "\t" + " ".join(map(number, values)), "}\n"]
    return "\n".join(text)


# --- the texture ---

def texture_file():
    """A PNG of 64 x 64 pixels, each a byte: the number of its color."""
    size = CELL * CELLS
    rows = [bytearray(size) for _ in range(size)]

    def fill(color, x, y, width, height):
        for row in range(y, y + height):
            rows[row][x:x + width] = bytes([color]) * width

    for index, (name, _) in enumerate(COLORS):
        x, y = CELL * (index % CELLS), CELL * (index // CELLS)
        fill(index, x, y, CELL, CELL)
        for other, px, py, width, height in PAINTED.get(name, []):
            fill(CELL_OF[other], x + px, y + py, width, height)

    def block(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">IIBBBBB", size, size, 8, 3, 0, 0, 0)
    palette = bytes(value for _, color in COLORS for value in color)
    pixels = zlib.compress(b"".join(b"\0" + row for row in rows), 0)  # level 0: equal bytes from every zlib
    return (b"\x89PNG\r\n\x1a\n" + block(b"IHDR", header) + block(b"PLTE", palette) + block(b"IDAT", pixels) +
            block(b"IEND", b""))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--output", default=os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "assets"))
    folder = parser.parse_args().output
    os.makedirs(folder, exist_ok=True)
    for name, content in (("guard.md5mesh", mesh_file().encode()), ("guard.md5anim", animation_file().encode()),
                          ("guard.png", texture_file())):
        with open(os.path.join(folder, name), "wb") as file:
            file.write(content)


if __name__ == "__main__":
    main()

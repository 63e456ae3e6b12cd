"""Where joints of a GLB file are in a pose: an oracle that shares nothing with the library. Only translations and
rotations of nodes count."""
import json
import math
import struct


def product(a, b):
    """Of two quaternions x y z w."""
    ax, ay, az, aw = a
    bx, by, bz, bw = b
    return (aw * bx + ax * bw + ay * bz - az * by, aw * by - ax * bz + ay * bw + az * bx,
            aw * bz + ax * by - ay * bx + az * bw, aw * bw - ax * bx - ay * by - az * bz)


def rotation_about(axis, degrees):
    half = math.radians(degrees) / 2
    return (*(math.sin(half) * c / math.hypot(*axis) for c in axis), math.cos(half))


def rotated(q, point):
    x, y, z, w = q
    return product(product(q, (*point, 0)), (-x, -y, -z, w))[:3]


class Joints:
    def __init__(self, path):
        with open(path, "rb") as file:
            data = file.read()
        size = struct.unpack_from("<I", data, 12)[0]
        self.nodes = json.loads(data[20:20 + size])["nodes"]
        self.parents = {child: i for i, node in enumerate(self.nodes) for child in node.get("children", [])}

    def place(self, name, turns):
        """Of a joint in the rest pose, after `turns`: rotations by the name of a joint, applied in its own space."""
        at, point = next(i for i, node in enumerate(self.nodes) if node["name"] == name), (0, 0, 0)
        while at is not None:
            node = self.nodes[at]
            q = product(node.get("rotation", (0, 0, 0, 1)), turns.get(node["name"], (0, 0, 0, 1)))
            point = tuple(a + b for a, b in zip(rotated(q, point), node.get("translation", (0, 0, 0))))
            at = self.parents.get(at)
        return point

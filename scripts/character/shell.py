"""Shells: the hand-built cages the character is made of.

A shell collects vertices with their joint weights, faces with the name of the
painted part they belong to, and marked edges. `to_object` turns it into a
Blender mesh, subdividing it once (Catmull-Clark) where the cage is coarse.
"""

import math

import bmesh
import bpy
import numpy as np


def smoothstep(a, b, x):
    t = np.clip((np.asarray(x, float) - a) / (b - a), 0.0, 1.0)
    return t * t * (3.0 - 2.0 * t)


def mix(a, b, t):
    return a + (b - a) * t


def along_chain(s, bones, borders):
    """Weights at distance `s` along a chain of bones.

    `borders` holds (position, half width) of the blend between one bone and
    the next, so it is one shorter than `bones`.
    """
    weights, rest = {}, 1.0
    for bone, (at, half) in zip(bones, borders):
        t = float(smoothstep(at - half, at + half, s))
        weights[bone] = rest * (1.0 - t)
        rest *= t
    weights[bones[-1]] = rest
    return {b: w for b, w in weights.items() if w > 1e-4}


class Shell:
    def __init__(self, name, part, subdivide=True):
        self.name, self.part, self.subdivide = name, part, subdivide
        self.points, self.weights = [], []
        self.faces, self.parts = [], []
        self.seams, self.sharp, self.creases = set(), set(), set()
        self.shapes = {}  # name: {vertex: how far it moves}

    def vertex(self, point, weights):
        self.points.append(np.array(point, float))
        self.weights.append(dict(weights))
        return len(self.points) - 1

    def ring(self, points, weigh):
        """Adds a ring; `weigh` is a weight table or a function of the point."""
        return [self.vertex(p, weigh(np.array(p)) if callable(weigh) else weigh) for p in points]

    def face(self, *indices, part=None):
        self.faces.append(tuple(indices))
        self.parts.append(part or self.part)

    def bridge(self, a, b, part=None, closed=True, skip=()):
        n = len(a)
        for i in range(n if closed else n - 1):
            if i not in skip:
                j = (i + 1) % n
                self.face(a[i], a[j], b[j], b[i], part=part)

    def loft(self, rings, part=None, seam=None, closed=True):
        for a, b in zip(rings, rings[1:]):
            self.bridge(a, b, part, closed)
            if seam is not None:
                self.mark(self.seams, [a[seam], b[seam]])

    def stitch(self, a, b, part=None):
        """Triangles between two closed rings that run the same way: those with the shortest edges in between."""
        reach = np.array([[np.linalg.norm(self.points[i] - self.points[j]) for j in b] for i in a])
        first = int(reach[0].argmin())
        b, reach = b[first:] + b[:first], np.roll(reach, -first, axis=1)
        total = np.full((len(a) + 1, len(b) + 1), math.inf)  # of the edges after i steps along a and j along b
        total[0, 0] = 0.0
        for i, j in np.ndindex(total.shape):
            before = min(total[i - 1, j] if i else math.inf, total[i, j - 1] if j else math.inf)
            total[i, j] = min(total[i, j], before + reach[i % len(a), j % len(b)])
        i, j = len(a), len(b)
        while i or j:
            p, q = a[i % len(a)], b[j % len(b)]
            if j == 0 or (i and total[i - 1, j] <= total[i, j - 1]):
                i -= 1
                self.face(a[i], p, q, part=part)
            else:
                j -= 1
                self.face(p, q, b[j], part=part)

    def move(self, shape, vertex, distance):
        """Adds to what a shape does to a vertex."""
        moved = self.shapes.setdefault(shape, {})
        moved[vertex] = moved.get(vertex, 0.0) + np.array(distance, float)

    def fan(self, ring, point, weights, part=None):
        center = self.vertex(point, weights)
        for i in range(len(ring)):
            self.face(ring[i], ring[(i + 1) % len(ring)], center, part=part)
        return center

    @staticmethod
    def mark(which, path, closed=False):
        pairs = list(zip(path, path[1:]))
        if closed:
            pairs.append((path[-1], path[0]))
        which.update((min(p), max(p)) for p in pairs)

    def mirrored(self, name):
        """The same shell on the right side, its weights on the right joints."""
        other = Shell(name, self.part, self.subdivide)
        other.points = [p * np.array([-1.0, 1.0, 1.0]) for p in self.points]
        other.weights = [{(b[:-2] + "_r" if b.endswith("_l") else b): w for b, w in t.items()}
                         for t in self.weights]
        other.faces = [tuple(reversed(f)) for f in self.faces]
        other.parts = list(self.parts)
        other.seams, other.sharp, other.creases = set(self.seams), set(self.sharp), set(self.creases)
        return other

    def to_object(self):
        bm = bmesh.new()
        crease = bm.edges.layers.crease.verify()
        # An attribute stays with its vertices while objects are joined; mesh.py makes shape keys of it.
        layers = {shape: bm.verts.layers.float_vector.new(shape) for shape in self.shapes}
        verts = [bm.verts.new(p) for p in self.points]
        bm.verts.ensure_lookup_table()
        for shape, layer in layers.items():
            for i, distance in self.shapes[shape].items():
                verts[i][layer] = distance
        names = sorted(set(self.parts))
        for indices, part in zip(self.faces, self.parts):
            face = bm.faces.new([verts[i] for i in indices])
            face.material_index = names.index(part)
            face.smooth = True
        bmesh.ops.recalc_face_normals(bm, faces=bm.faces)
        for (i, j), flags in self._marked().items():
            edge = bm.edges.get((verts[i], verts[j]))
            if edge is None:
                raise ValueError(f"{self.name}: a marked edge is no edge of any face")
            edge.seam = "seam" in flags
            edge.smooth = "sharp" not in flags
            edge[crease] = 1.0 if "crease" in flags else 0.0
        mesh = bpy.data.meshes.new(self.name)
        bm.to_mesh(mesh)
        bm.free()
        for part in names:
            mesh.materials.append(bpy.data.materials.get(part) or bpy.data.materials.new(part))
        obj = bpy.data.objects.new(self.name, mesh)
        bpy.context.scene.collection.objects.link(obj)
        for bone in sorted({b for t in self.weights for b in t}):
            group = obj.vertex_groups.new(name=bone)
            for i, table in enumerate(self.weights):
                if table.get(bone, 0.0) > 0.0:
                    group.add([i], table[bone], "REPLACE")
        if self.subdivide:
            bpy.context.view_layer.objects.active = obj
            modifier = obj.modifiers.new("subdivide", "SUBSURF")
            modifier.levels = 1
            bpy.ops.object.modifier_apply(modifier=modifier.name)
        return obj

    def _marked(self):
        marked = {}
        for name, edges in (("seam", self.seams), ("sharp", self.sharp), ("crease", self.creases)):
            for e in edges:
                marked.setdefault(e, set()).add(name)
        return marked

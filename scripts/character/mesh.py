"""Joins the shells into one mesh: texture coordinates, weights, triangles."""

import bmesh
import bpy
import numpy as np
from mathutils import Vector
from mathutils.bvhtree import BVHTree

from . import clothes, face, gear, head, headwear, rig

MAX_INFLUENCES = 4
# Parts that get more of the texture than their area alone would earn them.
TEXTURE_SHARE = {"skin": 2.3, "hand": 1.15, "lining": 0.45, "sole": 0.6, "neck": 0.7, "hair": 0.9,
                 "lid": 2.3, "eye": 2.3, "mouth": 0.8, "teeth": 1.0}


def cloth_surface(obj):
    """Nearest point, normal and weights on an object's surface."""
    mesh = obj.data
    tree = BVHTree.FromPolygons([v.co for v in mesh.vertices], [p.vertices for p in mesh.polygons])
    names = [g.name for g in obj.vertex_groups]

    def nearest(p):
        location, normal, index, _ = tree.find_nearest(Vector(p))
        table, total = {}, 0.0
        for i in mesh.polygons[index].vertices:
            near = 1.0 / ((mesh.vertices[i].co - location).length + 1e-3)
            total += near
            for g in mesh.vertices[i].groups:
                table[names[g.group]] = table.get(names[g.group], 0.0) + g.weight * near
        return np.array(location), np.array(normal), {b: w / total for b, w in table.items()}

    return nearest


def build_mesh(look):
    shells = clothes.build(look) + head.build(look, headwear.build(look))
    objects = [shell.to_object() for shell in shells]
    objects += [shell.to_object() for shell in gear.build(look, cloth_surface(objects[0]))]
    bpy.ops.object.select_all(action="DESELECT")
    for obj in objects:
        obj.select_set(True)
    obj = objects[0]
    bpy.context.view_layer.objects.active = obj
    obj.name = obj.data.name = look.name
    bpy.ops.object.join()
    _unwrap(obj)
    _triangulate(obj)
    obj.data.use_auto_smooth = True
    obj.data.auto_smooth_angle = 3.14159265
    return obj


def _unwrap(obj):
    mesh = obj.data
    mesh.uv_layers.new(name="uv")
    bpy.ops.object.mode_set(mode="EDIT")
    bpy.ops.mesh.select_all(action="SELECT")
    bpy.ops.uv.select_all(action="SELECT")
    bpy.ops.uv.unwrap(method="ANGLE_BASED", margin=0.0)
    bpy.ops.uv.average_islands_scale()
    bpy.ops.object.mode_set(mode="OBJECT")
    parts = [m.name for m in mesh.materials]
    uv = mesh.uv_layers["uv"].data
    for island in _uv_islands(mesh):
        share = max(TEXTURE_SHARE.get(parts[mesh.polygons[f].material_index], 1.0) for f in island)
        if all(parts[mesh.polygons[f].material_index] in TEXTURE_SHARE for f in island):
            share = np.mean([TEXTURE_SHARE[parts[mesh.polygons[f].material_index]] for f in island])
        loops = [l for f in island for l in mesh.polygons[f].loop_indices]
        for l in loops:
            uv[l].uv = uv[l].uv * float(share)
    bpy.ops.object.mode_set(mode="EDIT")
    bpy.ops.uv.pack_islands(rotate=True, margin=0.004)
    bpy.ops.object.mode_set(mode="OBJECT")
    # The packer leaves its margins outside the square; bring everything inside.
    uv = mesh.uv_layers["uv"].data
    flat = np.empty(len(uv) * 2)
    uv.foreach_get("uv", flat)
    flat = flat.reshape(-1, 2)
    low, high = flat.min(axis=0), flat.max(axis=0)
    flat = 0.004 + (flat - low) * 0.992 / (high - low).max()
    uv.foreach_set("uv", flat.ravel().astype(np.float32))


def _uv_islands(mesh):
    """Groups of faces joined by edges that are no seams."""
    owner = list(range(len(mesh.polygons)))

    def find(i):
        while owner[i] != i:
            owner[i] = owner[owner[i]]
            i = owner[i]
        return i

    seams = {tuple(sorted(e.vertices)) for e in mesh.edges if e.use_seam}
    first = {}
    for polygon in mesh.polygons:
        for key in polygon.edge_keys:
            key = tuple(sorted(key))
            if key in seams:
                continue
            if key in first:
                owner[find(polygon.index)] = find(first[key])
            else:
                first[key] = polygon.index
    groups = {}
    for i in range(len(mesh.polygons)):
        groups.setdefault(find(i), []).append(i)
    return list(groups.values())


def _triangulate(obj):
    """Triangles from here on, so that every exporter cuts the quads alike."""
    bm = bmesh.new()
    bm.from_mesh(obj.data)
    bmesh.ops.triangulate(bm, faces=bm.faces, quad_method="SHORT_EDGE", ngon_method="BEAUTY")
    bm.to_mesh(obj.data)
    bm.free()


def add_shape_keys(obj, armature):
    """Shape keys from the attributes that the shells left. Their weights are properties of the armature, 0 at rest,
    so that one action moves joints and face, and exporters write both as one clip.
    """
    obj.shape_key_add(name="rest", from_mix=False)
    for name in face.SHAPES:
        attribute = obj.data.attributes[name]
        moved = np.empty(len(obj.data.vertices) * 3, dtype=np.float32)
        attribute.data.foreach_get("vector", moved)
        rest = np.empty_like(moved)
        obj.data.vertices.foreach_get("co", rest)
        key = obj.shape_key_add(name=name, from_mix=False)
        key.data.foreach_set("co", rest + moved)
        obj.data.attributes.remove(attribute)
        armature[name] = 0.0
        driver = key.driver_add("value").driver
        driver.type = "SUM"
        variable = driver.variables.new()
        variable.targets[0].id = armature
        variable.targets[0].data_path = f'["{name}"]'


def weight_matrix(obj):
    names = [row[0] for row in rig.joint_table()]
    index = {g.index: names.index(g.name) for g in obj.vertex_groups}
    weights = np.zeros((len(obj.data.vertices), len(names)))
    for v in obj.data.vertices:
        for g in v.groups:
            weights[v.index, index[g.group]] = g.weight
    return weights


def finish_weights(obj):
    """Smooths the weights over the surface, keeps the four largest, normalizes."""
    names = [row[0] for row in rig.joint_table()]
    weights = weight_matrix(obj)
    edges = np.array([e.vertices[:] for e in obj.data.edges])
    # Only cloth and trunk: fingers are too short for smoothing, rigid parts need none.
    soft = [i for i, n in enumerate(names) if n.startswith(("clavicle", "upper_arm", "spine", "thigh",
                                                            "shin", "pelvis"))]
    eligible = weights[:, soft].sum(axis=1) > 0.999
    for _ in range(2):
        total, count = np.zeros_like(weights), np.zeros(len(weights))
        for a, b in (edges.T, edges.T[::-1]):
            np.add.at(total, a, weights[b])
            np.add.at(count, a, 1.0)
        mean = total / np.maximum(count, 1.0)[:, None]
        weights[eligible] = 0.5 * weights[eligible] + 0.5 * mean[eligible]
    # The same place needs the same weights, whichever shell it belongs to.
    order = np.argsort(weights, axis=1)
    np.put_along_axis(weights, order[:, :-MAX_INFLUENCES], 0.0, axis=1)
    weights[weights < 0.004] = 0.0
    weights /= weights.sum(axis=1, keepdims=True)
    # Exporters store single precision; a multiple of 1/4096 survives all of them exactly.
    weights = np.round(weights * 4096.0) / 4096.0
    largest = weights.argmax(axis=1)
    weights[np.arange(len(weights)), largest] += 1.0 - weights.sum(axis=1)
    obj.vertex_groups.clear()
    for j, name in enumerate(names):
        group = obj.vertex_groups.new(name=name)
        for i in np.nonzero(weights[:, j])[0]:
            group.add([int(i)], float(weights[i, j]), "REPLACE")


def bind(obj, armature):
    obj.parent = armature
    modifier = obj.modifiers.new("skeleton", "ARMATURE")
    modifier.object = armature

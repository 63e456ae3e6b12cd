"""What must hold, measured on the finished character; a failure stops the build."""

import os

import bpy
import numpy as np
from mathutils.bvhtree import BVHTree

from . import face, glb_file, head, motion, rig
from .mesh import MAX_INFLUENCES, weight_matrix

GROUND = 0.010   # a standing sole lies within this of the ground, in meters
SLIDE = 0.001    # a standing foot slips by no more than this from one frame to the next
MOST_MOVED = 250     # vertices of a shape
MOST_TURNED = 100    # degrees that a shape turns a normal
FACE_CLIPS = ("cheer", "idle")
LARGEST = 3_000_000  # no model has more bytes
LARGEST_LOOK = 1_000_000
HAND_DEPTH = 0.006   # no hand sinks further into a leg, in meters
CLAP_GAP = 0.006     # between hands that meet


class Failed(Exception):
    pass


def require(condition, message):
    if not condition:
        raise Failed(message)


def structure(body, armature):
    joints = len(armature.data.bones)
    weights = weight_matrix(body)
    influences = int((weights > 0).sum(axis=1).max())
    off = float(np.abs(weights.sum(axis=1) - 1.0).max())
    triangles = len(body.data.polygons)
    print(f"mesh: {len(body.data.vertices)} vertices before splits, {triangles} triangles")
    print(f"skin: {joints} joints, at most {influences} influences, weights add up to 1 within {off:.1e}")
    require(50 <= joints <= 70, "50 to 70 joints")
    require(influences <= MAX_INFLUENCES and off < 1e-6, "four normalized influences")
    require((weights.max(axis=1) > 0).all(), "no vertex without weights")
    require(all(len(p.vertices) == 3 for p in body.data.polygons), "triangles only")
    require(len(body.data.materials) == 1, "one material")


def faces(body):
    """Lids close without touching the eye, corners of the mouth rise, the mouth opens."""
    keys = body.data.shape_keys.key_blocks
    rest, moved = (head.unscaled(_points(keys["rest"].data)), {n: _points(keys[n].data) for n in face.SHAPES})
    moved = {name: head.unscaled(points) - rest for name, points in moved.items()}
    gap, clearance = _lids(rest, moved["blink"])
    x, _, z = rest.T
    corner = int(np.argmin(np.linalg.norm(rest[:, [0, 2]] - (face.MOUTH_WIDTH, face.mouth_line(face.MOUTH_WIDTH)),
                                          axis=1)))
    on_line = (np.abs(x) < 1e-4) & (np.abs(z - face.MOUTH_Z) < 1e-4) & (rest[:, 1] < -0.09)
    opening = np.ptp(moved["open_mouth"][on_line, 2])
    rise = moved["smile"][corner, 2] - moved["smile"][on_line, 2].max()
    print(f"face, in mm: closed lids within {gap * 1000:.1f}, at least {clearance * 1000:.1f} before the eye, "
          f"corners of the smile {rise * 1000:.1f} up, mouth {opening * 1000:.1f} open")
    require(gap <= 0.001, "closed lids meet")
    require(clearance > 0.0, "lids stay in front of the eye")
    require(rise >= 0.004, "the smile's corners rise")
    require(opening >= 0.010, "the mouth opens")
    require(max(key.value for key in keys) == 0.0, "a face at rest")


def _points(data):
    flat = np.empty(len(data) * 3, dtype=np.float32)
    data.foreach_get("co", flat)
    return flat.reshape(-1, 3).astype(float)


def _lids(rest, blink):
    """The gap that closed lids leave, and their least distance from the eye on the way."""
    gaps, clearances = [], []
    edges = {half: {} for half in (1.0, -1.0)}
    for p, d in zip(rest, blink):
        ex, ez, side = abs(p[0]) - face.EYE_X, p[2] - face.EYE_Z, np.sign(p[0])
        before = face.eye_surface(ex, ez) - p[1]
        if not d.any() or before < 0.0:  # fixed, or the lid's inner rim
            continue
        for weight in np.linspace(0.0, 1.0, 9):
            now = p + weight * d
            clearances.append(face.eye_surface(ex, now[2] - face.EYE_Z) - now[1])
        for half, height in ((1.0, face.eye_top(ex)), (-1.0, face.eye_bottom(ex))):
            if abs(ez - face.eye_tilt(ex) - height) < 1e-4:
                edges[half][side, round(ex, 4)] = p[2] + d[2]
    require(len(edges[1.0]) == len(edges[-1.0]) == face.COUNT - 2, "edges of the lids are where they were built")
    gaps = [edges[1.0][at] - edges[-1.0][at] for at in edges[1.0]]
    return max(gaps), min(clearances)


def positions(body):
    evaluated = body.evaluated_get(bpy.context.evaluated_depsgraph_get())
    return _points(evaluated.data.vertices)


def clips(body, armature, table):
    weights = weight_matrix(body)
    names = [row[0] for row in rig.joint_table()]
    soles = {}
    for side in "lr":
        own = weights[:, [names.index(f"foot_{side}"), names.index(f"toe_{side}")]].sum(axis=1)
        rest_z = np.array([v.co.z for v in body.data.vertices])
        soles[side] = np.nonzero((own > 0.99) & (rest_z < 0.001))[0]
    for name, clip in table.items():
        armature.animation_data.action = clip["action"]
        lowest, standing, slide, first, before, previous = [], [], 0.0, None, None, ""
        for frame in range(clip["frames"] + 1):
            bpy.context.scene.frame_set(frame)
            p = positions(body)
            lowest.append(p[:, 2].min())
            contacts = clip["contacts"][frame % clip["frames"]]
            for side in contacts:
                z = p[soles[side], 2]
                standing.append(z.min())
                if before is not None and side in previous:
                    low = soles[side][(z < 0.004) & (before[soles[side], 2] < 0.004)]
                    if len(low):
                        moved = p[low, :2] - before[low, :2]
                        moved[:, 1] -= clip["speed"] / motion.FPS
                        slide = max(slide, float(np.linalg.norm(moved, axis=1).min()))
            first = p if first is None else first
            before, previous = p, contacts
        loop = float(np.abs(first - p).max())
        grounded = float(np.abs(standing).max())
        every = max(1, clip["frames"] // 10)
        print(f"{name}: {clip['frames'] / motion.FPS:.3f} s, lowest {min(lowest) * 1000:+.1f} mm, "
              f"standing soles within {grounded * 1000:.1f} mm, slip {slide * 1000:.1f} mm a frame, "
              f"loop error {loop:.1e} m, reach {clip['strain']:.3f}")
        print("   lowest point, mm: " + " ".join(f"{v * 1000:.0f}" for v in lowest[::every]))
        require(min(lowest) >= -GROUND, f"{name} sinks into the ground")
        require(grounded <= GROUND, f"{name}: a standing foot is off the ground")
        require(slide <= SLIDE, f"{name}: a standing foot slips")
        require(loop < 1e-6, f"{name} does not loop")
    armature.animation_data.action = None


def glb(path, table):
    gltf, binary = glb_file.read(path)
    primitives = [p for m in gltf["meshes"] for p in m["primitives"]]
    vertices = sum(gltf["accessors"][p["attributes"]["POSITION"]]["count"] for p in primitives)
    triangles = sum(gltf["accessors"][p["indices"]]["count"] for p in primitives) // 3
    names = [a["name"] for a in gltf["animations"]]
    print(f"glb: {vertices} vertices, {triangles} triangles, {len(gltf['skins'][0]['joints'])} joints, "
          f"{len(primitives)} primitive, clips {', '.join(names)}")
    require(3000 <= vertices <= 6000, "3,000 to 6,000 vertices in the .glb")
    require(len(primitives) == 1 and len(gltf["skins"]) == 1, "one primitive, one skin")
    require(sorted(names) == sorted(table), "all clips in the .glb")
    _glb_faces(gltf, binary)


def _glb_faces(gltf, binary):
    names = gltf["meshes"][0]["extras"]["targetNames"]
    targets = gltf["meshes"][0]["primitives"][0]["targets"]
    moved = [gltf["accessors"][target["POSITION"]]["sparse"]["count"] for target in targets]
    print("glb: " + ", ".join(f"{name} moves {count} vertices" for name, count in zip(names, moved)))
    require(tuple(names) == face.SHAPES and max(moved) <= MOST_MOVED, "the face's shapes in the .glb, each a small part")
    normals = glb_file.dense(gltf, binary, gltf["meshes"][0]["primitives"][0]["attributes"]["NORMAL"])
    turned = [normals + glb_file.dense(gltf, binary, target["NORMAL"]) for target in targets]
    least = min(float((normals * n).sum(axis=1).min()) for n in turned)
    print(f"glb: shapes turn normals by up to {np.degrees(np.arccos(least)):.0f} degrees")
    require(least > np.cos(np.radians(MOST_TURNED)), "normals that stay away from zero on the way")
    require(not any(gltf["meshes"][0].get("weights", [0.0])), "a face at rest in the .glb")
    animated = []
    for animation in gltf["animations"]:
        for channel in animation["channels"]:
            if channel["target"]["path"] == "weights":
                sampler = animation["samplers"][channel["sampler"]]
                weights = glb_file.dense(gltf, binary, sampler["output"])
                require(sampler["interpolation"] == "LINEAR", "weights without jumps in the .glb")
                require(0.0 <= weights.min() and 0.5 < weights.max() <= 1.0, "weights from 0 to 1 in the .glb")
                animated.append(animation["name"])
    require(sorted(animated) == sorted(FACE_CLIPS), f"faces move in {FACE_CLIPS} and nowhere else in the .glb")


def sizes(folder):
    for extension in ("glb", "fbx", "dae"):
        size(os.path.join(folder, f"character.{extension}"), LARGEST)


def size(path, largest):
    found = os.path.getsize(path)
    print(f"{os.path.basename(path)}: {found} bytes")
    require(found <= largest, f"at most {largest} bytes in {os.path.basename(path)}")


def clips_only(path, table):
    gltf, _ = glb_file.read(path)
    names = [a["name"] for a in gltf["animations"]]
    print(f"{os.path.basename(path)}: clips {', '.join(names)}")
    require(sorted(names) == sorted(table) and names.index("sit") < names.index("sit_cheer"), "the extra clips, sit first")
    require(not gltf.get("meshes") and not gltf.get("images"), "no mesh and no texture beside the extra clips")


def same_skeleton(one, other):
    """Joints of equal names have equal parents and equal rest poses in both files."""
    a, b = (_joints(glb_file.read(path)[0]) for path in (one, other))
    require(a.keys() == b.keys(), "the same joints")
    for name, (parent, *transform) in a.items():
        require(b[name][0] == parent, f"{name} has the same parent")
        off = max(float(np.abs(np.subtract(x, y)).max()) for x, y in zip(transform, b[name][1:]))
        require(off < 1e-6, f"{name} has the same rest pose")
    print(f"{os.path.basename(other)}: the skeleton of {os.path.basename(one)}")


def _joints(gltf):
    names = {row[0] for row in rig.joint_table()}
    nodes = gltf["nodes"]
    parents = {child: node["name"] for node in nodes for child in node.get("children", [])}
    return {node["name"]: (parents.get(i), node.get("translation", [0, 0, 0]), node.get("rotation", [0, 0, 0, 1]),
                           node.get("scale", [1, 1, 1]))
            for i, node in enumerate(nodes) if node["name"] in names}


def hands(body, armature, table):
    """No hand is in a leg; clapping hands meet, and stay on their own sides."""
    weights = weight_matrix(body)
    names = [row[0] for row in rig.joint_table()]
    fingers = ("hand", "thumb", "index", "middle", "ring", "pinky")

    def of(parts, side):
        own = [i for i, n in enumerate(names) if n.startswith(parts) and n.endswith(side)]
        return weights[:, own].sum(axis=1) > 0.9

    left, right = of(fingers, "_l"), of(fingers, "_r")
    thighs = weights[:, [i for i, n in enumerate(names) if n.startswith(("thigh", "shin"))]].sum(axis=1) > 0.5
    # Below the jacket, whose rim has an inside and an outside.
    legs = [p.vertices[:] for p in body.data.polygons
            if thighs[list(p.vertices)].all() and max(body.data.vertices[i].co.z for i in p.vertices) < 0.75]
    for name, clip in table.items():
        armature.animation_data.action = clip["action"]
        depth, gaps = 0.0, []
        for frame in range(clip["frames"]):
            bpy.context.scene.frame_set(frame)
            p = positions(body)
            tree = BVHTree.FromPolygons(p.tolist(), legs)
            for v in p[left | right]:
                nearest, normal, _, distance = tree.find_nearest(v, 0.05)
                if nearest is not None and normal.dot(nearest - type(nearest)(v)) > 0.0:
                    depth = max(depth, distance)
            gaps.append(_gap(p[left], p[right]))
        print(f"{name}: hands at most {depth * 1000:.1f} mm in a leg, at least {min(gaps) * 1000:.1f} mm apart")
        require(depth <= HAND_DEPTH, f"{name}: a hand is in a leg")
        require(min(gaps) >= 0.0, f"{name}: the hands are in one another")
        require(name != "clap" or min(gaps) <= CLAP_GAP, "clapping hands meet")
    armature.animation_data.action = None


def _gap(left, right):
    """Between hands that a plane along the trunk's middle separates."""
    across = left.mean(axis=0) - right.mean(axis=0)
    across /= np.linalg.norm(across)
    return float((left @ across).min() - (right @ across).max())

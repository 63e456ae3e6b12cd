"""What must hold, measured on the finished character; a failure stops the build."""

import json
import os
import struct

import bpy
import numpy as np

from . import motion, rig
from .mesh import MAX_INFLUENCES, weight_matrix

GROUND = 0.010   # a standing sole lies within this of the ground, in meters
SLIDE = 0.012    # a standing foot slips by no more than this from one frame to the next
LARGEST = 3_000_000  # no model has more bytes


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


def positions(body):
    evaluated = body.evaluated_get(bpy.context.evaluated_depsgraph_get())
    flat = np.empty(len(evaluated.data.vertices) * 3, dtype=np.float32)
    evaluated.data.vertices.foreach_get("co", flat)
    return flat.reshape(-1, 3).astype(float)


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


def glb(path):
    with open(path, "rb") as file:
        data = file.read()
    length = struct.unpack_from("<I", data, 12)[0]
    gltf = json.loads(data[20:20 + length])
    primitives = [p for m in gltf["meshes"] for p in m["primitives"]]
    vertices = sum(gltf["accessors"][p["attributes"]["POSITION"]]["count"] for p in primitives)
    triangles = sum(gltf["accessors"][p["indices"]]["count"] for p in primitives) // 3
    names = [a["name"] for a in gltf["animations"]]
    print(f"glb: {vertices} vertices, {triangles} triangles, {len(gltf['skins'][0]['joints'])} joints, "
          f"{len(primitives)} primitive, clips {', '.join(names)}")
    require(3000 <= vertices <= 6000, "3,000 to 6,000 vertices in the .glb")
    require(len(primitives) == 1 and len(gltf["skins"]) == 1, "one primitive, one skin")
    require(sorted(names) == sorted(motion.CLIPS), "all clips in the .glb")


def sizes(folder):
    for extension in ("glb", "fbx", "dae"):
        size = os.path.getsize(os.path.join(folder, f"character.{extension}"))
        print(f"{extension}: {size} bytes")
        require(size <= LARGEST, f"at most 3 MB in the .{extension}")

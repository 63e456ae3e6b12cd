"""Where Blender puts every vertex of a file, as a witness that shares no code with Sinew.

    blender -b --factory-startup --python-exit-code 3 --python blender_positions.py -- FILE OUTPUT [--preserve-volume]

Writes OUTPUT.json (clips, times, which vertices faces use) and OUTPUT.f32: for each clip, time and vertex x, y, z, in
the file's own units and axes. --preserve-volume: armatures blend with dual quaternions. Written for Blender 3.4; reads .glb, .gltf, .fbx and .dae.

Times are those at which every changing curve has a key: between keys Blender mixes the four numbers of a rotation,
where files mean an arc.
"""

import json
import os
import sys
import xml.etree.ElementTree

import bpy
import numpy as np

# Blender 3.4's importers were written against older numpy releases.
for _name, _type in (("bool", bool), ("int", int), ("float", float), ("object", object)):
    if _name not in np.__dict__:
        setattr(np, _name, _type)

TIMES = 5


# --- reading, and the way back to the file's own space ---


def read_gltf(path):
    bpy.ops.import_scene.gltf(filepath=path, guess_original_bind_pose=False)
    return np.array([[1, 0, 0], [0, 0, 1], [0, -1, 0]], float)  # z is up in Blender, y in glTF


def read_fbx(path):
    from io_scene_fbx import parse_fbx
    settings = {prop.props[0]: prop.props[-1] for child in parse_fbx.parse(path)[0].elems if child.id == b"GlobalSettings"
                for properties in child.elems if properties.id == b"Properties70" for prop in properties.elems}
    centimeters = settings.get(b"UnitScaleFactor", 1.0)
    bpy.ops.import_scene.fbx(filepath=path, use_manual_orientation=True, axis_forward="Y", axis_up="Z",
                             anim_offset=0, ignore_leaf_bones=False, use_prepost_rot=True)
    return np.eye(3) * (100 / centimeters)


def read_dae(path):
    asset = next(e for e in xml.etree.ElementTree.parse(path).getroot() if e.tag.endswith("asset"))
    meters, up = 1.0, "Y_UP"
    for element in asset:
        if element.tag.endswith("unit"):
            meters = float(element.get("meter", 1))
        if element.tag.endswith("up_axis"):
            up = element.text.strip()
    bpy.ops.wm.collada_import(filepath=path, import_units=False)
    turn = {"Z_UP": np.eye(3), "Y_UP": np.array([[1, 0, 0], [0, 0, 1], [0, -1, 0]], float)}[up]
    return turn / meters


READERS = {".glb": read_gltf, ".gltf": read_gltf, ".fbx": read_fbx, ".dae": read_dae}


# --- clips ---


def animated():
    """What may have animations: objects, and the shape keys of their meshes."""
    keys = (o.data.shape_keys for o in bpy.data.objects if o.type == "MESH")
    return [*bpy.data.objects, *(k for k in keys if k is not None)]


def fbx_stacks(path):
    """Names of the file's clips, in order."""
    from io_scene_fbx import parse_fbx
    objects = [child for child in parse_fbx.parse(path)[0].elems if child.id == b"Objects"]
    return [element.props[1].split(b"\x00")[0].decode() for child in objects for element in child.elems
            if element.id == b"AnimationStack"]


def fbx_clips(path):
    """Blender makes an action `object|stack|layer`, at times without the layer, of each object and clip."""
    clips = {}
    for stack in fbx_stacks(path):
        for owner in (o for o in bpy.data.objects if o.type not in ("CAMERA", "LIGHT")):
            start = f"{owner.name}|{stack}"[:63]
            found = [a for a in bpy.data.actions if a.name == start or a.name.startswith(start + "|")]
            if found:
                clips.setdefault(stack, {})[owner] = found[0]
    return clips


def gltf_names(path):
    """Names of the file's clips, in order; Blender's own where the file has none."""
    with open(path, "rb") as file:
        data = file.read()
    if data[:4] == b"glTF":
        data = data[20:20 + int.from_bytes(data[12:16], "little")]
    return [clip.get("name", f"Anim_{i}") for i, clip in enumerate(json.loads(data).get("animations", []))]


def gltf_clips(path):
    clips = {name: {} for name in gltf_names(path)}
    for owner in animated():
        for track in owner.animation_data.nla_tracks if owner.animation_data else []:
            clips[track.name][owner] = track.strips[0].action
    return clips


def dae_clips(path):
    """Blender makes one clip of all."""
    actions = {o: o.animation_data.action for o in bpy.data.objects if o.animation_data and o.animation_data.action}
    return {"": actions} if actions else {}


CLIPS = {".glb": gltf_clips, ".gltf": gltf_clips, ".fbx": fbx_clips, ".dae": dae_clips}


REST_WEIGHTS = {}  # of morph targets, as the file has them


def rest():
    for owner in animated():
        if owner.animation_data is not None:
            owner.animation_data.action = None
            for track in owner.animation_data.nla_tracks:
                track.mute = True
        if isinstance(owner, bpy.types.Key):
            for block, value in REST_WEIGHTS.setdefault(owner.name, [(b.name, b.value) for b in owner.key_blocks]):
                owner.key_blocks[block].value = value
        elif owner.type == "ARMATURE":
            for bone in owner.pose.bones:
                bone.matrix_basis.identity()


def play(actions, at_rest):
    rest()
    for owner, basis in at_rest.items():
        owner.matrix_basis = basis
    for owner, action in actions.items():
        owner.animation_data.action = action


def common_frames(actions):
    """Frames at which every curve that changes has a key, evenly chosen; only the ends where there are none.

    Weights are linear between keys here and there, so that their curves matter only where nothing else moves.
    """
    of_objects = [a for owner, a in actions.items() if not isinstance(owner, bpy.types.Key)]
    common, ends = None, set()
    for action in of_objects or actions.values():
        for curve in action.fcurves:
            frames = {round(point.co[0], 4) for point in curve.keyframe_points}
            values = [point.co[1] for point in curve.keyframe_points]
            if max(values) - min(values) > 1e-7:
                common = frames if common is None else common & frames
                ends |= {min(frames), max(frames)}
    frames = sorted(common or []) or sorted(ends)[::max(1, len(ends) - 1)]
    if len(frames) <= TIMES:
        return frames
    return [frames[round(i * (len(frames) - 1) / (TIMES - 1))] for i in range(TIMES)]


# --- vertices ---


def meshes():
    shown = [o for o in bpy.data.objects if o.type == "MESH" and o.users_scene]
    return [o for o in shown if len(o.data.polygons)]


def positions(file_from_world):
    graph = bpy.context.evaluated_depsgraph_get()
    blocks = []
    for owner in meshes():
        evaluated = owner.evaluated_get(graph)
        mesh = evaluated.to_mesh()
        points = np.empty(3 * len(mesh.vertices), np.float32)
        mesh.vertices.foreach_get("co", points)
        world = np.array(evaluated.matrix_world)
        points = points.reshape(-1, 3).astype(float) @ world[:3, :3].T + world[:3, 3]
        blocks.append(points @ file_from_world.T)
        evaluated.to_mesh_clear()
    return np.concatenate(blocks).astype(np.float32)


def used_vertices():
    used, first = [], 0
    for owner in meshes():
        corners = {vertex for polygon in owner.data.polygons for vertex in polygon.vertices}
        used += [first + vertex for vertex in sorted(corners)]
        first += len(owner.data.vertices)
    return used


def main():
    path, output, *options = sys.argv[sys.argv.index("--") + 1:]
    preserve_volume = options == ["--preserve-volume"]
    kind = os.path.splitext(path)[1].lower()
    bpy.ops.wm.read_factory_settings(use_empty=True)
    file_from_world = READERS[kind](path)
    clips = CLIPS[kind](path)
    for owner in bpy.data.objects:  # Blender's own marks for joints, and what it may do besides skinning
        for modifier in owner.modifiers:
            modifier.show_viewport = modifier.type == "ARMATURE"
            if modifier.show_viewport:
                modifier.use_deform_preserve_volume = preserve_volume
    rest()
    bpy.context.view_layer.update()
    at_rest = {owner: owner.matrix_basis.copy() for owner in bpy.data.objects}
    scene = bpy.context.scene
    rate = scene.render.fps / scene.render.fps_base
    described, blocks = [], []
    for index, (name, actions) in enumerate(clips.items()):
        frames = common_frames(actions)
        if not frames:
            continue
        play(actions, at_rest)
        for frame in frames:
            scene.frame_set(int(frame // 1), subframe=frame % 1)
            blocks.append(positions(file_from_world))
        described.append({"name": name, "index": index, "times_seconds": [frame / rate for frame in frames]})
    header = {"witness": f"Blender {bpy.app.version_string}", "file_order": False, "clips": described,
              "blend": "dual-quaternion" if preserve_volume else "linear", "used_vertices": used_vertices()}
    with open(output + ".json", "w", encoding="utf-8") as file:
        json.dump(header, file)
    np.concatenate(blocks).tofile(output + ".f32")


main()

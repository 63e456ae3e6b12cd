"""Writes the three files. All of them hold the same triangles, skin and clips."""

import datetime
import hashlib
import os
import re
import types

import bpy
import numpy as np

from . import face, glb_file, motion

# Blender 3.4's exporters were written against older numpy releases.
for _name, _type in (("bool", bool), ("int", int), ("float", float), ("object", object)):
    if _name not in np.__dict__:
        setattr(np, _name, _type)


def _select(armature, *others):
    bpy.ops.object.select_all(action="DESELECT")
    for thing in (armature, *others):
        thing.select_set(True)
    bpy.context.view_layer.objects.active = armature


def _rest(armature):
    armature.animation_data.action = None
    for bone in armature.pose.bones:
        bone.matrix_basis.identity()
    for shape in face.SHAPES:
        if shape in armature:
            armature[shape] = 0.0
    armature.update_tag()
    bpy.context.scene.frame_set(0)


def drop_faces(armature, clips):
    """Of clips without a mesh, whose shapes they would move."""
    for clip in clips.values():
        curves = clip["action"].fcurves
        for curve in [curve for curve in curves if not curve.data_path.startswith("pose.")]:
            curves.remove(curve)
    for shape in face.SHAPES:
        del armature[shape]


def _steady_fbx_exporter():
    """The exporter numbers its objects by Python's salted hashes, stamps the time and
    writes the folder it was run in. All three are replaced inside its own modules, so
    that equal input gives equal bytes, anywhere.
    """
    from io_scene_fbx import export_fbx_bin, fbx_utils

    def steady_hash(key):
        return int.from_bytes(hashlib.sha256(repr(key).encode()).digest()[:8], "little", signed=True)

    class Clock:
        @staticmethod
        def now():
            return datetime.datetime(2000, 1, 1)

    fbx_utils.hash = steady_hash
    def texture_path(image, scene_data):
        name = os.path.basename(image.filepath)
        return name, name

    export_fbx_bin._gen_vid_path = texture_path
    export_fbx_bin.datetime = types.SimpleNamespace(datetime=Clock)


def _fbx_without_idle_curves():
    """Nothing is scaled and most clips leave the face alone, yet the exporter writes
    curves for both. A node that is not true it leaves out; each model keeps its
    constant scale of one, each shape its weight of zero.
    """
    from io_scene_fbx import fbx_utils

    def has_keys_to_write(node):
        if node.fbx_group[0] == "DeformPercent":
            changes = any(values[0] != 0.0 for _, values, _ in node._keys)
        else:
            changes = node.fbx_group != ["Lcl Scaling"]
        return changes and any(True in written for _, _, written in node._keys)

    fbx_utils.AnimationCurveNodeWrapper.__bool__ = has_keys_to_write


def write_fbx(path, armature, body):
    _steady_fbx_exporter()
    _fbx_without_idle_curves()
    _rest(armature)
    _select(armature, body)
    bpy.ops.export_scene.fbx(
        filepath=path, use_selection=True, object_types={"ARMATURE", "MESH"},
        # Meters stay meters: the unit goes into the file's header, not into scaled nodes.
        apply_scale_options="FBX_SCALE_ALL", axis_forward="-Z", axis_up="Y", bake_space_transform=False,
        use_mesh_modifiers=False, mesh_smooth_type="OFF", use_tspace=False, add_leaf_bones=False,
        use_armature_deform_only=False, bake_anim=True, bake_anim_use_all_bones=True,
        bake_anim_use_nla_strips=False, bake_anim_use_all_actions=True,
        # So small a factor only drops keys that repeat their neighbors.
        bake_anim_force_startend_keying=True, bake_anim_step=1.0, bake_anim_simplify_factor=0.0001,
        path_mode="STRIP", embed_textures=False)


def write_dae(path, armature, body, clips):
    """Blender writes mesh, skin and skeleton; the clips are written here.

    Its exporter keeps the active action only. Several clips need one animation
    and one animation clip each, with a matrix for every joint at every frame.
    The face stays at rest: COLLADA writes a whole mesh for every shape, and the
    exporter's skin does not refer to them.
    """
    _rest(armature)
    _select(armature, body)
    bpy.ops.wm.collada_export(
        filepath=path, selected=True, include_children=False, include_armatures=True, apply_modifiers=False,
        triangulate=False, deform_bones_only=False, include_animations=False,
        export_object_transformation_type_selection="matrix", open_sim=False, limit_precision=False, include_shapekeys=False,
        keep_bind_info=False, use_texture_copies=False, active_uv_only=True, sort_by_name=False)
    with open(path, encoding="utf-8") as file:
        text = file.read()
    # Only Blender reads its own extras, and the date would differ on every run.
    text = re.sub(r"\n\s*<extra>.*?</extra>", "", text, flags=re.S)
    text = re.sub(r"<(created|modified)>.*?</", r"<\1>2000-01-01T00:00:00</", text)
    text = _dae_share_uvs(text)
    # Without copies the exporter loses the texture's name; it lies beside the file.
    text = re.sub(r"<init_from>[^<]*\.png</init_from>|<init_from></init_from>|<init_from/>",
                  "<init_from>character_base_color.png</init_from>", text)
    parts, entries = [], []
    for name, clip in clips.items():
        parts.append(_dae_animation(name, clip, armature))
        entries.append(f'    <animation_clip id="{name}_clip" name="{name}" start="0" '
                       f'end="{clip["frames"] / motion.FPS:.7g}">'
                       f'<instance_animation url="#{name}"/></animation_clip>')
    library = ("  <library_animations>\n" + "\n".join(parts) + "\n  </library_animations>\n"
               + "  <library_animation_clips>\n" + "\n".join(entries) + "\n  </library_animation_clips>\n")
    text = text.replace("  <library_visual_scenes>", library + "  <library_visual_scenes>", 1)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    _rest(armature)


def _dae_share_uvs(text):
    """The exporter writes one UV for every corner of every triangle. Here equal ones become one."""
    array = re.search(r'(<float_array id="character-mesh-map-array" count=")\d+(">)([^<]*)', text)
    accessor = re.search(r'(<accessor source="#character-mesh-map-array" count=")\d+', text)
    corners = re.search(r"<p>([^<]*)", text)
    numbers = array[3].split()
    uvs = list(zip(numbers[::2], numbers[1::2]))
    places = {uv: place for place, uv in enumerate(dict.fromkeys(uvs))}
    indices = corners[1].split()  # position, normal and UV of each corner
    indices[2::3] = [str(places[uvs[int(index)]]) for index in indices[2::3]]
    shared = " ".join(f"{u} {v}" for u, v in places)
    for old, new in ((array[0], f"{array[1]}{2 * len(places)}{array[2]}{shared}"),
                     (accessor[0], f"{accessor[1]}{len(places)}"),
                     (corners[0], "<p>" + " ".join(indices))):
        text = text.replace(old, new, 1)
    return text


def _dae_animation(name, clip, armature):
    armature.animation_data.action = clip["action"]
    tracks = {bone.name: [] for bone in armature.pose.bones}
    for frame in range(clip["frames"] + 1):
        bpy.context.scene.frame_set(frame)
        for bone in armature.pose.bones:
            local = bone.parent.matrix.inverted() @ bone.matrix if bone.parent else bone.matrix
            tracks[bone.name].append(np.array(local).ravel())
    lines = [f'    <animation id="{name}" name="{name}">']
    for bone, matrices in tracks.items():
        frames = list(range(len(matrices)))
        if np.abs(np.array(matrices) - matrices[0]).max() < 1e-6:  # it stands still
            frames = [0, len(matrices) - 1]
            matrices = [matrices[0], matrices[0]]
        key, n = f"{name}_{bone}", len(frames)
        times = " ".join(f"{f / motion.FPS:.7g}" for f in frames)
        # Six decimals are a micrometer; adding zero turns -0 into 0.
        values = " ".join(f"{round(float(v), 6) + 0.0:.7g}" for m in matrices for v in m)
        lines.append(
            f'      <animation id="{key}">\n'
            f'        <source id="{key}-t"><float_array id="{key}-ta" count="{n}">{times}</float_array>'
            f'<technique_common><accessor source="#{key}-ta" count="{n}" stride="1">'
            f'<param name="TIME" type="float"/></accessor></technique_common></source>\n'
            f'        <source id="{key}-m"><float_array id="{key}-ma" count="{16 * n}">{values}</float_array>'
            f'<technique_common><accessor source="#{key}-ma" count="{n}" stride="16">'
            f'<param name="TRANSFORM" type="float4x4"/></accessor></technique_common></source>\n'
            f'        <source id="{key}-i"><Name_array id="{key}-ia" count="{n}">{" ".join(["LINEAR"] * n)}</Name_array>'
            f'<technique_common><accessor source="#{key}-ia" count="{n}" stride="1">'
            f'<param name="INTERPOLATION" type="name"/></accessor></technique_common></source>\n'
            f'        <sampler id="{key}-s"><input semantic="INPUT" source="#{key}-t"/>'
            f'<input semantic="OUTPUT" source="#{key}-m"/>'
            f'<input semantic="INTERPOLATION" source="#{key}-i"/></sampler>\n'
            f'        <channel source="#{key}-s" target="skeleton_{bone}/transform"/>\n'
            f'      </animation>')
    lines.append("    </animation>")
    return "\n".join(lines)


def write_glb(path, armature, body, clips):
    """Without a body: the skeleton and the clips only."""
    _rest(armature)
    # The exporter takes its clips from stashed tracks, one to each clip.
    for name, clip in clips.items():
        track = armature.animation_data.nla_tracks.new()
        track.name = name
        track.strips.new(name, 0, clip["action"])
        track.mute = True
    _select(armature, *([body] if body else []))
    bpy.ops.export_scene.gltf(
        filepath=path, export_format="GLB", use_selection=True, export_yup=True, export_apply=False,
        export_texcoords=True, export_normals=True, export_tangents=False, export_materials="EXPORT",
        export_colors=False, export_cameras=False, export_lights=False, export_skins=True,
        export_all_influences=False, export_morph=True, export_morph_normal=True, export_morph_tangent=False, export_def_bones=False, export_animations=True,
        export_frame_range=False, export_frame_step=1, export_force_sampling=True, export_nla_strips=True,
        export_optimize_animation_size=True, export_anim_single_armature=True, export_image_format="AUTO")
    glb_file.make_faces_small(path)


def write_all(folder, armature, body, clips):
    bpy.context.scene.render.fps = motion.FPS
    write_fbx(os.path.join(folder, "character.fbx"), armature, body)
    write_dae(os.path.join(folder, "character.dae"), armature, body, clips)
    write_glb(os.path.join(folder, "character.glb"), armature, body, clips)

#!/usr/bin/env python3
"""usage: queries.py SOURCES LIBRARY

What a crowd on a device answers through the C interface: three people one behind the other are hit by rays, a path
finds those beside it, joints are on them; their posed meshes become structures, step by step; they wear what their
outfits say.
The body is two triangles (tiny.md5mesh), so that each number here is computed by hand. Buffers have made-up addresses:
nothing is traced.
"""
import os
import sys
from ctypes import byref, c_float, c_uint32, c_uint64

SOURCES, LIBRARY = sys.argv[1:3]
sys.path.insert(0, os.path.join(SOURCES, "examples", "python"))
import sinew  # noqa: E402
from calls import run  # noqa: E402
from session import rows_and_checks  # noqa: E402
from valid_input import ADDRESS, OK, array, frame, instances  # noqa: E402

NONE, KEEP, REFIT, BUILD, THREE = 2**32 - 1, 0, 1, 2, instances(3)
for person, depth in enumerate((0, -4, -14)):
    THREE.world_from_model[person].m[0][3], THREE.world_from_model[person].m[2][3] = 0, depth
THREE.outfits = array(c_uint64, [0, 1, 0])

LOOKING = instances(3)  # the first one to the left front
LOOKING.targets, LOOKING.target_count = array(sinew.ChainTarget, [(0, 0, (1, 2, 1), 1)]), 1


def point(*numbers):
    return array(c_float, numbers)


PICKING = [
    ("skinned_crowd_create", {}, OK, {"keep": "crowd"}),
    ("skinned_crowd_update", {"instances": THREE}, OK, {}),
    ("skinned_crowd_pick", {"instances": THREE, "origin": point(0, 0.5, 10), "direction": point(0, 0, -5)}, OK, {
        "out.hit": 1, "out.instance": 0, "out.model": 0, "out.level": 0, "out.joint": 0, "out.distance": 10,
        "out.point": [0, 0.5, 0], "out.barycentrics": [1 / 3] * 3, "out.wearable": NONE}),
    ("skinned_crowd_pick", {"instances": THREE, "origin": point(0, 1.4, -1), "direction": point(0, 0, -1)}, OK, {
        "out.hit": 1, "out.instance": 1, "out.joint": 1, "out.distance": 3, "out.point": [0, 1.4, -4]}),
    ("skinned_crowd_pick", {"instances": THREE, "origin": point(0, 2.5, -5), "direction": point(0, 0, -1)}, OK, {
        "out.hit": 1, "out.instance": 2, "out.joint": 2, "out.triangle": 1, "out.distance": 9}),
    ("skinned_crowd_pick", {"instances": THREE, "origin": point(0, 0.5, 10), "max_distance": 5}, OK,
     {"out.hit": 0, "out.distance": 0}),
    ("skinned_crowd_pick", {"instances": THREE, "origin": point(0, 1, 10), "direction": point(0, 1, 0)}, OK,
     {"out.hit": 0}),
    ("skinned_crowd_instances_near", {"instances": THREE, "from": point(5, 1, 0), "to": point(5, 1, -3), "radius": 4.5,
                                      "out": array(c_uint32, [9] * 3), "room": 3}, OK,
     {"count": 2, "out[0]": 0, "out[1]": 1, "out[2]": 9}),
    ("skinned_crowd_instances_near", {"instances": THREE, "from": point(5, 1, 0), "to": point(5, 1, -3), "radius": 20,
                                      "out": array(c_uint32, [9] * 3)}, OK,
     {"count": 3, "out[0]": 0, "out[1]": 9}),
    ("skinned_crowd_instances_near", {"instances": THREE, "from": point(9, 1, 0), "radius": 0.1, "to": point(9, 1, -3),
                                      "out": None, "room": 0}, OK, {"count": 0}),
    ("skinned_crowd_joint_transform", {"instances": THREE, "joint": 1}, OK,
     {"out.m[0][3]": 0, "out.m[1][3]": 1.5, "out.m[2][3]": 0}),
    ("skinned_crowd_joint_transform", {"instances": THREE, "joint": 2, "instance": 2}, OK,
     {"out.m[0][3]": 0, "out.m[1][3]": 2, "out.m[2][3]": -14}),
]
# The head aims at a target between x and z. Its y points back: the file has z up.
AIMING = [
    ("skinned_crowd_create", {}, OK, {"keep": "crowd"}),
    ("skinned_crowd_set_chains", {}, OK, {}),
    ("skinned_crowd_update", {"instances": LOOKING}, OK, {}),
    ("skinned_crowd_joint_transform", {"instances": LOOKING, "joint": 2}, OK,
     {"out.m[0][1]": -0.5 ** 0.5, "out.m[1][1]": 0, "out.m[2][1]": -0.5 ** 0.5}),
    ("skinned_crowd_joint_transform", {"instances": LOOKING, "joint": 2, "instance": 1}, OK, {"out.m[2][1]": -1}),
    ("model_find_wearable", {}, OK, {"out": 0}),
]
POSED = [
    ("skinned_crowd_create", {}, OK, {"keep": "crowd"}),
    ("skinned_crowd_update", {"number": 7}, OK, {}),
    ("skinned_crowd_posed_mesh_count", {}, OK, {"out": 2}),
    ("skinned_crowd_posed_mesh", {}, OK, {"out.instance_count": 1, "out.model": 0, "out.level": 0,
     "out.wearable": NONE}),
    ("skinned_crowd_posed_mesh_of", {"instance": 1}, OK, {"out": 1}),
    ("skinned_crowd_posed_vertices", {}, OK, {"keep": "posed"}),
    ("skinned_crowd_posed_vertices", {}, OK, {"out.vertex_count": 6, "out.vertex_bytes": 16, "out.skinned_frame": 7}),
    ("posed_vertices", {"range.mesh": 4, "range.skinned_frame": 9, "range.vertex_bytes": 24,
     "range.vertices_offset": 64,
                        "instance": 2}, OK,
     {"out.mesh": 4, "out.skinned_frame": 9, "out.vertex_count": 3, "out.address": ADDRESS + 64 + 2 * 3 * 24}),
    # The words of the geometry: 6 the address of vertices, 7 the stride, 9 the address of indices, 11 the flags.
    ("structure_geometry", {"triangles.alpha_mode": 1, "triangles.first_index": 6, "triangles.index_count": 30}, OK, {
        "out.geometry[6]": "posed.address", "out.geometry[7]": 16, "out.geometry[9]": ADDRESS, "out.geometry[11]": 0,
        "out.triangles": [10, 24, 0, 0]}),
    ("structure_geometry", {}, OK, {"out.geometry[11]": 1, "out.triangles": [1, 0, 0, 0]}),
    ("structure_next_step", {"state": sinew.StructureState(refits=1)}, OK, {"out": BUILD}),
    ("structure_note_step", {"state": sinew.StructureState(refits=1), "frame": 1}, OK,
     {"state.is_built": 1, "state.refits": 1, "state.written_frame": 1, "keep": "state"}),
    ("structure_check", {}, OK, {}),
    ("structure_next_step", {}, OK, {"out": KEEP}),
    ("structure_next_step", {"posed.skinned_frame": 8}, OK, {"out": REFIT}),
    ("structure_note_step", {"posed.skinned_frame": 8, "step": REFIT, "frame": 2}, OK,
     {"state.refits": 2, "keep": "state"}),
    ("structure_next_step", {"posed.skinned_frame": 9}, OK, {"out": BUILD}),
    ("structure_discard_step", {"frame": 2}, OK, {"state.is_built": 0}),
]


def check_outfits(session):
    """The second person wears the hood: one draw of it, and one posed mesh."""
    lib, crowd = session.lib, session.valid.crowds[0]
    lib.skinned_crowd_update(crowd, session.valid.next_number(), 0, byref(THREE), byref(frame()))
    draws = lib.get("skinned_crowd_draws", sinew.Draws, crowd)
    drawn = {draw.wearable: [draws.instances[draw.first_instance + i] for i in range(draw.instance_count)]
             for draw in draws.draws[:draws.draw_count]}
    session.check(sorted(drawn[NONE]) == [0, 1, 2] and drawn[0] == [1] and len(drawn) == 2, f"they wear {drawn}")
    count = lib.get("skinned_crowd_posed_mesh_count", c_uint32, crowd).value
    posed = [lib.get("skinned_crowd_posed_mesh", sinew.PlacedMesh, crowd, i) for i in range(count)]
    session.check(sum(mesh.instance_count for mesh in posed if mesh.wearable == 0) == 1, "posed hoods")
    session.check(sum(mesh.instance_count for mesh in posed if mesh.wearable == NONE) == 3, "posed bodies")
    wearable = lib.get("model_wearable", sinew.Wearable, session.valid.model, 0)
    session.check((wearable.name, wearable.choice) == (b"hood", b"clothes"), "the names of the wearable")


if __name__ == "__main__":
    sys.exit(run(rows_and_checks(globals(), check_outfits), SOURCES, LIBRARY))

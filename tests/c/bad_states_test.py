#!/usr/bin/env python3
"""usage: bad_states_test.py SOURCES LIBRARY

Calls of the C interface that are wrong for what they come after, or for what an object holds, and those that are right
beside them: bad_input_test.py has what headers say. Each gets its result, and a line with the words of its row.
"""
import ctypes
import math
import os
import sys
from ctypes import POINTER, c_float, c_uint32

SOURCES, LIBRARY = sys.argv[1:3]
sys.path.insert(0, os.path.join(SOURCES, "examples", "python"))
import sinew  # noqa: E402
from calls import Memory, run  # noqa: E402
from session import rows_and_checks  # noqa: E402
from valid_input import INVALID, INVALID_DATA, NOT_FOUND, OK, UNREADABLE, UNSUPPORTED  # noqa: E402
from valid_input import array, frame, identity, instances  # noqa: E402

LARGEST, NO_CLIP = 2**32 - 1, array(c_uint32, [1000])
NOWHERE = ctypes.cast(0xeee0, POINTER(c_uint32))  # reading it is a crash
USED, EMPTY, NO_PLAN = "an evaluator or a planner uses it", "it is empty", "it has no plan"
NO_FILE, NO_FOLDER = b"/no/such/file.sinew", b"/no/such/folder/a.sinew"

# Rows as session.py has them.
FILES = [
    ("check_version", {"of_header": sinew.VERSION + 1000}, UNSUPPORTED, "0.2.0"),
    ("character_load", {"path": NO_FILE}, NOT_FOUND, "/no/such/file.sinew"),
    ("character_load", {"path": b"/tmp"}, UNREADABLE, "/tmp"),
    ("character_load_memory", {"bytes": b"not a character", "size_bytes": 15}, INVALID_DATA, ""),
    ("character_load_memory", {"bytes": None, "size_bytes": 0}, INVALID_DATA, ""),
    ("character_load_memory", {"size_bytes": (2 << 30) + 1}, INVALID, "a file has at most 2 GiB"),
    ("character_load_memory", {"size_bytes": 2**64 - 1}, INVALID, "more than memory holds"),
    ("character_write", {"path": NO_FOLDER}, UNREADABLE, "/no/such/folder"),
    ("model_write", {"path": NO_FOLDER}, UNREADABLE, "/no/such/folder"),
    ("character_import", {"path": b"/no/such/file.glb"}, NOT_FOUND, "/no/such/file.glb"),
    ("character_import", {"options.animation_files": array(ctypes.c_char_p, [None])}, INVALID,
     "a path in options->animation_files is null"),
    ("character_import", {"options.isolated": 1, "options.worker": b"/no/such/worker"}, UNREADABLE, "/no/such/worker"),
    ("model_load", {"options.wearables.parts": None, "options.wearables.part_count": 0,
     "options.wearables.from": None}, INVALID,
     "wearable 'hood': it names neither parts"),
]
CHARACTERS = [
    ("character_import", {"path": "glb", "options": None}, OK, {"keep": "character"}),
    ("evaluator_create", {}, INVALID, "it has no bake"),
    ("character_bounds", {}, INVALID, "sinew_character_bake()"),
    ("character_palette_scale", {}, INVALID, "sinew_character_bake()"),
    ("planner_measure", {"model.character": "$character"}, INVALID, "model->character has no bake"),
    ("model_find_mask", {"name": b"top"}, INVALID, "the model has no mask 'top'"),
    ("model_find_socket", {"name": b"lower"}, INVALID, "the model has no socket 'lower'"),
    ("model_find_wearable", {"name": b"hat"}, INVALID, "the model has no wearable 'hat'"),
    ("character_find_clip", {"name": b"no such clip"}, INVALID, "no clip 'no such clip'"),
    ("character_find_joint", {"name": b"no such joint"}, INVALID, "no joint 'no such joint'"),
    ("character_find_joint", {"name": b"pelvis"}, OK, {"out": 1}),
    ("character_make_levels", {"triangle_shares": array(c_float, [2])}, INVALID, ""),
    ("character_make_levels", {}, OK, {}),
    # In meters already: the bake stays. In other units it is dropped, once.
    ("character_bake", {}, OK, {}),
    ("character_to_meters", {}, OK, {}),
    ("character_info", {}, OK, {"out.baked": 1, "out.meters_per_unit": 1, "out.level_count": 2}),
    ("character_import", {"path": "dae", "options": None}, OK, {"keep": "lying"}),
    ("character_bake", {"character": "$lying"}, OK, {}),
    ("character_info", {"character": "$lying"}, OK, {"out.baked": 1, "out.up": [0, 0, 1]}),
    ("character_to_meters", {"character": "$lying"}, OK, {}),
    ("character_info", {"character": "$lying"}, OK, {"out.baked": 0, "out.meters_per_unit": 1, "out.up": [0, 1, 0]}),
    ("character_bounds", {"character": "$lying"}, INVALID, "has not measured its bounds"),
    # A joint with an entry changes nothing; another one drops the bake and the levels.
    ("character_make_socket", {"joint": 0}, UNSUPPORTED, "moves no vertex"),
    ("character_add_palette_entry", {"joint": 1}, OK, {}),
    ("character_info", {}, OK, {"out.baked": 1, "out.level_count": 2, "out.palette_size": 59}),
    ("character_add_palette_entry", {"joint": 0}, OK, {}),
    ("character_info", {}, OK, {"out.baked": 0, "out.level_count": 1, "out.palette_size": 60}),
    ("character_make_socket", {"joint": 0}, OK, {"out.entry": 0}),
    # Earlier versions lack fields: read further, this number would be refused.
    ("character_bake", {"options.min_frames_per_second": -1}, INVALID, "frames per second"),
    ("character_bake", {"options.min_frames_per_second": -1,
                        "options": "BakeOptions.min_frames_per_second"}, OK, {}),
    ("evaluator_create", {}, OK, {"keep": "evaluator"}),
    ("character_bake", {}, INVALID, USED),
    ("character_to_meters", {}, INVALID, USED),
    ("character_add_palette_entry", {"joint": 0}, INVALID, USED),
    ("character_extract_root_motion", {}, INVALID, USED),
    ("character_retarget_clips", {}, INVALID, USED),
    ("evaluator_destroy", {"evaluator": "$evaluator"}, OK, {}),
    ("character_extract_root_motion", {}, OK, {"keep": "track"}),
    ("character_info", {}, OK, {"out.baked": 0}),
]
EVALUATION = [
    ("evaluator_create", {}, OK, {"keep": "evaluator"}),
    ("evaluator_add_mask", {"count": 1}, INVALID, ""),
    ("evaluator_set_sockets", {"sockets": array(sinew.Socket, [(59, identity())])}, INVALID, "socket 0: no such entry"),
    ("evaluator_set_sockets", {"count": LARGEST}, UNSUPPORTED, "there are 4294967295"),
    ("evaluator_set_sockets", {}, OK, {}),
    ("evaluator_evaluate", {}, OK, {}),
    # Any clip, time and weight is safe.
    ("evaluator_evaluate", {"info.playbacks": (sinew.Playback * 2).from_buffer(bytearray(b"\xff" * 128))}, OK, {}),
    ("evaluator_evaluate", {"info.palette_count": 117}, INVALID, "palettes"),
    ("evaluator_evaluate", {"info.palette_count": 2**64 // 48}, INVALID, "more than memory holds"),
    ("evaluator_evaluate", {"info.socket_matrix_count": 2**64 // 48}, INVALID, "more than memory holds"),
    ("evaluator_evaluate", {"info.socket_matrix_count": 1}, INVALID, ""),
    ("evaluator_evaluate", {"info.weight_stride": 1}, INVALID, "stride of 1"),
    ("evaluator_evaluate", {"info.compact_palettes": (sinew.CompactMatrix * 1)()}, INVALID,
     "both palettes and compact_palettes"),
    ("evaluator_evaluate", {"info.compact_palettes": (sinew.CompactMatrix * 1)(), "info.palettes": None}, INVALID,
     "both compact_palettes and socket_matrices"),
    ("evaluator_evaluate", {"info.compact_palettes": (sinew.CompactMatrix * 118)(), "info.palettes": None,
                            "info.palette_count": 117, "info.socket_matrices": None, "info.socket_matrix_count": 0},
     INVALID, "room for"),
    ("character_evaluate_exact", {"info.compact_palettes": (sinew.CompactMatrix * 118)(), "info.palettes": None},
     INVALID,
     "the reference writes matrices"),
    ("character_evaluate_exact", {"info.socket_matrices": (sinew.Matrix3x4 * 2)(), "info.socket_matrix_count": 2},
     INVALID,
     "info->socket_matrices is not null"),
    ("character_evaluate_exact", {"info.level": 7}, INVALID, "level is 7"),
    ("evaluator_destroy", {"evaluator": "$evaluator"}, OK, {}),
]
ROOT_MOTION = [
    ("root_track_motion_between", {"to_seconds": math.nan}, OK,
     {"out.translation": [0, 0, 0], "out.heading_radians": 0}),
    ("player_create", {"instance_count": LARGEST}, INVALID, "4294967295 instances, but at most"),
    ("player_create", {"instance_count": 0, "mask_count": 0}, OK, {"keep": "none"}),
    ("player_play", {"player": "$none"}, INVALID, "no instance 0, of 0"),
    ("player_destroy", {"player": "$none"}, OK, {}),
    ("player_create", {"mask_count": 1}, OK, {"keep": "player"}),
    ("player_resize", {"instance_count": LARGEST}, INVALID, "4294967295 instances, but at most"),
    ("player_play", {"options.mask": 2}, INVALID, "no mask 2, of 1"),
    ("player_set_root_track", {"clip": 0}, INVALID, "of another clip"),
    ("player_playbacks", {}, OK, {"out.layers.weight": 0, "out.layers.clip": 0}),
    # 0 is the default of every option: what NULL plays, too.
    ("player_play", {"instance": 0, "options": None}, OK, {}),
    ("player_play", {"instance": 1}, OK, {}),
    ("player_advance", {"seconds": 100.125}, OK, {}),
    ("player_playbacks", {}, OK, {"out[1]": "out[0]", "out.layers.weight": 1}),
    # Events: none before a clip is played; those of an instance that ends stay, without weight.
    ("player_events", {}, OK, {"count": 0}),
    ("player_create", {"character": "marked", "mask_count": 0}, OK, {"keep": "walker"}),
    ("player_play", {"player": "$walker", "instance": 1}, OK, {}),
    ("player_advance", {"player": "$walker", "seconds": 1}, OK, {}),
    ("player_events", {"player": "$walker"}, OK, {"out.instance": 1, "out.clip": 4, "out.weight": 1}),
    ("player_reset", {"player": "$walker", "instance": 1}, OK, {}),
    ("player_events", {"player": "$walker"}, OK, {"out.instance": 1, "out.weight": 0}),
    ("player_resize", {"player": "$walker", "instance_count": 1}, OK, {}),
    ("player_events", {"player": "$walker"}, OK, {"count": 0}),
]
MARKERS = [
    ("character_import", {"path": "glb", "options": None}, OK, {"keep": "character"}),
    ("character_set_markers", {"markers": array(sinew.Marker, [(0.1, None)])}, INVALID, "markers->name is null"),
    ("character_set_markers", {"markers": array(sinew.Marker, [(9, b"late")])}, INVALID_DATA, "'late' is outside"),
    ("character_set_markers", {"count": 2, "markers": array(sinew.Marker, [(0.2, b"a"), (0.1, b"b")])},
     INVALID_DATA, "earlier than"),
    ("character_set_markers", {"count": 2, "markers": array(sinew.Marker, [(0.1, b"a"), (0.1, b"b")])}, OK, {}),
    ("character_add_footsteps", {"joints": array(c_uint32, [1000])}, INVALID, "no joint 1000"),
    ("character_add_footsteps", {"joint_count": LARGEST}, INVALID, "4294967295 joints were given"),
    ("character_marker", {"index": 2}, INVALID, "index 2: there are 2 markers"),
    ("character_marker", {"index": 1}, OK, {"out.name": b"b"}),
]
PLANNERS = [
    ("planner_create", {"info.model_count": 0}, INVALID, ""),
    ("planner_create", {"info.models.clips": NO_CLIP}, INVALID, "no clip 1000"),
    ("planner_measure", {"model.clips": NO_CLIP}, INVALID, "no clip 1000"),
    ("planner_create", {"info.model_count": 2, "info.models": (sinew.PlannerModel * 2)(sinew.PlannerModel()),
                        "info.models.character": "character"}, INVALID, "info->models: its size is 0"),
    ("planner_create", {"info.level": NOWHERE, "info": "PlannerInfo.level"}, OK, {"keep": "planner"}),
    ("planner_write_draws", {}, INVALID, NO_PLAN),
    ("attachments_create", {"count": 2}, INVALID, "count is 2, but the planner has models: 1"),
    ("attachments_create", {}, OK, {"keep": "attachments"}),
    ("attachments_of", {}, INVALID, "sinew_attachments_begin()"),
    ("planner_plan", {"frame.view_count": 0}, INVALID, "needs a view"),
    ("planner_plan", {"frame.views.pixels_per_radian": 0}, INVALID, "view 0 has no pixels_per_radian"),
    ("planner_plan", {"instances.models": array(c_uint32, [9, 9])}, OK, {}),
    ("planner_last", {}, OK, {"out.posed_mesh_count": 0, "out.culled": 2}),
    ("planner_plan", {"instances.generations": NOWHERE, "instances": "Instances.generations"}, OK, {}),
    ("planner_plan", {"frame.view_count": 0}, INVALID, "needs a view"),  # the plan stays
    ("planner_last", {}, OK, {"out.visible": 2, "out.posed_mesh_count": 2, "out.instance_count": 2,
                                                    "out.updated_meshes": 2, "out.group_count": 1}),
    ("planner_write_draws", {"info.group": 7}, INVALID, "batch 0 of group 7"),
    ("planner_write_draws", {"info.batch": 1}, INVALID, "batch 1 of group 0"),
    ("planner_write_draws", {"info.mesh_count": 2, "info.first_mesh": 1}, INVALID, "no 2 posed meshes from 1 on"),
    ("planner_write_draws", {"info.first_mesh": LARGEST}, INVALID, "no 1 posed meshes from 4294967295 on"),
    ("planner_write_draws", {"info.mesh_count": 2, "count": c_uint32(1)}, INVALID, "count is 1, but there are 2 draws"),
    ("planner_write_draws", {"info.mesh_count": 2}, OK, {"count": 2, "out[1].vertex_offset": 3,
     "out[1].index_count": 3}),
    ("planner_instanced_draw", {"info.mesh_count": 2, "info.first_vertex": 5}, OK,
     {"out.instance_count": 2, "out.vertex_offset": 0, "out.index_count": 3}),
    ("planner_instanced_draw", {"info.first_mesh": 2}, INVALID, "no 1 posed meshes from 2 on"),
    ("planner_write_first_vertices", {"count": 1}, INVALID, "count is 1, but there are 2 instances"),
    ("planner_write_first_vertices", {"info.first_mesh": 2}, INVALID, "no 1 posed meshes from 2 on"),
    ("planner_write_first_vertices", {"info.mesh_count": 2, "info.first_vertex": 5}, OK, {"out[0]": 5, "out[1]": 8}),
    ("attachments_begin", {}, OK, {}),
    ("attachments_of", {}, OK, {"count": 2}),
    # No such instance, no such socket: zeros.
    ("attachments_place", {"info.requests": array(sinew.SocketRequest, [(2, 0)])}, OK,
     {"info.world_from_socket.m": [0] * 12}),
    ("attachments_place", {"info.requests": array(sinew.SocketRequest, [(1, 2)])}, OK,
     {"info.world_from_socket.m": [0] * 12}),
    ("attachments_place", {"info.requests": array(sinew.SocketRequest, [(LARGEST, LARGEST)])}, OK,
     {"info.world_from_socket.m": [0] * 12}),
    # Places in an old plan are not those in a new one.
    ("planner_plan", {}, OK, {}),
    ("attachments_place", {}, INVALID, "sinew_attachments_begin()"),
    ("planner_update_all", {}, OK, {}),
    ("attachments_begin", {}, INVALID, NO_PLAN),
    ("planner_last", {}, OK, {"out.visible": 2, "out.posed_mesh_count": 0, "out.group_count": 0}),
    ("attachments_of", {}, INVALID, "sinew_attachments_begin()"),
    ("attachments_destroy", {"attachments": "$attachments"}, OK, {}),
]
# A model that was measured is added once, to a planner that needs no more of it. Its character is shared until then.
ROSTER = [
    ("planner_create", {}, OK, {"keep": "planner"}),
    ("planner_create", {"info.without": 1}, OK, {"keep": "other"}),
    ("planner_measure", {}, OK, {"keep": "measured"}),
    ("planner_add_model", {"planner": "$other"}, INVALID, "a planner with other options"),
    ("planner_add_model", {}, INVALID, EMPTY),
    ("planner_measure", {}, OK, {"keep": "second"}),
    ("planner_add_model", {"measured": "$second", "out": None}, INVALID, "out is null"),  # and it stays
    ("planner_add_model", {"measured": "$second"}, OK, {"out": 1}),
    ("planner_add_model", {"measured": "$second"}, INVALID, EMPTY),
    ("planner_measure", {"planner": "$other"}, OK, {"keep": "left"}),
    ("planner_destroy", {"planner": "$other"}, OK, {}),  # before what it measured
    ("character_load", {}, OK, {"keep": "own"}),
    ("character_bake", {"character": "$own"}, OK, {}),
    ("planner_measure", {"model.character": "$own"}, OK, {"keep": "third"}),
    ("character_bake", {"character": "$own"}, INVALID, USED),
    ("planner_add_model", {"measured": "$third"}, OK, {"out": 2}),
    ("measured_model_destroy", {"measured": "$third"}, OK, {}),
    ("planner_is_gone", {"model": 2}, OK, {"out": 0}),
    ("planner_is_gone", {"model": LARGEST}, OK, {"out": 1}),
    ("planner_plan", {"instances.models": array(c_uint32, [2, 9])}, OK, {}),
    ("planner_last", {}, OK, {"out.visible": 1}),
    ("planner_remove_model", {"model": 3}, INVALID, "the planner has no model 3"),
    ("planner_remove_model", {"model": 2, "kept_plans": 2}, OK, {}),
    ("planner_remove_model", {"model": 2}, INVALID, "the planner has no model 2"),
    ("planner_plan", {"instances.models": array(c_uint32, [2, 9])}, OK, {}),
    ("planner_last", {}, OK, {"out.visible": 0}),
    ("planner_is_gone", {"model": 2}, OK, {"out": 0}),
    ("character_bake", {"character": "$own"}, INVALID, USED),
    *[("planner_plan", {}, OK, {})] * 8,
    ("planner_is_gone", {"model": 2}, OK, {"out": 1}),
    ("character_bake", {"character": "$own"}, OK, {}),
    ("attachments_create", {"socket_counts": array(c_uint32, [0] * 3), "count": 1}, INVALID,
     "the planner has models: 3"),
    ("attachments_create", {"socket_counts": array(c_uint32, [0] * 3), "count": 3}, OK, {"keep": "attachments"}),
    ("attachments_set_socket_count", {"model": 2}, OK, {}),
    ("attachments_set_socket_count", {"model": 3}, INVALID, "index 3: there are 3 models"),
]
SKINNERS = [
    ("skinner_create", {"info.instance": None}, INVALID, ""),
    ("skinner_create", {"info.record_family": array(c_uint32, [99])}, INVALID, ""),
    ("skinner_create", {"info.debug_checks": 1, "info.frames_in_flight": 2}, OK, {"keep": "skinner"}),
    ("skinner_create", {}, OK, {"keep": "other"}),
    ("skin_on_cpu", {"palette_size": 0}, INVALID_DATA, "entry 0 of 0"),
    ("skin_on_cpu", {"mesh.indices": array(c_uint32, [0, 1, 3])}, INVALID_DATA, ""),
    ("skin_on_cpu", {"mesh.first_influence": array(c_uint32, [0, 1, LARGEST, 3])}, INVALID_DATA, ""),
    ("skin_on_cpu", {"mesh.targets.vertices": array(c_uint32, [3])}, INVALID_DATA, ""),
    ("skinner_add_mesh", {"info.palette_size": 0}, INVALID_DATA, ""),
    ("skinner_add_mesh", {"info.mesh.indices": array(c_uint32, [0, 1, 3])}, INVALID_DATA, ""),
    ("skinner_add_mesh", {"info.palette_format": 2, "info.palette_scale": -1}, INVALID,
     "the scale of its palettes is -1"),
    ("skinner_prepare_mesh", {"info.palette_format": 2, "info.palette_scale": -1}, INVALID,
     "the scale of its palettes"),
    ("skinner_prepare_mesh", {}, OK, {"keep": "prepared"}),
    ("skinner_add_prepared_mesh", {"skinner": "$other", "mesh": "$prepared"}, INVALID,
     "another skinner prepared mesh 'triangle'"),
    ("skinner_add_prepared_mesh", {"mesh": "$prepared"}, OK, {"keep": "mesh"}),
    ("skinner_add_prepared_mesh", {"mesh": "$prepared"}, INVALID, "the prepared mesh is empty"),
    ("prepared_mesh_destroy", {"mesh": "$prepared"}, OK, {}),
    ("skinner_mesh_buffer", {}, OK, {"out.vertex_count": 3}),
    ("skinner_mesh_buffer", {"skinner": "$other"}, INVALID, "no mesh "),
    ("skinner_prepare", {"info.batches.mesh": "$mesh"}, INVALID, "no frame was begun"),
    ("skinner_begin_frame", {"frame.number": 0}, INVALID, "number"),
    ("skinner_begin_frame", {"frame.slot": 2, "frame.explicit_slot": 1}, INVALID, "slot"),
    ("skinner_begin_frame", {"frame.slot": 1, "frame.explicit_slot": 1}, OK, {}),
    ("skinner_begin_frame", {"frame.number": 1}, INVALID, ""),
    ("skinner_prepare", {"info.batches.mesh": LARGEST}, INVALID, "batch 0"),
    ("skinner_prepare", {"info.batches.mesh": "$mesh", "info.group": 1}, INVALID, "group 1"),
    ("skinner_prepare", {"info.batches.mesh": "$mesh", "info.page_count": 1}, INVALID, "info->pages is null"),
    ("skinner_prepare", {"info.batches.mesh": "$mesh", "info.page_count": 1, "info.pages": array(sinew.Page, [(0, 0)])},
     INVALID, "page 0 of the host has no buffer"),
    ("skinner_prepare", {"info.batches.mesh": "$mesh", "info.page_count": 1, "info.pages": array(sinew.Page, [(1, 1)])},
     INVALID, "page 0 of the host has the offset"),
    ("skinner_range_count", {}, OK, {"out": 0}),  # an error leaves the group as it was
    ("skinner_page_requirements", {"batches.mesh": LARGEST}, INVALID, "batch 0"),
    ("skinner_page_requirements", {"batches.mesh": "$mesh", "count": c_uint32(0)}, INVALID,
     "count is 0, but there are 1"),
    ("skinner_page_requirements", {"batches.mesh": "$mesh"}, OK, {"count": 1}),
    ("skinner_prepare", {"info.batches.mesh": "$mesh"}, OK, {}),
    ("skinner_range_count", {"group": 5}, OK, {"out": 0}),
    ("skinner_range", {"group": 5}, INVALID, "index 0: there are 0 ranges"),
    ("skinner_range", {}, OK, {"out.instance_count": 3, "out.palette_size": 1, "out.vertex_count": 3}),
    ("skinner_check_palettes", {}, INVALID, "palettes are not written: group 0, batch 0"),
    ("skinner_discard_frame", {}, INVALID, "is not recorded"),
    ("skinner_reserve", {"batches.mesh": LARGEST}, INVALID, "reserve: batch 0 names no mesh"),
    ("skinner_reserve", {"batches.mesh": "$mesh"}, OK, {}),
    ("skinner_buffer_changes", {}, OK, {"out": 1}),
    ("skinner_remove_mesh", {"mesh": LARGEST}, OK, {}),
    ("skinner_remove_mesh", {}, OK, {}),
    ("skinner_mesh_buffer", {}, INVALID, "no mesh "),
    ("write_draws", {"count": 2}, INVALID, "count is 2, but there are 3 instances"),
    ("write_draws", {"first_instance": 50, "part.first_index": 6}, OK, {
        "out[2].first_index": 6, "out[2].index_count": 3, "out[2].instance_count": 1, "out[2].vertex_offset": 6,
        "out[2].first_instance": 52}),
    ("vertex_input", {"format": 1, "tangents": 1}, OK, {"out.attribute_count": 3, "out.binding": [0, 16, 0]}),
]
CROWDS = [
    ("skinned_crowd_create", {}, OK, {"keep": "crowd"}),
    ("skinned_crowd_create", {}, OK, {"keep": "other"}),
    ("skinned_crowd_create", {"info.uses.clips": NO_CLIP}, INVALID, "no clip 1000"),
    ("skinned_crowd_pick", {}, INVALID, "update() comes before"),
    ("skinned_crowd_posed_mesh_count", {}, OK, {"out": 0}),
    ("skinned_crowd_discard_frame", {}, INVALID, "no frame was begun"),
    ("skinned_crowd_prepare_model", {"use.clips": NO_CLIP}, INVALID, "no clip 1000"),
    ("skinned_crowd_prepare_model", {}, OK, {"keep": "prepared"}),
    ("skinned_crowd_add_model", {"crowd": None}, INVALID, "crowd is null"),  # and it is not taken
    ("skinned_crowd_add_model", {"out": None}, INVALID, "out is null"),
    ("skinned_crowd_add_model", {}, OK, {"out": 1}),
    ("skinned_crowd_add_model", {}, INVALID, EMPTY),
    ("skinned_crowd_prepare_model", {"crowd": "$other"}, OK, {"keep": "second"}),
    ("skinned_crowd_add_model", {"prepared": "$second"}, INVALID, "another crowd has prepared the model"),
    ("skinned_crowd_add_model", {"crowd": "$other", "prepared": "$second"}, INVALID, EMPTY),
    ("skinned_crowd_prepare_model", {"crowd": "$other"}, OK, {"keep": "left"}),
    ("skinned_crowd_destroy", {"crowd": "$other"}, OK, {}),  # before what it prepared
    # Chains: a count without a limit is not followed to the end of memory.
    ("skinned_crowd_set_chains", {"count": LARGEST}, INVALID, "chains: there are 4294967295"),
    ("skinned_crowd_set_chains", {"chains.joint_count": 9}, INVALID, "chains->joint_count is 9"),
    ("skinned_crowd_set_chains", {"chains.kind": 0}, INVALID, "chains->joint_count is 1, not 3"),
    ("skinned_crowd_set_chains", {"chains.kind": 0, "chains.joint_count": 3, "chains.end_orientation": 3}, INVALID,
     "chains->end_orientation is 3"),
    ("skinned_crowd_set_chains", {"chains": None, "count": 0}, OK, {}),
    ("character_find_chains", {"count": c_uint32(4)}, INVALID, "count is 4, but there are 5 chains"),
    ("draw_record", {"draw": sinew.Draw()}, INVALID, "draw->crowd is null"),
    ("draw_record_with_previous", {"draw": sinew.Draw()}, INVALID, "draw->crowd is null"),
]
RAYS = [
    ("skinned_crowd_pick", {"direction": array(c_float, [0] * 3)}, INVALID, "no direction"),
    ("skinned_crowd_pick", {"origin": array(c_float, [0, math.nan, 0])}, INVALID, "not finite"),
    ("skinned_crowd_posed_vertices", {"buffer": 0}, INVALID, "buffer has no such vertices"),
    ("skinned_crowd_posed_mesh_of", {"instance": 99}, OK, {"out": LARGEST}),
    ("posed_vertices", {"range.vertices": 0}, INVALID, "no such vertices"),
    ("structure_geometry", {"format": 1}, UNSUPPORTED, ""),
    ("structure_geometry", {"format": 2}, INVALID, "has not the format"),
    ("structure_geometry", {"triangles.index_count": 0}, INVALID, "no triangles"),
    ("structure_check", {"state": sinew.StructureState()}, INVALID, "was not built from skinned vertices"),
    ("structure_check", {"posed.skinned_frame": 10000}, INVALID, "is late"),
    ("structure_check", {"posed.address": 1}, INVALID, "pose of another instance"),
    ("depth_pyramid_build", {"image.width": 0}, INVALID, ""),
]


# --- what no row has ---

def check_errors(session):
    """A message keeps its beginning and its end in any room, no character is split, and nothing is written behind."""
    load = session.lib.library.sinew_character_load
    text = ("/" + "\u00e9\u6f22\U0001f9b4" * 320).encode()
    for path in (text, b"/" + b"\x80" * 2000):  # the second is no UTF-8
        for size in range(sinew.Error.message.offset + 1, ctypes.sizeof(sinew.Error) + 1):
            memory = Memory()
            error = memory.place(bytes(c_uint32(size)).ljust(size, b"\x55"))
            session.check(load(path, ctypes.byref(sinew.Character()), ctypes.cast(error, POINTER(sinew.Error))) != OK,
                          path)
            message = ctypes.string_at(error + sinew.Error.message.offset)
            room = size - sinew.Error.message.offset - 1
            session.check(len(message) <= room and (path != text or len(message) + 6 >= room),
                          f"{len(message)} bytes in {room}")
            session.check(path != text or "\ufffd" not in message.decode(errors="replace"),
                          f"half a character in {message}")
    session.check(message.startswith(b"cannot read '/") and b" ... " in message and b"': " in message, message)
    none = sinew.Error(result=1234)
    none.size = 0
    session.check(load(b"/no", None, ctypes.byref(none)) == INVALID and none.result == 1234,
                  "an error of size 0 is written")


def check_prefixes(session):
    """Every prefix of a file is refused, at an odd address; the whole has the character that was written."""
    data, out = session.valid.bytes, sinew.Character()
    odd = ctypes.create_string_buffer(b"x" + data)
    load = session.lib.library.sinew_character_load_memory
    for size in range(0, len(data), len(data) // 7):
        session.check(load(ctypes.byref(odd, 1), size, ctypes.byref(out), None) == INVALID_DATA,
                      f"{size} bytes are a character")
    session.lib.character_load_memory(ctypes.byref(odd, 1), len(data), ctypes.byref(out))
    read = session.lib.get("character_info", sinew.CharacterInfo, out)
    for field in ("joint_count", "clip_count", "name", "palette_size"):
        session.check(getattr(read, field) == getattr(session.valid.info, field), field)
    session.check(read.baked == 1, "the bake is lost")
    session.lib.character_destroy(out)


def check_functions(session):
    """Playbacks by a function of the host are those of the plan."""
    def play(_, instance, seconds, out):
        out[0].layers[0] = sinew.Layer(instance, seconds + 0.25, 1, 0)
    lib, planner, people, of_now = session.lib, session.valid.planners[1], instances(), frame()
    people.playbacks, people.playback_at = None, type(people.playback_at)(play)
    lib.planner_plan(planner, ctypes.byref(people), ctypes.byref(of_now), None)
    plan = lib.get("planner_last", sinew.Plan, planner)
    for mesh, playback in zip(plan.posed_meshes[:plan.posed_mesh_count], plan.playbacks[:plan.posed_mesh_count]):
        layer = playback.layers[0]
        session.check((layer.clip, layer.weight, layer.time_seconds) == (mesh.instance, 1, 0.25), "another playback")
        session.check(plan.instances[mesh.first_instance] == mesh.instance, "another instance")
    session.check(plan.posed_mesh_count == 2, f"{plan.posed_mesh_count} posed meshes")


if __name__ == "__main__":
    sys.exit(run(rows_and_checks(globals(), check_errors, check_prefixes, check_functions), SOURCES, LIBRARY))

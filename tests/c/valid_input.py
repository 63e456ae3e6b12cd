"""Valid arguments of every call of the C interface, found by the name or the type of the parameter."""
import ctypes
import os
from ctypes import byref, c_char_p, c_float, c_uint32, c_void_p, pointer

import device
import sinew

OK, INVALID, NOT_FOUND, UNREADABLE, INVALID_DATA, UNSUPPORTED = range(6)  # SinewResult
PEOPLE, SKINNED, STEP_BUILD, CHECKS_OFF = 2, 3, 2, 2
WITHOUT_CULLING, WITHOUT_UPDATE_RATES = 1, 4
ADDRESS = 0x10000  # of a buffer; nothing is traced


def array(kind, values):
    values = list(values)
    return (kind * len(values))(*values)


def copy_of(struct):
    return type(struct).from_buffer_copy(struct)


def identity(x=0.0):
    rows = (1, 0, 0, x), (0, 1, 0, 0), (0, 0, 1, 0)
    return sinew.Matrix3x4(tuple((c_float * 4)(*row) for row in rows))


def instances(count=PEOPLE):
    return sinew.Instances(count=count, models=array(c_uint32, [0] * count), playbacks=(sinew.Playback * count)(),
                           world_from_model=array(sinew.Matrix3x4, map(identity, range(count))))


def frame():
    view = sinew.View((c_float * 16)(*(0.01 * (i % 5 == 0) for i in range(15)), 1), (c_float * 3)(), 1000)
    view.clip_from_world[14] = 0.5
    return sinew.CrowdFrame(view_count=1, views=pointer(view))


def triangle():
    """A mesh of one triangle on one joint."""
    positions = array(c_float, [0, 0, 0, 1, 0, 0, 0, 1, 0])
    target = sinew.MorphTarget(b"open", 0, 1, array(c_uint32, [1]), *(array(c_float, [0, 0, 1]) for _ in range(2)))
    return sinew.Mesh(vertex_count=3, index_count=3, influence_count=3, positions=positions,
                      normals=array(c_float, [0, 0, 1] * 3), indices=array(c_uint32, range(3)),
                      uvs=array(c_float, [0] * 6), first_influence=array(c_uint32, range(4)),
                      influences=array(sinew.Influence, [(0, 1)] * 3), target_count=1, targets=array(sinew.MorphTarget,
                              [target]))


class Valid:
    """Objects that live as long as the test. Calls that change an object get one that calls which read do not."""
    def __init__(self, lib, sources, folder):
        self.lib, self.sources, self.folder, self.number, self.kept = lib, sources, folder, 0, []
        self.glb, self.dae, self.tiny, self.nod = (os.fsencode(os.path.join(sources, name)) for name in (
            "assets/character.glb", "assets/character.dae", "tests/c/tiny.md5mesh", "tests/c/tiny.md5anim"))
        self.character = lib.get("character_import", sinew.Character, self.glb, None)
        lib.character_bake(self.character, None)
        self.path = self.file("character.sinew")
        lib.character_write(self.character, self.path)
        with open(self.path, "rb") as file:
            self.bytes = file.read()
        lib.character_make_levels(self.character, array(c_float, [0.2]), 1)
        self.info = lib.get("character_info", sinew.CharacterInfo, self.character)
        self.walk = lib.get("character_find_clip", c_uint32, self.character, b"walk").value
        self.marked = self.fresh_character()
        lib.character_add_footsteps(self.marked, self.walk, None, 0, 0)
        self.kept.pop()
        self.track = lib.get("character_extract_root_motion", sinew.RootTrack, self.fresh_character(), self.walk, 1)
        self.evaluator = lib.get("evaluator_create", sinew.Evaluator, self.character)
        lib.evaluator_add_mask(self.evaluator, (c_float * self.info.joint_count)(), self.info.joint_count,
                               byref(c_uint32()))
        self.player = lib.get("player_create", sinew.Player, self.character, PEOPLE, 1)
        self.pyramid = lib.get("depth_pyramid_create", sinew.DepthPyramid)
        self.planners = [lib.get("planner_create", sinew.Planner, byref(self.planner_info())) for _ in range(2)]
        lib.planner_plan(self.planners[0], byref(instances()), byref(frame()), None)
        self.attachments = lib.get("attachments_create", sinew.Attachments, self.planners[0], array(c_uint32, [1]), 1)
        lib.attachments_begin(self.attachments, None)
        self._load_model()
        self._use_device()

    def _load_model(self):
        """A model with a socket, a mask and a wearable, which is a part of another one of itself."""
        self.suit = self.lib.get("character_import", sinew.Character, self.tiny, byref(self.import_options()))
        self.model = self.lib.get("model_load", sinew.Model, self.tiny, byref(self.model_options()))
        self.model_path = self.file("model.sinew")
        self.lib.model_write(self.model, self.model_path)

    def _use_device(self):
        self.device = device.Device()
        self.skinners, self.meshes = [], []
        for _ in range(2):
            self.skinners.append(self.lib.get("skinner_create", sinew.Skinner, byref(self.skinner_info())))
            self.meshes.append(self.lib.get("skinner_add_mesh", c_uint32, self.skinners[-1],
                                            byref(self.add_mesh())).value)
            self.begin_frame(len(self.skinners) - 1)
        self.range = self.lib.get("skinner_range", sinew.Range, self.skinners[0], 0, 0)
        self.crowds = [self.lib.get("skinned_crowd_create", sinew.SkinnedCrowd,
                                    byref(self.crowd_info())) for _ in range(2)]
        for crowd in self.crowds:
            self.lib.skinned_crowd_update(crowd, self.next_number(), 0, byref(instances()), byref(frame()))
        self.posed = sinew.PosedVertices()
        self.lib.skinned_crowd_posed_vertices(self.crowds[0], 0, ADDRESS, byref(self.posed))

    def destroy(self):
        self.release()
        for name, handles in (("skinned_crowd", self.crowds), ("skinner", self.skinners), ("model", [self.model]),
                              ("attachments", [self.attachments]), ("planner", self.planners), ("player",
                                      [self.player]),
                              ("depth_pyramid", [self.pyramid]), ("evaluator", [self.evaluator]),
                              ("root_track", [self.track]), ("character", [self.character, self.suit, self.marked])):
            for handle in handles:
                getattr(self.lib, f"{name}_destroy")(handle)
        self.device.destroy()

    # --- what is made for one call ---

    def file(self, name):
        return os.fsencode(os.path.join(self.folder, name))

    def keep(self, kind, handle):
        self.kept.append(lambda: getattr(self.lib, f"{kind}_destroy")(handle))
        return handle

    def release(self):
        """Destroys what was made for one call."""
        for destroy in reversed(self.kept):
            destroy()
        self.kept = []

    def commands(self):
        """A command buffer that is never submitted."""
        info, cmd = device.CommandBufferAllocateInfo(commandPool=self.device.pool, commandBufferCount=1), c_void_p()
        self.device.vk.vkAllocateCommandBuffers(self.device.device, byref(info), byref(cmd))
        self.device.vk.vkBeginCommandBuffer(cmd, byref(device.CommandBufferBeginInfo()))
        self.kept.append(lambda: self.device.vk.vkFreeCommandBuffers(self.device.device, self.device.pool, 1,
                                                                     byref(cmd)))
        return cmd

    def fresh_character(self):
        """One that may change, with a bake."""
        return self.keep("character", self.lib.get("character_load_memory", sinew.Character, self.bytes,
                                                   len(self.bytes)))

    def measured(self):
        return self.keep("measured_model", self.lib.get(
            "planner_measure", sinew.MeasuredModel, self.planners[1], byref(self.planner_info().models[0]), None))

    def prepared_model(self):
        return self.keep("prepared_model", self.lib.get(
            "skinned_crowd_prepare_model", sinew.PreparedModel, self.crowds[1], self.model, None))

    def prepared_mesh(self):
        return self.keep("prepared_mesh", self.lib.get(
            "skinner_prepare_mesh", sinew.PreparedMesh, self.skinners[1], byref(self.add_mesh())))

    def next_number(self):
        self.number += 1
        return self.number

    def begin_frame(self, of):
        """Begins a frame of a skinner and prepares its group."""
        self.lib.skinner_begin_frame(self.skinners[of], byref(sinew.SkinnerFrame(number=self.next_number())))
        self.lib.skinner_prepare(self.skinners[of], byref(self.prepare_info(of)))

    def skinner(self, changes):
        if changes:
            self.begin_frame(1)
        return self.skinners[changes]

    def recorded_skinner(self):
        self.begin_frame(1)
        self.lib.skinner_record(self.skinners[1], self.commands(), None)
        return self.skinners[1]

    def crowd(self, changes):
        if changes:
            self.lib.skinned_crowd_update(self.crowds[1], self.next_number(), 0, byref(instances()), byref(frame()))
        return self.crowds[changes]

    def recorded_crowd(self):
        self.lib.skinned_crowd_record(self.crowd(1), self.commands(), None)
        return self.crowds[1]

    def state(self):
        state = sinew.StructureState()
        self.lib.structure_note_step(byref(state), byref(self.posed), STEP_BUILD, 1)
        return state

    # --- structs ---

    def planner_info(self):
        model = sinew.PlannerModel(character=self.character, clip_count=1, clips=array(c_uint32, [self.walk]))
        return sinew.PlannerInfo(model_count=1, models=pointer(model), without=WITHOUT_CULLING | WITHOUT_UPDATE_RATES)

    def skinner_info(self):
        return sinew.SkinnerInfo(instance=self.device.instance, physical_device=self.device.physical_device,
                                 device=self.device.device, get_instance_proc_addr=self.device.get_instance_proc_addr,
                                 queue_families=array(c_uint32, [0]), queue_family_count=1, debug_checks=CHECKS_OFF)

    def add_mesh(self):
        return sinew.AddMesh(mesh=pointer(triangle()), palette_size=1, name=b"triangle")

    def batches(self, of):
        return array(sinew.SkinnerBatch, [(self.meshes[of], SKINNED)])

    def prepare_info(self, of):
        return sinew.PrepareInfo(batches=self.batches(of), batch_count=1)

    def evaluate_info(self, with_sockets):
        size, count = self.info.palette_size, self.info.target_count
        info = sinew.EvaluateInfo(instance_count=PEOPLE, playbacks=(sinew.Playback * PEOPLE)(), palette_stride=size,
                                  palettes=(sinew.Matrix3x4 * (PEOPLE * size))(), palette_count=PEOPLE * size,
                                  weights=(c_float * (PEOPLE * count))(), weight_count=PEOPLE * count,
                                  weight_stride=count)
        if with_sockets:
            info.socket_matrices, info.socket_matrix_count = (sinew.Matrix3x4 * PEOPLE)(), PEOPLE
        return info

    def place_info(self):
        return sinew.PlaceInfo(instance_count=PEOPLE, world_from_model=instances().world_from_model, request_count=1,
                               requests=array(sinew.SocketRequest, [(0, 0)]), world_from_socket=array(sinew.Matrix3x4,
                                       [identity(9)]))

    def model_options(self):
        wearable = sinew.WearableOptions(name=b"hood", choice=b"clothes", parts=array(c_char_p, [b"hood.msh"]),
                                         part_count=1)
        setattr(wearable, "from", self.suit)
        options = sinew.ModelOptions(
            sockets=array(sinew.SocketOptions, [(b"top", b"head")]), socket_count=1,
            masks=array(sinew.MaskOptions, [(b"lower", b"hips")]), mask_count=1,
            wearables=array(sinew.WearableOptions, [wearable]), wearable_count=1, bake=pointer(sinew.BakeOptions()))
        setattr(options, "import", pointer(self.import_options()))
        return options

    def import_options(self):
        return sinew.ImportOptions(animation_file_count=1, animation_files=array(c_char_p, [self.nod]))

    def crowd_info(self):
        return sinew.SkinnedCrowdInfo(
            model_count=1, models=array(sinew.Model, [self.model]), skinner=pointer(self.skinner_info()),
            previous_poses=1,
            uses=pointer(sinew.ModelUse(clip_count=1, clips=array(c_uint32, [0]))), without=WITHOUT_CULLING)

    def depth_image(self):
        return sinew.DepthImage(width=2, height=1, depth=array(c_float, [0, 1]), view=frame().views[0])

    def chain(self):
        chain = sinew.Chain(kind=1, joint_count=1)
        chain.joints[0], chain.shares[0], chain.direction[1] = 2, 1, -1
        return chain


# By function and parameter, by parameter, or by the type of the parameter: a function of Valid, and whether the call
# changes the object. What is not here is 0, or an output of 0xee bytes.
MAKERS = {
    "character_load_memory.bytes": lambda v, _: v.bytes, "size_bytes": lambda v, _: len(v.bytes),
    "character_import.path": lambda v, _: v.tiny, "model_load.path": lambda v, _: v.tiny,
    "character_write.path": lambda v, _: v.file("written"), "model_write.path": lambda v, _: v.file("written"),
    "path": lambda v, _: v.path, "name": lambda v, _: b"head", "character_find_clip.name": lambda v, _: b"walk",
    "model_find_socket.name": lambda v, _: b"top", "model_find_mask.name": lambda v, _: b"lower",
    "model_find_wearable.name": lambda v, _: b"hood", "character_marker.character": lambda v, _: v.marked,
    "Character": lambda v, changes: v.fresh_character() if changes else v.character,
    "Evaluator": lambda v, _: v.evaluator, "RootTrack": lambda v, _: v.track, "Player": lambda v, _: v.player,
    "DepthPyramid": lambda v, _: v.pyramid, "Attachments": lambda v, _: v.attachments, "Model": lambda v, _: v.model,
    "Planner": lambda v, changes: v.planners[changes], "Skinner": lambda v, changes: v.skinner(changes),
    "SkinnedCrowd": lambda v, changes: v.crowd(changes),
    "skinner_discard_frame.skinner": lambda v, _: v.recorded_skinner(),
    "skinned_crowd_discard_frame.crowd": lambda v, _: v.recorded_crowd(),
    "planner_measure.planner": lambda v, _: v.planners[1], "MeasuredModel": lambda v, _: v.measured(),
    "PreparedModel": lambda v, _: v.prepared_model(), "PreparedMesh": lambda v, _: v.prepared_mesh(),
    "clip": lambda v, _: v.walk, "joint": lambda v, _: 1, "mask": lambda v, _: 1, "cmd": lambda v, _: v.commands(),
    "skinner_remove_mesh.mesh": lambda v, _: v.meshes[1] + 1000, "skinner_mesh_buffer.mesh": lambda v, _: v.meshes[0],
    "buffer": lambda v, _: ADDRESS,
    "planner_remove_model.model": lambda v, _: v.lib.get("planner_add_model", c_uint32, v.planners[1],
        v.measured()).value,
    "skinned_crowd_remove_model.model": lambda v, _: v.lib.get("skinned_crowd_add_model", c_uint32, v.crowds[1],
        v.prepared_model()).value,
    "factors": lambda v, _: (c_float * v.info.joint_count)(), "count": lambda v, _: 1,
    "evaluator_add_mask.count": lambda v, _: v.info.joint_count,
    "evaluator_set_mask.count": lambda v, _: v.info.joint_count, "triangle_shares": lambda v, _: array(c_float, [0.5]),
    "joints": lambda v, _: array(c_uint32, [1]), "joint_count": lambda v, _: 1,
    "markers": lambda v, _: array(sinew.Marker, [(0.1, b"clap")]), "socket_counts": lambda v, _: array(c_uint32, [1]),
    "sockets": lambda v, _: array(sinew.Socket, [(0, identity())]), "joint_from_socket": lambda v, _: identity(),
    "batches": lambda v, changes: v.batches(changes), "batch_count": lambda v, _: 1, "palette": lambda v, _: identity(),
    "palette_size": lambda v, _: 1, "instance_count": lambda v, _: PEOPLE, "weights": lambda v, _: array(c_float, [0]),
    "seconds": lambda v, _: 0.1, "duration_seconds": lambda v, _: 0.1, "speed": lambda v, _: 1,
    "last_completed": lambda v, _: 0, "skinned_crowd_update.number": lambda v, _: v.next_number(),
    "radius": lambda v, _: 1, "room": lambda v, _: 1, "origin": lambda v, _: array(c_float, [0, 1, 10]),
    "direction": lambda v, _: array(c_float, [0, 0, -1]),
    "skinned_crowd_instances_near.from": lambda v, _: array(c_float, [0, 0, 0]),
    "to": lambda v, _: array(c_float, [0, 0, 1]), "requests": lambda v, _: array(sinew.SocketRequest, [(0, 0)]),
    "of_header": lambda v, _: sinew.VERSION, "character_mesh.level": lambda v, _: 1, "max_refits": lambda v, _: 2,
    "step": lambda v, _: STEP_BUILD, "positions": lambda v, _: (c_float * 9)(), "normals": lambda v, _: (c_float * 9)(),
    "character_find_chains.out": lambda v, _: (sinew.Chain * 5)(),
    "character_find_chains.count": lambda v, _: c_uint32(5),
    "planner_write_draws.out": lambda v, _: (sinew.DrawCommand * 2)(),
    "planner_write_draws.count": lambda v, _: c_uint32(2),
    "skinner_page_requirements.out": lambda v, _: (sinew.PageRequirements * 2)(),
    "skinner_page_requirements.count": lambda v, _: c_uint32(2), "write_draws.count": lambda v, _: SKINNED,
    "write_draws.out": lambda v, _: (sinew.DrawCommand * SKINNED)(),
    "planner_write_first_vertices.count": lambda v, _: PEOPLE,
    "planner_write_first_vertices.out": lambda v, _: (c_uint32 * PEOPLE)(),
    "skinned_crowd_write_first_vertices.out": lambda v, _: (c_uint32 * PEOPLE)(),
    "skinned_crowd_write_first_vertices.count": lambda v, _: PEOPLE,
    "skinned_crowd_write_previous_vertices.out": lambda v, _: (sinew.VertexSlice * PEOPLE)(),
    "skinned_crowd_write_previous_vertices.count": lambda v, _: PEOPLE, "BakeOptions": lambda v, _: sinew.BakeOptions(),
    "ImportOptions": lambda v, _: v.import_options(), "PlayOptions": lambda v, _: sinew.PlayOptions(),
    "Mesh": lambda v, _: triangle(), "GroundMotion": lambda v, _: sinew.GroundMotion(),
    "Instances": lambda v, _: instances(), "CrowdFrame": lambda v, _: frame(),
    "PlannerInfo": lambda v, _: v.planner_info(), "PlannerModel": lambda v, _: v.planner_info().models[0],
    "ParallelFor": lambda v, _: sinew.ParallelFor(), "EvaluateInfo": lambda v, _: v.evaluate_info(True),
    "character_evaluate_exact.info": lambda v, _: v.evaluate_info(False),
    "DrawInfo": lambda v, _: sinew.DrawInfo(mesh_count=1, index_count=3, vertex_count=3),
    "DepthImage": lambda v, _: v.depth_image(), "PlaceInfo": lambda v, _: v.place_info(),
    "ModelOptions": lambda v, _: v.model_options(), "SkinnedCrowdInfo": lambda v, _: v.crowd_info(),
    "ModelUse": lambda v, _: v.crowd_info().uses[0], "chains": lambda v, _: array(sinew.Chain, [v.chain()]),
    "SkinnerInfo": lambda v, _: v.skinner_info(), "AddMesh": lambda v, _: v.add_mesh(),
    "PrepareInfo": lambda v, _: v.prepare_info(1),
    "SkinnerFrame": lambda v, _: sinew.SkinnerFrame(number=v.next_number()),
    "RecordInfo": lambda v, _: sinew.RecordInfo(), "Range": lambda v, _: copy_of(v.range),
    "Part": lambda v, _: sinew.Part(index_count=3),
    "Draw": lambda v, _: v.lib.get("skinned_crowd_draws", sinew.Draws, v.crowds[0]).draws[0],
    "PosedVertices": lambda v, _: copy_of(v.posed), "state": lambda v, _: v.state(),
    "StructureState": lambda v, _: v.state(),
    "StructureTriangles": lambda v, _: sinew.StructureTriangles(index_count=3, indices=ADDRESS),
}

"""The C interface of Sinew for Python's ctypes: its structs and functions, declared as in include/sinew/c.

Library(path).character_load(...) calls sinew_character_load() and raises Failure, with its message, if it fails. A test
compares every field and every parameter with the headers.
"""
import ctypes
from ctypes import POINTER, byref, c_char_p, c_double, c_float, c_int32, c_size_t, c_ubyte, c_uint16, c_uint32, c_uint64, c_void_p

VERSION = 2000  # SINEW_C_VERSION
FORMAT_OCTAHEDRAL, FORMAT_PACKED, FORMAT_FLOAT = 0, 1, 2
LOOP, CLAMP, PING_PONG = 0, 1, 2
UPDATE_GROUPS = 7  # of a plan


class Versioned(ctypes.Structure):
    """A struct that begins with its size. What is not given is 0, the default."""
    def __init__(self, **fields):
        unknown = set(fields) - {field[0] for field in self._fields_}
        if unknown:  # ctypes would ignore them
            raise TypeError(f"{type(self).__name__} has no {', '.join(unknown)}")
        super().__init__(size=ctypes.sizeof(type(self)), **fields)


def struct(name, fields, base=Versioned):
    """A struct of the interface. A field of several numbers is (name, type, count)."""
    declared = [(field[0], field[1] * field[2] if len(field) > 2 else field[1]) for field in fields]
    first = [("size", c_uint32)] if base is Versioned else []
    return type(name, (base,), {"_fields_": first + declared})


def element(name, fields):
    """The element of an array: it has no size, because it never changes."""
    return struct(name, fields, ctypes.Structure)


def handle(name):
    return type(name, (c_void_p,), {})


Character, Evaluator, RootTrack, Player = map(handle, ("Character", "Evaluator", "RootTrack", "Player"))
Planner, Attachments, Skinner, DepthPyramid = map(handle, ("Planner", "Attachments", "Skinner", "DepthPyramid"))
PreparedMesh, MeasuredModel, PreparedModel = map(handle, ("PreparedMesh", "MeasuredModel", "PreparedModel"))
Model, SkinnedCrowd = map(handle, ("Model", "SkinnedCrowd"))
Task = ctypes.CFUNCTYPE(None, c_void_p, c_uint32)

# --- base.h ---
Error = struct("Error", [("result", c_int32), ("vk_result", c_int32), ("message", ctypes.c_char, 1012)])
Matrix3x4 = element("Matrix3x4", [("m", c_float * 4, 3)])
CompactMatrix = element("CompactMatrix", [("words", c_uint32, 4)])
Box = element("Box", [("low", c_float, 3), ("high", c_float, 3)])
ParallelFor = element("ParallelFor", [
    ("user_data", c_void_p), ("run", ctypes.CFUNCTYPE(None, c_void_p, c_uint32, Task, c_void_p))])

# --- asset.h ---
CharacterInfo = struct("CharacterInfo", [
    ("joint_count", c_uint32), ("clip_count", c_uint32), ("part_count", c_uint32), ("material_count", c_uint32),
    ("image_count", c_uint32), ("palette_size", c_uint32), ("level_count", c_uint32), ("baked", c_uint32),
    ("warning_count", c_uint32), ("target_count", c_uint32), ("name", c_char_p), ("up", c_float, 3), ("front", c_float, 3),
    ("meters_per_unit", c_float)])
Joint = struct("Joint", [
    ("parent", c_int32), ("name", c_char_p), ("translation", c_float, 3), ("rotation", c_float, 4), ("scale", c_float, 3)])
Clip = struct("Clip", [
    ("start_seconds", c_float), ("end_seconds", c_float), ("additive", c_uint32), ("name", c_char_p),
    ("baked_error", c_float), ("marker_count", c_uint32)])
Marker = element("Marker", [("time_seconds", c_float), ("name", c_char_p)])
Influence = element("Influence", [("entry", c_uint16), ("weight", c_float)])
MorphTarget = element("MorphTarget", [
    ("name", c_char_p), ("rest_weight", c_float), ("vertex_count", c_uint32), ("vertices", POINTER(c_uint32)),
    ("positions", POINTER(c_float)), ("normals", POINTER(c_float)), ("tangents", POINTER(c_float))])
Mesh = struct("Mesh", [
    ("vertex_count", c_uint32), ("index_count", c_uint32), ("influence_count", c_uint32), ("positions", POINTER(c_float)),
    ("normals", POINTER(c_float)), ("tangents", POINTER(c_float)), ("uvs", POINTER(c_float)),
    ("colors", POINTER(c_uint16)), ("indices", POINTER(c_uint32)), ("first_influence", POINTER(c_uint32)),
    ("influences", POINTER(Influence)), ("target_count", c_uint32), ("targets", POINTER(MorphTarget)), ("blend", c_uint32),
    ("error", c_float), ("second_uvs", POINTER(c_float)), ("part_count", c_uint32)])
Part = struct("Part", [
    ("material", c_uint32), ("first_vertex", c_uint32), ("vertex_count", c_uint32), ("first_index", c_uint32),
    ("index_count", c_uint32), ("name", c_char_p)])
Texture = element("Texture", [
    ("image", c_int32), ("uv_set", c_uint32), ("offset", c_float, 2), ("scale", c_float, 2), ("rotation", c_float),
    ("wrap_u", c_uint32), ("wrap_v", c_uint32), ("magnify", c_uint32), ("minify", c_uint32), ("mip", c_uint32)])
Material = struct("Material", [
    ("alpha_mode", c_uint32), ("name", c_char_p), ("base_color", c_float, 4), ("alpha_cutoff", c_float),
    ("double_sided", c_uint32), ("unlit", c_uint32), ("metallic", c_float), ("roughness", c_float),
    ("normal_scale", c_float), ("occlusion_strength", c_float), ("emissive", c_float, 3),
    ("base_color_texture", Texture), ("metallic_roughness_texture", Texture), ("normal_texture", Texture),
    ("occlusion_texture", Texture), ("emissive_texture", Texture)])
Image = struct("Image", [("width", c_uint32), ("height", c_uint32), ("name", c_char_p), ("rgba", POINTER(c_ubyte))])

# --- import.h ---
ImportOptions = struct("ImportOptions", [
    ("max_influences", c_uint32), ("tangents", c_uint32), ("allow_no_mesh", c_uint32),
    ("animation_files", POINTER(c_char_p)), ("animation_file_count", c_uint32), ("isolated", c_uint32),
    ("worker", c_char_p), ("seconds", c_double), ("memory_bytes", c_uint64), ("normal_map_tangents", c_uint32),
    ("without_images", c_uint32), ("ticks_per_second", c_double)])

# --- animation.h ---
Layer = element("Layer", [("clip", c_uint32), ("time_seconds", c_float), ("weight", c_float), ("mask", c_uint32)])
Playback = element("Playback", [("layers", Layer, 4)])
BakeOptions = struct("BakeOptions", [
    ("max_error", c_float), ("error_radius", c_float), ("min_frames_per_second", c_float),
    ("max_frames_per_second", c_float), ("progress_user_data", c_void_p),
    ("progress", ctypes.CFUNCTYPE(None, c_void_p, c_double))])
Bounds = struct("Bounds", [("rest", Box), ("all", Box)])
EvaluateInfo = struct("EvaluateInfo", [
    ("instance_count", c_uint32), ("playbacks", POINTER(Playback)), ("palettes", POINTER(Matrix3x4)),
    ("palette_count", c_uint64), ("palette_stride", c_uint32), ("parallel_for", POINTER(ParallelFor)),
    ("socket_matrices", POINTER(Matrix3x4)), ("socket_matrix_count", c_uint64),
    ("weights", POINTER(c_float)), ("weight_count", c_uint64), ("weight_stride", c_uint32),
    ("compact_palettes", POINTER(CompactMatrix)), ("level", c_uint32)])
LevelPalette = struct("LevelPalette", [
    ("own", c_uint32), ("palette_size", c_uint32), ("target_count", c_uint32), ("scaling", c_uint32),
    ("scale", c_float)])
Socket = element("Socket", [("entry", c_uint32), ("mesh_from_socket", Matrix3x4)])

# --- root_motion.h ---
GroundMotion = element("GroundMotion", [("translation", c_float, 3), ("heading_radians", c_double)])
Matrix3x4d = element("Matrix3x4d", [("m", c_double * 4, 3)])
RootTrackInfo = struct("RootTrackInfo", [
    ("motion_count", c_uint32), ("up", c_float, 3), ("start_seconds", c_float), ("end_seconds", c_float),
    ("motions", POINTER(GroundMotion))])

# --- player.h ---
MarkerEvent = element("MarkerEvent", [
    ("instance", c_uint32), ("clip", c_uint32), ("marker", c_uint32), ("weight", c_float)])
PlayOptions = struct("PlayOptions", [
    ("looping", c_uint32), ("start_seconds", c_double), ("speed", c_float), ("weight", c_float), ("mask", c_uint32),
    ("paused", c_uint32)])

# --- crowd.h ---
PlannerModel = struct("PlannerModel", [
    ("clip_count", c_uint32), ("character", Character), ("clips", POINTER(c_uint32)), ("scale", c_float),
    ("height", c_float), ("middle", c_float, 3)])
PlannerInfo = struct("PlannerInfo", [
    ("model_count", c_uint32), ("models", POINTER(PlannerModel)), ("without", c_uint32),
    ("unique_poses", c_uint32), ("previous_poses", c_uint32), ("kept_palettes", c_uint32), ("kept_vertices", c_uint32),
    ("vertex_bytes", c_uint32), ("budget_bytes", c_uint64), ("parallel_for", POINTER(ParallelFor)),
    ("error_pixels", c_float), ("level", POINTER(c_uint32))])
Sphere = element("Sphere", [("center", c_float, 3), ("radius", c_float)])
Chain = element("Chain", [
    ("name", c_char_p), ("kind", c_uint32), ("joint_count", c_uint32), ("joints", c_uint32, 8), ("shares", c_float, 8),
    ("direction", c_float, 3), ("offset", c_float, 3), ("up", c_float, 3), ("end_orientation", c_uint32),
    ("reach", c_float), ("soft", c_float), ("max_angle", c_float), ("fade_distance", c_float)])
ChainTarget = element("ChainTarget", [
    ("instance", c_uint32), ("chain", c_uint32), ("position", c_float, 3), ("weight", c_float), ("normal", c_float, 3)])
Instances = struct("Instances", [
    ("count", c_uint32), ("models", POINTER(c_uint32)), ("world_from_model", POINTER(Matrix3x4)),
    ("playbacks", POINTER(Playback)), ("playback_user_data", c_void_p),
    ("playback_at", ctypes.CFUNCTYPE(None, c_void_p, c_uint32, c_double, POINTER(Playback))),
    ("speeds", POINTER(c_float)), ("positions", POINTER(c_float)), ("scales", POINTER(c_float)),
    ("extra_spheres", POINTER(Sphere)), ("spheres", POINTER(Sphere)), ("phases", POINTER(c_ubyte)),
    ("host_posed", POINTER(c_ubyte)), ("world_from_model_user_data", c_void_p),
    ("world_from_model_at", ctypes.CFUNCTYPE(None, c_void_p, c_uint32, POINTER(Matrix3x4))),
    ("extra_sphere_user_data", c_void_p),
    ("extra_sphere_at", ctypes.CFUNCTYPE(None, c_void_p, c_uint32, POINTER(Sphere))),
    ("targets", POINTER(ChainTarget)), ("target_count", c_uint32), ("outfits", POINTER(c_uint64)),
    ("generations", POINTER(c_uint32))])
View = element("View", [("clip_from_world", c_float, 16), ("eye", c_float, 3), ("pixels_per_radian", c_float)])
CrowdFrame = struct("CrowdFrame", [
    ("view_count", c_uint32), ("seconds", c_double), ("views", POINTER(View)), ("up", c_float, 3), ("shadows", c_uint32),
    ("to_sun", c_float, 3), ("lowest_ground", c_float), ("shadow_margin", c_float), ("occlusion_user_data", c_void_p),
    ("is_hidden", ctypes.CFUNCTYPE(c_uint32, c_void_p, POINTER(Sphere), c_uint32)), ("depth_pyramid", DepthPyramid)])
UpdateGroup = element("UpdateGroup", [
    ("first_batch", c_uint32), ("batch_count", c_uint32), ("seconds", c_double), ("updated", c_ubyte)])
PosedBatch = element("PosedBatch", [
    ("model", c_uint32), ("level", c_uint32), ("wearable", c_uint32), ("first_mesh", c_uint32),
    ("mesh_count", c_uint32), ("group", c_uint32), ("bodies", c_uint32), ("host_posed", c_ubyte), ("previous_poses", c_ubyte)])
PosedMesh = element("PosedMesh", [
    ("instance", c_uint32), ("first_instance", c_uint32), ("instance_count", c_uint32), ("shared", c_ubyte)])
PreviousPose = element("PreviousPose", [("posed_mesh", c_uint32), ("in_this_plan", c_ubyte)])
Plan = struct("Plan", [
    ("group_count", c_uint32), ("batch_count", c_uint32), ("posed_mesh_count", c_uint32), ("instance_count", c_uint32),
    ("previous_pose_count", c_uint32), ("groups", POINTER(UpdateGroup)), ("batches", POINTER(PosedBatch)),
    ("posed_meshes", POINTER(PosedMesh)), ("playbacks", POINTER(Playback)), ("instances", POINTER(c_uint32)),
    ("previous_poses", POINTER(PreviousPose)), ("visible", c_uint32), ("culled", c_uint32), ("shared", c_uint32),
    ("not_updated", c_uint32), ("shadow_only", c_uint32), ("updated_meshes", c_uint32), ("needed_bytes", c_uint64),
    ("occluded", c_uint32)])
DrawInfo = struct("DrawInfo", [
    ("group", c_uint32), ("batch", c_uint32), ("first_mesh", c_uint32), ("mesh_count", c_uint32), ("first_index", c_uint32),
    ("index_count", c_uint32), ("first_vertex", c_uint32), ("vertex_count", c_uint32)])
DrawCommand = element("DrawCommand", [
    ("index_count", c_uint32), ("instance_count", c_uint32), ("first_index", c_uint32), ("vertex_offset", c_int32),
    ("first_instance", c_uint32)])

# --- occlusion.h ---
DepthImage = struct("DepthImage", [
    ("width", c_uint32), ("height", c_uint32), ("depth", POINTER(c_float)), ("view", View), ("view_index", c_uint32),
    ("reversed", c_uint32), ("margin", c_float)])

# --- attachments.h ---
SocketRequest = element("SocketRequest", [("instance", c_uint32), ("socket", c_uint32)])
PlaceInfo = struct("PlaceInfo", [
    ("instance_count", c_uint32), ("world_from_model", POINTER(Matrix3x4)), ("requests", POINTER(SocketRequest)),
    ("world_from_socket", POINTER(Matrix3x4)), ("request_count", c_uint32), ("parallel_for", POINTER(ParallelFor)), ("world_from_model_user_data", c_void_p),
    ("world_from_model_at", ctypes.CFUNCTYPE(None, c_void_p, c_uint32, POINTER(Matrix3x4)))])

# --- vulkan.h ---
Allocation = element("Allocation", [
    ("buffer", c_uint64), ("mapped", c_void_p), ("allocation", c_void_p), ("memory_properties", c_uint32)])
SkinnerInfo = struct("SkinnerInfo", [
    ("api_version", c_uint32), ("instance", c_void_p), ("physical_device", c_void_p), ("device", c_void_p),
    ("get_instance_proc_addr", c_void_p), ("get_device_proc_addr", c_void_p), ("queue_families", POINTER(c_uint32)),
    ("queue_family_count", c_uint32), ("debug_utils", c_uint32), ("allocation_callbacks", c_void_p),
    ("pipeline_cache", c_uint64), ("format", c_uint32), ("tangents", c_uint32), ("frames_in_flight", c_uint32),
    ("update_groups", c_uint32), ("keep_previous", c_uint32), ("barriers", c_uint32), ("consumer_stages", c_uint32),
    ("consumer_accesses", c_uint32), ("record_family", POINTER(c_uint32)), ("vertex_usage", c_uint32),
    ("debug_checks", c_uint32), ("allocation_user_data", c_void_p),
    ("allocate", ctypes.CFUNCTYPE(c_int32, c_void_p, c_void_p, c_uint32, POINTER(Allocation))),
    ("free", ctypes.CFUNCTYPE(None, c_void_p, POINTER(Allocation)))])
AddMesh = struct("AddMesh", [
    ("palette_size", c_uint32), ("mesh", POINTER(Mesh)), ("name", c_char_p), ("box", Box), ("palette_format", c_uint32),
    ("palette_scale", c_float), ("palette_targets", c_uint32)])
SkinnerBatch = element("SkinnerBatch", [
    ("mesh", c_uint32), ("instance_count", c_uint32), ("borrows_palettes", c_uint32), ("palettes_of", c_uint32),
    ("instances", POINTER(c_uint32))])
SkinnerFrame = struct("SkinnerFrame", [
    ("slot", c_uint32), ("number", c_uint64), ("last_completed", c_uint64), ("explicit_slot", c_uint32)])
PageRequirements = element("PageRequirements", [("size_bytes", c_uint64), ("alignment", c_uint64), ("usage", c_uint32)])
Page = element("Page", [("buffer", c_uint64), ("offset", c_uint64)])
PrepareInfo = struct("PrepareInfo", [
    ("group", c_uint32), ("batches", POINTER(SkinnerBatch)), ("batch_count", c_uint32), ("page_count", c_uint32),
    ("pages", POINTER(Page)), ("parallel_for", POINTER(ParallelFor))])
Range = struct("Range", [
    ("batch", c_uint32), ("first_instance", c_uint32), ("instance_count", c_uint32), ("vertex_count", c_uint32),
    ("vertex_bytes", c_uint32), ("palette_stride", c_uint32), ("palette_count", c_uint32),
    ("palettes", POINTER(Matrix3x4)), ("palette_buffer", c_uint64), ("palette_offset", c_uint64), ("vertices", c_uint64),
    ("vertices_offset", c_uint64), ("previous_vertices", c_uint64), ("previous_vertices_offset", c_uint64),
    ("weights", POINTER(c_float)), ("weight_count", c_uint32), ("weight_stride", c_uint32), ("target_count", c_uint32),
    ("compact_palettes", POINTER(CompactMatrix)), ("palette_size", c_uint32), ("mesh", c_uint32),
    ("skinned_frame", c_uint64)])
RecordInfo = struct("RecordInfo", [("first_query", c_uint32), ("timestamps", c_uint64)])
SkinnerCounters = struct("SkinnerCounters", [
    ("instances", c_uint64), ("dispatches", c_uint64), ("skinned_vertices", c_uint64), ("palette_bytes", c_uint64),
    ("skinned_bytes", c_uint64), ("uploaded_bytes", c_uint64), ("palette_copies", c_uint64),
    ("palette_copy_bytes", c_uint64), ("mesh_bytes", c_uint64), ("job_bytes", c_uint64), ("refused_records", c_uint64)])
MemoryUsage = struct("MemoryUsage", [
    ("mesh_bytes", c_uint64), ("palette_bytes", c_uint64), ("skinned_bytes", c_uint64), ("staging_bytes", c_uint64),
    ("job_bytes", c_uint64), ("deferred_bytes", c_uint64), ("block_bytes", c_uint64),
    ("palette_copy_bytes", c_uint64), ("expanded_bytes", c_uint64)])
MeshBuffer = struct("MeshBuffer", [
    ("vertex_count", c_uint32), ("buffer", c_uint64), ("offset", c_uint64), ("size_bytes", c_uint64),
    ("influence_quads", c_uint32), ("morph_blocks", c_uint32), ("weights_row", c_uint32)])
VertexInput = struct("VertexInput", [
    ("attribute_count", c_uint32), ("binding", c_uint32, 3), ("attributes", c_uint32 * 4, 3)])

# --- runtime.h ---
SocketOptions = element("SocketOptions", [
    ("name", c_char_p), ("joint", c_char_p), ("joint_from_socket", POINTER(Matrix3x4))])
MaskOptions = element("MaskOptions", [("name", c_char_p), ("joint", c_char_p), ("inverted", c_uint32)])
WearableOptions = element("WearableOptions", [
    ("name", c_char_p), ("choice", c_char_p), ("parts", POINTER(c_char_p)), ("part_count", c_uint32),
    ("from", Character), ("joint", c_char_p), ("joint_from_wearable", POINTER(Matrix3x4))])
ModelOptions = struct("ModelOptions", [
    ("keep_space", c_uint32), ("extent", c_float), ("socket_count", c_uint32), ("mask_count", c_uint32),
    ("sockets", POINTER(SocketOptions)), ("masks", POINTER(MaskOptions)), ("import", POINTER(ImportOptions)),
    ("bake", POINTER(BakeOptions)), ("wearable_count", c_uint32), ("wearables", POINTER(WearableOptions))])
Wearable = struct("Wearable", [("name", c_char_p), ("choice", c_char_p)])
ModelUse = struct("ModelUse", [
    ("clip_count", c_uint32), ("clips", POINTER(c_uint32)), ("world_per_unit", c_float)])
SkinnedCrowdInfo = struct("SkinnedCrowdInfo", [
    ("model_count", c_uint32), ("models", POINTER(Model)), ("skinner", POINTER(SkinnerInfo)), ("without", c_uint32),
    ("unique_poses", c_uint32), ("previous_poses", c_uint32), ("compact_palettes", c_uint32),
    ("vertex_pulling", c_uint32), ("budget_bytes", c_uint64), ("parallel_for", POINTER(ParallelFor)),
    ("error_pixels", c_float), ("max_pulled_vertices", c_uint32), ("uses", POINTER(ModelUse)),
    ("level", POINTER(c_uint32))])
MeshStreams = struct("MeshStreams", [
    ("index_count", c_uint32), ("vertex_count", c_uint32), ("indices", POINTER(c_uint32)),
    ("base_color_uvs", POINTER(c_float)), ("uvs", POINTER(c_float)), ("second_uvs", POINTER(c_float)),
    ("colors", POINTER(c_uint16)), ("first_index", c_uint32), ("first_vertex", c_uint32)])
VertexSlice = element("VertexSlice", [("buffer", c_uint64), ("offset", c_uint64)])
Draw = element("Draw", [
    ("model", c_uint32), ("level", c_uint32), ("material", c_uint32), ("vertex_count", c_uint32),
    ("first_stream_vertex", c_uint32), ("first_index", c_uint32), ("index_count", c_uint32),
    ("first_instance", c_uint32), ("instance_count", c_uint32), ("vertex_buffer", c_uint64), ("first_vertex", c_uint32), ("first_command", c_uint32),
    ("command_count", c_uint32), ("pulled", c_uint32), ("wearable", c_uint32), ("range", c_void_p), ("crowd", c_void_p)])
Draws = struct("Draws", [
    ("draw_count", c_uint32), ("instance_count", c_uint32), ("command_count", c_uint32), ("draws", POINTER(Draw)),
    ("instances", POINTER(c_uint32)), ("commands", POINTER(DrawCommand))])
HostPose = struct("HostPose", [
    ("palette_size", c_uint32), ("weight_count", c_uint32), ("socket_count", c_uint32), ("palette", POINTER(Matrix3x4)),
    ("compact_palette", POINTER(CompactMatrix)), ("weights", POINTER(c_float)), ("sockets", POINTER(Matrix3x4))])

# --- pick.h ---
PickHit = struct("PickHit", [
    ("hit", c_uint32), ("instance", c_uint32), ("model", c_uint32), ("level", c_uint32), ("triangle", c_uint32),
    ("joint", c_int32), ("barycentrics", c_float, 3), ("point", c_float, 3), ("distance", c_float),
    ("wearable", c_uint32)])

# --- acceleration.h ---
PosedVertices = element("PosedVertices", [
    ("mesh", c_uint32), ("vertex_count", c_uint32), ("vertex_bytes", c_uint32), ("address", c_uint64),
    ("skinned_frame", c_uint64)])
StructureState = element("StructureState", [
    ("holds", PosedVertices), ("written_frame", c_uint64), ("refits", c_uint32), ("is_built", c_uint32)])
StructureTriangles = struct("StructureTriangles", [
    ("first_index", c_uint32), ("index_count", c_uint32), ("alpha_mode", c_uint32), ("indices", c_uint64)])
# VkAccelerationStructureGeometryKHR and VkAccelerationStructureBuildRangeInfoKHR, as their bytes.
StructureGeometry = struct("StructureGeometry", [("geometry", c_uint64, 12), ("triangles", c_uint32, 4)])
PlacedMesh = struct("PlacedMesh", [
    ("group", c_uint32), ("model", c_uint32), ("level", c_uint32), ("instance_count", c_uint32), ("buffer", c_uint64),
    ("wearable", c_uint32)])

# Parameters of the functions that return a SinewResult, without the last one, the SinewError.
FUNCTIONS = {
    "check_version": [c_uint32],
    "character_load": [c_char_p, POINTER(Character)],
    "character_load_memory": [c_void_p, c_size_t, POINTER(Character)],
    "character_write": [Character, c_char_p],
    "character_to_meters": [Character],
    "character_info": [Character, POINTER(CharacterInfo)],
    "character_joint": [Character, c_uint32, POINTER(Joint)],
    "character_clip": [Character, c_uint32, POINTER(Clip)],
    "character_marker": [Character, c_uint32, c_uint32, POINTER(Marker)],
    "character_material": [Character, c_uint32, POINTER(Material)],
    "character_image": [Character, c_uint32, POINTER(Image)],
    "character_warning": [Character, c_uint32, POINTER(c_char_p)],
    "character_mesh": [Character, c_uint32, POINTER(Mesh)],
    "character_part": [Character, c_uint32, c_uint32, POINTER(Part)],
    "character_find_clip": [Character, c_char_p, POINTER(c_uint32)],
    "character_find_joint": [Character, c_char_p, POINTER(c_uint32)],
    "skin_on_cpu": [POINTER(Mesh), POINTER(Matrix3x4), c_uint32, POINTER(c_float), POINTER(c_float), POINTER(c_float)],
    "character_import": [c_char_p, POINTER(ImportOptions), POINTER(Character)],
    "character_make_levels": [Character, POINTER(c_float), c_uint32],
    "character_bake": [Character, POINTER(BakeOptions)],
    "character_palette_scaling": [Character, POINTER(c_uint32)],
    "character_palette_scale": [Character, POINTER(c_float)],
    "character_bounds": [Character, POINTER(Bounds)],
    "character_clip_time": [Character, c_uint32, c_double, c_uint32, POINTER(c_float)],
    "character_evaluate_exact": [Character, POINTER(EvaluateInfo)],
    "character_add_palette_entry": [Character, c_uint32],
    "character_retarget_clips": [Character, Character],
    "character_make_socket": [Character, c_uint32, POINTER(Matrix3x4), POINTER(Socket)],
    "character_find_chains": [Character, POINTER(Chain), POINTER(c_uint32)],
    "character_extract_root_motion": [Character, c_uint32, c_uint32, POINTER(RootTrack)],
    "root_track_info": [RootTrack, POINTER(RootTrackInfo)],
    "root_track_motion_between": [RootTrack, c_double, c_double, c_uint32, POINTER(GroundMotion)],
    "root_track_compose": [RootTrack, POINTER(GroundMotion), POINTER(GroundMotion), POINTER(GroundMotion)],
    "root_track_to_matrix": [RootTrack, POINTER(GroundMotion), POINTER(Matrix3x4d)],
    "player_create": [Character, c_uint32, c_uint32, POINTER(Player)],
    "player_resize": [Player, c_uint32],
    "player_reset": [Player, c_uint32],
    "player_play": [Player, c_uint32, c_uint32, POINTER(PlayOptions)],
    "player_cross_fade": [Player, c_uint32, c_uint32, c_double, POINTER(PlayOptions)],
    "player_stop": [Player, c_uint32, c_uint32, c_double],
    "player_set_speed": [Player, c_uint32, c_float],
    "player_set_root_track": [Player, c_uint32, RootTrack],
    "player_advance": [Player, c_double],
    "player_events": [Player, POINTER(POINTER(MarkerEvent)), POINTER(c_uint32)],
    "character_set_markers": [Character, c_uint32, POINTER(Marker), c_uint32],
    "character_add_footsteps": [Character, c_uint32, POINTER(c_uint32), c_uint32, c_uint32],
    "player_root_motion": [Player, c_uint32, POINTER(GroundMotion)],
    "player_playbacks": [Player, POINTER(POINTER(Playback))],
    "character_level_palette": [Character, c_uint32, POINTER(LevelPalette)],
    "evaluator_create": [Character, POINTER(Evaluator)],
    "evaluator_create_for_level": [Character, c_uint32, POINTER(Evaluator)],
    "evaluator_add_mask": [Evaluator, POINTER(c_float), c_uint32, POINTER(c_uint32)],
    "evaluator_set_mask": [Evaluator, c_uint32, POINTER(c_float), c_uint32],
    "evaluator_set_sockets": [Evaluator, POINTER(Socket), c_uint32],
    "evaluator_evaluate": [Evaluator, POINTER(EvaluateInfo)],
    "planner_create": [POINTER(PlannerInfo), POINTER(Planner)],
    "planner_plan": [Planner, POINTER(Instances), POINTER(CrowdFrame), POINTER(ParallelFor)],
    "planner_last": [Planner, POINTER(Plan)],
    "planner_write_draws": [Planner, POINTER(DrawInfo), POINTER(DrawCommand), POINTER(c_uint32)],
    "planner_instanced_draw": [Planner, POINTER(DrawInfo), POINTER(DrawCommand)],
    "planner_write_first_vertices": [Planner, POINTER(DrawInfo), POINTER(c_uint32), c_uint32],
    "planner_update_all": [Planner],
    "planner_measure": [Planner, POINTER(PlannerModel), POINTER(ParallelFor), POINTER(MeasuredModel)],
    "planner_add_model": [Planner, MeasuredModel, POINTER(c_uint32)],
    "planner_remove_model": [Planner, c_uint32, c_uint32],
    "planner_is_gone": [Planner, c_uint32, POINTER(c_uint32)],
    "depth_pyramid_create": [POINTER(DepthPyramid)],
    "depth_pyramid_build": [DepthPyramid, POINTER(DepthImage)],
    "depth_pyramid_clear": [DepthPyramid],
    "attachments_create": [Planner, POINTER(c_uint32), c_uint32, POINTER(Attachments)],
    "attachments_set_socket_count": [Attachments, c_uint32, c_uint32],
    "attachments_begin": [Attachments, POINTER(ParallelFor)],
    "attachments_of": [Attachments, c_uint32, POINTER(POINTER(Matrix3x4)), POINTER(c_uint64)],
    "attachments_place": [Attachments, POINTER(PlaceInfo)],
    "model_load": [c_char_p, POINTER(ModelOptions), POINTER(Model)],
    "model_write": [Model, c_char_p],
    "model_character": [Model, POINTER(Character)],
    "model_find_socket": [Model, c_char_p, POINTER(c_uint32)],
    "model_find_mask": [Model, c_char_p, POINTER(c_uint32)],
    "model_find_wearable": [Model, c_char_p, POINTER(c_uint32)],
    "model_wearable": [Model, c_uint32, POINTER(Wearable)],
    "skinned_crowd_create": [POINTER(SkinnedCrowdInfo), POINTER(SkinnedCrowd)],
    "skinned_crowd_prepare_model": [SkinnedCrowd, Model, POINTER(ModelUse), POINTER(PreparedModel)],
    "skinned_crowd_add_model": [SkinnedCrowd, PreparedModel, POINTER(c_uint32)],
    "skinned_crowd_remove_model": [SkinnedCrowd, c_uint32],
    "skinned_crowd_set_chains": [SkinnedCrowd, c_uint32, POINTER(Chain), c_uint32],
    "skinned_crowd_streams": [SkinnedCrowd, POINTER(MeshStreams)],
    "skinned_crowd_model_streams": [SkinnedCrowd, c_uint32, POINTER(MeshStreams)],
    "skinned_crowd_update": [SkinnedCrowd, c_uint64, c_uint64, POINTER(Instances), POINTER(CrowdFrame)],
    "skinned_crowd_record": [SkinnedCrowd, c_void_p, POINTER(RecordInfo)],
    "skinned_crowd_discard_frame": [SkinnedCrowd], "skinned_crowd_draws": [SkinnedCrowd, POINTER(Draws)],
    "draw_record": [POINTER(Draw), c_void_p, c_uint32],
    "draw_record_with_previous": [POINTER(Draw), c_void_p, c_uint32],
    "skinned_crowd_write_first_vertices": [SkinnedCrowd, POINTER(c_uint32), c_uint32],
    "skinned_crowd_write_previous_vertices": [SkinnedCrowd, POINTER(VertexSlice), c_uint32],
    "skinned_crowd_host_pose": [SkinnedCrowd, c_uint32, c_uint32, POINTER(HostPose)],
    "skinned_crowd_place_sockets": [SkinnedCrowd, POINTER(Instances), POINTER(SocketRequest), c_uint32,
                                    POINTER(Matrix3x4)],
    "skinned_crowd_pick": [SkinnedCrowd, POINTER(Instances), POINTER(c_float), POINTER(c_float), c_float,
                           POINTER(PickHit)],
    "skinned_crowd_instances_near": [SkinnedCrowd, POINTER(Instances), POINTER(c_float), POINTER(c_float), c_float,
                                     POINTER(c_uint32), c_uint32, POINTER(c_uint32)],
    "skinned_crowd_joint_transform": [SkinnedCrowd, POINTER(Instances), c_uint32, c_uint32, POINTER(Matrix3x4)],
    "posed_vertices": [POINTER(Range), c_uint32, c_uint64, POINTER(PosedVertices)],
    "structure_geometry": [POINTER(PosedVertices), c_uint32, POINTER(StructureTriangles), POINTER(StructureGeometry)],
    "structure_next_step": [POINTER(StructureState), POINTER(PosedVertices), c_uint32, POINTER(c_uint32)],
    "structure_note_step": [POINTER(StructureState), POINTER(PosedVertices), c_uint32, c_uint64],
    "structure_discard_step": [POINTER(StructureState), c_uint64],
    "structure_check": [POINTER(StructureState), POINTER(PosedVertices)],
    "skinned_crowd_posed_mesh_count": [SkinnedCrowd, POINTER(c_uint32)],
    "skinned_crowd_posed_mesh": [SkinnedCrowd, c_uint32, POINTER(PlacedMesh)],
    "skinned_crowd_posed_mesh_of": [SkinnedCrowd, c_uint32, POINTER(c_uint32)],
    "skinned_crowd_posed_vertices": [SkinnedCrowd, c_uint32, c_uint64, POINTER(PosedVertices)],
    "skinner_create": [POINTER(SkinnerInfo), POINTER(Skinner)],
    "skinner_add_mesh": [Skinner, POINTER(AddMesh), POINTER(c_uint32)],
    "skinner_prepare_mesh": [Skinner, POINTER(AddMesh), POINTER(PreparedMesh)],
    "skinner_add_prepared_mesh": [Skinner, PreparedMesh, POINTER(c_uint32)],
    "skinner_remove_mesh": [Skinner, c_uint32],
    "skinner_begin_frame": [Skinner, POINTER(SkinnerFrame)],
    "skinner_discard_frame": [Skinner], "skinner_reserve": [Skinner, c_uint32, POINTER(SkinnerBatch), c_uint32],
    "skinner_buffer_changes": [Skinner, POINTER(c_uint64)], "skinner_check_palettes": [Skinner],
    "skinner_prepare": [Skinner, POINTER(PrepareInfo)],
    "skinner_page_requirements": [Skinner, POINTER(SkinnerBatch), c_uint32, POINTER(PageRequirements), POINTER(c_uint32)],
    "skinner_range_count": [Skinner, c_uint32, POINTER(c_uint32)],
    "skinner_range": [Skinner, c_uint32, c_uint32, POINTER(Range)],
    "skinner_record": [Skinner, c_void_p, POINTER(RecordInfo)],
    "skinner_mesh_buffer": [Skinner, c_uint32, POINTER(MeshBuffer)],
    "skinner_counters": [Skinner, POINTER(SkinnerCounters)],
    "skinner_memory_usage": [Skinner, POINTER(MemoryUsage)],
    "vertex_input": [c_uint32, c_uint32, c_uint32, c_uint32, POINTER(VertexInput)],
    "write_draws": [POINTER(Range), POINTER(Part), c_uint32, POINTER(DrawCommand), c_uint32],
}
# The others, which return nothing.
PLAIN_FUNCTIONS = {
    "character_destroy": [Character],
    "evaluator_destroy": [Evaluator],
    "root_track_destroy": [RootTrack],
    "player_destroy": [Player],
    "planner_destroy": [Planner],
    "measured_model_destroy": [MeasuredModel],
    "depth_pyramid_destroy": [DepthPyramid],
    "attachments_destroy": [Attachments],
    "skinner_destroy": [Skinner],
    "prepared_mesh_destroy": [PreparedMesh],
    "model_destroy": [Model],
    "prepared_model_destroy": [PreparedModel],
    "skinned_crowd_destroy": [SkinnedCrowd],
    "decode_normal": [c_uint32, POINTER(c_float)],
}


class Failure(Exception):
    """A call failed; the text is the library's message."""
    def __init__(self, error):
        super().__init__(error.message.decode("utf-8", "replace"))
        self.result = error.result


class Library:
    """The shared library. Each function of the tables is a method, without `sinew_` and without its SinewError."""
    def __init__(self, path="libsinew-c.so.0.1"):
        self.library = ctypes.CDLL(path)
        for name, parameters in PLAIN_FUNCTIONS.items():
            function = getattr(self.library, f"sinew_{name}")
            function.argtypes, function.restype = parameters, None
            setattr(self, name, function)
        for name, parameters in FUNCTIONS.items():
            setattr(self, name, self._checked(getattr(self.library, f"sinew_{name}"), parameters))
        self.check_version(VERSION)

    @staticmethod
    def _checked(function, parameters):
        function.argtypes, function.restype = [*parameters, POINTER(Error)], c_int32

        def call(*arguments):
            error = Error()
            if function(*arguments, byref(error)) != 0:
                raise Failure(error)
        return call

    def get(self, name, kind, *arguments):
        """What a function writes to its last parameter: a struct, a handle or a number."""
        out = kind()
        getattr(self, name)(*arguments, byref(out))
        return out

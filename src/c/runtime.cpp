// Models, and a crowd of them.
#include "sinew/c/runtime.h"

#include <vector>

#include "character.h"
#include "host_data.h"
#include "sinew/asset/model.h"
#include "skinner_info.h"

#ifdef SINEW_C_IMPORT
#include "import_options.h"
#include "sinew/import/model.h"
#endif

namespace sinew::c {

using vulkan::Draw;
using vulkan::ModelUse;

SINEW_SAME_LAYOUT(SinewDraw, Draw, model, level, material, vertex_count, first_stream_vertex, first_index, index_count,
                  first_instance, instance_count, vertex_buffer, first_vertex, first_command, command_count, pulled,
                  wearable, range, crowd);
SINEW_SAME_LAYOUT(SinewVertexSlice, vulkan::VertexSlice, buffer, offset);

namespace {

#ifdef SINEW_C_IMPORT

WearableOptions wearable_options(const SinewWearableOptions& given) {
  WearableOptions options;
  options.name = &required(given.name, "options->wearables: a name");
  if (given.choice != nullptr) options.choice = given.choice;
  for (const char* part : array(given.parts, given.part_count, "options->wearables: parts"))
    options.parts.emplace_back(&required(part, "options->wearables: a part"));
  if (given.from != nullptr) options.from = {given.from->content, &given.from->content->character};
  if (given.joint != nullptr) options.joint = given.joint;
  if (given.joint_from_wearable != nullptr) options.joint_from_wearable = *as_cpp(given.joint_from_wearable);
  return options;
}

ModelOptions model_options(const SinewModelOptions& given) {
  ModelOptions options;
  options.convert_space = given.keep_space == 0;
  options.size = given.extent;
  if (given.bake != nullptr) options.bake = bake_options(read(given.bake, "options->bake"));
  for (const SinewSocketOptions& socket : array(given.sockets, given.socket_count, "options->sockets")) {
    SocketOptions& made = options.sockets.emplace_back();
    made.name = &required(socket.name, "options->sockets: a name");
    made.joint = &required(socket.joint, "options->sockets: a joint");
    if (socket.joint_from_socket != nullptr) made.joint_from_socket = *as_cpp(socket.joint_from_socket);
  }
  for (const SinewMaskOptions& mask : array(given.masks, given.mask_count, "options->masks")) {
    MaskOptions& made = options.masks.emplace_back();
    made.name = &required(mask.name, "options->masks: a name");
    made.joints = {&required(mask.joint, "options->masks: a joint")};
    made.inverted = mask.inverted != 0;
  }
  for (const SinewWearableOptions& wearable : array(given.wearables, given.wearable_count, "options->wearables"))
    options.wearables.push_back(wearable_options(wearable));
  return options;
}

SharedModel load(const std::string& path, const SinewModelOptions& given) {
  const ModelOptions options = model_options(given);
  const SinewImportOptions import = read_optional(given.import, "options->import");
  if (import.isolated == 0) return take(load_model(path, options, import_options(import)));
  return take(make_model(take(import_isolated(path, import_options(import), isolation_options(import))), options));
}

#else

SharedModel load(const std::string& path, const SinewModelOptions&) { return take(load_model_file(path)); }

#endif

ModelUse use_of(const SinewModelUse& given) {
  ModelUse use{.clips = listed_clips(given.clips, given.clip_count)};
  if (given.world_per_unit != 0) use.world_per_unit = given.world_per_unit;
  return use;
}

std::vector<ModelUse> uses_of(const SinewSkinnedCrowdInfo& given) {
  std::vector<ModelUse> uses;
  for (uint32_t i = 0; given.uses != nullptr && i < given.model_count; ++i)
    uses.push_back(use_of(read_element(given.uses, i, "info->uses")));
  return uses;
}

}  // namespace
}  // namespace sinew::c

struct SinewModel {
  sinew::SharedModel model;
};

struct SinewPreparedModel {
  sinew::vulkan::PreparedModel prepared;
};

using namespace sinew;
using namespace sinew::c;
using namespace sinew::vulkan;

namespace {

const Model& model_of(const SinewModel* model) { return *required(model, "model").model; }

std::vector<SharedModel> models_of(const SinewSkinnedCrowdInfo& given) {
  std::vector<SharedModel> models;
  for (const SinewModel* model : array(given.models, given.model_count, "info->models"))
    models.push_back(required(model, "info->models: a model").model);
  return models;
}

void show_streams(const MeshStreams& from, SinewMeshStreams& streams) {
  streams.index_count = uint32_t(from.indices.size()), streams.indices = from.indices.data();
  streams.vertex_count = uint32_t(from.uvs.size());
  streams.base_color_uvs = floats_of(from.base_color_uvs), streams.uvs = floats_of(from.uvs);
  streams.second_uvs = floats_of(from.second_uvs);
  static_assert(sizeof(VertexColor) == 4 * sizeof *streams.colors);
  streams.colors = reinterpret_cast<const uint16_t*>(from.colors.data());
  streams.first_index = from.first_index, streams.first_vertex = from.first_vertex;
}

const Draw& draw_of(const SinewDraw* draw) {
  const Draw& own = *as_cpp(&required(draw, "draw"));
  required(own.crowd, "draw->crowd");
  return own;
}

}  // namespace

SinewResult sinew_model_load(const char* path, const SinewModelOptions* options, SinewModel** out, SinewError* error) {
  return call(error, __func__, [&] {
    required(out, "out") = nullptr;
    const SinewModelOptions given = read_optional(options, "options");
    *out = new SinewModel{load(&required(path, "path"), given)};
  });
}

SinewResult sinew_model_write(const SinewModel* model, const char* path, SinewError* error) {
  return call(error, __func__, [&] { check(write_model_file(&required(path, "path"), model_of(model))); });
}

void sinew_model_destroy(SinewModel* model) { delete model; }

SinewResult sinew_model_character(const SinewModel* model, SinewCharacter** out, SinewError* error) {
  return call(error, __func__, [&] {
    required(out, "out") = nullptr;
    const Model& from = model_of(model);
    *out = make_character({from.character, from.baked, from.report, from.bounds, from.levels, {}, {}});
  });
}

SinewResult sinew_model_find_socket(const SinewModel* model, const char* name, uint32_t* out, SinewError* error) {
  return call(error, __func__,
              [&] { put_found(find_socket(model_of(model), &required(name, "name")), "model", "socket", name, out); });
}

SinewResult sinew_model_find_mask(const SinewModel* model, const char* name, uint32_t* out, SinewError* error) {
  return call(error, __func__,
              [&] { put_found(find_mask(model_of(model), &required(name, "name")), "model", "mask", name, out); });
}

SinewResult sinew_model_find_wearable(const SinewModel* model, const char* name, uint32_t* out, SinewError* error) {
  return call(error, __func__, [&] {
    put_found(find_wearable(model_of(model), &required(name, "name")), "model", "wearable", name, out);
  });
}

SinewResult sinew_model_wearable(const SinewModel* model, uint32_t index, SinewWearable* out, SinewError* error) {
  return query(out, error, __func__, [&](SinewWearable& wearable) {
    const std::vector<Wearable>& wearables = model_of(model).wearables;
    if (index >= wearables.size())
      refuse("index is " + std::to_string(index) + ", but the model has " + std::to_string(wearables.size()));
    wearable.name = wearables[index].name.c_str(), wearable.choice = wearables[index].choice.c_str();
  });
}

SinewResult sinew_skinned_crowd_create(const SinewSkinnedCrowdInfo* info, SinewSkinnedCrowd** out, SinewError* error) {
  return create(out, error, __func__, [&](SinewSkinnedCrowd& handle) {
    const SinewSkinnedCrowdInfo given = read(info, "info");
    handle.callbacks.info = read(given.skinner, "info->skinner");
    const std::vector<ModelUse> uses = uses_of(given);
    CrowdOptions options{.uses = uses, .planner = plan_options(given), .parallel_for = loop_of(given.parallel_for)};
    options.compact_palettes = given.compact_palettes != 0;
    options.vertex_pulling = given.vertex_pulling != 0;
    options.max_pulled_vertices = given.max_pulled_vertices;
    handle.crowd = take(SkinnedCrowd::create(skinner_info(handle.callbacks), models_of(given), options));
  });
}

void sinew_skinned_crowd_destroy(SinewSkinnedCrowd* crowd) { delete crowd; }

SinewResult sinew_skinned_crowd_streams(SinewSkinnedCrowd* crowd, SinewMeshStreams* out, SinewError* error) {
  return query(out, error, __func__, [&](SinewMeshStreams& streams) {
    SinewSkinnedCrowd& own = required(crowd, "crowd");
    own.streams = take(own.crowd.make_streams());
    show_streams(own.streams, streams);
  });
}

SinewResult sinew_skinned_crowd_model_streams(SinewSkinnedCrowd* crowd, uint32_t model, SinewMeshStreams* out,
                                              SinewError* error) {
  return query(out, error, __func__, [&](SinewMeshStreams& streams) {
    SinewSkinnedCrowd& own = required(crowd, "crowd");
    own.streams = take(own.crowd.make_streams(model));
    show_streams(own.streams, streams);
  });
}

SinewResult sinew_skinned_crowd_prepare_model(const SinewSkinnedCrowd* crowd, const SinewModel* model,
                                              const SinewModelUse* use, SinewPreparedModel** out, SinewError* error) {
  return create(out, error, __func__, [&](SinewPreparedModel& handle) {
    const SinewModelUse given = read_optional(use, "use");
    handle.prepared = take(required(crowd, "crowd").crowd.prepare_model(required(model, "model").model, use_of(given)));
  });
}

void sinew_prepared_model_destroy(SinewPreparedModel* prepared) { delete prepared; }

SinewResult sinew_skinned_crowd_add_model(SinewSkinnedCrowd* crowd, SinewPreparedModel* prepared, uint32_t* out,
                                          SinewError* error) {
  return call(error, __func__, [&] {
    uint32_t& number = required(out, "out");
    number = take(required(crowd, "crowd").crowd.add_model(std::move(required(prepared, "prepared").prepared)));
  });
}

SinewResult sinew_skinned_crowd_remove_model(SinewSkinnedCrowd* crowd, uint32_t model, SinewError* error) {
  return call(error, __func__, [&] { check(required(crowd, "crowd").crowd.remove_model(model)); });
}

SinewResult sinew_skinned_crowd_set_chains(SinewSkinnedCrowd* crowd, uint32_t model, const SinewChain* chains,
                                           uint32_t count, SinewError* error) {
  return call(error, __func__,
              [&] { check(required(crowd, "crowd").crowd.set_chains(model, chains_of(chains, count))); });
}

SinewResult sinew_skinned_crowd_update(SinewSkinnedCrowd* crowd, uint64_t number, uint64_t last_completed,
                                       const SinewInstances* instances, const SinewCrowdFrame* frame,
                                       SinewError* error) {
  return call(error, __func__, [&] {
    SinewInstances host = read(instances, "instances");
    const SinewCrowdFrame given = read(frame, "frame");
    const sinew::crowd::PlanFrame in_cpp = frame_of(given);
    const CrowdFrame updated{number, in_cpp.seconds, in_cpp.shadows, in_cpp.up, last_completed, in_cpp.occlusion};
    check(required(crowd, "crowd").crowd.update(updated, instances_of(host), in_cpp.views));
  });
}

SinewResult sinew_skinned_crowd_record(SinewSkinnedCrowd* crowd, VkCommandBuffer cmd, const SinewRecordInfo* info,
                                       SinewError* error) {
  return call(error, __func__, [&] {
    required(cmd, "cmd");
    const SinewRecordInfo given = read_optional(info, "info");
    required(crowd, "crowd").crowd.record(cmd, {.timestamps = given.timestamps, .first_query = given.first_query});
  });
}

SinewResult sinew_skinned_crowd_discard_frame(SinewSkinnedCrowd* crowd, SinewError* error) {
  return call(error, __func__, [&] { check(required(crowd, "crowd").crowd.discard_frame()); });
}

SinewResult sinew_skinned_crowd_draws(const SinewSkinnedCrowd* crowd, SinewDraws* out, SinewError* error) {
  return query(out, error, __func__, [&](SinewDraws& draws) {
    const SkinnedCrowd& own = required(crowd, "crowd").crowd;
    draws.draw_count = uint32_t(own.draws().size()), draws.draws = seen_as<SinewDraw>(own.draws().data());
    draws.instance_count = uint32_t(own.instances().size()), draws.instances = own.instances().data();
    draws.command_count = uint32_t(own.commands().size());
    draws.commands = seen_as<SinewDrawCommand>(own.commands().data());
  });
}

SinewResult sinew_draw_record(const SinewDraw* draw, VkCommandBuffer cmd, uint32_t binding, SinewError* error) {
  return call(error, __func__, [&] {
    const Draw& own = draw_of(draw);
    required(cmd, "cmd");
    own.record(cmd, binding);
  });
}

SinewResult sinew_draw_record_with_previous(const SinewDraw* draw, VkCommandBuffer cmd, uint32_t binding,
                                            SinewError* error) {
  return call(error, __func__, [&] {
    const Draw& own = draw_of(draw);
    required(cmd, "cmd");
    check(own.record_with_previous(cmd, binding));
  });
}

SinewResult sinew_skinned_crowd_write_first_vertices(const SinewSkinnedCrowd* crowd, uint32_t* out, uint32_t count,
                                                     SinewError* error) {
  return call(error, __func__, [&] {
    const SkinnedCrowd& own = required(crowd, "crowd").crowd;
    check_room(count, own.instances().size(), "instances");
    own.write_first_vertices(array(out, count, "out"));
  });
}

SinewResult sinew_skinned_crowd_write_previous_vertices(const SinewSkinnedCrowd* crowd, SinewVertexSlice* out,
                                                        uint32_t count, SinewError* error) {
  return call(error, __func__, [&] {
    const SkinnedCrowd& own = required(crowd, "crowd").crowd;
    check_room(count, own.instances().size(), "instances");
    check(own.write_previous_vertices(array_as(out, count, "out")));
  });
}

SinewResult sinew_skinned_crowd_host_pose(SinewSkinnedCrowd* crowd, uint32_t instance, uint32_t previous,
                                          SinewHostPose* out, SinewError* error) {
  return query(out, error, __func__, [&](SinewHostPose& pose) {
    const HostPose from = required(crowd, "crowd").crowd.host_pose(instance, previous != 0);
    pose.palette_size = uint32_t(from.palette.size() + from.compact_palette.size());  // one of them is empty
    pose.palette = seen_as<SinewMatrix3x4>(from.palette.data());
    pose.compact_palette = seen_as<SinewCompactMatrix>(from.compact_palette.data());
    pose.weight_count = uint32_t(from.weights.size()), pose.weights = from.weights.data();
    pose.socket_count = uint32_t(from.sockets.size());
    pose.sockets = seen_as<SinewMatrix3x4>(from.sockets.data());
  });
}

SinewResult sinew_skinned_crowd_place_sockets(const SinewSkinnedCrowd* crowd, const SinewInstances* instances,
                                              const SinewSocketRequest* requests, uint32_t count, SinewMatrix3x4* out,
                                              SinewError* error) {
  return call(error, __func__, [&] {
    SinewInstances host = read(instances, "instances");
    const auto given = array_as(requests, count, "requests");
    required(crowd, "crowd").crowd.place_sockets(instances_of(host), given, array_as(out, count, "out"));
  });
}

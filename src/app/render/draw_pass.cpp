#include "render/draw_pass.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <glm/geometric.hpp>
#include <glm/matrix.hpp>

#include "asset/plain_text.h"
#include "scene/scene.h"
#include "shared/crowd.h"

namespace sinew::app {
namespace {

constexpr float kLampsBefore = 12;  // meters from the eye to the middle of the lamps that count

/// Per meter. Fog hides what is far behind the crowd, or too far away to be told apart.
float fog_density(const Scene& scene) {
  const float distance = std::max(std::clamp(2 * scene.radius + 20, 45.0f, 320.0f), scene.clear_meters);
  return 0.25f / distance;
}

glm::vec4 to_vec4(Vec3 v, float w) { return {v.x, v.y, v.z, w}; }

void set_light(const Scene& scene, shared::FrameUniforms& uniforms) {
  const LightColors& colors = colors_of(scene.light);
  uniforms.sun = to_vec4(normalize(colors.to_sun), 0);
  uniforms.sun_light = to_vec4(colors.sun, colors.exposure);
  uniforms.zenith = to_vec4(colors.zenith, 0), uniforms.horizon = to_vec4(colors.horizon, 0);
  uniforms.sky_light = to_vec4(colors.sky, 0), uniforms.ground_light = to_vec4(colors.ground, 0);
}

/// The lamps nearest to a point before the eye.
void set_lamps(const Scene& scene, const View& view, shared::FrameUniforms& uniforms) {
  const glm::mat4& m = view.clip_from_world;
  const glm::vec3 forward = glm::normalize(glm::vec3(m[0][3], m[1][3], m[2][3]));
  const glm::vec3 at = view.eye + forward * kLampsBefore;
  const auto distance = [&](const Lamp& lamp) { return length(lamp.position - Vec3{at.x, at.y, at.z}); };
  std::array<const Lamp*, shared::kMaxLamps> nearest{};  // in order; a frame allocates nothing
  size_t count = 0;
  for (const Lamp& lamp : scene.lamps) {
    if (count == nearest.size() && distance(lamp) >= distance(*nearest[count - 1])) continue;
    size_t i = count < nearest.size() ? count++ : count - 1;
    for (; i > 0 && distance(lamp) < distance(*nearest[i - 1]); --i) nearest[i] = nearest[i - 1];
    nearest[i] = &lamp;
  }
  for (size_t i = 0; i < count; ++i) {
    uniforms.lamps[2 * i] = to_vec4(nearest[i]->position, nearest[i]->reach);
    uniforms.lamps[2 * i + 1] = to_vec4(nearest[i]->color * nearest[i]->strength, 0);
  }
  uniforms.lamp_count.x = float(count);
}

// As std140 has it.
static_assert(offsetof(shared::FrameUniforms, fog_density) == 448 &&
              offsetof(shared::FrameUniforms, previous_clip_from_world) == 464 &&
              offsetof(shared::FrameUniforms, sun_light) == 528 &&
              sizeof(shared::FrameUniforms) == 640 + 32 * shared::kMaxLamps);

/// The uniforms of the camera's passes. Those of a shadow map differ only in clip_from_world.
shared::FrameUniforms make_uniforms(const Scene& scene, const View& view) {
  shared::FrameUniforms uniforms{};
  uniforms.clip_from_world = view.clip_from_world;
  uniforms.world_from_clip = glm::inverse(uniforms.clip_from_world);
  uniforms.eye = glm::vec4(view.eye, 1);
  set_light(scene, uniforms), set_lamps(scene, view, uniforms);
  uniforms.fog_density = fog_density(scene);
  uniforms.crowd_radius = std::max(scene.radius, 1.0f);
  uniforms.picture_width = float(view.width), uniforms.picture_height = float(view.height);
  uniforms.grid = {scene.grid_meters, scene.center.x, scene.center.z, 0};
  int map = 0;
  for (const ShadowView& shadow : view.shadows) {
    uniforms.shadow_from_world[map] = shadow.clip_from_world;
    uniforms.shadow_end[map] = shadow.end;
    uniforms.shadow_texel[map++] = shadow.texel;
  }
  return uniforms;
}

constexpr VkShaderStageFlags kPushStages = VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_FRAGMENT_BIT;
constexpr float kEmptyGray = 0.05f;  // linear: where colors show the velocity of the crowd alone

/// The page that vertex shaders read of a range.
VkBuffer page_of(const InstanceRange& range) {
  return range.vertices != VK_NULL_HANDLE ? range.vertices : range.palette_buffer;
}

void clear_color(VkCommandBuffer cmd, const Target& target) {
  VkClearAttachment clear{};
  clear.aspectMask = VK_IMAGE_ASPECT_COLOR_BIT;
  clear.clearValue.color = {{kEmptyGray, kEmptyGray, kEmptyGray, 1}};
  const VkClearRect rect{{{0, 0}, {target.width, target.height}}, 0, 1};
  vkCmdClearAttachments(cmd, 1, &clear, 1, &rect);
}

const char* draw_noun(uint32_t count) { return noun(count, "draw", "draws"); }

VkClearValue far_depth() {
  VkClearValue clear{};
  clear.depthStencil.depth = 1;
  return clear;
}

}  // namespace

VertexSource choose_source(const Device& device, const SkinningProperties& skinning, VertexFetch fetch) {
  if (skinning.vertex_shader_skins) return VertexSource::kSkinning;
  if (fetch == VertexFetch::kAuto) return device.info.is_cpu() ? VertexSource::kInput : VertexSource::kPulling;
  return fetch == VertexFetch::kInput ? VertexSource::kInput : VertexSource::kPulling;
}

Result<DrawPass> DrawPass::create(const Device& device, std::span<const Model> models, const Skinning& skinning,
                                  const PipelineLayouts& layouts, const DrawOptions& options, uint32_t slots) {
  DrawPass pass;
  pass.options_ = options;
  pass.device_ = &device;
  pass.layouts_ = &layouts;
  PassFormat& format = pass.format_;
  format.source = choose_source(device, skinning.properties(), options.fetch);
  format.pulls_small = format.source == VertexSource::kInput && skinning.max_pulled_vertices() > 0;
  format.vertices = skinning.properties().format;
  format.tangents = skinning.properties().tangents;
  format.dual_quaternions = models.front().character.mesh.blend == Blend::kDualQuaternion;
  Status made = put(create_model_buffers(device, models, skinning, layouts.material.get()), pass.buffers_);
  if (!made) return made.error();
  made = put(create_shadow_pass(device), pass.shadow_pass_);
  if (!made) return made.error();
  if (Status created = pass.create_slots(slots); !created) return created.error();
  return pass;
}

Status DrawPass::create_slots(uint32_t slots) {
  slots_.resize(slots);
  constexpr std::array kTypes = {VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER};
  const VkDeviceSize alignment = device_->info.limits.minUniformBufferOffsetAlignment;
  uniform_stride_ = align_up(sizeof(shared::FrameUniforms), alignment);
  const VkDeviceSize size_bytes = uniform_stride_ * (1 + shadow_map_count(options_));
  auto sets = create_descriptor_sets(*device_, slots, kTypes, layouts_->frame.get(), "sinew.frame_set");
  if (!sets) return sets.error();
  pool_ = std::move(sets->pool);
  for (uint32_t i = 0; i < slots; ++i) {
    DrawSlot& slot = slots_[i];
    const std::string name = "sinew.frame_uniforms[" + std::to_string(i) + "]";
    auto uniforms = create_buffer(*device_, size_bytes, VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT, MemoryKind::kUpload, name);
    if (!uniforms) return uniforms.error();
    slot.uniforms = std::move(*uniforms);
    slot.frame_set = sets->sets[i];
    write_buffer(device_->handle, slot.frame_set, shared::kBindingFrame, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC,
                 {slot.uniforms.get(), 0, sizeof(shared::FrameUniforms)});
  }
  return {};
}

Status DrawPass::set_stands(std::span<const StandVertex> vertices) {
  if (vertices.empty()) return {};
  Status made =
      put(create_buffer_with(*device_, std::as_bytes(vertices), VK_BUFFER_USAGE_VERTEX_BUFFER_BIT, "sinew.stands"),
          stands_);
  if (!made) return made;
  stand_vertices_ = uint32_t(vertices.size());
  return {};
}

Status DrawPass::resize(uint32_t width, uint32_t height) {
  shadow_maps_ = {};
  Status made = put(create_shadow_maps(*device_, shadow_pass_.get(), shadow_map_count(options_),
                                       shadow_map_size(*device_, width, height)),
                    shadow_maps_);
  if (!made) return made;
  for (const DrawSlot& slot : slots_) {
    write_image(device_->handle, slot.frame_set, shared::kBindingShadowMaps,
                {VK_NULL_HANDLE, shadow_maps_.image.view.get(), kShadowLayout});
  }
  return {};
}

Status DrawPass::set_shaders(const host::PassFormat& target, const ShaderWords& words) {
  format_.render_pass = target.pass, format_.samples = target.samples;
  format_.rasterize = options_.rasterize;
  format_.coloring = options_.coloring;
  format_.wireframe = options_.wireframe && device_->info.wireframe;
  format_.shadow_pass = shadow_pass_.get();
  format_.surfaces = surfaces_of(buffers_);
  format_.shadow_maps = shadow_map_count(options_);
  format_.stands = stand_vertices_ > 0;
  return put(create_pipelines(*device_, *layouts_, format_, words), pipelines_);
}

Status DrawPass::prepare(const DrawnFrame& frame) {
  DrawSlot& slot = slots_[frame.slot];
  write_uniforms(frame);
  if (Status written = write_page_sets(frame); !written) return written;
  const DrawSource source{frame.scene, frame.skinning, frame.parallel_for, shows_velocity(), options_.coloring};
  if (Status written = write_lines(frame); !written) return written;
  if (Status written = write_props(frame); !written) return written;
  return write_draw_list(*device_, source, slot.list);
}

void DrawPass::write_uniforms(const DrawnFrame& frame) {
  shared::FrameUniforms uniforms = make_uniforms(frame.scene, frame.view);
  uniforms.previous_clip_from_world = previous_clip_from_world_.value_or(uniforms.clip_from_world);
  previous_clip_from_world_ = uniforms.clip_from_world;
  auto* mapped = static_cast<std::byte*>(slots_[frame.slot].uniforms.mapped);
  std::memcpy(mapped, &uniforms, sizeof uniforms);
  for (const ShadowView& view : frame.view.shadows) {
    uniforms.clip_from_world = view.clip_from_world;
    std::memcpy(mapped += uniform_stride_, &uniforms, sizeof uniforms);
  }
}

/// Pages grow with the plan. Makes more descriptor sets where there are more pages, and writes the frame's buffers into
/// the sets.
Status DrawPass::write_page_sets(const DrawnFrame& frame) {
  if (format_.source == VertexSource::kInput && !format_.pulls_small) return {};
  DrawSlot& slot = slots_[frame.slot];
  slot.pages.clear();
  for (const vulkan::Draw& draw : frame.skinning.draws()) {  // the draws of a page are mostly neighbors
    const VkBuffer page = page_of(*draw.range);
    if (slot.pages.empty() || (slot.pages.back() != page && std::ranges::find(slot.pages, page) == slot.pages.end()))
      slot.pages.push_back(page);
  }
  if (slot.page_sets.size() < slot.pages.size()) {
    constexpr std::array kTypes = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER};
    auto sets =
        create_descriptor_sets(*device_, uint32_t(slot.pages.size()), kTypes, layouts_->page.get(), "sinew.page_set");
    if (!sets) return sets.error();
    slot.page_pool = std::move(sets->pool);
    slot.page_sets = std::move(sets->sets);
  }
  for (size_t i = 0; i < slot.pages.size(); ++i) {
    write_buffer(device_->handle, slot.page_sets[i], shared::kBindingVertices, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                 {slot.pages[i], 0, VK_WHOLE_SIZE});
    const VkBufferView texels = frame.skinning.texels_of(slot.pages[i]);
    if (texels) write_texels(device_->handle, slot.page_sets[i], shared::kBindingVertexPaletteTexels, texels);
  }
  return {};
}

void DrawPass::record(VkCommandBuffer cmd, const DrawnFrame& frame, VkRenderPass render_pass,
                      const Target& target) const {
  const DrawSlot& slot = slots_[frame.slot];
  const uint32_t characters = slot.list.character_count;
  const Label label(*device_, cmd, LabelKind::kDraw, "sinew draw %u %s", characters,
                    noun(characters, "character", "characters"));
  const VkBuffer instances = slot.list.instances.get();
  const VkDeviceSize zero = 0;
  vkCmdBindVertexBuffers(cmd, kInstanceBinding, 1, &instances, &zero);
  if (shows_velocity()) {
    const VkBuffer previous = slot.list.previous.get();
    vkCmdBindVertexBuffers(cmd, kPreviousBinding, 1, &previous, &zero);
  }
  record_shadows(cmd, frame);
  const std::array<VkClearValue, 2> clear = {VkClearValue{}, far_depth()};
  begin_pass(cmd, render_pass, target.framebuffer.get(), {target.width, target.height}, clear);
  bind_frame(cmd, slot, 0);
  if (shows_velocity()) {
    clear_color(cmd, target);
  } else {
    record_backdrop(cmd, frame);
  }
  record_stands(cmd, slot);
  record_passes(cmd, frame);
  record_lines(cmd, frame);
  vkCmdEndRenderPass(cmd);
  end_timed(frame, shadow_maps_.count + times_depth(options_, device_->info.is_cpu()),
            VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT);
}

/// Writes the timestamp of the end of a timed pass, an index of timed_passes().
void DrawPass::end_timed(const DrawnFrame& frame, uint32_t pass, VkPipelineStageFlagBits stage) const {
  if (frame.timed) write_timestamp(*device_, *frame.timed, 1 + pass, stage);
}

Status DrawPass::write_lines(const DrawnFrame& frame) {
  if (!frame.lines) return {};
  const Lines& lines = *frame.lines;
  Buffer& buffer = slots_[frame.slot].lines;
  const VkDeviceSize tested_bytes = lines.tested.size() * sizeof(Line);
  const VkDeviceSize through_bytes = lines.through.size() * sizeof(Line);
  const BufferSpec spec{tested_bytes + through_bytes, VK_WHOLE_SIZE, VK_BUFFER_USAGE_VERTEX_BUFFER_BIT, "sinew.lines"};
  if (Status fits = fit_upload_buffer(*device_, spec, buffer); !fits) return fits;
  auto* mapped = static_cast<std::byte*>(buffer.mapped);
  std::ranges::copy(std::as_bytes(std::span(lines.tested)), mapped);
  std::ranges::copy(std::as_bytes(std::span(lines.through)), mapped + tested_bytes);
  return {};
}

/// Props are drawn like stands, where there are any.
Status DrawPass::write_props(const DrawnFrame& frame) {
  DrawSlot& slot = slots_[frame.slot];
  const std::span<const StandVertex> props = frame.scene.props;
  slot.prop_vertices = uint32_t(props.size());
  if (props.empty()) return {};
  const BufferSpec spec{props.size_bytes(), VK_WHOLE_SIZE, VK_BUFFER_USAGE_VERTEX_BUFFER_BIT, "sinew.props"};
  if (Status fits = fit_upload_buffer(*device_, spec, slot.props); !fits) return fits;
  std::ranges::copy(std::as_bytes(props), static_cast<std::byte*>(slot.props.mapped));
  return {};
}

void DrawPass::record_lines(VkCommandBuffer cmd, const DrawnFrame& frame) const {
  if (!frame.lines) return;
  const VkBuffer buffer = slots_[frame.slot].lines.get();
  const VkDeviceSize zero = 0;
  const uint32_t tested = uint32_t(frame.lines->tested.size()), through = uint32_t(frame.lines->through.size());
  const Label label(*device_, cmd, LabelKind::kLines, "lines: %u", tested + through);
  vkCmdBindVertexBuffers(cmd, kInstanceBinding, 1, &buffer, &zero);
  vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, pipelines_.lines.get());
  if (tested > 0) vkCmdDraw(cmd, 4, tested, 0, 0);
  vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, pipelines_.lines_through.get());
  if (through > 0) vkCmdDraw(cmd, 4, through, 0, tested);
}

/// Binds the slot's set with the uniforms of the camera (`view` 0) or of a shadow map (`view` 1 and up).
void DrawPass::bind_frame(VkCommandBuffer cmd, const DrawSlot& slot, uint32_t view) const {
  const uint32_t offset = view * uint32_t(uniform_stride_);
  vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, layouts_->pipeline.get(), shared::kSetFrame, 1,
                          &slot.frame_set, 1, &offset);
}

void DrawPass::record_shadows(VkCommandBuffer cmd, const DrawnFrame& frame) const {
  const VkClearValue clear = far_depth();
  const uint32_t draws = draw_count(frame.slot);
  for (uint32_t map = 0; map < shadow_maps_.count; ++map) {
    const Label label(*device_, cmd, LabelKind::kShadowMap, "shadow map %u: %u %s", map, draws, draw_noun(draws));
    const VkExtent2D size{shadow_maps_.size, shadow_maps_.size};
    begin_pass(cmd, shadow_pass_.get(), shadow_maps_.framebuffers[map].get(), size, std::span(&clear, 1));
    bind_frame(cmd, slots_[frame.slot], 1 + map);
    record_crowd(cmd, frame, &SurfacePipelines::shadow);
    vkCmdEndRenderPass(cmd);
    end_timed(frame, map, VK_PIPELINE_STAGE_LATE_FRAGMENT_TESTS_BIT);
  }
}

void DrawPass::record_backdrop(VkCommandBuffer cmd, const DrawnFrame& frame) const {
  const uint32_t shadows = slots_[frame.slot].list.character_count;
  const Label label(*device_, cmd, LabelKind::kBackdrop, "ground and %u soft %s", shadows,
                    noun(shadows, "shadow", "shadows"));
  vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, pipelines_.backdrop.get());
  vkCmdDraw(cmd, 3, 1, 0, 0);
  if (options_.rasterize) record_soft_shadows(cmd, frame);
}

/// One draw for all neighbors in the plan whose models have the same radius.
void DrawPass::record_soft_shadows(VkCommandBuffer cmd, const DrawnFrame& frame) const {
  vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, pipelines_.shadow.get());
  const crowd::Plan& plan = frame.skinning.plan();
  uint32_t first = 0, end = 0;
  float radius = 0;
  const auto draw = [&] {
    if (end == first || radius == 0) return;
    const shared::ShadowPushConstants push{radius};
    vkCmdPushConstants(cmd, layouts_->pipeline.get(), kPushStages, 0, sizeof push, &push);
    vkCmdDraw(cmd, 4, end - first, 0, first);
  };
  for (const crowd::PosedBatch& batch : plan.batches) {
    if (batch.is_worn()) continue;  // behind the bodies
    const auto meshes = std::span(plan.posed_meshes).subspan(batch.first_mesh, batch.mesh_count);
    const uint32_t count = crowd::instanced_draw(meshes, {}).instance_count;
    const float own = frame.scene.models[batch.model].shadow_radius;
    if (count > 0 && own != radius) draw(), first = end, radius = own;
    end += count;
  }
  draw();
}

/// Also where colors show data: a stand hides what is behind it.
void DrawPass::record_stands(VkCommandBuffer cmd, const DrawSlot& slot) const {
  if (stand_vertices_ == 0) return;
  const Label label(*device_, cmd, LabelKind::kBackdrop, "stands");
  vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, pipelines_.stand.get());
  const auto draw = [&](VkBuffer vertices, uint32_t count) {
    const VkDeviceSize zero = 0;
    vkCmdBindVertexBuffers(cmd, kVertexBinding, 1, &vertices, &zero);
    vkCmdDraw(cmd, count, 1, 0, 0);
  };
  draw(stands_.get(), stand_vertices_);
  if (slot.prop_vertices > 0) draw(slot.props.get(), slot.prop_vertices);
}

void DrawPass::record_passes(VkCommandBuffer cmd, const DrawnFrame& frame) const {
  const uint32_t draws = draw_count(frame.slot);
  if (draws_depth_first(options_)) {
    const Label label(*device_, cmd, LabelKind::kDepth, "depth: %u %s", draws, draw_noun(draws));
    record_crowd(cmd, frame, &SurfacePipelines::depth);
    if (times_depth(options_, device_->info.is_cpu()))
      end_timed(frame, shadow_maps_.count, VK_PIPELINE_STAGE_LATE_FRAGMENT_TESTS_BIT);
  }
  const Label label(*device_, cmd, LabelKind::kCrowd, "crowd: %u %s", draws, draw_noun(draws));
  record_crowd(cmd, frame, &SurfacePipelines::color);
}

/// What blends comes after everything else, over all characters. Characters are not sorted.
void DrawPass::record_crowd(VkCommandBuffer cmd, const DrawnFrame& frame, CrowdPipeline pipeline) const {
  record_alike(cmd, frame, pipeline, false);
  if (pipeline == &SurfacePipelines::color) record_alike(cmd, frame, &SurfacePipelines::backs, true);
  record_alike(cmd, frame, pipeline, true);
}

/// Draws the materials that blend, or the others; of these, all that have the pipeline.
void DrawPass::record_alike(VkCommandBuffer cmd, const DrawnFrame& frame, CrowdPipeline pipeline, bool blended) const {
  VkPipeline bound_pipeline = VK_NULL_HANDLE;
  const InstanceRange* bound_range = nullptr;
  const MaterialDraw* bound_material = nullptr;
  for (const vulkan::Draw& draw : frame.skinning.draws()) {
    const MaterialDraw& material = buffers_.material_of(draw);
    const SurfaceKind surface = material.surface;
    const auto& pipelines = format_.pulls_small && draw.pulled != 0 ? pipelines_.pulled : pipelines_.crowd;
    const VkPipeline wanted = (pipelines[index_of(surface)].*pipeline).get();
    if ((surface.alpha == AlphaMode::kBlend) != blended || wanted == VK_NULL_HANDLE) continue;
    if (bound_pipeline == VK_NULL_HANDLE) vkCmdBindIndexBuffer(cmd, buffers_.indices.get(), 0, VK_INDEX_TYPE_UINT32);
    if (wanted != bound_pipeline) vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, wanted);
    bound_pipeline = wanted;
    if (draw.range != bound_range) bind_vertices(cmd, slots_[frame.slot], draw);
    bound_range = draw.range;
    if (&material != bound_material) {
      vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, layouts_->pipeline.get(), shared::kSetMaterial, 1,
                              &material.set, 0, nullptr);
    }
    bound_material = &material;
    push_constants(cmd, frame.scene, draw);
    record_draw(cmd, frame, draw);
  }
}

/// Binds what the vertex shader reads: palettes, or skinned vertices.
void DrawPass::bind_vertices(VkCommandBuffer cmd, const DrawSlot& slot, const vulkan::Draw& draw) const {
  if (draw.pulled == 0) {
    const VkDeviceSize offset = VkDeviceSize{draw.first_vertex} * draw.range->vertex_bytes;
    vkCmdBindVertexBuffers(cmd, kVertexBinding, 1, &draw.vertex_buffer, &offset);
    return;
  }
  const auto page = size_t(std::ranges::find(slot.pages, page_of(*draw.range)) - slot.pages.begin());
  vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, layouts_->pipeline.get(), shared::kSetPage, 1,
                          &slot.page_sets[page], 0, nullptr);
}

void DrawPass::push_constants(VkCommandBuffer cmd, const Scene& scene, const vulkan::Draw& draw) const {
  const MaterialDraw& material = buffers_.material_of(draw);
  const Vec4 base = material.base_color;
  const vulkan::MeshBuffer& mesh = buffers_.static_meshes[buffers_.mesh_of(draw)];
  const Box& box = buffers_.boxes[buffers_.mesh_of(draw)];
  const auto& upright = scene.models[draw.model].upright_from_model.m;
  const auto row = [&](int r) { return shared::vec4{upright[r][0], upright[r][1], upright[r][2], upright[r][3]}; };
  const shared::DrawPushConstants push{{base.x, base.y, base.z, base.w},
                                       mesh.vertex_count,
                                       mesh.influence_quads,
                                       mesh.morph_blocks,
                                       mesh.weights_row,
                                       material.alpha_cutoff,
                                       material.first_color,
                                       material.shading,
                                       draw.first_vertex,
                                       {box.low.x, box.low.y, box.low.z, 0},
                                       {box.high.x, box.high.y, box.high.z, 0},
                                       {row(0), row(1), row(2)}};
  vkCmdPushConstants(cmd, layouts_->pipeline.get(), kPushStages, 0, sizeof push, &push);
}

void DrawPass::record_draw(VkCommandBuffer cmd, const DrawnFrame& frame, const vulkan::Draw& draw) const {
  const DeviceInfo& info = device_->info;
  if (!info.multi_draw_indirect || !info.draw_indirect_first_instance) {
    for (const auto& command : frame.skinning.commands().subspan(draw.first_command, draw.command_count)) {
      vkCmdDrawIndexed(cmd, command.index_count, command.instance_count, command.first_index, command.vertex_offset,
                       command.first_instance);
    }
    return;
  }
  const VkBuffer commands = slots_[frame.slot].list.commands.get();
  constexpr uint32_t kStride = sizeof(VkDrawIndexedIndirectCommand);
  for (uint32_t done = 0; done < draw.command_count;) {
    const uint32_t count = std::min(draw.command_count - done, info.limits.maxDrawIndirectCount);
    vkCmdDrawIndexedIndirect(cmd, commands, VkDeviceSize(draw.first_command + done) * kStride, count, kStride);
    done += count;
  }
}

}  // namespace sinew::app

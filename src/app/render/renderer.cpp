#include "render/renderer.h"

#include <algorithm>

#include "render/shadow_maps.h"
#include "system/clock.h"

namespace sinew::app {
namespace {

/// Times a stage of a frame from here to the end of the scope.
class Stage {
 public:
  Stage(FrameTimes& times, CpuStage stage) : span_(times.span(stage)) { span_.begin_ms = now_ms(); }
  Stage(const Stage&) = delete;
  Stage& operator=(const Stage&) = delete;
  ~Stage() { span_.end_ms = now_ms(); }

 private:
  CpuSpan& span_;
};

Status set_overlay_shaders(OverlayPass& pass, const ShaderWords& words) {
  return pass.set_shaders(words[size_t(Shader::kOverlayVertex)], words[size_t(Shader::kOverlayFragment)]);
}

}  // namespace

Result<std::unique_ptr<Renderer>> Renderer::create(const Device& device, std::span<const Model> models,
                                                   const Scene& scene, const RendererInfo& info) {
  std::unique_ptr<Renderer> renderer(new Renderer(device, models, scene));
  if (Status built = renderer->build(info); !built) return built.error();
  return renderer;
}

Renderer::~Renderer() { vkDeviceWaitIdle(device_.handle); }

Status Renderer::build(const RendererInfo& info) {
  if (Status made = put(create_layouts(device_), layouts_); !made) return made;
  skinning_info_ = info.skinning;
  occlusion_ = info.occlusion;
  if (occlusion_ && device_.info.depth_format != VK_FORMAT_D32_SFLOAT)
    return Error{ErrorCode::kUnsupported, "--occlusion on: " + device_.info.name + " has no depths of 32 bits"};
  crowd::PlanOptions& planner = skinning_info_.planner;
  planner.budget.bytes = info.memory_budget;
  planner.previous_poses = info.draw.coloring == Coloring::kVelocity;
  if (planner.previous_poses) {
    if (skinning_info_.mode != SkinningMode::kCompute || skinning_info_.async != AsyncCompute::kNone)
      return Error{ErrorCode::kInvalidArgument, "velocity needs compute skinning on the queue that draws"};
    if (!device_.buffer_addresses)
      return Error{ErrorCode::kUnsupported, "--color velocity: " + device_.info.name + " has no buffer addresses"};
  }
  // Where colors show the velocity, nothing is shaded. The other ways of skinning write no tangents.
  skinning_info_.tangents =
      skinning_info_.mode == SkinningMode::kCompute && !planner.previous_poses && have_tangents(models_);
  const SkinningProperties properties = properties_of(skinning_info_);
  skinning_info_.pulls_vertices = choose_source(device_, properties, info.draw.fetch) == VertexSource::kPulling;
  const bool mixes = info.draw.fetch == VertexFetch::kAuto && skinning_info_.mode == SkinningMode::kCompute;
  if (mixes && !planner.previous_poses && !skinning_info_.pulls_vertices)
    skinning_info_.max_pulled_vertices = kMaxPulledVertices;
  if (Status created = create_slots(properties, info.draw); !created) return created;
  parallel_for_ = info.skinning.evaluation->pool().parallel_for();
  input_ = std::make_unique<CrowdInput>(models_, scene_);
  words_ = std::make_shared<const ShaderWords>(builtin_shaders());
  if (Status created = create_skinning(); !created) return created;
  auto pass = DrawPass::create(device_, models_, *skinning_, layouts_, info.draw, info.skinning.frames_in_flight);
  if (!pass) return pass.error();
  draw_pass_.emplace(std::move(*pass));
  if (Status set = draw_pass_->set_stands(scene_.stands); !set) return set;
  target_.width = info.width, target_.height = info.height;
  return set_samples(info.samples);
}

Status Renderer::create_slots(const SkinningProperties& properties, const DrawOptions& draw) {
  static_assert(kMaxTimedPasses >= kMaxPasses);
  const AsyncCompute async = skinning_info_.async;
  const uint32_t passes = uint32_t(app::timed_passes(draw, device_.info.is_cpu()).size());
  Status made =
      put(create_frame_slots(device_, {skinning_info_.frames_in_flight, properties.records_compute, async, passes}),
          slots_);
  if (!made) return made;
  if (async == AsyncCompute::kNone) return {};
  return put(create_timelines(device_), timelines_);
}

Status Renderer::create_skinning() {
  auto skinning = Skinning::create(device_, models_, skinning_info_);
  if (!skinning) return skinning.error();
  skinning_.emplace(std::move(*skinning));
  return {};
}

Status Renderer::set_samples(uint32_t samples) {
  vkDeviceWaitIdle(device_.handle);
  const auto wanted = samples == 4 && device_.info.multisampling ? VK_SAMPLE_COUNT_4_BIT : VK_SAMPLE_COUNT_1_BIT;
  auto render_pass = create_render_pass(device_, wanted, occlusion_ && wanted == VK_SAMPLE_COUNT_1_BIT);
  if (!render_pass) return render_pass.error();
  if (Status set = draw_pass_->set_shaders({render_pass->get(), wanted}, *words_); !set) return set;
  samples_ = wanted;
  render_pass_ = std::move(*render_pass);
  return resize(target_.width, target_.height);
}

Status Renderer::resize(uint32_t width, uint32_t height) {
  vkDeviceWaitIdle(device_.handle);
  has_target_ = false;
  target_ = {.width = target_.width, .height = target_.height};
  Status made = put(create_target(device_, render_pass_.get(), samples_, width, height, keeps_depth()), target_);
  if (!made) return made;
  if (overlay_pass_) {
    if (Status set = overlay_pass_->set_target(target_); !set) return set;
  }
  if (Status sized = draw_pass_->resize(width, height); !sized) return sized;
  if (keeps_depth()) {
    if (Status sized = depths_.resize(device_, uint32_t(slots_.size()), target_); !sized) return sized;
  }
  has_target_ = true;
  return {};
}

Status Renderer::set_coloring(Coloring coloring, bool wireframe) {
  vkDeviceWaitIdle(device_.handle);
  const DrawOptions before = draw_pass_->options();
  draw_pass_->set_coloring(coloring, wireframe);
  Status set = draw_pass_->set_shaders(format(), *words_);
  if (!set) draw_pass_->set_coloring(before.coloring, before.wireframe);
  return set;
}

Status Renderer::set_vertex_colors(uint32_t mesh, std::span<const uint32_t> colors) {
  vkDeviceWaitIdle(device_.handle);
  return draw_pass_->set_vertex_colors(mesh, colors);
}

Status Renderer::complete(FrameSlot& slot) {
  if (!slot.pending) return {};
  if (Status waited = wait_for(device_, slot); !waited) return waited;
  completed_ = std::max(completed_, slot.times.number);
  times_.push_back(slot.times);
  return {};
}

Result<VkSemaphore> Renderer::begin_frame() {
  FrameSlot& slot = slots_[(number_ + 1) % slots_.size()];
  const double begin_ms = now_ms();
  if (Status completed = complete(slot); !completed) return completed.error();
  waited_ = {begin_ms, now_ms()};
  return slot.acquired.get();
}

Status Renderer::draw_frame(const FrameRequest& request) {
  if (!has_target_)
    return Error{ErrorCode::kInvalidArgument, "nothing to draw into: the last change of the picture has failed"};
  CurrentFrame current{request, next_slot(), {}};
  if (Status prepared = prepare_frame(current); !prepared) {
    skinning_->planner().update_all();  // poses of this plan may be missing
    return prepared;
  }
  record_commands(current);
  Status submitted = submit_commands(current);
  if (submitted) return {};
  depths_.forget(slot_index());
  if (Status discarded = skinning_->discard_frame(); !discarded) return discarded;
  return submitted;
}

Status Renderer::prepare_frame(CurrentFrame& current) {
  if (Status updated = update_crowd(current); !updated) return updated;
  if (Status prepared = prepare_draws(current); !prepared) return prepared;
  return begin_commands(device_, current.slot);
}

FrameSlot& Renderer::next_slot() {
  ++number_;
  FrameSlot& slot = slots_[number_ % slots_.size()];
  slot.times = {};
  slot.times.number = slot.number = number_;
  slot.times.span(CpuStage::kWait) = std::exchange(waited_, {});
  return slot;
}

DrawnFrame Renderer::drawn(const CurrentFrame& current) const {
  return {slot_index(), scene_, *skinning_, current.view, parallel_for_, current.request.lines, &current.slot};
}

View Renderer::view_from(const Orbit& camera) const {
  View view = view_of(camera, target_.width, target_.height);
  view.shadows = shadow_views(scene_, view, shadow_maps().count, shadow_maps().size);
  return view;
}

Status Renderer::update_crowd(CurrentFrame& current) {
  const FrameRequest& request = current.request;
  if (scene_.moves()) input_->follow_scene(parallel_for_);
  current.view = view_from(request.camera);
  const View planned = request.planned_for ? view_from(*request.planned_for) : current.view;
  vulkan::CrowdFrame frame{number_, request.seconds, input_->shadows(planned), {0, 1, 0}, completed_};
  const double begin_ms = now_ms();
  if (keeps_depth()) frame.occlusion = depths_.source(slot_index(), moment_of(planned, request.seconds));
  Status updated = skinning_->update(frame, input_->instances(), to_crowd(planned), current.slot.times);
  if (keeps_depth()) current.slot.times.span(CpuStage::kCull).begin_ms = begin_ms;
  return updated;
}

Status Renderer::prepare_draws(CurrentFrame& current) {
  const double begin_ms = current.slot.times.span(CpuStage::kPrepareDraws).begin_ms;
  const Stage preparing(current.slot.times, CpuStage::kPrepareDraws);
  current.slot.times.span(CpuStage::kPrepareDraws).begin_ms = begin_ms;  // the crowd has made its draws
  if (Status prepared = draw_pass_->prepare(drawn(current)); !prepared) return prepared;
  if (!current.request.overlay) return {};
  return prepare_overlay(*current.request.overlay);
}

Status Renderer::create_overlay_pass() {
  auto pass = OverlayPass::create(device_, uint32_t(slots_.size()));
  if (!pass) return pass.error();
  if (Status set = set_overlay_shaders(*pass, *words_); !set) return set;
  if (Status set = pass->set_target(target_); !set) return set;
  overlay_pass_.emplace(std::move(*pass));
  return {};
}

Status Renderer::prepare_overlay(const Overlay& overlay) {
  if (!overlay_pass_) {
    if (Status created = create_overlay_pass(); !created) return created;
  }
  return overlay_pass_->prepare(slot_index(), overlay.lists, overlay.font);
}

void Renderer::record_commands(CurrentFrame& current) {
  FrameSlot& slot = current.slot;
  const Stage recording(slot.times, CpuStage::kRecord);
  if (slot.compute_cmd == slot.cmd) {
    const Label label(device_, slot.cmd, LabelKind::kFrame, "frame %llu", (unsigned long long)number_);
    record_skinning(slot);
    record_drawing(current);
  } else {
    record_apart(current);
  }
}

/// In two command buffers, each with a label of its own.
void Renderer::record_apart(const CurrentFrame& current) {
  const FrameSlot& slot = current.slot;
  const auto number = (unsigned long long)number_;
  {
    const Label label(device_, slot.compute_cmd, LabelKind::kFrame, "frame %llu, skinning", number);
    record_skinning(slot);
  }
  const Label label(device_, slot.cmd, LabelKind::kFrame, "frame %llu, drawing", number);
  record_drawing(current);
}

/// Drawing begins when everything before it is complete. Copies for the draws are timed with the first pass.
void Renderer::record_skinning(const FrameSlot& slot) {
  const bool skins = skinning_->properties().records_compute;
  const auto begin_drawing = [&] { write_timestamp(device_, slot, 0, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT); };
  if (!skins) begin_drawing();
  skinning_->record(slot.compute_cmd, {slot.compute_timestamps.get(), 0});
  if (skins) begin_drawing();
}

void Renderer::record_drawing(const CurrentFrame& current) {
  const FrameSlot& slot = current.slot;
  draw_pass_->record(slot.cmd, drawn(current), render_pass_.get(), target_);
  if (keeps_depth()) depths_.record(slot.cmd, slot_index(), target_, moment_of(current.view, current.request.seconds));
  if (current.request.inset) record_inset(slot.cmd, target_.picture.get(), *current.request.inset);
  if (const Overlay* overlay = current.request.overlay) overlay_pass_->record(slot.cmd, slot_index(), overlay->lists);
  if (!current.request.presentation) return;
  const Label label(device_, slot.cmd, LabelKind::kPresent, "present");
  record_presentation(slot.cmd, target_.picture.get(), {target_.width, target_.height}, *current.request.presentation);
}

Status Renderer::submit_commands(CurrentFrame& current) {
  SubmitSemaphores semaphores;
  if (const Presentation* presentation = current.request.presentation)
    semaphores = {current.slot.acquired.get(), presentation->rendered};
  const Stage submitting(current.slot.times, CpuStage::kSubmit);
  return submit(device_, current.slot, semaphores, timelines_);
}

Status Renderer::finish() {
  for (uint64_t next = number_ + 1; next <= number_ + slots_.size(); ++next) {
    if (Status completed = complete(slots_[next % slots_.size()]); !completed) return completed;
  }
  return {};
}

std::vector<FrameTimes> Renderer::take_times() { return std::exchange(times_, {}); }

Status Renderer::set_shaders(std::shared_ptr<const ShaderWords> words) {
  vkDeviceWaitIdle(device_.handle);
  if (Status set = draw_pass_->set_shaders(format(), *words); !set) return set;
  if (overlay_pass_) {
    if (Status set = set_overlay_shaders(*overlay_pass_, *words); !set) return set;
  }
  const std::vector<uint32_t>& kernel = (*words)[size_t(Shader::kSkin)];
  if (kernel != (*words_)[size_t(Shader::kSkin)]) {
    if (Status reloaded = skinning_->reload_kernel(kernel); !reloaded) return reloaded;
  }
  words_ = std::move(words);
  return {};
}

}  // namespace sinew::app

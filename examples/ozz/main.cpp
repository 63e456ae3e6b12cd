// ozz-animation samples clips and walks the hierarchy, Sinew skins: every instance is host-posed, and gets the palette
// that ozz made. At the end it says how far these poses are from those of Sinew's own evaluator.
#include <cstdio>
#include <vector>

#include "crowd_renderer.h"
#include "ozz_character.h"
#include "sinew/sinew.h"

namespace {

using example::check;

constexpr float kAllowed = 2e-3f;  // of the model's size: ozz keeps keys in 16 bits

/// The largest distance, of any vertex in any clip, between the skin by ozz's palette and by the exact evaluator's.
float largest_difference(const sinew::Model& model, example::OzzCharacter& ozz) {
  const sinew::Character& character = model.character;
  const uint32_t entries = character.skin.palette_size();
  std::vector<sinew::Matrix3x4> found(entries), expected(entries);
  std::vector<sinew::Vec3> a(character.mesh.vertex_count()), b(a.size()), normals(a.size());
  sinew::EvaluationScratch scratch;
  float largest = 0;
  for (uint32_t clip = 0; clip < ozz.clip_count(); ++clip) {
    const sinew::Clip& of = character.clips[clip];
    if (of.additive) continue;
    const float time = of.duration_seconds() * 0.37f;
    ozz.pose(clip, time, found);
    const sinew::Playback playback = sinew::Playback::of(clip, of.start_seconds + time);
    check(sinew::evaluate_exact(character, {&playback, 1}, entries, expected, scratch));
    sinew::skin_on_cpu(character.mesh, found, a, normals);
    sinew::skin_on_cpu(character.mesh, expected, b, normals);
    for (size_t v = 0; v < a.size(); ++v) largest = std::max(largest, sinew::length(a[v] - b[v]));
  }
  return largest;
}

void run(const host::Options& options) {
  host::GraphicsContext graphics;
  check(host::set_up(options, "sinew: ozz", graphics));
  const host::Device& device = graphics.device;
  const uint32_t count = options.numbers[0];
  const sinew::SharedModel person = check(sinew::load_model(options.file));
  if (person->character.clips.empty()) host::fail("the file has no clips");
  example::OzzCharacter ozz(person->character);

  sinew::vulkan::SkinnerInfo info{device.instance, device.info.physical, device.handle, vkGetInstanceProcAddr};
  sinew::vulkan::CrowdOptions all_now;
  all_now.planner.update_rate = false;  // ozz poses every instance in every frame
  auto crowd = check(sinew::vulkan::SkinnedCrowd::create(info, {&person, 1}, all_now));
  const std::vector<uint32_t> model_of(count);
  std::vector<sinew::Matrix3x4> places(count);
  for (uint32_t i = 0; i < count; ++i) places[i].m[0][3] = (float(i) - float(count - 1) / 2) * 1.1f;
  const std::vector<sinew::Playback> playbacks(count);  // they play nothing: the poses are the host's
  const std::vector<uint8_t> host_posed(count, 1);
  const auto screen = check(host::Screen::create(graphics, options));
  example::CrowdRenderer renderer(device, screen->format(), count);
  renderer.upload(crowd, check(crowd.make_streams()));
  host::Camera camera{{0, 0.9f, 0}, 3 + 0.9f * float(count), 0, 0.15f, 0.6f};
  const host::WaitAtEnd idle{device};
  while (const auto frame = check(screen->begin(camera))) {
    sinew::crowd::Instances instances{model_of, places, playbacks};
    instances.host_posed = host_posed;
    const sinew::crowd::View view = example::view_of(camera, *frame);
    check(crowd.update({.seconds = frame->seconds}, instances, {&view, 1}));
    for (uint32_t i = 0; i < count; ++i) {
      const auto palette = crowd.host_pose(i).palette;  // empty where the instance is culled
      if (!palette.empty()) ozz.pose(i % ozz.clip_count(), frame->seconds + 0.3 * i, palette);
    }
    crowd.record(frame->cmd);
    crowd.write_transforms(instances, renderer.transforms(*frame));
    screen->begin_pass(*frame);
    renderer.begin(*frame, camera);
    for (const VkPipeline pipeline : renderer.pipelines()) {
      vkCmdBindPipeline(frame->cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
      for (const sinew::vulkan::Draw& draw : crowd.draws()) renderer.bind(*frame, draw), draw.record(frame->cmd);
    }
    check(screen->end(*frame));
  }
  const float difference = largest_difference(*person, ozz) / person->largest_extent();
  std::printf("ozz and Sinew differ by at most %.2g of the character's size\n", double(difference));
  if (!(difference < kAllowed)) host::fail("that is too much");
}

}  // namespace

int main(int argc, char** argv) {
  host::Program program = example::program("sinew_example_ozz", "poses by ozz-animation, skinned by Sinew", run);
  program.numbers[0] = {"--characters", "how many", 5, 1000};
  return host::run_program(program, argc, argv);
}

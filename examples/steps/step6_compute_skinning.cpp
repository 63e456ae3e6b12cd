// Step 6, skinning in compute: the palette goes to the device, a compute shader does what step 5 does for each vertex,
// and a graphics pipeline draws the result as an ordinary vertex buffer.
#include <algorithm>
#include <cstdio>

#include "canvas.h"
#include "person.h"
#include "sinew/animation/evaluator.h"
#include "sinew/animation/pose.h"
#include "sinew/vulkan/skinner.h"

namespace {

using namespace sinew;
using example::check;

void run(const host::Options& options) {
  const Character character = steps::load_person(options.file);
  const uint32_t clip = steps::clip_of(character, "walk");
  steps::Canvas canvas(options, "sinew: step 6, skinning in compute", steps::camera_for(character));
  const host::Device& device = canvas.device();

  // Once: the skinner gets the mesh. What skinning does not change goes into buffers of the host.
  vulkan::SkinnerInfo info = example::skinner_info(device);
  info.format = vulkan::VertexFormat::kFloat;  // position and normal, three floats each
  vulkan::Skinner skinner = check(vulkan::create_skinner(info));
  const vulkan::SkinnerBatch batch{check(skinner.add_mesh(character.mesh, character.skin.palette_size(), "person")), 1};
  const host::Buffer colors = check(
      host::create_buffer_of(device, steps::vertex_colors(character), VK_BUFFER_USAGE_VERTEX_BUFFER_BIT, "colors"));
  const host::Buffer indices =
      check(host::create_buffer_of(device, character.mesh.indices, VK_BUFFER_USAGE_INDEX_BUFFER_BIT, "indices"));

  EvaluationScratch scratch;
  const host::WaitAtEnd idle{device};
  while (canvas.begin_frame()) {
    const VkCommandBuffer cmd = canvas.frame().cmd;
    const float time_seconds = clip_time(character.clips[clip], canvas.seconds(), Looping::kLoop);
    const Playback playback = Playback::of(clip, time_seconds);

    // The palette is written where the device reads it. Then a dispatch for each number of influences of a vertex.
    check(skinner.begin_frame({.number = canvas.frame().number}));
    check(skinner.prepare(0, {&batch, 1}));
    const vulkan::InstanceRange& range = skinner.ranges()[0];
    check(evaluate_exact(character, {&playback, 1}, range.palette_stride, range.palettes, scratch));
    std::ranges::fill(range.weights, 0.0f);  // morph targets: the face stays as it is
    skinner.record(cmd);                     // outside the pass; with its barriers

    // The skinned vertices are a vertex buffer. Each pipeline draws them: as a shadow, then as a surface.
    canvas.begin_pass();
    const VkBuffer buffers[] = {range.vertices, colors.get()};
    const VkDeviceSize offsets[] = {range.vertices_offset, 0};
    vkCmdBindVertexBuffers(cmd, 0, 2, buffers, offsets);
    vkCmdBindIndexBuffer(cmd, indices.get(), 0, VK_INDEX_TYPE_UINT32);
    for (const VkPipeline pipeline : canvas.pipelines()) {
      vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
      vkCmdDrawIndexed(cmd, uint32_t(character.mesh.indices.size()), 1, 0, 0, 0);
    }
    canvas.end_frame();
  }
  const vulkan::SkinnerCounters counters = skinner.counters();
  std::printf("each frame: %llu bytes of palette in, %llu vertices skinned by %llu dispatches, %llu bytes out\n",
              (unsigned long long)counters.palette_bytes, (unsigned long long)counters.skinned_vertices,
              (unsigned long long)counters.dispatches, (unsigned long long)counters.skinned_bytes);
}

}  // namespace

int main(int argc, char** argv) {
  return host::run_program(
      example::program("sinew_example_step6_compute_skinning", "step 6: vertices skinned in compute", run), argc, argv);
}

// Plans, evaluates and prints ten frames of a crowd.
//
// usage: sinew_example_crowd FILE [COUNT]
#include <cstdio>
#include <cstdlib>

#include "host.h"

namespace {

int fail(const sinew::Error& error) {
  std::fprintf(stderr, "sinew_example_crowd: %s\n", error.message.c_str());
  return 1;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2 || argc > 3) {
    std::fprintf(stderr, "usage: %s FILE [COUNT]\n", argv[0]);
    return 2;
  }
  char* end = nullptr;
  const long count = argc > 2 ? std::strtol(argv[2], &end, 10) : 1000;
  if (count < 1 || count > 1000000 || (end != nullptr && *end != '\0')) {
    std::fprintf(stderr, "sinew_example_crowd: COUNT is a number from 1 to 1,000,000\n");
    return 2;
  }
  auto actor = example::load_actor(argv[1]);
  if (!actor) return fail(actor.error());
  const example::Actor& loaded = **actor;

  sinew::crowd::ModelInfo info;
  info.character = &loaded.character;
  info.baked = &loaded.baked, info.bounds = &loaded.bounds;
  info.clips = loaded.clips, info.levels = loaded.levels;
  info.height = 1.8f;
  auto planner = sinew::crowd::Planner::create({&info, 1}, {.unique_poses = 64});
  if (!planner) return fail(planner.error());

  example::Crowd crowd = example::make_crowd(loaded, uint32_t(count));
  const sinew::crowd::View view = example::camera(1280, 720);
  std::vector<std::vector<sinew::Matrix3x4>> palettes;
  std::printf("frame  visible  culled  posed meshes  updated  shared  first drawn\n");
  for (int frame = 0; frame < 10; ++frame) {
    example::play(loaded, frame / 60.0, crowd);
    const sinew::crowd::Instances instances{
        .models = crowd.characters, .world_from_model = crowd.world_from_model, .playbacks = crowd.playbacks};
    const sinew::Status planned = planner->plan(instances, {.seconds = frame / 60.0, .views = {&view, 1}});
    if (!planned) return fail(planned.error());
    const sinew::crowd::Plan& plan = planner->last();
    auto drawn = example::draw(loaded, crowd, plan, palettes);
    if (!drawn) return fail(drawn.error());
    std::printf("%5d %8u %7u %13zu %8u %7u", frame, plan.counters.visible, plan.counters.culled,
                plan.posed_meshes.size(), plan.counters.updated_meshes, plan.counters.shared);
    if (!drawn->empty()) {
      const example::Drawn& first = drawn->front();
      std::printf("  instance %u, level %u, vertex 0 at %.3f %.3f %.3f", first.instance, first.level,
                  double(first.first_vertex.x), double(first.first_vertex.y), double(first.first_vertex.z));
    }
    std::printf("\n");
  }
  return 0;
}

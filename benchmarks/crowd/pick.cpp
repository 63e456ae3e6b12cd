// sinew_bench_pick: the time of SkinnedCrowd::pick() in a crowd, without a device. See benchmarks/README.md.

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/animation/pose.h"
#include "sinew/experimental/crowd_parts.h"
#include "sinew/import/model.h"
#include "sinew/runtime/skinned_crowd.h"
#include "sinew/runtime/thread_pool.h"

using namespace sinew;
using vulkan::CrowdOptions, vulkan::SkinnerFrame, vulkan::InstanceRange, crowd::Ray, vulkan::RecordInfo,
    vulkan::SkinnedCrowd;
using vulkan::SkinnerInfo;

namespace {

/// Keeps palettes in the host's memory, and skins nothing.
class PaletteBackend final : public vulkan::experimental::SkinningBackend {
 public:
  Result<vulkan::MeshId> add_mesh(const vulkan::experimental::BackendMesh& mesh) override {
    meshes_.push_back(mesh);
    return vulkan::MeshId{uint32_t(meshes_.size())};
  }
  Status begin_frame(const SkinnerFrame&) override { return {}; }
  Status prepare(uint32_t group, std::span<const vulkan::SkinnerBatch> batches, const ParallelFor&) override {
    Group& own = groups_[group];
    own.ranges.clear();
    size_t total = 0;
    for (const vulkan::SkinnerBatch& batch : batches)
      total += batch.instance_count * palette_stride(meshes_[batch.mesh.value - 1].palette_size);
    own.palettes.resize(total);
    size_t first = 0;
    for (uint32_t b = 0; b < batches.size(); ++b) {
      const vulkan::experimental::BackendMesh& mesh = meshes_[batches[b].mesh.value - 1];
      InstanceRange& range = own.ranges.emplace_back();
      range.batch = b, range.instance_count = batches[b].instance_count;
      range.vertex_count = mesh.mesh->vertex_count(), range.vertex_bytes = 16;
      range.palette_size = mesh.palette_size, range.palette_stride = uint32_t(palette_stride(mesh.palette_size));
      range.palettes = std::span(own.palettes).subspan(first, size_t{range.instance_count} * range.palette_stride);
      first += range.palettes.size();
    }
    return {};
  }
  std::span<const InstanceRange> ranges(uint32_t group) const override { return groups_[group].ranges; }
  void record(VkCommandBuffer, const RecordInfo&) override {}

 private:
  struct Group {
    std::vector<InstanceRange> ranges;
    std::vector<Matrix3x4> palettes;
  };
  std::vector<vulkan::experimental::BackendMesh> meshes_;
  Group groups_[crowd::kUpdateGroups];
};

/// Rows of people one meter apart on a plain; some walk, some stand, all at other times.
struct People {
  std::vector<uint32_t> models;
  std::vector<Matrix3x4> places;
  std::vector<Playback> playbacks;
  std::vector<crowd::Sphere> spheres;

  People(const Model& model, uint32_t count) : models(count) {
    crowd::ModelInfo info;
    info.bounds = &model.bounds, info.baked = &model.baked;
    const auto row = uint32_t(std::sqrt(double(count)));
    std::mt19937 random(1);
    std::uniform_real_distribution<float> any(-0.3f, 0.3f), any_time(0, 10);
    for (uint32_t i = 0; i < count; ++i) {
      const float x = float(i % row) - float(row) / 2 + any(random), z = -2 - float(i / row) + any(random);
      places.push_back({{{1, 0, 0, x}, {0, 1, 0, 0}, {0, 0, 1, z}}});
      const uint32_t clip = random() % uint32_t(model.character.clips.size());
      const Clip& played = model.character.clips[clip];
      Playback& playback = playbacks.emplace_back();
      if (!played.additive) playback.layers[0] = {clip, clip_time(played, any_time(random), Looping::kLoop), 1};
      spheres.push_back(crowd::bounding_sphere(info, places.back()));
    }
  }

  crowd::Instances instances(bool with_spheres) const {
    crowd::Instances all;
    all.models = models, all.world_from_model = places, all.playbacks = playbacks;
    if (with_spheres) all.spheres = spheres;
    return all;
  }
};

struct Camera {
  float height = 0, down = 0;  // meters; the tangent of the angle

  /// Looks along -z and down; 60 degrees across, 16:9.
  crowd::View view() const {
    const float f = 1.7320508f, near = 0.1f, far = 2000, size = std::sqrt(1 + down * down), s = down / size,
                c = 1 / size;
    const float up[] = {0, c, -s}, back[] = {0, s, c};
    const float y0 = -c * height, z0 = -s * height, a = far / (near - far), b = near * far / (near - far);
    crowd::View out;
    for (int i = 0; i < 3; ++i) {
      float* column = out.clip_from_world + size_t(4 * i);
      column[0] = i == 0 ? f * 9 / 16 : 0, column[1] = -f * up[i], column[2] = a * back[i], column[3] = -back[i];
    }
    float* last = out.clip_from_world + 12;
    last[0] = 0, last[1] = -f * y0, last[2] = a * z0 + b, last[3] = -z0;
    out.eye = {0, height, 0}, out.pixels_per_radian = 540 * f;
    return out;
  }

  /// Through a point of the picture, from -1 to 1.
  Ray ray(float x, float y) const {
    const float f = 1.7320508f, size = std::sqrt(1 + down * down), s = down / size, c = 1 / size;
    const float side = x * 16 / 9 / f, rise = y / f;
    return {{0, height, 0}, {side, rise * c - s, -rise * s - c}};
  }
};

struct Times {
  double median = 0, largest = 0;
  size_t hits = 0;
};

Times measure(const SkinnedCrowd& crowd, const crowd::Instances& instances, const Camera& camera, uint32_t rays) {
  std::mt19937 random(2);
  std::uniform_real_distribution<float> any(-1, 1);
  std::vector<double> times;
  Times result;
  for (uint32_t i = 0; i < rays; ++i) {
    const Ray ray = camera.ray(any(random), any(random));
    const auto begin = std::chrono::steady_clock::now();
    const auto hit = crowd.pick(instances, ray);
    times.push_back(std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count());
    if (!hit) std::fprintf(stderr, "%s\n", hit.error().message.c_str()), std::exit(1);
    result.hits += hit->has_value();
  }
  std::sort(times.begin(), times.end());
  result.median = times[times.size() / 2], result.largest = times[times.size() * 99 / 100];
  return result;
}

void VKAPI_CALL no_function() {}
PFN_vkVoidFunction VKAPI_CALL any_function(VkDevice, const char*) { return no_function; }

}  // namespace

int main(int argc, char** argv) {
  uint32_t count = 100'000, rays = 1000;
  for (int i = 1; i + 1 < argc; i += 2) {
    if (std::string_view(argv[i]) == "--instances") count = uint32_t(std::atoi(argv[i + 1]));
    if (std::string_view(argv[i]) == "--rays") rays = uint32_t(std::atoi(argv[i + 1]));
  }
  if (argc % 2 == 0 || count == 0 || rays == 0) {
    std::fprintf(stderr, "usage: sinew_bench_pick [--instances COUNT] [--rays COUNT]\n");
    return 2;
  }
  const auto model = load_model(SINEW_SOURCE_DIR "/assets/character.glb");
  if (!model) return std::fprintf(stderr, "%s\n", model.error().message.c_str()), 1;
  const People people(**model, count);
  ThreadPool pool(2);
  std::printf("%-22s %-8s %9s %9s %9s %9s\n", "pick()", "spheres", "drawn", "hits", "median ms", "99 % ms");
  const struct {
    const char* name;
    Camera camera;
  } rows[] = {
      {"from 300 m above", {300, 1.5f}}, {"from a stand, 30 m", {30, 0.3f}}, {"from the ground, 1.7 m", {1.7f, 0}}};
  for (const auto& row : rows) {
    PaletteBackend backend;
    SkinnerInfo info;
    info.get_device_proc_addr = any_function;
    const CrowdOptions options{.parallel_for = pool.parallel_for()};
    vulkan::experimental::CrowdParts parts;
    parts.backend = &backend;
    auto crowd = vulkan::experimental::create_crowd(info, {&*model, 1}, options, parts);
    if (!crowd) return std::fprintf(stderr, "%s\n", crowd.error().message.c_str()), 1;
    const crowd::View view = row.camera.view();
    for (const bool with_spheres : {true, false}) {
      const crowd::Instances instances = people.instances(with_spheres);
      const uint64_t number = with_spheres ? 1 : 2;
      const Status updated = crowd->update({.number = number}, instances, {&view, 1});
      if (!updated) return std::fprintf(stderr, "%s\n", updated.error().message.c_str()), 1;
      (void)measure(*crowd, instances, row.camera, 50);  // meshes are prepared
      const Times times = measure(*crowd, instances, row.camera, rays);
      std::printf("%-22s %-8s %9zu %9zu %9.3f %9.3f\n", row.name, with_spheres ? "given" : "computed",
                  crowd->instances().size(), times.hits, times.median, times.largest);
    }
  }
}

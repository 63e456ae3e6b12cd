#include "vulkan/session_plan.h"

#include <algorithm>
#include <cmath>

#include "sinew/asset/compact_matrix.h"

namespace sinew::test {
namespace {

using vulkan::PaletteFormat;
using vulkan::VertexFormat;
using vulkan::experimental::PaletteFetch;
using vulkan::experimental::SnormPacking;
using vulkan::experimental::StorePath;

/// How kernels are made. A driver on the CPU takes long to compile one, so that sessions share a few, in which each two
/// of these occur together, and staged stores where the size of a vertex needs them.
struct KernelChoice {
  VertexFormat format;
  bool tangents, texels, staged, snorms_at_once, by_influences, large;
  uint32_t instances_per_thread;
};
constexpr KernelChoice kKernelChoices[] = {{VertexFormat::kPacked, true, true, false, true, false, false, 1},
                                           {VertexFormat::kPacked, false, false, true, true, true, true, 3},
                                           {VertexFormat::kOctahedral, true, true, false, false, true, true, 1},
                                           {VertexFormat::kOctahedral, true, false, true, true, false, false, 3},
                                           {VertexFormat::kFloat, true, false, true, false, true, true, 1},
                                           {VertexFormat::kFloat, false, true, true, true, false, false, 2},
                                           {VertexFormat::kOctahedral, false, false, false, false, false, false, 3}};

void choose_session_kernel(uint32_t seed, TestSkinnerInfo& info) {
  const KernelChoice& choice = kKernelChoices[seed % std::size(kKernelChoices)];
  info.format = choice.format, info.tangents = choice.tangents;
  info.tuning.palettes = choice.texels ? PaletteFetch::kTexel : PaletteFetch::kStorage;
  info.tuning.stores = choice.staged ? StorePath::kStaged : StorePath::kDirect;
  info.tuning.snorms = choice.snorms_at_once ? SnormPacking::kInstruction : SnormPacking::kArithmetic;
  info.tuning.by_influences = choice.by_influences;
  info.tuning.workgroup_size = choice.large ? 48 : 8;
  info.tuning.instances_per_thread = choice.instances_per_thread;
}

/// Pairs that no skinner, mesh or frame can have.
bool exclude_each_other(const std::string& a, const std::string& b) {
  static constexpr std::array<std::array<const char*, 2>, 4> kPairs = {{{"packed", "octahedral"},
                                                                        {"packed", "float"},
                                                                        {"octahedral", "float"},
                                                                        {"overlapping frames", "one frame in flight"}}};
  return std::ranges::any_of(kPairs, [&](const auto& pair) { return a == pair[0] && b == pair[1]; });
}

/// The features in the order of the lists.
std::vector<std::string> all_features() {
  std::vector<std::string> all(kSkinnerFeatures.begin(), kSkinnerFeatures.end());
  all.insert(all.end(), kMeshFeatures.begin(), kMeshFeatures.end());
  all.insert(all.end(), kStepFeatures.begin(), kStepFeatures.end());
  return all;
}

RigShape random_shape(Random& random, const SessionSetup& setup, const SessionMesh* lender) {
  RigShape shape{.vertices = random.pick({3u, 8u, 9u, 20u, 47u, 48u, 49u, 64u, 65u, 100u, 130u}),
                 .joints = random.pick({1u, 2u, 5u, 8u, 13u, 30u, 120u}),
                 .max_influences = random.pick({1u, 1u, 4u, 4u, 9u, 40u}),
                 .seed = random.below(1000)};
  if (shape.max_influences <= 4 && random.one_of(3)) shape.min_influences = shape.max_influences;
  if (lender != nullptr) {
    shape.joints = random.one_of(2) ? lender->joints : std::min(shape.joints, lender->joints);
  } else if (random.one_of(2)) {
    shape.targets = random.pick({1u, 3u, 14u, 70u});
  }
  if (setup.unused_entries) shape.joints = std::max(shape.joints, 2u);
  return shape;
}

void choose_palettes(Random& random, SessionMesh& made) {
  made.palettes.format =
      random.pick({PaletteFormat::kMatrices, PaletteFormat::kMatrices, PaletteFormat::kRigid, PaletteFormat::kCompact});
  if (made.compact()) {
    made.palettes.scale = random.pick({1.0f, 0.8f});
    return;
  }
  made.scaling = random.pick({RigScaling::kNone, RigScaling::kRigid});
  if (made.palettes.format == PaletteFormat::kMatrices)
    made.scaling = random.pick({made.scaling, RigScaling::kNonUniform, RigScaling::kMirrored});
}

/// Without all that the skinner does not read.
void strip(Mesh& mesh, bool tangents) {
  mesh.uvs.clear(), mesh.indices.clear(), mesh.parts.clear(), mesh.colors.clear();
  if (!tangents) mesh.tangents.clear();
}

Features features_of(const SessionMesh& of, const RigShape& shape, bool ordered, bool bare) {
  Features features;
  const auto add_if = [&](bool is_so, const char* name) {
    if (is_so) features.insert(name);
  };
  add_if(of.palettes.format == PaletteFormat::kRigid, "rigid palettes");
  add_if(of.compact(), "compact palettes");
  add_if(of.mesh.blend == Blend::kDualQuaternion, "dual quaternions");
  add_if(shape.targets != 0, "morph targets");
  add_if(shape.targets > 12, "many targets");
  add_if(shape.max_influences == 1, "one influence");
  add_if(shape.max_influences > 8, "many influences");
  add_if(of.scaling == RigScaling::kNonUniform, "stretched");
  add_if(of.scaling == RigScaling::kMirrored, "mirrored");
  add_if(ordered, "ordered vertices");
  add_if(bare, "bare mesh");
  return features;
}

}  // namespace

void MetPairs::add(const Features& features) {
  for (const std::string& a : features) {
    for (const std::string& b : features) met_.emplace(a, b);
  }
}

std::vector<std::string> MetPairs::missing() const {
  std::vector<std::string> pairs;
  const std::vector<std::string> all = all_features();
  for (size_t i = 0; i < all.size(); ++i) {
    for (size_t j = i; j < all.size(); ++j) {
      if (!met_.contains({all[i], all[j]}) && !exclude_each_other(all[i], all[j]))
        pairs.push_back(all[i] + " and " + all[j]);
    }
  }
  return pairs;
}

Features SessionSetup::features() const {
  Features features;
  const auto add_if = [&](bool is_so, const char* name) {
    if (is_so) features.insert(name);
  };
  features.insert(info.format == VertexFormat::kPacked       ? "packed"
                  : info.format == VertexFormat::kOctahedral ? "octahedral"
                                                             : "float");
  add_if(info.tangents, "tangents");
  add_if(info.tuning.palettes == PaletteFetch::kTexel, "texels");
  add_if(info.tuning.stores == StorePath::kStaged, "staged stores");
  add_if(info.tuning.snorms == SnormPacking::kInstruction, "snorms at once");
  add_if(info.tuning.by_influences, "by influences");
  add_if(info.tuning.workgroup_size > 8, "large workgroups");
  add_if(info.tuning.max_page_bytes != 0, "small pages");
  add_if(info.barriers == vulkan::Barriers::kLibrary, "barriers");
  add_if(overlaps, "overlapping frames");
  add_if(info.keep_previous, "previous vertices");
  add_if(info.update_groups > 1, "groups");
  add_if(info.frames_in_flight == 1, "one frame in flight");
  add_if(host_allocator, "host's allocator");
  add_if(own_memory, "own memory");
  add_if(info.debug_checks == vulkan::DebugChecks::kOn, "debug checks");
  add_if(low_limits, "low limits");
  add_if(unused_entries, "unused entries");
  return features;
}

SessionSetup make_setup(const TestSkinnerInfo& handles, uint32_t seed) {
  SessionSetup setup{.info = handles};
  Random random(seed);
  choose_session_kernel(seed, setup.info);
  setup.info.tuning.min_workgroups = random.pick({1u, 40u, 100000u});
  if (random.one_of(2)) setup.info.tuning.max_page_bytes = 8000;
  setup.info.frames_in_flight = random.pick({1u, 2u, 3u});
  setup.info.update_groups = random.pick({1u, 2u, 3u});
  setup.info.keep_previous = random.one_of(2);
  if (random.one_of(2)) setup.info.debug_checks = vulkan::DebugChecks::kOn;
  setup.info.consumers = random.pick({vulkan::kTransferRead, vulkan::kVertexInput});
  if (random.one_of(2)) {
    setup.info.barriers = vulkan::Barriers::kLibrary;
    setup.overlaps = setup.info.frames_in_flight > 1 && !random.one_of(3);
  }
  setup.own_memory = random.one_of(2), setup.host_allocator = random.one_of(2);
  setup.low_limits = random.one_of(2), setup.unused_entries = random.one_of(2);
  return setup;
}

uint32_t SessionMesh::stride() const {
  const uint32_t targets = std::max(mesh.target_count(), palettes.target_count);
  return uint32_t(compact() ? compact_palette_stride(joints, targets) : palette_stride(joints, targets));
}

bool SessionMesh::may_borrow_from(const SessionMesh& lender) const {
  return mesh.targets.empty() && palettes.format == lender.palettes.format && palettes.scale == lender.palettes.scale &&
         mesh.blend == lender.mesh.blend && joints <= lender.joints;
}

std::vector<Matrix3x4> SessionMesh::palette(uint32_t seed) const {
  std::vector<Matrix3x4> palette = make_palette(joints, seed, scaling);
  if (!compact()) {
    if (unused_entry) palette[0] = {{{NAN, NAN, NAN, NAN}, {NAN, NAN, NAN, NAN}, {NAN, NAN, NAN, NAN}}};
    return palette;
  }
  for (Matrix3x4& matrix : palette) {
    for (auto& row : matrix.m) std::for_each(row, row + 3, [&](float& value) { value *= palettes.scale; });
    matrix = expand(sinew::compact(matrix, palettes.scale), palettes.scale);
  }
  return palette;
}

SessionMesh make_session_mesh(Random& random, const SessionSetup& setup, std::span<const SessionMesh* const> others) {
  SessionMesh made;
  const SessionMesh* const lender =
      !others.empty() && random.one_of(2) ? others[random.below(uint32_t(others.size()))] : nullptr;
  const RigShape shape = random_shape(random, setup, lender);
  made.joints = shape.joints;
  made.mesh = make_mesh(shape);
  if (lender != nullptr) {
    made.palettes = lender->palettes, made.scaling = lender->scaling, made.mesh.blend = lender->mesh.blend;
    if (random.one_of(2)) made.palettes.target_count = lender->mesh.target_count();
  } else {
    choose_palettes(random, made);
    if (random.one_of(3)) made.mesh.blend = Blend::kDualQuaternion;
  }
  made.unused_entry = setup.unused_entries;
  if (made.unused_entry) {
    for (Influence& influence : made.mesh.influences) influence.entry = std::max<uint16_t>(influence.entry, 1);
  }
  const bool ordered = random.one_of(2), bare = random.one_of(2);
  if (ordered) {
    EXPECT_TRUE(order_by_influences(made.mesh));
  }
  if (bare) strip(made.mesh, setup.info.tangents);
  made.features = features_of(made, shape, ordered, bare);
  return made;
}

}  // namespace sinew::test

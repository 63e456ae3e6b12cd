// Outfits: what instances wear on one palette. Making of wearables, draws, counts, shared and kept poses, picking.
#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "crowd_fixture.h"
#include "message.h"

namespace sinew::test {
namespace {

using ::testing::HasSubstr;
using vulkan::CrowdOptions;
using vulkan::Draw;
using vulkan::SkinnedCrowd;

enum Worn : uint64_t { kHat = 1, kSuit = 2, kShield = 4 };

class OutfitTest : public CrowdTest {
 protected:
  SkinnedCrowd make_dressed(const CrowdOptions& options) { return make_crowd(options, {&dressed_model(), 1}); }
};

/// What the draws show on each instance; the body is bit 63. A thing that is there twice is an error.
std::map<uint32_t, uint64_t> worn(const SkinnedCrowd& crowd) {
  std::map<uint32_t, uint64_t> all;
  std::set<std::tuple<uint32_t, uint32_t, uint32_t>> seen;
  for (const Draw& draw : crowd.draws()) {
    const uint64_t bit = uint64_t{1} << (draw.wearable == kNoWearable ? 63 : draw.wearable);
    uint32_t count = 0;
    for (const crowd::DrawCommand& command : crowd.commands().subspan(draw.first_command, draw.command_count)) {
      for (uint32_t i = 0; i < command.instance_count; ++i, ++count) {
        const uint32_t instance = crowd.instances()[command.first_instance + i];
        EXPECT_TRUE(seen.insert({instance, draw.wearable, draw.material}).second) << instance;
        all[instance] |= bit;
      }
    }
    EXPECT_EQ(count, draw.instance_count);
  }
  return all;
}

std::map<uint32_t, uint64_t> with_bodies(const Host& host) {
  std::map<uint32_t, uint64_t> all;
  for (uint32_t i = 0; i < host.outfits.size(); ++i) all[i] = host.outfits[i] | uint64_t{1} << 63;
  return all;
}

Host dressed_host(uint32_t count, double seconds = 0) {
  Host host = make_host(*dressed_model(), count, seconds);
  for (uint32_t i = 0; i < count; ++i) host.outfits.push_back(i % 8);
  return host;
}

TEST(Wearables, AreMadeForEachLevelOfDetail) {
  const Model& model = *dressed_model();
  ASSERT_TRUE(validate(model)) << validate(model).error().message;
  ASSERT_EQ(model.wearables.size(), 3u);
  EXPECT_EQ(find_wearable(model, "suit"), 1u);
  EXPECT_EQ(find_wearable(model, "cape"), std::nullopt);
  EXPECT_EQ(model.wearables[0].choice, "head");
  for (const Wearable& wearable : model.wearables) {
    ASSERT_EQ(wearable.meshes.size(), model.level_count());
    for (uint32_t level = 1; level < model.level_count(); ++level)
      EXPECT_LE(wearable.meshes[level].indices.size(), wearable.meshes[level - 1].indices.size());
  }
  EXPECT_EQ(model.wearables[0].meshes[0].vertex_count(), 24u);
  EXPECT_LT(model.wearables[1].meshes.back().indices.size(), model.wearables[1].meshes[0].indices.size() / 4);
  // The box is above a head at about 1.6 m, and its material is the last one.
  EXPECT_GT(model.bounds.rest.high.y, built_in_model()->bounds.rest.high.y + 0.05f);
  const uint32_t material = model.wearables[0].meshes[0].parts[0].material;
  EXPECT_EQ(model.character.materials[material].name, "felt");
}

/// The suit is the body's own mesh: in each pose its vertices are those of the body, but for what morph targets move.
TEST_F(OutfitTest, AWornMeshIsSkinnedAsTheBody) {
  const Model& model = *dressed_model();
  Model still = model;
  still.character.mesh.targets.clear();
  const Host host = make_host(model, 6, 0.4);
  for (const Playback& playback : host.playbacks) {
    auto body = expected(still, 0, playback), suit = expected(model, 0, playback, 1);
    // Vertices of both are in the order of their influences, which differ in their entries.
    const auto less = [](Vec3 a, Vec3 b) { return std::tuple(a.x, a.y, a.z) < std::tuple(b.x, b.y, b.z); };
    float largest = 0;
    std::sort(body.begin(), body.end(), less);
    for (const Vec3 p : suit) {
      float nearest = INFINITY;
      const auto from = std::lower_bound(body.begin(), body.end(), p - Vec3{1e-3f, 0, 0}, less);
      for (auto b = from; b != body.end() && b->x < p.x + 1e-3f; ++b) nearest = std::min(nearest, length(*b - p));
      largest = std::max(largest, nearest);
    }
    EXPECT_LT(largest, 1e-4f);
  }
}

/// At each level of detail, near its error.
TEST_F(OutfitTest, ACoarseWearableStaysWhereItsBodyIs) {
  const Model& model = *dressed_model();
  const Host host = make_host(model, 6, 0.4);
  for (const Playback& playback : host.playbacks) {
    const Vec3 center = bounding_box(expected(model, 0, playback, 0)).low;
    for (uint32_t level = 1; level < model.level_count(); ++level) {
      if (model.wearables[0].meshes[level].vertex_count() == 0) continue;
      const Vec3 at = bounding_box(expected(model, level, playback, 0)).low;
      EXPECT_LT(length(at - center), 3 * model.levels[level - 1].error + 1e-3f) << level;
    }
  }
}

TEST_F(OutfitTest, EachInstanceWearsItsOutfit) {
  for (const uint32_t max_pulled : {0u, UINT32_MAX}) {
    CrowdOptions options{.planner = {.cull = false, .update_rate = false}, .max_pulled_vertices = max_pulled};
    options.planner.levels = max_pulled == 0;
    SkinnedCrowd crowd = make_dressed(options);
    const Host host = dressed_host(40);
    ASSERT_TRUE(run_frame(crowd, host, view_from(6)));
    EXPECT_EQ(worn(crowd), with_bodies(host));
    if (max_pulled == 0) {
      EXPECT_EQ(expect_all_drawn(crowd), 40u);
    }
  }
}

/// The claim: joints as for the body alone, and no vertex of what is not worn.
TEST_F(OutfitTest, AnOutfitCostsItsVerticesAndNoJoints) {
  const Model& model = *dressed_model();
  SkinnedCrowd crowd = make_dressed({.planner = {.cull = false, .levels = false, .update_rate = false}});
  Host host = dressed_host(10);
  const uint64_t body = model.character.mesh.vertex_count();
  uint64_t palette_bytes = 0;
  const auto count = [&](uint64_t outfit) {
    host.outfits.assign(10, outfit);
    EXPECT_TRUE(run_frame(crowd, host, view_from(6)));
    EXPECT_EQ(crowd.plan().playbacks.size(), 10u);
    const vulkan::SkinnerCounters counters = crowd.skinner().counters();
    if (outfit == 0) palette_bytes = counters.palette_bytes;
    EXPECT_EQ(counters.palette_bytes, palette_bytes);
    return counters.skinned_vertices;
  };
  EXPECT_EQ(count(0), 10 * body);
  EXPECT_EQ(count(kHat), 10 * (body + 24));
  EXPECT_EQ(count(kHat | kShield), 10 * (body + 48));
  EXPECT_EQ(count(kHat | kSuit | kShield), 10 * (body + 48 + model.wearables[1].meshes[0].vertex_count()));
  EXPECT_EQ(count(~uint64_t{7}), 10 * body);  // bits beyond the wearables
  host.outfits.clear();
  ASSERT_TRUE(run_frame(crowd, host, view_from(6)));
  EXPECT_EQ(crowd.skinner().counters().skinned_vertices, 10 * body);
}

/// Of a shared pose one instance wears the hat: it is skinned once, and drawn on that instance alone.
TEST_F(OutfitTest, InstancesWithOnePoseWearDifferentThings) {
  CrowdOptions options{.planner = {.cull = false, .levels = false, .update_rate = false}};
  options.planner.unique_poses = 16;
  SkinnedCrowd crowd = make_dressed(options);
  const Host host = dressed_host(200);
  ASSERT_TRUE(run_frame(crowd, host, view_from(200)));
  ASSERT_GT(crowd.plan().counters.shared, 100u);
  EXPECT_EQ(worn(crowd), with_bodies(host));
  EXPECT_EQ(expect_all_drawn(crowd), 200u);
}

/// With update rates an instance keeps its outfit with its pose, and has the new one within four frames.
TEST_F(OutfitTest, ANewOutfitShowsWithTheNextPose) {
  SkinnedCrowd crowd = make_dressed({.planner = {.cull = false}});
  Host host = dressed_host(60);
  bool kept = false;
  std::map<uint32_t, uint64_t> before;
  for (uint32_t frame = 0; frame < 12; ++frame) {
    const auto outfits = host.outfits;
    host = make_host(*dressed_model(), 60, frame / 60.0);
    host.outfits = outfits;
    if (frame == 4) std::rotate(host.outfits.begin(), host.outfits.begin() + 1, host.outfits.end());
    ASSERT_TRUE(run_frame(crowd, host, view_from(60)));
    EXPECT_EQ(expect_all_drawn(crowd), 60u);
    kept = kept || crowd.plan().counters.not_updated > 0;
    const auto now = worn(crowd), wanted = with_bodies(host);
    if (frame < 4 || frame > 7) {
      EXPECT_EQ(now, wanted) << frame;
    }
    for (const auto& [instance, outfit] : now) {
      EXPECT_TRUE(outfit == wanted.at(instance) || outfit == before.at(instance)) << instance;
    }
    before = now;
  }
  EXPECT_TRUE(kept);
}

/// Previous vertices of an instance that changes its level of detail are skinned for its wearables too.
TEST_F(OutfitTest, PreviousPosesOfANewLevelAreWornToo) {
  SkinnedCrowd crowd = make_dressed({.planner = {.cull = false, .update_rate = false, .previous_poses = true}});
  const Host host = dressed_host(16);
  ASSERT_TRUE(run_frame(crowd, host, view_from(8)));
  ASSERT_TRUE(run_frame(crowd, host, view_from(20)));
  const Model& model = *dressed_model();
  const crowd::Plan& plan = crowd.plan();
  uint32_t wanted = 0, worn = 0;
  for (size_t place = 0; place < plan.counters.visible; ++place) {
    if (!plan.previous_poses[place].in_this_plan) continue;
    const uint32_t mesh = plan.previous_poses[place].posed_mesh;
    const auto batch = std::ranges::find_if(
        plan.batches, [&](const crowd::PosedBatch& own) { return mesh - own.first_mesh < own.mesh_count; });
    for (uint32_t w = 0; w < 3; ++w) {
      const bool seen = model.wearables[w].meshes[batch->level].vertex_count() > 0;
      wanted += seen && (host.outfits[plan.instances[place]] >> w & 1) != 0;
    }
  }
  for (const crowd::PosedBatch& batch : plan.batches)
    worn += batch.is_worn() && batch.previous_poses ? batch.mesh_count : 0;
  EXPECT_GT(wanted, 8u);
  EXPECT_EQ(worn, wanted);
}

TEST_F(OutfitTest, PoseOfTheHostIsWornToo) {
  SkinnedCrowd crowd = make_dressed({.planner = {.cull = false, .levels = false, .update_rate = false}});
  Host host = dressed_host(2);
  host.host_posed = {1, 0}, host.outfits = {kSuit, 0};
  const crowd::View view = view_from(6);
  ASSERT_TRUE(crowd.update({.number = ++frame_}, host.instances(), {&view, 1}));
  const Matrix3x4 moved{{{1, 0, 0, 10}, {0, 1, 0, 20}, {0, 0, 1, 30}}};
  for (Matrix3x4& matrix : crowd.host_pose(0).palette) matrix = moved;
  device_->submit_and_wait([&](VkCommandBuffer cmd) { crowd.record(cmd); });
  const Mesh& mesh = dressed_model()->wearables[1].meshes[0];
  std::vector<Vec3> wanted;
  for (const Vec3 position : mesh.positions) wanted.push_back(position + Vec3{10, 20, 30});
  const auto draw = std::ranges::find(crowd.draws(), 1u, &Draw::wearable);
  ASSERT_NE(draw, crowd.draws().end());
  EXPECT_LT(largest_distance(read_positions(slice_of(*draw), draw->vertex_count), wanted), 1e-5f);
}

/// A crowd of several models, one of which has wearables.
TEST_F(OutfitTest, ModelsWithoutWearablesIgnoreOutfits) {
  const SharedModel models[] = {built_in_model(), dressed_model()};
  SkinnedCrowd crowd = make_crowd({.planner = {.cull = false, .levels = false}}, models);
  Host host = dressed_host(16);
  for (uint32_t i = 0; i < 16; ++i) host.models[i] = i / 8;
  ASSERT_TRUE(run_frame(crowd, host, view_from(6)));
  auto wanted = with_bodies(host);
  for (uint32_t i = 0; i < 8; ++i) wanted[i] = uint64_t{1} << 63;
  EXPECT_EQ(worn(crowd), wanted);
  EXPECT_EQ(expect_all_drawn(crowd), 16u);
  const auto streams = crowd.make_streams();
  ASSERT_TRUE(streams);
  for (const Draw& draw : crowd.draws()) {
    EXPECT_LE(draw.first_index + draw.index_count, streams->indices.size());
    EXPECT_LE(draw.first_stream_vertex + draw.vertex_count, streams->uvs.size());
    for (uint32_t i = 0; i < draw.index_count; ++i)
      EXPECT_LT(streams->indices[draw.first_index + i], draw.vertex_count);
  }
}

TEST_F(OutfitTest, RaysHitWhatIsWorn) {
  SkinnedCrowd crowd = make_dressed({.planner = {.cull = false, .levels = false, .update_rate = false}});
  Host host = make_host(*dressed_model(), 2);
  for (Playback& playback : host.playbacks) playback = {};
  host.outfits = {kHat, 0};
  ASSERT_TRUE(run_frame(crowd, host, view_from(6)));
  const Box hat = bounding_box(expected(*dressed_model(), 0, {}, 0));
  const Vec3 at = (hat.low + hat.high) * 0.5f;
  for (const uint32_t instance : {0u, 1u}) {
    const crowd::Ray down{{at.x + host.places[instance].m[0][3], 10, at.z}, {0, -1, 0}};
    const auto hit = crowd.pick(host.instances(), down);
    ASSERT_TRUE(hit && *hit) << (hit ? "nothing" : hit.error().message);
    EXPECT_EQ((*hit)->instance, instance);
    EXPECT_EQ((*hit)->wearable, instance == 0 ? 0u : kNoWearable);
    if (instance == 0) {
      EXPECT_NEAR((*hit)->point.y, hat.high.y, 1e-3f);
      EXPECT_EQ((*hit)->joint, int32_t(*find_joint(dressed_model()->character.skeleton, "head")));
    }
  }
}

TEST_F(OutfitTest, TheBudgetCountsWhatIsWorn) {
  CrowdOptions options{.planner = {.cull = false, .levels = false, .update_rate = false}};
  options.planner.budget.bytes = uint64_t{1} << 40;
  SkinnedCrowd crowd = make_dressed(options);
  Host host = dressed_host(10);
  const auto needed = [&](uint64_t outfit) {
    host.outfits.assign(10, outfit);
    EXPECT_TRUE(run_frame(crowd, host, view_from(6)));
    return crowd.planner().needed_bytes();
  };
  const uint64_t hats = 10 * 24 * sizeof(SkinnedVertex);
  EXPECT_NEAR(double(needed(kHat) - needed(0)), double(hats) * 1.5, 2);  // with room to grow
}

TEST_F(OutfitTest, OutfitsOfAnotherNumberAreRefused) {
  SkinnedCrowd crowd = make_dressed({});
  Host host = dressed_host(4);
  host.outfits.pop_back();
  EXPECT_EQ(run_frame(crowd, host, view_from(6)).error().code, ErrorCode::kInvalidArgument);
}

/// Parts of the file itself leave the body.
TEST(Wearables, ArePartsOfTheFile) {
  CharacterFile file;
  file.character = built_in_character();
  Mesh& mesh = file.character.mesh;
  const uint32_t vertices = mesh.vertex_count(), triangles = uint32_t(mesh.indices.size() / 3);
  ASSERT_GE(mesh.parts.size(), 1u);
  // A second part: a copy of the first triangle.
  for (const uint32_t index : {mesh.indices[0], mesh.indices[1], mesh.indices[2]}) {
    mesh.positions.push_back(mesh.positions[index]), mesh.normals.push_back(mesh.normals[index]);
    mesh.uvs.push_back(mesh.uvs[index]);
    if (!mesh.second_uvs.empty()) mesh.second_uvs.push_back({});
    if (!mesh.colors.empty()) mesh.colors.push_back({});
    if (!mesh.tangents.empty()) mesh.tangents.push_back({1, 0, 0, 1});
    mesh.influences.push_back(mesh.influences_of(index)[0]), mesh.influences.back().weight = 1;
    mesh.first_influence.push_back(uint32_t(mesh.influences.size()));
  }
  for (uint32_t i = 0; i < 3; ++i) mesh.indices.push_back(vertices + i);
  mesh.parts.push_back({"cape", PartKind::kSkinned, 0, vertices, 3, 3 * triangles, 3});
  ModelOptions options;
  options.wearables = {{"cape", "back", {"cape"}}};
  const auto model = make_model(file, options);
  ASSERT_TRUE(model) << model.error().message;
  EXPECT_EQ((*model)->character.mesh.vertex_count(), vertices);
  ASSERT_EQ((*model)->wearables.size(), 1u);
  EXPECT_EQ((*model)->wearables[0].meshes[0].vertex_count(), 3u);
}

TEST(Wearables, AreRefusedWithAReason) {
  const auto refusal = [](std::vector<WearableOptions> wearables) {
    CharacterFile file;
    file.character = built_in_character();
    return message_of(add_wearables(file, wearables));
  };
  const auto hat = std::make_shared<Character>(box_character({1, 1, 1}));
  auto other = std::make_shared<Character>(built_in_character());
  for (std::string& name : other->skeleton.joint_names) name = "other " + name;
  EXPECT_THAT(refusal({{"hat", "", {}}}), HasSubstr("wearable 'hat': it names neither parts nor another character"));
  EXPECT_THAT(refusal({{"hat", "", {"brim"}}}), HasSubstr("wearable 'hat': there is no part 'brim'"));
  EXPECT_THAT(refusal({{"hat", "", {"brim"}, hat, "head"}}), HasSubstr("there is no part 'brim'"));
  EXPECT_THAT(refusal({{"hat", "", {}, hat}}), HasSubstr("a vertex follows no joint"));
  EXPECT_THAT(refusal({{"hat", "", {}, hat, "antler"}}), HasSubstr("the character has no joint 'antler'"));
  EXPECT_THAT(refusal({{"hat", "", {}, other}}), HasSubstr("the character has no joint 'other"));
  WearableOptions nowhere{"hat", "", {}, hat, "head"};
  nowhere.joint_from_wearable.m[1][3] = NAN;
  EXPECT_THAT(refusal({nowhere}), HasSubstr("wearable 'hat': its vertices are not finite"));
  EXPECT_THAT(refusal({{"hat", "", {}, hat, "head"}, {"hat", "", {}, hat, "head"}}),
              HasSubstr("two wearables have this name"));
  EXPECT_THAT(refusal({{"cape", "", {"cape"}, nullptr, "head"}}), HasSubstr("`joint` is set, and `from` is not"));
}

/// A socket may give a joint its palette entry: those behind it move, and wearables of the file go with them.
/// The joint is that whose entry comes next: it moves by one.
TEST(Wearables, FollowTheirJointWhereASocketAddsAnEntry) {
  CharacterFile file;
  file.character = built_in_character();
  const Skeleton& skeleton = file.character.skeleton;
  const auto has_entry = [&](uint32_t joint) {
    return std::ranges::find(file.character.skin.entries, int32_t(joint), &PaletteEntry::joint) !=
           file.character.skin.entries.end();
  };
  uint32_t without = 0;
  while (has_entry(without)) ++without;
  uint32_t next = without;
  while (!has_entry(next)) ++next;
  const std::string joint = skeleton.joint_names[next];
  const WearableOptions hat{"hat", "", {}, std::make_shared<Character>(box_character({1, 1, 1})), joint};
  ASSERT_TRUE(add_wearables(file, {&hat, 1}));
  ModelOptions options;
  options.levels.triangle_shares.clear(), options.levels.small_levels = false;
  options.sockets = {{.name = "middle", .joint = skeleton.joint_names[without]}};
  const auto model = make_model(file, options);
  ASSERT_TRUE(model) << model.error().message;
  ASSERT_EQ((*model)->character.skin.palette_size(), file.character.skin.palette_size() + 1);
  for (const Influence& influence : (*model)->wearables[0].meshes[0].influences)
    EXPECT_EQ((*model)->character.skin.entries[influence.entry].joint, int32_t(next));
}

TEST(Wearables, BringOnlyTheImagesThatTheyShowAndEachOnce) {
  CharacterFile file;
  file.character = built_in_character();
  const auto from = std::make_shared<Character>(box_character({1, 1, 1}));
  Image image{"felt", 1, 1, {1, 2, 3, 255}};
  from->images = {{"not used", 1, 1, {9, 9, 9, 255}}, image};
  from->materials[0].base_color_texture.image = 1;
  const size_t images = file.character.images.size();
  const std::vector<WearableOptions> both{{"hat", "", {}, from, "head"}, {"shield", "", {}, from, "hand_l"}};
  ASSERT_TRUE(add_wearables(file, both));
  ASSERT_EQ(file.character.images.size(), images + 1);
  EXPECT_EQ(file.character.images.back().rgba, image.rgba);
  for (const Wearable& wearable : file.wearables) {
    const Material& material = file.character.materials[wearable.meshes[0].parts[0].material];
    EXPECT_EQ(material.base_color_texture.image, int32_t(images)) << wearable.name;
  }
}

TEST(Wearables, OfAModelAreChecked) {
  const auto refusal = [](auto change) {
    return message_after(*dressed_model(), change, [](const Model& model) { return validate(model); });
  };
  EXPECT_THAT(refusal([](Model& m) { m.wearables[0].meshes.pop_back(); }), HasSubstr("wearable 'hat': it has"));
  EXPECT_THAT(refusal([](Model& m) { m.wearables[0].meshes[0].influences[3].entry = 999; }),
              HasSubstr("wearable 'hat': level 0"));
  EXPECT_THAT(refusal([](Model& m) { m.wearables[2].name = "hat"; }), HasSubstr("there are two of this name"));
  EXPECT_THAT(refusal([](Model& m) { m.wearables[0].meshes[0].targets.emplace_back(); }), HasSubstr("morph targets"));
  EXPECT_THAT(refusal([](Model& m) { m.wearables.resize(65); }), HasSubstr("more than 64"));
}

}  // namespace
}  // namespace sinew::test

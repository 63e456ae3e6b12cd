// A roster that changes: models and instances come and go while the crowd is drawn. Each frame shows what a crowd that
// is made anew shows.
#include <gmock/gmock.h>

#include <algorithm>
#include <future>
#include <map>
#include <random>

#include "crowd_fixture.h"

namespace sinew::test {
namespace {

using ::testing::HasSubstr;
using vulkan::CrowdOptions;
using vulkan::ModelUse;
using vulkan::SkinnedCrowd;
using vulkan::VertexSlice;

constexpr uint32_t kSlots = 40, kNobody = UINT32_MAX;

const std::vector<SharedModel>& pool() {
  static const std::vector<SharedModel> all{rig_model(5, 1), rig_model(7, 2), dressed_model(), rig_model(9, 3),
                                            rig_model(8, 4)};
  return all;
}

/// A host that changes everything at random.
class Session {
 public:
  explicit Session(uint32_t seed) : random_(seed) {
    host_ = make_host(*pool()[0], kSlots);
    host_.models.assign(kSlots, kNobody);
    host_.generations.assign(kSlots, 0), host_.outfits.assign(kSlots, 0);
  }

  bool chance(uint32_t in) { return random_() % in == 0; }
  uint32_t any(size_t count) { return uint32_t(random_() % count); }

  /// In the crowd, by number; null: none.
  std::vector<SharedModel> models;

  void note_model(uint32_t number, const SharedModel& model) {
    if (number >= models.size()) models.resize(number + 1);
    models[number] = model;
  }
  std::vector<uint32_t> numbers() const {
    std::vector<uint32_t> all;
    for (uint32_t i = 0; i < models.size(); ++i) {
      if (models[i]) all.push_back(i);
    }
    return all;
  }

  /// Some people leave, others come, generations jump, all play on. People of a model that is gone stay, and are not
  /// drawn.
  const Host& next(double seconds) {
    const std::vector<uint32_t> there = numbers();
    for (uint32_t i = 0; i < kSlots; ++i) {
      if (chance(8)) host_.models[i] = kNobody;
      if (chance(6) && !there.empty()) {
        host_.models[i] = there[any(there.size())];
        host_.generations[i] += 1 + (chance(4) ? any(1u << 31) : 0);
        host_.outfits[i] = random_();
      }
      host_.outfits[i] += (uint64_t(seconds * 30 + 0.5) + i) % 9 == 0;  // of people who stay
      const uint32_t model = host_.models[i];
      if (model >= models.size() || !models[model]) continue;
      host_.playbacks[i] = make_host(*models[model], i + 1, seconds).playbacks[i];
    }
    return host_;
  }
  uint32_t visible() const {
    return uint32_t(std::ranges::count_if(host_.models, [&](uint32_t m) { return m < models.size() && models[m]; }));
  }

 private:
  std::mt19937 random_;
  Host host_;
};

struct Before {
  uint32_t generation = 0;
  SharedModel model;
  Drawn drawn;
};

class RosterTest : public CrowdTest {
 protected:
  vulkan::SkinnerInfo skinner_info() const override {
    vulkan::SkinnerInfo info = CrowdTest::skinner_info();
    info.format = vulkan::VertexFormat::kPacked;  // no size that all offsets are multiples of
    return info;
  }
  void submit(SkinnedCrowd& crowd) {
    device_->submit_and_wait([&](VkCommandBuffer cmd) { crowd.record(cmd); });
  }

  /// The same people in a crowd that has never had others.
  std::map<DrawKey, Drawn> drawn_anew(const Session& session, const Host& host, const CrowdOptions& options) {
    std::vector<SharedModel> models;
    std::map<uint32_t, uint32_t> number;
    for (const uint32_t m : session.numbers()) number[m] = uint32_t(models.size()), models.push_back(session.models[m]);
    if (models.empty()) return {};
    SkinnedCrowd crowd = make_crowd(options, models);
    Host mapped = host;
    for (uint32_t& model : mapped.models) model = number.contains(model) ? number[model] : kNobody;
    const crowd::View view = view_from(40);
    EXPECT_TRUE(crowd.update({.number = 1}, mapped.instances(), {&view, 1}));
    submit(crowd);
    auto all = drawn(crowd, kBytes);
    for (auto& [key, one] : all) one.model = host.models[key.first];
    return all;
  }

  /// Instances drawn in the frame before have the previous vertices that were drawn then; others have none.
  uint32_t expect_previous_of(const SkinnedCrowd& crowd, const Session& session, const Host& host,
                              std::map<DrawKey, Before>& before, const std::map<DrawKey, Drawn>& now) {
    const auto drawn_before = [&](const DrawKey& key, const crowd::PosedBatch& batch) -> const Drawn* {
      const auto was = before.find(key);
      const bool same = was != before.end() && was->second.generation == host.generations[key.first] &&
                        was->second.model == session.models[batch.model];
      return same ? &was->second.drawn : nullptr;
    };
    const uint32_t compared = expect_previous(crowd, drawn_before);
    before.clear();
    for (const auto& [key, one] : now) before[key] = {host.generations[key.first], session.models[one.model], one};
    return compared;
  }

  static constexpr uint32_t kBytes = 12;
};

TEST_F(RosterTest, EachFrameShowsWhatACrowdMadeAnewShows) {
  for (const uint32_t seed : {1u, 2u}) {
    Session session(seed);
    CrowdOptions options{.planner = {.cull = false, .levels = false, .update_rate = false, .previous_poses = true}};
    SkinnedCrowd crowd = make_crowd(options, {&pool()[0], 1});
    session.note_model(0, pool()[0]);
    std::map<DrawKey, Before> before;
    uint32_t compared = 0, made_anew = 0, added = 0, removed = 0;
    std::future<Result<vulkan::PreparedModel>> loading;
    SharedModel loaded;
    for (uint64_t frame = 1; frame <= 40; ++frame) {
      SCOPED_TRACE(frame);
      if (!loading.valid() && session.chance(2)) {
        loaded = pool()[session.any(pool().size())];
        loading = std::async(std::launch::async, [&crowd, &loaded] { return crowd.prepare_model(loaded); });
      } else if (loading.valid()) {
        auto prepared = loading.get();
        ASSERT_TRUE(prepared) << prepared.error().message;
        const auto number = crowd.add_model(std::move(*prepared));
        ASSERT_TRUE(number) << number.error().message;
        ASSERT_TRUE(*number >= session.models.size() || !session.models[*number]) << "a number that is taken";
        session.note_model(*number, loaded), ++added;
      }
      if (const auto there = session.numbers(); session.chance(3) && !there.empty()) {
        const uint32_t number = there[session.any(there.size())];
        ASSERT_TRUE(crowd.remove_model(number));
        EXPECT_FALSE(crowd.remove_model(number)) << "twice";
        session.models[number] = nullptr, ++removed;
      }
      const Host& host = session.next(double(frame) / 30);
      const crowd::View view = view_from(40);
      const bool fails = session.chance(7);
      if (fails) {
        const auto begin = crowd.times().begin;
        EXPECT_FALSE(crowd.update({.number = frame}, host.instances(), {}));
        EXPECT_EQ(crowd.times().begin, begin) << "times of a frame that failed";
      }
      ASSERT_TRUE(crowd.update({.number = frame}, host.instances(), {&view, 1}));
      submit(crowd);
      const auto now = drawn(crowd, kBytes);
      EXPECT_EQ(crowd.plan().counters.visible, session.visible());
      if (session.chance(4)) {  // making a crowd takes most of the test's time
        EXPECT_TRUE(now == drawn_anew(session, host, options));
        ++made_anew;
      }
      if (fails) before.clear();  // after an error no instance has a previous pose
      compared += expect_previous_of(crowd, session, host, before, now);
      if (HasFailure()) return;
    }
    EXPECT_GT(made_anew, 5u);
    EXPECT_GT(compared, 200u);
    EXPECT_GT(added, 8u);
    EXPECT_GT(removed, 4u);
    EXPECT_LT(session.models.size(), 12u) << "numbers are not taken again";
  }
}

/// With levels of detail, update rates and culling: what is drawn is what its instance plays.
TEST_F(RosterTest, KeptPosesAndLevelsAreThoseOfTheNewOnes) {
  Session session(3);
  auto made = SkinnedCrowd::create(CrowdTest::skinner_info(), {&pool()[2], 1});
  ASSERT_TRUE(made);
  session.note_model(0, pool()[2]);
  bool kept = false;
  for (uint64_t frame = 1; frame <= 24; ++frame) {
    if (frame % 3 == 0) {
      auto prepared = made->prepare_model(pool()[session.any(pool().size())]);
      ASSERT_TRUE(prepared);
      const auto number = made->add_model(std::move(*prepared));
      ASSERT_TRUE(number);
      session.note_model(*number, made->models()[*number]);
    }
    if (const auto there = session.numbers(); frame % 4 == 0 && there.size() > 1) {
      ASSERT_TRUE(made->remove_model(there[0]));
      session.models[there[0]] = nullptr;
    }
    ASSERT_TRUE(run_frame(*made, session.next(double(frame) / 60), view_from(60)));
    EXPECT_EQ(expect_all_drawn(*made), made->plan().counters.visible);
    kept = kept || made->plan().counters.not_updated > 0;
  }
  EXPECT_TRUE(kept);
}

/// Models 0 and 1 have their numbers alone, and number 2 is of one after the other.
TEST_F(RosterTest, RaysHitTheModelThatIsThereNow) {
  const SharedModel both[] = {built_in_model(), pool()[3]};
  SkinnedCrowd crowd = make_crowd({.planner = {.cull = false, .levels = false, .update_rate = false}}, both);
  const crowd::View view = view_from(20);
  for (uint32_t round = 0; round < 2; ++round) {
    auto prepared = crowd.prepare_model(both[round]);
    ASSERT_TRUE(prepared);
    ASSERT_EQ(crowd.add_model(std::move(*prepared)).value(), 2u);
    std::vector<std::optional<crowd::PickHit>> hits[2];
    for (const uint32_t number : {round, 2u}) {
      Host host = make_host(*both[round], 4, 0.5);
      host.models.assign(4, number);
      ASSERT_TRUE(run_frame(crowd, host, view));
      std::mt19937 random(1);
      std::uniform_real_distribution<float> side(-5, 5), height(-1, 2);
      for (int i = 0; i < 300; ++i) {
        const auto hit = crowd.pick(host.instances(), {{side(random), height(random), 8}, {side(random) / 20, 0, -1}});
        ASSERT_TRUE(hit);
        hits[number == 2].push_back(*hit);
      }
    }
    const auto same = [](const auto& a, const auto& b) {
      return a.has_value() == b.has_value() && (!a || (a->triangle == b->triangle && a->distance == b->distance));
    };
    EXPECT_TRUE(std::ranges::equal(hits[0], hits[1], same));
    if (round == 0) {
      EXPECT_GT(std::ranges::count_if(hits[0], [](const auto& hit) { return hit.has_value(); }), 20);
    }
    ASSERT_TRUE(crowd.remove_model(2));
    for (int frame = 0; frame < 4; ++frame) ASSERT_TRUE(run_frame(crowd, make_host(*both[round], 0), view));
  }
}

TEST_F(RosterTest, AThousandModelsLeaveTheMemoryOfTheFirstTen) {
  SkinnedCrowd crowd = make_crowd({.planner = {.cull = false}}, {&pool()[0], 1});
  Host host = make_host(*pool()[0], 4);
  const crowd::View view = view_from(20);
  vulkan::MemoryUsage of_ten;
  size_t models_of_ten = 0, indices_of_ten = 0;
  for (uint64_t frame = 1; frame <= 1000; ++frame) {
    auto prepared = crowd.prepare_model(pool()[frame % 2 == 0 ? 1 : 3]);
    ASSERT_TRUE(prepared);
    const auto number = crowd.add_model(std::move(*prepared));
    ASSERT_TRUE(number);
    const auto streams = crowd.make_streams(*number);
    ASSERT_TRUE(streams);
    host.models = {0, *number, *number, 0};
    ASSERT_TRUE(crowd.update({.number = frame}, host.instances(), {&view, 1}));
    submit(crowd);
    ASSERT_TRUE(crowd.remove_model(*number));
    const vulkan::MemoryUsage now = crowd.skinner().memory_usage();
    if (frame == 10)
      of_ten = now, models_of_ten = crowd.models().size(), indices_of_ten = crowd.make_streams()->indices.size();
    if (frame != 1000) continue;
    EXPECT_EQ(now.block_bytes, of_ten.block_bytes);
    EXPECT_LE(now.mesh_bytes, of_ten.mesh_bytes);
    EXPECT_LE(now.deferred_bytes, of_ten.deferred_bytes);
    EXPECT_EQ(crowd.models().size(), models_of_ten);
    EXPECT_LE(crowd.make_streams()->indices.size(), 2 * indices_of_ten);  // gaps between two sizes
  }
}

/// docs/misuse.md has what is refused of any other crowd.
TEST_F(RosterTest, ACrowdWhoseModelsAreGoneDrawsNothing) {
  SkinnedCrowd crowd = make_crowd({}, {&pool()[0], 1});
  EXPECT_THAT(crowd.prepare_model(pool()[1], {.world_per_unit = 0}).error().message, HasSubstr("world_per_unit"));
  ASSERT_TRUE(crowd.remove_model(0));
  EXPECT_FALSE(crowd.make_streams(0));
  EXPECT_FALSE(crowd.set_mask(0, 1, {}));
  EXPECT_FALSE(crowd.set_chains(0, {}));
  const Host host = make_host(*pool()[0], 4);
  ASSERT_TRUE(run_frame(crowd, host, view_from(20)));
  EXPECT_EQ(crowd.plan().counters.visible, 0u);
  EXPECT_FALSE(crowd.joint_transform(host.instances(), 0, 0));
}

/// None, then a million, and none again.
TEST_F(RosterTest, TheNumberOfInstancesMayJump) {
  SkinnedCrowd crowd = make_crowd({}, {&pool()[0], 1});
  Host none, many = make_host(*pool()[0], 1);
  many.models.assign(1u << 20, kNobody), many.places.resize(1u << 20), many.playbacks.resize(1u << 20);
  many.generations.assign(1u << 20, 5), many.models[77] = 0, many.places[77] = Matrix3x4();
  for (uint32_t frame = 0; frame < 6; ++frame) {
    ASSERT_TRUE(run_frame(crowd, frame % 2 == 0 ? none : many, view_from(20)));
    EXPECT_EQ(crowd.plan().counters.visible, frame % 2);
  }
}

}  // namespace
}  // namespace sinew::test

#include "roster.h"

#include <chrono>
#include <cstdio>

#include "sinew/sinew.h"

namespace street {
namespace {

using example::check;
using namespace sinew;

/// When models arrive, and the last people of model 1 come.
struct Arrival {
  const char* name;
  double seconds;
};
constexpr Arrival kArrivals[] = {{"merchant", 3}, {"weaver", 6}, {"swordsman", 74}};
constexpr uint32_t kLeaving = 1;
constexpr double kLastComes = 12;

}  // namespace

SharedModel load(const std::string& path) {
  CharacterFile file;
  file.character = check(load_character(path));
  if (file.character.clips.empty()) host::fail("'" + path + "' has no clips");
  ModelOptions options{.size = 1.8f};
  options.levels.triangle_shares = {0.3f, 0.08f}, options.levels.small_levels = false;  // more take seconds to make
  if (find_joint(file.character.skeleton, "hand_r"))
    options.sockets = {{"lantern", "hand_r", {{{1, 0, 0, 0}, {0, 1, 0, 0.08f}, {0, 0, 1, 0}}}}};  // along the hand
  return check(make_model(std::move(file), options));
}

std::string look(const char* name) { return std::string(SINEW_EXAMPLES_LOOKS) + "/" + name + ".glb"; }

Roster::Roster(vulkan::SkinnedCrowd& crowd, example::CrowdRenderer& renderer, Street& street, bool waits)
    : crowd_(crowd), renderer_(renderer), street_(street), waits_(waits) {
  for (uint32_t number = 0; number < 2; ++number) street_.open(number, crowd_.models()[number]);
  load_next();
}

/// Everything that takes long, on a thread of the host: prepare_model() may run beside all other calls of the crowd.
void Roster::load_next() {
  if (next_ == std::size(kArrivals)) return;
  loading_ = std::async(std::launch::async, [this, path = look(kArrivals[next_].name)] {
    return check(crowd_.prepare_model(load(path)));
  });
}

void Roster::advance(double seconds) {
  if (seconds > kLastComes && !is_removed_) {
    street_.close(kLeaving);
    if (street_.people_of(kLeaving) == 0) {
      check(crowd_.remove_model(kLeaving));
      street_.remove(kLeaving), is_removed_ = true;
      std::printf("%.1f s: model %u is removed\n", seconds, kLeaving);
    }
  }
  if (!loading_.valid() || seconds < kArrivals[next_].seconds) return;
  if (!waits_ && loading_.wait_for(std::chrono::seconds(0)) != std::future_status::ready) return;
  const uint32_t number = check(crowd_.add_model(loading_.get()));
  renderer_.upload(crowd_, check(crowd_.make_streams(number)));  // those of other models keep their places
  street_.open(number, crowd_.models()[number]);
  std::printf("%.1f s: model %u is added, the %s\n", seconds, number, kArrivals[next_].name);
  ++next_;
  load_next();
}

}  // namespace street

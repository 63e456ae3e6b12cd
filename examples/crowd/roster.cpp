#include "roster.h"

#include <chrono>
#include <cmath>
#include <cstdio>

#include "sinew/sinew.h"

namespace street {
namespace {

using example::check;
using namespace sinew;

constexpr const char* kArrivals[] = {"merchant", "weaver", "swordsman"};
constexpr double kArrivalSeconds = 3;  // between two; but the last one arrives when a model has left
constexpr uint32_t kLeaving = 1;       // the model that leaves
constexpr double kLastComes = 12;      // seconds: the last time that people of it come

}  // namespace

SharedModel load(const std::string& path) {
  CharacterFile file;
  file.character = check(load_character(path));
  if (file.character.clips.empty()) host::fail("'" + path + "' has no clips");
  ModelOptions options{.size = 1.8f};
  options.levels.triangle_shares = {0.2f}, options.levels.small_levels = false;  // more take seconds to make
  if (find_joint(file.character.skeleton, "hand_r"))
    options.sockets = {{"lantern", "hand_r", {{{1, 0, 0, 0}, {0, 1, 0, 0.08f}, {0, 0, 1, 0}}}}};  // along the hand
  return check(make_model(std::move(file), options));
}

std::string look(const char* name) { return std::string(SINEW_EXAMPLES_LOOKS) + "/" + name + ".glb"; }

Roster::Roster(vulkan::SkinnedCrowd& crowd, example::CrowdRenderer& renderer, Street& street, bool waits)
    : crowd_(crowd), renderer_(renderer), street_(street), waits_(waits), next_seconds_(kArrivalSeconds) {
  for (uint32_t number = 0; number < 2; ++number) street_.open(number, crowd_.models()[number]);
  load_next();
}

/// Everything that takes long, on a thread of the host: prepare_model() may run beside all other calls of the crowd.
void Roster::load_next() {
  if (next_ == std::size(kArrivals)) return;
  loading_ = std::async(std::launch::async,
                        [this, path = look(kArrivals[next_])] { return check(crowd_.prepare_model(load(path))); });
}

void Roster::advance(double seconds) {
  if (seconds > kLastComes && !is_removed_) {
    street_.close(kLeaving);
    if (street_.people_of(kLeaving) == 0) remove(seconds);
  }
  if (!loading_.valid() || seconds < next_seconds_) return;
  if (!waits_ && loading_.wait_for(std::chrono::seconds(0)) != std::future_status::ready) return;
  const uint32_t number = check(crowd_.add_model(loading_.get()));
  renderer_.upload(crowd_, check(crowd_.make_streams(number)));  // those of other models keep their places
  street_.open(number, crowd_.models()[number]);
  std::printf("%.1f s: model %u is added, the %s\n", seconds, number, kArrivals[next_]);
  next_seconds_ = ++next_ < 2 ? seconds + kArrivalSeconds : INFINITY;
  load_next();
}

void Roster::remove(double seconds) {
  check(crowd_.remove_model(kLeaving));
  street_.remove(kLeaving), is_removed_ = true;
  std::printf("%.1f s: model %u is removed\n", seconds, kLeaving);
  next_seconds_ = seconds + 0.2;  // frames in flight show the model no more: the next one gets its number
}

}  // namespace street

#include <sys/wait.h>
#include <unistd.h>

#include <cmath>
#include <functional>
#include <limits>
#include <type_traits>

#include "animation/rig.h"
#include "misuse/misuse.h"

#include "sinew/animation/player.h"
#include "sinew/asset/character_file.h"

namespace sinew::test {
namespace {

/// What `call` writes to standard error before it ends the process, which is a child.
std::string last_words(const std::function<void()>& call) {
  int ends[2];
  if (pipe(ends) != 0) return "no pipe";
  const pid_t child = fork();
  if (child == 0) {
    dup2(ends[1], STDERR_FILENO);
    call();
    _exit(0);
  }
  close(ends[1]);
  std::string text;
  char buffer[256];
  for (ssize_t count; (count = read(ends[0], buffer, sizeof buffer)) > 0;) text.append(buffer, size_t(count));
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  if (!WIFSIGNALED(status) || WTERMSIG(status) != SIGABRT) return "the program goes on";
  return "the program ends: " + text.substr(0, text.find('\n'));
}

std::vector<Misuse> result_misuses() {
  return {
      {"the value of a `load_character_file()` that failed is read",
       last_words([] { std::fprintf(stderr, "%zu", load_character_file("missing.sinew")->character.name.size()); })},
      {"`error()` of a Result that succeeded",
       last_words([] { std::fprintf(stderr, "%s", Result<int>(1).error().message.c_str()); })},
      {"`error()` of a Status that succeeded",
       last_words([] { std::fprintf(stderr, "%s", Status().error().message.c_str()); })},
      {"a Result or Status is ignored", "a warning of the compiler (nodiscard)"},
      {"an evaluator of a temporary bake, as `CrowdEvaluator(*bake(character))`",
       yes_or(!std::is_constructible_v<CrowdEvaluator, BakedCharacter> &&
                  !std::is_constructible_v<CrowdEvaluator, decltype(*std::declval<Result<BakedCharacter>>())>,
              "an error of the compiler")},
  };
}

std::vector<Misuse> evaluator_misuses() {
  const Character character = random_rig({.joints = 3, .clips = 1});
  const Result<BakedCharacter> baked = bake(character);
  CrowdEvaluator evaluator(*baked), moved(*baked);
  const CrowdEvaluator taker(std::move(moved));
  const Playback playing{{{.clip = 0, .time_seconds = 0.5f, .weight = 1}}};
  std::vector<Matrix3x4> room(4);
  const auto with = [&](Layer layer) {
    const Playback wrong{{layer}};
    return outcome_of(evaluator.evaluate({&wrong, 1}, 4, room));
  };
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const std::vector<float> two_factors(2, 1.0f), bad_factors(3, -1.0f);
  const Socket socket{.entry = 3};
  EvaluationScratch scratch;
  return {
      {"`evaluate()` of an evaluator without a bake", outcome_of(CrowdEvaluator().evaluate({&playing, 1}, 4, room))},
      {"`evaluate()` of an evaluator that was moved from", outcome_of(moved.evaluate({&playing, 1}, 4, room))},
      {"palettes for one matrix too few", outcome_of(evaluator.evaluate({&playing, 1}, 4, std::span(room).first(2)))},
      {"a stride below the palette's size", outcome_of(evaluator.evaluate({&playing, 1}, 2, room))},
      {"a layer with clip 1 of 1", with({.clip = 1, .weight = 1}) + ": the layer is ignored"},
      {"a layer at time NaN", with({.time_seconds = nan, .weight = 1}) + ": the clip's start"},
      {"a layer with weight NaN", with({.weight = nan}) + ": the layer is ignored"},
      {"a layer with a mask that was never added", with({.weight = 1, .mask = 7}) + ": all joints"},
      {"the same layer, checked first", outcome_of(validate(Playback{{{.clip = 0, .weight = 1, .mask = 7}}}, 1, 0))},
      {"a layer without a weight, as `{.clip = walk, .time_seconds = t}`",
       outcome_of(validate(Playback{{{.clip = 0, .time_seconds = 0.5f}}}, 1)) + ": it plays, with weight 1"},
      {"a Playback without any layer, checked", outcome_of(validate(Playback(), 1))},
      {"`evaluate_exact()` with the masks of another character",
       outcome_of(evaluate_exact(character, {&playing, 1}, 4, room, scratch, {&two_factors, 1}))},
      {"a mask with two factors for three joints", outcome_of(evaluator.add_mask(two_factors))},
      {"a mask with a negative factor", outcome_of(evaluator.add_mask(bad_factors))},
      {"`set_mask()` of a mask that was never added", outcome_of(evaluator.set_mask(1, two_factors))},
      {"a socket on palette entry 3 of 3", outcome_of(evaluator.set_sockets({&socket, 1}))},
      {"40,000 sockets", outcome_of(evaluator.set_sockets(std::vector<Socket>(40000)))},
      {"a socket on joint 9 of 3", outcome_of(make_socket(character, 9))},
      {"a bake that is not of the character", outcome_of(validate(*baked, random_rig({.joints = 4, .clips = 1})))},
      {"a bake with a step of 0 frames per second", outcome_of(bake(character, {.min_frames_per_second = 0}))},
  };
}

std::vector<Misuse> player_misuses() {
  const Character character = random_rig({.joints = 3, .clips = 1});
  Player player(character, 2), empty, huge(character, UINT32_MAX);
  const float nan = std::numeric_limits<float>::quiet_NaN();
  return {
      {"`play()` of a player without a character", outcome_of(empty.play(0, 0))},
      {"instance 2 of 2", outcome_of(player.play(2, 0))},
      {"clip 1 of 1", outcome_of(player.play(0, 1))},
      {"any call of a player for 4,294,967,295 instances", outcome_of(huge.advance(0))},
      {"`resize()` to 20 million", outcome_of(player.resize(20000000))},
      {"`reset(2)` of 2 instances", outcome_of(player.reset(2))},
      {"mask 1 of a player without masks", outcome_of(player.play(0, 0, {.mask = 1}))},
      {"a speed of NaN", outcome_of(player.play(0, 0, {.speed = nan}))},
      {"a weight of 0", outcome_of(player.play(0, 0, {.weight = 0}))},
      {"a fade of -1 seconds", outcome_of(player.cross_fade(0, 0, -1))},
      {"`advance(NAN)`", outcome_of(player.advance(double(nan)))},
      {"`playback(2)` of 2 instances", yes_or(player.playback(2).layers[0].weight == 0, "the rest pose")},
  };
}

}  // namespace

std::vector<Misuse> animation_misuses() {
  std::vector<Misuse> all = result_misuses();
  for (auto make : {evaluator_misuses, player_misuses})
    for (Misuse& misuse : make()) all.push_back(std::move(misuse));
  return all;
}

}  // namespace sinew::test

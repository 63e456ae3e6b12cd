// Baking, clip times and evaluation.
#include "sinew/c/animation.h"

#include <memory>

#include "character.h"
#include "playback.h"
#include "sinew/animation/bake.h"
#include "sinew/animation/bounds.h"
#include "sinew/animation/retarget.h"
#include "sinew/animation/weights.h"

namespace sinew::c {

SINEW_SAME_LAYOUT(SinewSocket, Socket, entry, mesh_from_socket);

namespace {

/// The levels of detail with a palette of their own, where the bake is not of the clips that the character has now.
void bake_levels(CharacterContent& content, const BakeProgress& progress) {
  for (CoarseLevel& level : content.coarse_levels) {
    const uint32_t targets = level.mesh.target_count();
    if (!level.has_palette() || validate(level.baked, content.character, level.skin, targets)) continue;
    level.baked = take(bake(content.character, level.skin, targets, level.baked.options, progress));
  }
}

/// What an evaluator of a level reads.
const BakedCharacter& bake_of(const CharacterContent& content, uint32_t level) {
  if (!content.baked) refuse("character: it has no bake, see sinew_character_bake()");
  const CoarseLevel* own = content.own_palette(level);
  return own != nullptr ? own->baked : *content.baked;
}

/// What sinew_evaluator_evaluate() and its reference read.
struct Evaluation {
  SinewEvaluateInfo info;
  std::span<const Playback> playbacks;
  std::span<Matrix3x4> palettes, sockets;
  std::span<CompactMatrix> compact_palettes;
  std::span<float> weights;
};

Evaluation read_evaluation(const SinewEvaluateInfo* info) {
  const SinewEvaluateInfo given = read(info, "info");
  const bool compact = given.compact_palettes != nullptr;
  if (compact && given.palettes != nullptr) refuse("info has both palettes and compact_palettes");
  if (compact && given.socket_matrices != nullptr) refuse("info has both compact_palettes and socket_matrices");
  return {given,
          array_as(given.playbacks, given.instance_count, "info->playbacks"),
          array_as(given.palettes, compact ? 0 : given.palette_count, "info->palettes"),
          array_as(given.socket_matrices, given.socket_matrix_count, "info->socket_matrices"),
          array_as(given.compact_palettes, compact ? given.palette_count : 0, "info->compact_palettes"),
          array(given.weights, given.weight_count, "info->weights")};
}

}  // namespace
}  // namespace sinew::c

struct SinewEvaluator {
  std::shared_ptr<const sinew::c::CharacterContent> content;
  sinew::CrowdEvaluator evaluator;
};

using namespace sinew;
using namespace sinew::c;

namespace {

void make_evaluator(const SinewCharacter* character, uint32_t level, SinewEvaluator& handle) {
  handle.evaluator = CrowdEvaluator(bake_of(content_of(character), level));
  handle.content = character->content;
  check(handle.evaluator.set_sockets({}));  // of one that could not be made: out of memory
}

}  // namespace

SinewResult sinew_character_bake(SinewCharacter* character, const SinewBakeOptions* options, SinewError* error) {
  return call(error, __func__, [&] {
    CharacterContent& content = changeable(character);
    const SinewBakeOptions given = read_optional(options, "options");
    std::optional<BakedCharacter> baked;
    const BakeProgress progress{given.progress_user_data, given.progress};
    if (options != nullptr || !content.baked) baked = take(bake(content.character, bake_options(given), progress));
    bake_levels(content, progress);
    content.bounds = take(measure_bounds(content.character, baked ? *baked : *content.baked));
    if (baked) content.baked = std::move(baked);
  });
}

SinewResult sinew_character_retarget_clips(SinewCharacter* character, const SinewCharacter* from, SinewError* error) {
  return call(error, __func__, [&] {
    CharacterContent& content = changeable(character);
    const Character& source = content_of(from, "from").character;
    const auto pairs = take(pair_joints(source.skeleton, content.character.skeleton));
    const std::vector<Clip> clips = take(retarget_clips(source, content.character, pairs));
    content.character.clips.insert(content.character.clips.end(), clips.begin(), clips.end());
    content.drop_bake();
  });
}

SinewResult sinew_character_palette_scaling(const SinewCharacter* character, uint32_t* out, SinewError* error) {
  return call(error, __func__, [&] {
    const Character& of = content_of(character).character;
    required(out, "out") = uint32_t(palette_scaling(of.skeleton, of.skin, of.clips));
  });
}

SinewResult sinew_character_palette_scale(const SinewCharacter* character, float* out, SinewError* error) {
  return call(error, __func__, [&] {
    const CharacterContent& content = content_of(character);
    if (!content.baked) refuse("character: sinew_character_bake() has not baked it");
    required(out, "out") = content.baked->scale;
  });
}

SinewResult sinew_character_bounds(const SinewCharacter* character, SinewBounds* out, SinewError* error) {
  return query(out, error, __func__, [&](SinewBounds& bounds) {
    const CharacterContent& content = content_of(character);
    if (!content.bounds) refuse("character: sinew_character_bake() has not measured its bounds");
    bounds.rest = *seen_as<SinewBox>(&content.bounds->rest);
    bounds.all = *seen_as<SinewBox>(&content.bounds->layered);
  });
}

SinewResult sinew_character_clip_time(const SinewCharacter* character, uint32_t clip, double seconds, uint32_t looping,
                                      float* out, SinewError* error) {
  return call(error, __func__, [&] {
    const Clip& played = element(content_of(character).character.clips, clip, "clip");
    required(out, "out") = clip_time(played, seconds, choice(looping, kLoopings, "looping"));
  });
}

SinewResult sinew_character_level_palette(const SinewCharacter* character, uint32_t level, SinewLevelPalette* out,
                                          SinewError* error) {
  return query(out, error, __func__, [&](SinewLevelPalette& palette) {
    const CharacterContent& content = content_of(character);
    const CoarseLevel* own = content.own_palette(level);
    const Skin& skin = own != nullptr ? own->skin : content.character.skin;
    palette.own = own != nullptr ? 1 : 0;
    palette.palette_size = skin.palette_size();
    palette.target_count = own != nullptr ? own->mesh.target_count() : content.character.mesh.target_count();
    palette.scaling = uint32_t(palette_scaling(content.character.skeleton, skin, content.character.clips));
    if (content.baked) palette.scale = bake_of(content, level).scale;
  });
}

SinewResult sinew_evaluator_create(const SinewCharacter* character, SinewEvaluator** out, SinewError* error) {
  return create(out, error, __func__, [&](SinewEvaluator& handle) { make_evaluator(character, 0, handle); });
}

SinewResult sinew_evaluator_create_for_level(const SinewCharacter* character, uint32_t level, SinewEvaluator** out,
                                             SinewError* error) {
  return create(out, error, __func__, [&](SinewEvaluator& handle) { make_evaluator(character, level, handle); });
}

void sinew_evaluator_destroy(SinewEvaluator* evaluator) { delete evaluator; }

SinewResult sinew_evaluator_add_mask(SinewEvaluator* evaluator, const float* factors, uint32_t count, uint32_t* out,
                                     SinewError* error) {
  return call(error, __func__, [&] {
    required(out, "out") = 0;
    *out = take(required(evaluator, "evaluator").evaluator.add_mask(array(factors, count, "factors")));
  });
}

SinewResult sinew_evaluator_set_mask(SinewEvaluator* evaluator, uint32_t mask, const float* factors, uint32_t count,
                                     SinewError* error) {
  return call(error, __func__, [&] {
    check(required(evaluator, "evaluator").evaluator.set_mask(mask, array(factors, count, "factors")));
  });
}

SinewResult sinew_character_add_palette_entry(SinewCharacter* character, uint32_t joint, SinewError* error) {
  return call(error, __func__, [&] {
    CharacterContent& content = changeable(character);
    const uint32_t entries_before = content.character.skin.palette_size();
    check(add_palette_entry(content.character, joint));
    if (content.character.skin.palette_size() == entries_before) return;
    content.drop_bake();
    content.coarse_levels.clear();  // their influences have the old numbers
  });
}

SinewResult sinew_character_make_socket(const SinewCharacter* character, uint32_t joint,
                                        const SinewMatrix3x4* joint_from_socket, SinewSocket* out, SinewError* error) {
  return call(error, __func__, [&] {
    SinewSocket& socket = required(out, "out");
    const Matrix3x4 offset = joint_from_socket != nullptr ? *as_cpp(joint_from_socket) : Matrix3x4{};
    const Socket made = take(make_socket(content_of(character).character, joint, offset));
    socket = *seen_as<SinewSocket>(&made);
  });
}

SinewResult sinew_evaluator_set_sockets(SinewEvaluator* evaluator, const SinewSocket* sockets, uint32_t count,
                                        SinewError* error) {
  return call(error, __func__, [&] {
    check(required(evaluator, "evaluator").evaluator.set_sockets(array_as(sockets, count, "sockets")));
  });
}

SinewResult sinew_evaluator_evaluate(const SinewEvaluator* evaluator, const SinewEvaluateInfo* info,
                                     SinewError* error) {
  return call(error, __func__, [&] {
    const CrowdEvaluator& by = required(evaluator, "evaluator").evaluator;
    const Evaluation given = read_evaluation(info);
    const uint32_t stride = given.info.palette_stride;
    const ParallelFor loop = loop_of(given.info.parallel_for);
    if (given.info.compact_palettes != nullptr) {
      check(by.evaluate(given.playbacks, stride, given.compact_palettes, loop));
    } else if (given.info.socket_matrices != nullptr) {
      check(by.evaluate(given.playbacks, stride, given.palettes, given.sockets, loop));
    } else {
      check(by.evaluate(given.playbacks, stride, given.palettes, loop));
    }
    if (given.info.weights != nullptr)
      check(evaluate_weights(*by.baked(), given.playbacks, given.info.weight_stride, given.weights, loop));
  });
}

SinewResult sinew_character_evaluate_exact(const SinewCharacter* character, const SinewEvaluateInfo* info,
                                           SinewError* error) {
  return call(error, __func__, [&] {
    const CharacterContent& content = content_of(character);
    const Evaluation given = read_evaluation(info);
    if (given.info.socket_matrices != nullptr)
      refuse("info->socket_matrices is not null, but the reference evaluates no sockets");
    if (given.info.compact_palettes != nullptr)
      refuse("info->compact_palettes is not null, but the reference writes matrices");
    const CoarseLevel* own = content.own_palette(given.info.level);
    const Skin& skin = own != nullptr ? own->skin : content.character.skin;
    EvaluationScratch scratch;
    check(evaluate_exact(content.character, skin, given.playbacks, given.info.palette_stride, given.palettes, scratch));
    if (given.info.weights != nullptr)
      check(evaluate_weights_exact(content.character, given.playbacks, given.info.weight_stride, given.weights));
  });
}

#include "viewer/layers.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <set>

#include "scene/names.h"
#include "system/text.h"

namespace sinew::app {
namespace {

float weight_on(const StackedClip& clip, const JointRange& joints, uint32_t joint) {
  return joints.contains(joint) ? clip.weight : 0;
}

constexpr std::array<std::string_view, 5> kKeys = {"clip", "joint", "weight", "mode", "time"};

bool is_key(std::string_view word) { return std::find(kKeys.begin(), kKeys.end(), word) != kKeys.end(); }

std::string quoted(std::string_view word) { return "\"" + printable(std::string(word)) + "\""; }

Error refuse_layer(const std::string& why) { return {ErrorCode::kInvalidArgument, why}; }

/// Where a value ends: at a comma, which in a name must be followed by a key and '='.
size_t end_of_value(std::string_view rest, bool is_name) {
  const auto begins_key = [](std::string_view text) {
    const size_t equals = text.find('=');
    return equals != text.npos && is_key(text.substr(0, equals));
  };
  size_t comma = rest.find(',');
  while (is_name && comma != rest.npos && !begins_key(rest.substr(comma + 1))) comma = rest.find(',', comma + 1);
  return std::min(comma, rest.size());
}

template <class Value>
Status set_number(Value& field, std::string_view key, std::string_view word, Value max) {
  const auto number = parse_number(word, Value(0), max);
  if (!number)
    return refuse_layer(std::string(key) + ": " + quoted(word) + " is not a number from 0 to " + number_text(max));
  field = *number;
  return {};
}

/// `key` is one of kKeys.
Status set_value(LayerOption& option, std::string_view key, std::string_view word) {
  if (key == "weight") return set_number(option.layer.weight, key, word, 1.0f);
  if (key == "time") {
    option.layer.in_phase = word == "phase";
    const Status set = option.layer.in_phase ? Status() : set_number(option.layer.seconds, key, word, 1e6);
    return set ? set : refuse_layer(set.error().message + ", nor phase");
  }
  if (key == "mode") {
    option.layer.mode = word == "additive" ? LayerMode::kAdditive : LayerMode::kOverride;
    const bool known = word == "additive" || word == "override";
    return known ? Status() : refuse_layer("mode: " + quoted(word) + " is not override or additive");
  }
  if (word.empty()) return refuse_layer(std::string(key) + ": the name is missing");
  if (key == "clip") option.clip = word;
  if (key == "joint") option.joint = word;
  return {};
}

}  // namespace

Playback playback_of(const Skeleton& skeleton, std::span<const StackedClip> stack, std::span<NamedMask> masks) {
  assert(stack.size() <= kMaxLayers && masks.size() == kMaxLayers);
  JointRange joints[kMaxLayers];
  for (size_t i = 0; i < stack.size(); ++i) joints[i] = joints_below(skeleton, stack[i].joint);
  Playback playback;
  for (size_t i = 0; i < stack.size(); ++i) {
    std::vector<float>& shares = masks[i].factors;
    for (uint32_t joint = 0; joint < shares.size(); ++joint) {
      shares[joint] = weight_on(stack[i], joints[i], joint);
      for (size_t above = i + 1; above < stack.size(); ++above) {
        if (stack[above].mode == LayerMode::kOverride)
          shares[joint] *= 1 - weight_on(stack[above], joints[above], joint);
      }
    }
    playback.layers[i] = {stack[i].clip, stack[i].time_seconds, 1, uint32_t(i + 1)};
    const auto differs = [&](float share) { return share != shares.front(); };
    if (!shares.empty() && std::none_of(shares.begin(), shares.end(), differs)) {
      playback.layers[i].weight = shares.front();
      playback.layers[i].mask = 0;
    }
  }
  return playback;
}

Result<LayerOption> parse_layer(std::string_view text) {
  LayerOption option;
  std::set<std::string_view> seen;
  for (std::string_view rest = text;;) {
    const size_t equals = rest.find('='), comma = rest.find(',');
    if (equals == rest.npos || comma < equals) return refuse_layer(quoted(rest.substr(0, comma)) + " is not KEY=VALUE");
    const std::string_view key = rest.substr(0, equals);
    if (!is_key(key))
      return refuse_layer("unknown key " + quoted(key) + "; the keys are clip, joint, weight, mode, time");
    if (!seen.insert(key).second) return refuse_layer("the key " + quoted(key) + " is there twice");
    rest.remove_prefix(equals + 1);
    const size_t end = end_of_value(rest, key == "clip" || key == "joint");
    if (Status set = set_value(option, key, rest.substr(0, end)); !set) return set.error();
    if (end == rest.size()) break;
    rest.remove_prefix(end + 1);
  }
  if (option.clip.empty()) return refuse_layer("clip=NAME is missing");
  return option;
}

Result<ViewLayer> resolve_layer(const LayerOption& option, const Character& character) {
  const auto clip = find_clip_by_name(character.clips, option.clip);
  if (!clip) return clip.error();
  ViewLayer layer = option.layer;
  layer.clip = *clip;
  if (!option.joint) return layer;
  const auto joint = find_joint_by_name(character.skeleton, *option.joint);
  if (!joint) return joint.error();
  layer.joint = int32_t(*joint);
  return layer;
}

}  // namespace sinew::app

#include "view/layer_option.h"

#include <algorithm>
#include <iterator>
#include <set>

#include "system/parse_number.h"
#include "system/text.h"
#include "view/find_names.h"

namespace sinew::app {
namespace {

constexpr std::string_view kKeys[] = {"clip", "joint", "weight", "mode", "time"};

bool is_key(std::string_view word) { return std::find(std::begin(kKeys), std::end(kKeys), word) != std::end(kKeys); }

std::string quoted(std::string_view word) { return "\"" + printable(std::string(word)) + "\""; }

Error refuse(const std::string& why) { return {ErrorCode::kInvalidArgument, why}; }

/// Whether a key and '=' begin here.
bool begins_key(std::string_view rest) {
  const size_t equals = rest.find('=');
  return equals != rest.npos && is_key(rest.substr(0, equals));
}

/// Where a value ends: at a comma, which in a name must be followed by a key.
size_t end_of_value(std::string_view rest, bool is_name) {
  size_t comma = rest.find(',');
  while (is_name && comma != rest.npos && !begins_key(rest.substr(comma + 1))) comma = rest.find(',', comma + 1);
  return std::min(comma, rest.size());
}

template <class Value>
Status set_number(Value& field, std::string_view key, std::string_view word, Value max) {
  const auto number = parse_number(word, Value(0), max);
  if (!number) return refuse(std::string(key) + ": " + quoted(word) + " is not a number from 0 to " + number_text(max));
  field = *number;
  return {};
}

Status set_mode(LayerMode& mode, std::string_view word) {
  if (word != "override" && word != "additive") return refuse("mode: " + quoted(word) + " is not override or additive");
  mode = word == "additive" ? LayerMode::kAdditive : LayerMode::kOverride;
  return {};
}

/// `key` is one of kKeys.
Status set_value(LayerWords& words, std::string_view key, std::string_view word) {
  if (key == "weight") return set_number(words.weight, key, word, 1.0f);
  if (key == "time") return set_number(words.time_seconds, key, word, 1e6);
  if (key == "mode") return set_mode(words.mode, word);
  if (word.empty()) return refuse(std::string(key) + ": the name is missing");
  if (key == "clip") words.clip = word;
  if (key == "joint") words.joint = word;
  return {};
}

}  // namespace

Result<LayerWords> parse_layer(std::string_view option) {
  LayerWords words;
  std::set<std::string_view> seen;
  for (std::string_view rest = option;;) {
    const size_t equals = rest.find('='), comma = rest.find(',');
    if (equals == rest.npos || comma < equals) return refuse(quoted(rest.substr(0, comma)) + " is not KEY=VALUE");
    const std::string_view key = rest.substr(0, equals);
    if (!is_key(key)) return refuse("unknown key " + quoted(key) + "; the keys are clip, joint, weight, mode, time");
    if (!seen.insert(key).second) return refuse("the key " + quoted(key) + " is there twice");
    rest.remove_prefix(equals + 1);
    const size_t end = end_of_value(rest, key == "clip" || key == "joint");
    if (Status set = set_value(words, key, rest.substr(0, end)); !set) return set.error();
    if (end == rest.size()) break;
    rest.remove_prefix(end + 1);
  }
  if (words.clip.empty()) return refuse("clip=NAME is missing");
  return words;
}

Result<ViewLayer> resolve_layer(const LayerWords& words, const Character& character) {
  const auto clip = find_clip_by_name(character.clips, words.clip);
  if (!clip) return clip.error();
  ViewLayer layer;
  layer.clip = *clip;
  layer.weight = words.weight;
  layer.mode = words.mode;
  layer.seconds = words.time_seconds;
  if (!words.joint) return layer;
  const auto joint = find_joint_by_name(character.skeleton, *words.joint);
  if (!joint) return joint.error();
  layer.joint = int32_t(*joint);
  return layer;
}

}  // namespace sinew::app

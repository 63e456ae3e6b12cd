// The text of an option that adds a layer: clip=NAME,joint=NAME,weight=W,mode=override|additive,time=S.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "sinew/asset/character.h"
#include "sinew/asset/result.h"
#include "view/layers.h"

namespace sinew::app {

/// The option as written: its names are not looked up yet.
struct LayerWords {
  std::string clip;
  std::optional<std::string> joint;
  float weight = 1;  // 0 to 1
  LayerMode mode = LayerMode::kOverride;
  double time_seconds = 0;  // playback time at the start, 0 to 1e6
};

/// Parses the option. Keys come in any order, each once; only `clip` is required. A name may contain ':' and '=', and
/// commas too: in a name, a comma begins a new key only before a key of the list above and '='. Errors:
/// kInvalidArgument with the word at fault.
Result<LayerWords> parse_layer(std::string_view option);

/// The layer, with names looked up among the clips and joints of the character. Call it before clips are derived.
/// Errors: kNotFound with the nearest names.
Result<ViewLayer> resolve_layer(const LayerWords& words, const Character& character);

}  // namespace sinew::app

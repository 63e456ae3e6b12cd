// A viewer of the built-in character, without a window.
#pragma once

#include <gtest/gtest.h>

#include <optional>
#include <utility>
#include <vector>

#include "built_in.h"
#include "viewer/viewer.h"

namespace sinew::test {}
namespace sinew::app::test {
using namespace sinew::test;  // in sinew::app, test:: is both

class ViewerFixture : public ::testing::Test {
 protected:
  /// Makes the viewer. The first clip is repeated until there are `min_clips`.
  void open(size_t min_clips = 0) {
    std::vector<Model> models = built_in_models();
    auto& clips = models[0].character.clips;
    while (clips.size() < min_clips) clips.push_back(clips.front());
    viewer_.emplace(std::move(models));
  }

  std::optional<Viewer> viewer_;
};

}  // namespace sinew::app::test

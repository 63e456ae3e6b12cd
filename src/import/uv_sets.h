// Which sets of texture coordinates of a file become the two of a mesh.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace sinew::internal {

/// The sets that the textures of one material use. `Set` is what a file names a set with.
template <class Set>
class UvSets {
 public:
  /// What Texture::uv_set becomes. The first two sets that are asked for become 0 and 1; nothing for a third.
  std::optional<uint32_t> number_of(const Set& set) {
    const auto found = std::find(sets_.begin(), sets_.end(), set);
    if (found != sets_.end()) return uint32_t(found - sets_.begin());
    if (sets_.size() == 2) return std::nullopt;
    sets_.push_back(set);
    return uint32_t(sets_.size()) - 1;
  }

  /// True the first time that number_of() gave nothing and this is asked: a material is counted once.
  bool loses_first() { return !std::exchange(loses_, true); }

  /// By their number, at most two.
  const std::vector<Set>& sets() const { return sets_; }

 private:
  std::vector<Set> sets_;
  bool loses_ = false;
};

}  // namespace sinew::internal

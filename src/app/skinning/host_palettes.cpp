#include "skinning/host_palettes.h"

#include <iterator>

namespace sinew::app {

void HostPalettes::place(uint32_t group, std::span<SkinnedRange> ranges) {
  size_t entries = 0;
  for (const SkinnedRange& range : ranges) entries += range.palette_entries();
  groups_[group].resize(entries / std::size(Block().matrices));  // strides are multiples of a block
  size_t first = 0;
  for (SkinnedRange& range : ranges) {
    range.palettes = {&groups_[group].data()->matrices[0] + first, range.palette_entries()};
    first += range.palette_entries();
  }
}

}  // namespace sinew::app

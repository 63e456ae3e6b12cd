#include "viewer/clip_filter.h"

#include <algorithm>

#include "system/text.h"

namespace sinew::app {

std::vector<uint32_t> filtered_clips(std::span<const Clip> clips, std::string_view filter) {
  std::vector<uint32_t> left;
  for (uint32_t i = 0; i < clips.size(); ++i) {
    if (contains_any_case(clips[i].name, filter)) left.push_back(i);
  }
  return left;
}

uint32_t neighbor(std::span<const uint32_t> list, uint32_t clip, int offset) {
  const auto at = std::ranges::lower_bound(list, clip);
  int64_t index = at - list.begin();
  if (offset > 0 && (at == list.end() || *at != clip)) --index;
  const int64_t count = int64_t(list.size());
  return list[size_t(((index + offset) % count + count) % count)];
}

size_t shared_front(std::span<const Clip> clips) {
  if (clips.size() < 2) return 0;
  std::string_view shared = clips.front().name;
  for (const Clip& clip : clips) {
    const auto differs = std::ranges::mismatch(shared, clip.name).in1;
    shared = shared.substr(0, size_t(differs - shared.begin()));
  }
  return shared.rfind('|') + 1;  // npos + 1 is 0
}

}  // namespace sinew::app

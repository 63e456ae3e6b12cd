#include "lost_features.h"

namespace sinew::internal {

void LostFeatures::add(size_t row, std::string_view name) {
  Found& found = found_[row];
  if (found.first.empty()) found.first = name;
  ++found.count;
}

void LostFeatures::append_to(std::vector<std::string>& warnings, LostFrom from) const {
  for (size_t row = 0; row < table_.size(); ++row) {
    const Found& found = found_[row];
    if (found.count == 0 || table_[row].from != from) continue;
    std::string text = std::to_string(found.count) + " " + std::string(table_[row].item);
    if (found.count > 1) text += "s";
    if (!found.first.empty()) text += found.count > 1 ? " ('" + found.first + "' the first)" : " '" + found.first + "'";
    warnings.push_back(text + ": " + std::string(table_[row].line));
  }
}

}  // namespace sinew::internal

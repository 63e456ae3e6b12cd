#include "lost_features.h"

namespace sinew::internal {
namespace {

std::string plural(std::string_view item) {
  if (item.ends_with("y")) return std::string(item.substr(0, item.size() - 1)) + "ies";
  return std::string(item) + (item.ends_with("sh") ? "es" : "s");
}

}  // namespace

void LostFeatures::add(size_t row, std::string_view name) {
  Found& found = found_[row];
  if (found.first.empty()) found.first = name;
  ++found.count;
}

void LostFeatures::append_to(std::vector<std::string>& warnings, LostFrom from) const {
  for (size_t row = 0; row < table_.size(); ++row) {
    const Found& found = found_[row];
    if (found.count == 0 || table_[row].from != from) continue;
    const std::string_view item = table_[row].item;
    std::string text = std::to_string(found.count) + " " + (found.count > 1 ? plural(item) : std::string(item));
    if (!found.first.empty()) text += found.count > 1 ? " ('" + found.first + "' the first)" : " '" + found.first + "'";
    warnings.push_back(text + ": " + std::string(table_[row].line));
  }
}

}  // namespace sinew::internal

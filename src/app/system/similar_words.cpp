#include "system/similar_words.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "system/text.h"

namespace sinew::app {
namespace {

/// Letters that may be wrong, as a share: one of `cpu`, three of `--charcters`.
constexpr double kNearlyTheSame = 0.34;

/// The number of bytes to insert, remove or replace. Wagner and Fischer, "The String-to-String Correction Problem",
/// 1974; one row at a time.
size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), size_t(0));
  for (size_t i = 0; i < a.size(); ++i) {
    size_t diagonal = std::exchange(row[0], i + 1);
    for (size_t j = 0; j < b.size(); ++j) {
      const size_t replaced = diagonal + (a[i] != b[j]);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, row[j] + 1, diagonal + 1});
    }
  }
  return row.back();
}

/// As a share of the longer word: else short words that have nothing in common would be nearer than long ones.
double distance(std::string_view a, std::string_view b) {
  return double(edit_distance(lower(a), lower(b))) / double(std::max({a.size(), b.size(), size_t(1)}));
}

}  // namespace

std::vector<std::string_view> most_alike(std::span<const std::string_view> words, std::string_view written,
                                         size_t most) {
  const auto nearer = [&](std::string_view a, std::string_view b) {
    return distance(a, written) < distance(b, written);
  };
  std::vector<std::string_view> nearest;
  for (const std::string_view word : words) {
    if (std::find(nearest.begin(), nearest.end(), word) != nearest.end()) continue;
    nearest.insert(std::upper_bound(nearest.begin(), nearest.end(), word, nearer), word);
    if (nearest.size() > most) nearest.pop_back();
  }
  return nearest;
}

std::string did_you_mean(std::span<const std::string_view> words, std::string_view written) {
  const auto nearest = most_alike(words, written, 1);
  if (nearest.empty() || distance(nearest.front(), written) > kNearlyTheSame) return {};
  return "; did you mean " + std::string(nearest.front()) + "?";
}

}  // namespace sinew::app

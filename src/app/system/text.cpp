#include "system/text.h"

#include <algorithm>
#include <cmath>
#include <cstdarg>
#include <cstdio>
#include <numeric>
#include <utility>

#include "asset/one_line.h"

namespace sinew::app {

std::string text(const char* format, ...) {
  va_list arguments, again;
  va_start(arguments, format);
  va_copy(again, arguments);
  std::string result(size_t(vsnprintf(nullptr, 0, format, arguments)), '\0');
  vsnprintf(result.data(), result.size() + 1, format, again);
  va_end(again);
  va_end(arguments);
  return result;
}

std::string printable(const std::string& name) { return internal::one_line(name); }

std::string lower(std::string_view word) {
  std::string result(word);
  for (char& c : result) c = c >= 'A' && c <= 'Z' ? char(c - 'A' + 'a') : c;
  return result;
}

bool contains_any_case(std::string_view text, std::string_view part) {
  return lower(text).find(lower(part)) != std::string::npos;
}

std::vector<std::string> split_list(std::string_view list) {
  std::vector<std::string> words;
  for (size_t first = 0; first <= list.size();) {
    const size_t end = std::min(list.find(',', first), list.size());
    words.emplace_back(list.substr(first, end - first));
    first = end + 1;
  }
  return words;
}

std::string grouped(uint64_t value) {
  std::string digits = std::to_string(value);
  for (size_t end = digits.size(); end > 3; end -= 3) digits.insert(end - 3, ",");
  return digits;
}

std::string millimeters(double value) { return text(std::abs(value) < 1e6 ? "%.4f" : "%.4g", value); }

std::string rounded(double value, int digits) {
  if (!std::isfinite(value)) return "-";
  if (digits < 3 && value != 0) {
    const double unit = std::pow(10, std::floor(std::log10(std::abs(value))) - digits + 1);
    value = std::round(value / unit) * unit;
  }
  if (std::abs(value) >= 999.5) return (value < 0 ? "-" : "") + grouped(uint64_t(std::llround(std::abs(value))));
  const int power = value == 0 ? 0 : int(std::floor(std::log10(std::abs(value)) + 1e-9));
  return text("%.*f", std::clamp(digits - 1 - power, 0, 6), value);
}

std::string percent(double share) { return share < 0.0995 ? text("%.1f", share * 100) : rounded(share * 100, 2); }

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

#include "system/text.h"

#include <algorithm>
#include <cmath>
#include <cstdarg>
#include <cstdio>

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

}  // namespace sinew::app

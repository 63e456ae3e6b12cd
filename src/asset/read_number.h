// Numbers read from text, the same whatever locale the host has set: std::from_chars(), and a replacement for standard
// libraries that read only integers with it, such as libc++ before version 20 (macOS).
#pragma once

#include <charconv>
#include <string_view>
#include <type_traits>

#ifdef _WIN32
#ifndef __cpp_lib_to_chars
#error "This standard library reads no real numbers: read_real_number() needs _strtod_l() of Windows"
#endif
#else
#include <locale.h>
#ifdef __APPLE__
#include <xlocale.h>
#endif

#include <cerrno>
#include <cmath>
#include <cstdlib>
#include <string>

#include "plain_text.h"
#endif

namespace sinew {
#ifndef _WIN32
namespace internal {

constexpr bool is_digit(char letter) { return letter >= '0' && letter <= '9'; }

constexpr size_t digit_count(std::string_view text) {
  size_t count = 0;
  while (count < text.size() && is_digit(text[count])) ++count;
  return count;
}

/// Whether `text` begins with `word`, in capitals or not. The word has none.
constexpr bool begins_with(std::string_view text, std::string_view word) {
  for (size_t i = 0; i < word.size(); ++i) {
    if (i == text.size() || lower(text[i]) != word[i]) return false;
  }
  return true;
}

/// The size of "inf", "infinity", "nan" or "nan(letters)" at the start of `text`; 0: there is none of them.
constexpr size_t size_of_named_number(std::string_view text) {
  if (begins_with(text, "infinity")) return 8;
  if (begins_with(text, "inf")) return 3;
  if (!begins_with(text, "nan")) return 0;
  if (!text.substr(3).starts_with('(')) return 3;
  const auto is_inside = [](char c) { return is_digit(c) || c == '_' || (lower(c) >= 'a' && lower(c) <= 'z'); };
  size_t end = 4;
  while (end < text.size() && is_inside(text[end])) ++end;
  return end < text.size() && text[end] == ')' ? end + 1 : 3;
}

/// The size of the exponent at the start of `text`; 0: there is none.
constexpr size_t size_of_exponent(std::string_view text) {
  if (!begins_with(text, "e")) return 0;
  const size_t sign = text.substr(1).starts_with('+') || text.substr(1).starts_with('-') ? 1 : 0;
  const size_t digits = digit_count(text.substr(1 + sign));
  return digits > 0 ? 1 + sign + digits : 0;
}

/// The size of the decimal number without a sign at the start of `text`; 0: there is none.
constexpr size_t size_of_decimal_number(std::string_view text) {
  const size_t whole = digit_count(text);
  const size_t point = text.substr(whole).starts_with('.') ? 1 : 0;
  const size_t fraction = point * digit_count(text.substr(whole + point));
  const size_t size = whole + point + fraction;
  return whole + fraction > 0 ? size + size_of_exponent(text.substr(size)) : 0;
}

inline void read_in(locale_t locale, const char* text, float& value) { value = ::strtof_l(text, nullptr, locale); }
inline void read_in(locale_t locale, const char* text, double& value) { value = ::strtod_l(text, nullptr, locale); }

/// As std::from_chars() of a real number, by the C library in a locale of its own. Throws std::bad_alloc.
template <class Real>
std::from_chars_result read_real_number(const char* begin, const char* end, Real& value) {
  static const locale_t plain = newlocale(LC_ALL_MASK, "C", nullptr);  // should it fail: null is the same on macOS
  const size_t sign = begin != end && *begin == '-' ? 1 : 0;
  const std::string_view text(begin + sign, size_t(end - begin) - sign);
  const size_t named = size_of_named_number(text), size = named > 0 ? named : size_of_decimal_number(text);
  if (size == 0) return {begin, std::errc::invalid_argument};
  const size_t parsed_size = named > 0 ? 3 : size;  // the letters of a NaN would become bits of it
  Real read = 0;
  errno = 0;
  read_in(plain, std::string(begin, sign + parsed_size).c_str(), read);
  const char* const rest = text.data() + size;
  // The C library also reports numbers that are so small that they have fewer digits than others.
  if (errno == ERANGE && (read == 0 || std::isinf(read))) return {rest, std::errc::result_out_of_range};
  value = read;
  return {rest, std::errc()};
}

}  // namespace internal
#endif

/// As std::from_chars() of a decimal number: it takes no blank and no '+' before the number, and nothing hexadecimal.
/// May throw std::bad_alloc where a real number is read.
template <class Number>
std::from_chars_result read_number(const char* begin, const char* end, Number& value) {
#ifndef __cpp_lib_to_chars
  if constexpr (std::is_floating_point_v<Number>) {
    return internal::read_real_number(begin, end, value);
  } else {
    return std::from_chars(begin, end, value);
  }
#else
  return std::from_chars(begin, end, value);
#endif
}

}  // namespace sinew

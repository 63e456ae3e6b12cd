#include "fbx/fbx_record.h"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>

#include "asset/read_number.h"
#include "failure.h"

namespace sinew::internal {
namespace {

constexpr uint64_t kMinArrayBytes = uint64_t(256) << 20;  // that all arrays of a small file may have together
constexpr uint64_t kArrayBytesPerByte = 64;               // of a large file

/// Parses digits in any locale. Other text, such as "1.#INF", gives NaN, or 0 as an integer.
double parse_real(std::string_view digits) {
  if (digits.starts_with('+')) digits.remove_prefix(1);
  double value = NAN;
  const auto read = read_number(digits.data(), digits.data() + digits.size(), value);
  if (read.ptr != digits.data() + digits.size()) return NAN;
  const bool is_tiny = read.ec == std::errc::result_out_of_range && digits.find("e-") != digits.npos;
  return is_tiny ? 0 : value;
}

/// A real number as an integer, also where it is out of range.
int64_t to_integer(double value) { return std::abs(value) < 9.2e18 ? int64_t(value) : 0; }

int64_t parse_integer(std::string_view digits) {
  if (digits.starts_with('+')) digits.remove_prefix(1);
  int64_t value = 0;
  const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  return read.ptr == digits.data() + digits.size() ? value : to_integer(parse_real(digits));
}

bool is_number(const FbxValue& value) {
  using enum FbxValue::Kind;
  return value.kind == kInteger || value.kind == kReal || value.kind == kNumberText;
}

double real_of(const FbxValue& value) {
  using enum FbxValue::Kind;
  return value.kind == kReal ? value.real : value.kind == kInteger ? double(value.integer) : parse_real(value.bytes);
}

int64_t integer_of(const FbxValue& value) {
  using enum FbxValue::Kind;
  if (value.kind == kInteger) return value.integer;
  return value.kind == kReal ? to_integer(value.real) : parse_integer(value.bytes);
}

size_t element_bytes(char element) {
  switch (element) {
    case 'd':
    case 'l':
      return 8;
    case 'f':
    case 'i':
      return 4;
    default:
      return 1;
  }
}

std::vector<uint8_t> inflate_all(std::string_view compressed, size_t size) {
  std::vector<uint8_t> bytes(size);
  uLongf written = uLongf(size);
  const auto* source = reinterpret_cast<const Bytef*>(compressed.data());
  const int outcome = ::uncompress(bytes.data(), &written, source, uLong(compressed.size()));
  require(outcome == Z_OK && written == size, [] { return "a compressed array is damaged"; });
  return bytes;
}

template <class Element, class Number>
void append_elements(const FbxValue& array, const uint8_t* bytes, std::vector<Number>& numbers) {
  for (size_t i = 0; i < array.count; ++i) {
    std::array<uint8_t, sizeof(Element)> one;
    std::memcpy(one.data(), bytes + i * sizeof(Element), sizeof(Element));
    if (array.swapped) std::reverse(one.begin(), one.end());
    const auto element = std::bit_cast<Element>(one);
    if constexpr (std::is_floating_point_v<Element> && std::is_integral_v<Number>) {
      numbers.push_back(to_integer(double(element)));
    } else {
      numbers.push_back(Number(element));
    }
  }
}

template <class Number>
void append_array(const FbxValue& array, const uint8_t* bytes, std::vector<Number>& numbers) {
  switch (array.element) {
    case 'd':
      return append_elements<double>(array, bytes, numbers);
    case 'f':
      return append_elements<float>(array, bytes, numbers);
    case 'l':
      return append_elements<int64_t>(array, bytes, numbers);
    case 'i':
      return append_elements<int32_t>(array, bytes, numbers);
    default:
      return append_elements<uint8_t>(array, bytes, numbers);
  }
}

template <class Number>
void append_text(std::string_view text, std::vector<Number>& numbers) {
  numbers.reserve(numbers.size() + size_t(std::count(text.begin(), text.end(), ',')) + 1);
  const auto is_between = [](char c) { return c == ',' || c == ' ' || c == '\t' || c == '\n' || c == '\r'; };
  for (size_t at = 0; at < text.size();) {
    if (is_between(text[at])) {
      ++at;
      continue;
    }
    const size_t begin = at;
    while (at < text.size() && !is_between(text[at])) ++at;
    const std::string_view digits = text.substr(begin, at - begin);
    if constexpr (std::is_integral_v<Number>) {
      numbers.push_back(parse_integer(digits));
    } else {
      numbers.push_back(parse_real(digits));
    }
  }
}

}  // namespace

const FbxRecord* FbxRecord::child(std::string_view child_name) const {
  const auto found = std::ranges::find_if(children, [&](const auto& c) { return c.name == child_name; });
  return found == children.end() ? nullptr : &*found;
}

double FbxRecord::real(size_t value, double fallback) const {
  return value < values.size() && is_number(values[value]) ? real_of(values[value]) : fallback;
}

int64_t FbxRecord::integer(size_t value, int64_t fallback) const {
  return value < values.size() && is_number(values[value]) ? integer_of(values[value]) : fallback;
}

std::string_view FbxRecord::bytes(size_t value) const {
  return value < values.size() && values[value].kind == FbxValue::Kind::kText ? values[value].bytes
                                                                              : std::string_view();
}

std::string FbxRecord::text(size_t value) const {
  constexpr std::string_view kQuote = "&quot;";
  const std::string_view raw = bytes(value);
  std::string text;
  size_t begin = 0;
  for (size_t at = raw.find(kQuote); at != raw.npos; at = raw.find(kQuote, begin)) {
    text.append(raw.substr(begin, at - begin)).push_back('"');
    begin = at + kQuote.size();
  }
  return text.append(raw.substr(begin));
}

FbxDocument::FbxDocument(size_t file_bytes)
    : bytes_left_(std::max(kMinArrayBytes, kArrayBytesPerByte * uint64_t(file_bytes))) {}

const FbxRecord* FbxDocument::find(std::string_view name) const {
  const auto found = std::find_if(records.begin(), records.end(), [&](const auto& r) { return r.name == name; });
  return found == records.end() ? nullptr : &*found;
}

template <class Number>
std::vector<Number> FbxDocument::numbers(const FbxRecord* record) const {
  std::vector<Number> result;
  if (record == nullptr) return result;
  const FbxRecord* inner = record->child("a");  // text files of 7.x: Vertices: *3 { a: 0,1,2 }
  for (const FbxValue& value : (inner == nullptr ? record : inner)->values) {
    if (value.kind == FbxValue::Kind::kArrayText) append_text(value.bytes, result);
    const bool is_word = value.kind == FbxValue::Kind::kText;  // such as "nan": it keeps its place
    if (is_number(value) || is_word) {
      if constexpr (std::is_integral_v<Number>) {
        result.push_back(integer_of(value));
      } else {
        result.push_back(real_of(value));
      }
    }
    if (value.kind != FbxValue::Kind::kArray) continue;
    const uint64_t size = value.count * uint64_t(element_bytes(value.element));
    const uint64_t held = std::max(size, value.count * uint64_t(sizeof(Number)));
    require(held <= bytes_left_, [] { return "its arrays are too large for a file of its size"; });
    bytes_left_ -= held;
    result.reserve(value.count);
    if (value.compressed) {
      append_array(value, inflate_all(value.bytes, size).data(), result);
    } else {
      append_array(value, reinterpret_cast<const uint8_t*>(value.bytes.data()), result);
    }
  }
  return result;
}

std::vector<float> FbxDocument::packed_floats(const FbxRecord* record) const {
  std::vector<float> result;
  const std::vector<double> numbers = reals(record);
  const bool are_bits = is_text && std::all_of(numbers.begin(), numbers.end(), [](double number) {
                          return number == std::floor(number) && std::abs(number) < 4294967296.0;
                        });
  for (const double number : numbers) {
    result.push_back(are_bits ? std::bit_cast<float>(uint32_t(int64_t(number))) : float(number));
  }
  return result;
}

std::vector<double> FbxDocument::reals(const FbxRecord* record) const { return numbers<double>(record); }
std::vector<int64_t> FbxDocument::integers(const FbxRecord* record) const { return numbers<int64_t>(record); }

}  // namespace sinew::internal

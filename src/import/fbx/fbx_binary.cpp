// The binary form of FBX. Source: observation of files, and "FBX binary file format specification", Blender developers'
// blog, 2013; since version 7.5 offsets have 64 bits.
#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <type_traits>

#include "failure.h"
#include "fbx/fbx_record.h"

namespace sinew::internal {
namespace {

constexpr std::string_view kSignature{"Kaydara FBX Binary  \0\x1a", 22};  // a byte for the order of bytes follows
constexpr uint32_t kFirstLongVersion = 7500;

class BinaryParser {
 public:
  explicit BinaryParser(std::string_view file) : file_(file) {}

  FbxDocument parse() {
    FbxDocument document(file_.size());
    at_ = kSignature.size();
    big_endian_ = read<uint8_t>() != 0;
    document.version = read<uint32_t>();
    long_offsets_ = document.version >= kFirstLongVersion;
    while (at_ < file_.size()) {
      FbxRecord record;
      if (!parse_record(file_.size(), 0, record)) break;  // the end mark; a footer follows
      document.records.push_back(std::move(record));
    }
    return document;
  }

 private:
  [[noreturn]] void fail_here(const char* what) const {
    fail("at byte " + std::to_string(at_) + " " + what + ": the file is damaged or cut off");
  }

  std::string_view take(uint64_t size) {
    if (size > file_.size() - at_) fail_here("a value reaches past the end");
    const std::string_view bytes = file_.substr(at_, size);
    at_ += size;
    return bytes;
  }

  template <class Number>
  Number read() {
    std::array<char, sizeof(Number)> bytes;
    std::memcpy(bytes.data(), take(sizeof(Number)).data(), sizeof(Number));
    if (big_endian_) std::reverse(bytes.begin(), bytes.end());
    return std::bit_cast<Number>(bytes);
  }

  uint64_t read_offset() { return long_offsets_ ? read<uint64_t>() : read<uint32_t>(); }

  /// Returns false at the mark that ends a list of records.
  bool parse_record(uint64_t limit, int depth, FbxRecord& record) {
    const uint64_t end = read_offset(), value_count = read_offset(), value_bytes = read_offset();
    record.name = take(read<uint8_t>());
    if (end == 0) return false;
    if (end > limit || end < at_ || value_bytes > end - at_) fail_here("a record ends outside the one that holds it");
    if (depth >= kMaxFbxDepth) fail_here("records are nested too deeply");
    const uint64_t values_end = at_ + value_bytes;
    for (uint64_t i = 0; i < value_count; ++i) {
      if (at_ >= values_end) fail_here("values are missing");
      record.values.push_back(parse_value());
    }
    if (at_ > values_end) fail_here("a value reaches past its record");
    at_ = values_end;
    while (at_ < end) {
      FbxRecord child;
      if (!parse_record(end, depth + 1, child)) break;
      record.children.push_back(std::move(child));
    }
    at_ = end;
    return true;
  }

  template <class Number>
  FbxValue parse_number() {
    FbxValue value;
    if constexpr (std::is_integral_v<Number>) {
      value.integer = read<Number>();
    } else {
      value.kind = FbxValue::Kind::kReal;
      value.real = double(read<Number>());
    }
    return value;
  }

  FbxValue parse_value() {
    const char type = read<char>();
    switch (type) {
      case 'Y':
        return parse_number<int16_t>();
      case 'C':
      case 'B':
        return parse_number<uint8_t>();
      case 'Z':
        return parse_number<int8_t>();
      case 'I':
        return parse_number<int32_t>();
      case 'L':
        return parse_number<int64_t>();
      case 'F':
        return parse_number<float>();
      case 'D':
        return parse_number<double>();
      case 'S':
      case 'R':
        return parse_text();
      case 'f':
      case 'd':
      case 'l':
      case 'i':
      case 'b':
      case 'c':
        return parse_array(type);
      default:
        fail_here("a value has an unknown type");
    }
  }

  FbxValue parse_text() {
    FbxValue value;
    value.kind = FbxValue::Kind::kText;
    value.bytes = take(read<uint32_t>());
    return value;
  }

  FbxValue parse_array(char type) {
    FbxValue value;
    value.kind = FbxValue::Kind::kArray;
    value.element = type;
    value.count = read<uint32_t>();
    const uint32_t encoding = read<uint32_t>(), size = read<uint32_t>();
    if (encoding > 1) fail_here("an array has an unknown encoding");
    value.compressed = encoding == 1;
    value.swapped = big_endian_;
    const uint64_t bytes_each = type == 'd' || type == 'l' ? 8 : type == 'f' || type == 'i' ? 4 : 1;
    value.bytes = take(value.compressed ? size : value.count * bytes_each);
    return value;
  }

  std::string_view file_;
  uint64_t at_ = 0;
  bool long_offsets_ = false, big_endian_ = false;
};

}  // namespace

bool is_binary_fbx(std::span<const uint8_t> file) {
  return file.size() >= kSignature.size() && std::memcmp(file.data(), kSignature.data(), kSignature.size()) == 0;
}

FbxDocument parse_binary_fbx(std::span<const uint8_t> file) {
  return BinaryParser({reinterpret_cast<const char*>(file.data()), file.size()}).parse();
}

}  // namespace sinew::internal

// Source of the layout: "FBX binary file format specification", Blender developers' blog, 2013.
#include "fbx_binary.h"

#include <cstring>
#include <stdexcept>
#include <string_view>
#include <vector>

#include <zlib.h>

namespace sinew::test {
namespace {

constexpr std::string_view kSignature{"Kaydara FBX Binary  \0\x1a\0", 23};
constexpr uint32_t kFirstLongVersion = 7500;
constexpr size_t kShortest = 32;  // bytes of an array: Autodesk's library leaves shorter ones as they are

template <class Number>
void append(std::string& bytes, Number number) {
  char raw[sizeof(Number)];
  std::memcpy(raw, &number, sizeof raw);
  bytes.append(raw, sizeof raw);
}

/// The type of an array's elements, which text files do not have.
char element_type(std::string_view record) {
  if (record == "KeyTime") return 'l';
  if (record == "KeyValueFloat" || record == "KeyAttrDataFloat") return 'f';
  for (const std::string_view name :
       {"PolygonVertexIndex", "UVIndex", "NormalsIndex", "Materials", "Indexes", "KeyAttrFlags", "KeyAttrRefCount"}) {
    if (record == name) return 'i';
  }
  return 'd';
}

std::string compressed(const std::string& bytes) {
  uLongf size = compressBound(bytes.size());
  std::string result(size, '\0');
  compress(reinterpret_cast<Bytef*>(result.data()), &size, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size());
  return result.substr(0, size);
}

/// "Model::Arm" as binary files have it.
std::string binary_name(const std::string& name) {
  const size_t colons = name.find("::");
  if (colons == std::string::npos) return name;
  return name.substr(colons + 2) + std::string("\0\1", 2) + name.substr(0, colons);
}

class Converter {
 public:
  Converter(std::string_view text, const FbxBinaryOptions& options) : text_(text), options_(options) {}

  std::string convert() {
    out_ = kSignature;
    append(out_, options_.version);
    skip_space();
    while (at_ < text_.size() && text_[at_] == ';') {
      at_ = std::min(text_.find('\n', at_), text_.size());
      skip_space();
    }
    for (; at_ < text_.size(); skip_space()) convert_record(0);
    end_records();
    return out_;
  }

 private:
  bool is_long() const { return options_.version >= kFirstLongVersion; }

  void skip_space() {
    while (at_ < text_.size() && std::strchr(" \t\r\n", text_[at_]) != nullptr) ++at_;
  }
  void skip_blanks() {
    while (at_ < text_.size() && std::strchr(" \t\r", text_[at_]) != nullptr) ++at_;
  }
  char next() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  void expect(char letter) {
    if (next() != letter) throw std::runtime_error("fbx_binary: no '" + std::string(1, letter) + "' at " + place());
    ++at_;
  }
  std::string place() const { return "'" + std::string(text_.substr(at_, 40)) + "'"; }
  std::string token(const char* ends) {
    const size_t begin = at_;
    at_ = std::min(text_.find_first_of(ends, at_), text_.size());
    if (at_ == begin) throw std::runtime_error("fbx_binary: nothing before " + place());
    return std::string(text_.substr(begin, at_ - begin));
  }

  void append_offset(std::string& bytes, uint64_t offset) const {
    is_long() ? append(bytes, offset) : append(bytes, uint32_t(offset));
  }
  /// The mark behind the last record of a list.
  void end_records() { out_.append(is_long() ? 25 : 13, '\0'); }

  void convert_record(int depth) {
    const std::string name = token(":");
    expect(':');
    std::string values;
    const uint64_t count = next_is_array() ? convert_array(name, values) : convert_values(name, depth, values);
    const size_t head = out_.size();
    append_offset(out_, 0);
    append_offset(out_, count);
    append_offset(out_, values.size());
    append(out_, uint8_t(name.size()));
    out_ += name + values;
    if (next() == '{') convert_children(depth);
    std::string end;
    append_offset(end, out_.size());
    out_.replace(head, end.size(), end);
  }

  void convert_children(int depth) {
    expect('{');
    for (skip_space(); next() != '}'; skip_space()) convert_record(depth + 1);
    expect('}');
    end_records();
  }

  bool next_is_array() {
    skip_blanks();
    return next() == '*';
  }

  uint64_t convert_values(const std::string& record, int depth, std::string& values) {
    uint64_t count = 0;
    for (skip_blanks(); next() != '\n' && next() != '{' && next() != '\0'; skip_blanks(), ++count) {
      if (count > 0) expect(','), skip_blanks();
      next() == '"' ? convert_text(depth, count, values) : convert_number(record, depth, values);
    }
    return count;
  }

  void convert_text(int depth, uint64_t index, std::string& values) {
    expect('"');
    std::string text = next() == '"' ? std::string() : token("\"");
    expect('"');
    if (depth == 1 && index == 1) text = binary_name(text);  // of an object
    values += 'S';
    append(values, uint32_t(text.size()));
    values += text;
  }

  /// Objects and connections have ids, of 64 bits.
  void convert_number(const std::string& record, int depth, std::string& values) {
    const std::string number = token(" \t\r\n,{");
    if (number.size() == 1 && number[0] >= 'A') {  // a letter, as of an extrapolation
      values += 'C' + number;
      return;
    }
    if (number.find_first_of(".eEn") != std::string::npos) {
      values += 'D';
      append(values, std::stod(number));
      return;
    }
    const int64_t integer = record == "FBXVersion" ? options_.version : std::stoll(number);
    const bool is_id = depth == 1 && record != "Version";
    if (is_id || integer != int32_t(integer)) {
      values += 'L';
      append(values, integer);
    } else {
      values += 'I';
      append(values, int32_t(integer));
    }
  }

  uint64_t convert_array(const std::string& record, std::string& values) {
    expect('*');
    const auto count = uint32_t(std::stoul(token(" {")));
    skip_blanks(), expect('{'), skip_space(), expect('a'), expect(':');
    const char type = element_type(record);
    std::string elements;
    for (uint32_t i = 0; i < count; ++i) {
      if (i > 0) expect(',');
      skip_space();
      append_element(record, token(" ,\n}"), elements);
    }
    skip_space(), expect('}'), skip_blanks();
    const bool is_compressed = options_.compress && elements.size() >= kShortest;
    if (is_compressed) elements = compressed(elements);
    values += type;
    for (const uint32_t number : {count, uint32_t(is_compressed), uint32_t(elements.size())}) append(values, number);
    values += elements;
    return 1;
  }

  static void append_element(const std::string& record, const std::string& number, std::string& elements) {
    const char type = element_type(record);
    if (type == 'l') append(elements, int64_t(std::stoll(number)));
    if (type == 'i') append(elements, int32_t(std::stol(number)));
    // Text files have the bits of these floats as integers, since some are two packed numbers.
    if (type == 'f' && number.find_first_of(".eE") == std::string::npos && record == "KeyAttrDataFloat") {
      append(elements, int32_t(std::stol(number)));
    } else if (type == 'f') {
      append(elements, std::stof(number));
    }
    if (type == 'd') append(elements, std::stod(number));
  }

  const std::string_view text_;
  const FbxBinaryOptions options_;
  size_t at_ = 0;
  std::string out_;
};

}  // namespace

std::string fbx_binary(const std::string& text, const FbxBinaryOptions& options) {
  return Converter(text, options).convert();
}

}  // namespace sinew::test

// A writer of binary FBX files, record by record, or with the records of a text file.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

namespace sinew::test {

/// How numbers are written; and values and arrays, as bytes of a record.
struct FbxForm {
  uint32_t version = 7400;  // from 7500 on, offsets have 64 bits
  bool swap = false;        // the bytes of all numbers
  bool compress = false;    // arrays, with zlib

  template <class Number>
  std::string number(Number value) const {
    std::string bytes(sizeof(value), '\0');
    std::memcpy(bytes.data(), &value, sizeof(value));
    return swap ? std::string(bytes.rbegin(), bytes.rend()) : bytes;
  }
  std::string text(const std::string& value, char type = 'S') const {
    return type + number(uint32_t(value.size())) + value;
  }
  template <class Number>
  std::string one(char type, Number value) const {
    return type + number(value);
  }
  /// `count` is what the file says; `bytes` are the elements, which are compressed if `encoding` is 1.
  std::string array(char type, uint32_t count, uint32_t encoding, const std::string& bytes) const {
    return type + number(count) + number(encoding) + number(uint32_t(bytes.size())) + bytes;
  }
};

inline constexpr FbxForm kFbxForms[] = {
    {7400, false, false}, {7400, true, true}, {7500, false, true}, {7700, true, false}};

struct FbxNode {
  std::string name;
  std::vector<std::string> values = {};
  std::vector<FbxNode> children = {};
};

std::string fbx_binary_file(const std::vector<FbxNode>& nodes, const FbxForm& form = {});

/// The records of a text file; it is parsed by the code under test. Numbers have all types that hold them, in turn. The
/// version of `form` is that of the file where the text has one before 7.0.
std::string fbx_binary(const std::string& text, FbxForm form = {});

/// By zlib.
std::string deflated(const std::string& bytes);

}  // namespace sinew::test

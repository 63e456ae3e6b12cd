// An FBX file as a tree of records, the same for text and binary files.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sinew::internal {

/// One value of a record. Refers to the bytes of the file.
struct FbxValue {
  enum class Kind : uint8_t {
    kInteger,
    kReal,
    kText,        // `bytes`, as in the file
    kArray,       // binary: `bytes` are `count` elements, maybe compressed
    kNumberText,  // text file: `bytes` are the digits of one number
    kArrayText,   // text file: `bytes` are numbers and commas
  };
  Kind kind = Kind::kInteger;
  char element = 0;         // of kArray, the type as in the file: f d l i b
  bool compressed = false;  // of kArray: with zlib
  bool swapped = false;     // of kArray: the bytes of each element in the other order
  uint32_t count = 0;       // of kArray
  int64_t integer = 0;      // of kInteger
  double real = 0;          // of kReal
  std::string_view bytes;
};

struct FbxRecord {
  std::string_view name;
  std::vector<FbxValue> values;
  std::vector<FbxRecord> children;

  /// The first child with that name, or null.
  const FbxRecord* child(std::string_view child_name) const;
  /// The value as a number; `fallback` if it is missing or not a number.
  double real(size_t value, double fallback = 0) const;
  int64_t integer(size_t value, int64_t fallback = 0) const;
  /// The value as text, with `&quot;` replaced; empty if it is missing or not text.
  std::string text(size_t value) const;
  /// The value's bytes; empty if it is missing or a number.
  std::string_view bytes(size_t value) const;
};

/// A parsed file. Borrows the bytes of the file.
class FbxDocument {
 public:
  uint32_t version = 0;  // 7400 is 7.4
  bool is_text = false;
  std::vector<FbxRecord> records;

  /// `file_bytes` limits what arrays may decode to, all together.
  explicit FbxDocument(size_t file_bytes = 0);

  const FbxRecord* find(std::string_view name) const;
  /// The numbers of a record: those of its array, or its own values. Calls for one document may not run in parallel:
  /// they share the limit. Empty if `record` is null. Throws ImportFailure if
  /// an array is damaged, or if all arrays together are too large.
  std::vector<double> reals(const FbxRecord* record) const;
  std::vector<int64_t> integers(const FbxRecord* record) const;
  /// Floats whose bits are packed integers, as the weights of two tangents. Text files have them as integers.
  std::vector<float> packed_floats(const FbxRecord* record) const;

 private:
  template <class Number>
  std::vector<Number> numbers(const FbxRecord* record) const;

  mutable uint64_t bytes_left_;  // that arrays may still decode to
};

/// Whether the bytes begin as a binary FBX file does.
bool is_binary_fbx(std::span<const uint8_t> file);

/// Parse a whole file. Throw ImportFailure if it is malformed or nested too deeply.
FbxDocument parse_binary_fbx(std::span<const uint8_t> file);
FbxDocument parse_text_fbx(std::string_view file);

inline constexpr int kMaxFbxDepth = 64;

}  // namespace sinew::internal

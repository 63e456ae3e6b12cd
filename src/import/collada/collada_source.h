// The <source>s of a COLLADA file: rows of numbers or of words.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "collada/collada_document.h"

namespace sinew::internal {

struct ColladaSource {
  size_t width = 0;                       // numbers a row; 0: there are none
  std::vector<double> numbers;            // row by row; NaN where the text is not a number
  std::vector<std::string_view> words;    // if it holds names or ids. Borrowed from the document
  size_t word_count = 0;                  // that the file says: names may have blanks
  bool are_ids = false;                   // of elements, and not names
  bool ascends = true, is_finite = true;  // of the numbers
  size_t row_count() const { return width == 0 ? 0 : numbers.size() / width; }
  /// The numbers of a row; null if there is no such row, or if it has fewer than `least` numbers.
  const double* row(uint64_t index, size_t least) const {
    return width >= least && index < row_count() ? &numbers[index * width] : nullptr;
  }
};

/// Reads each source once. Never null: what is missing is empty.
class ColladaSources {
 public:
  explicit ColladaSources(const ColladaDocument& document) : document_(document) {}

  /// The source of an element's <input> of a semantic.
  std::shared_ptr<const ColladaSource> input(pugi::xml_node element, std::string_view semantic);
  /// The source that an <input> names.
  std::shared_ptr<const ColladaSource> of(pugi::xml_node input);

 private:
  const ColladaDocument& document_;
  uint64_t values_ = 0;  // of all sources: several may be of one array
  std::unordered_map<size_t, std::shared_ptr<const ColladaSource>> known_;  // by the hash of the element
};

/// The <input> of an element with a semantic; empty if there is none.
inline pugi::xml_node input_of(pugi::xml_node element, const char* semantic) {
  return element.find_child_by_attribute("input", "semantic", semantic);
}

}  // namespace sinew::internal

// What a file may say and its reader does not keep. Each reader has one table of such features. A feature that a file
// has becomes one warning of the import report, so that nothing is lost in silence.
//
// The test LostFeatures walks the tables: each row has a case of its name below tests/import/lost, whose report must
// have the row's line.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/api.h"

namespace sinew::internal {

enum class LostFrom : uint8_t { kLooks, kMotion };  // of a file that gives its clips alone, its looks do not matter

struct LostFeature {
  std::string_view name;  // of its test case: "several-skins"
  std::string_view item;  // what is counted, in the singular: "mesh"
  std::string_view line;  // what is lost: "it has several skins, the first is read"
  LostFrom from = LostFrom::kLooks;
};

/// The lost features of one file. Borrows the table.
class LostFeatures {
 public:
  explicit LostFeatures(std::span<const LostFeature> table) : table_(table), found_(table.size()) {}

  size_t row_count() const { return table_.size(); }

  /// The item `name` has the feature `row` of the table. `name` may be empty.
  void add(size_t row, std::string_view name = {});

  /// Appends one warning per feature that was found: "2 meshes ('Arm' the first): it has ...".
  void append_to(std::vector<std::string>& warnings, LostFrom from) const;

 private:
  struct Found {
    uint32_t count = 0;
    std::string first;
  };
  std::span<const LostFeature> table_;
  std::vector<Found> found_;
};

/// The tables of the readers.
SINEW_API std::span<const LostFeature> lost_features_of_fbx();
SINEW_API std::span<const LostFeature> lost_features_of_gltf();
SINEW_API std::span<const LostFeature> lost_features_of_collada();
SINEW_API std::span<const LostFeature> lost_features_of_assimp();  // of all other formats

}  // namespace sinew::internal

#include "collada/collada_source.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "failure.h"

namespace sinew::internal {
namespace {

constexpr uint64_t kMaxStride = 64;

/// The numbers of a row that have a meaning, and how many the row has by its parameters. Parameters without a name are
/// skipped, unless all are.
struct Row {
  std::vector<size_t> columns;
  uint64_t size = 0;
};

Row row_of(pugi::xml_node accessor) {
  Row row;
  for (const pugi::xml_node param : accessor.children("param")) {
    const bool is_matrix = std::string_view(param.attribute("type").value()) == "float4x4";
    const uint64_t size = is_matrix ? 16 : 1;
    const bool has_name = param.attribute("name").value()[0] != 0 || is_matrix;
    for (uint64_t i = row.size; has_name && i < std::min(row.size + size, kMaxStride); ++i) row.columns.push_back(i);
    row.size = std::min(row.size + size, kMaxStride);
  }
  return row;
}

void read_numbers(pugi::xml_node array, pugi::xml_node accessor, ColladaSource& source) {
  const std::vector<double> all = numbers_in(array.text().get());
  Row row = row_of(accessor);
  const uint64_t usual = std::max<uint64_t>(row.size, 1);
  const uint64_t stride = std::clamp<uint64_t>(whole_number(accessor.attribute("stride"), usual), 1, kMaxStride);
  const uint64_t offset = std::min<uint64_t>(whole_number(accessor.attribute("offset"), 0), all.size());
  const uint64_t count =
      std::min(whole_number(accessor.attribute("count"), UINT64_MAX), (all.size() - offset) / stride);
  std::erase_if(row.columns, [&](size_t column) { return column >= stride; });
  if (row.columns.empty()) {
    for (size_t i = 0; i < stride; ++i) row.columns.push_back(i);
  }
  source.width = row.columns.size();
  source.numbers.reserve(count * source.width);
  for (uint64_t r = 0; r < count; ++r) {
    for (const size_t column : row.columns) source.numbers.push_back(all[offset + r * stride + column]);
  }
  source.ascends = std::is_sorted(source.numbers.begin(), source.numbers.end());
  source.is_finite = std::ranges::all_of(source.numbers, [](double n) { return std::isfinite(n); });
}

constexpr const char* kArrays[] = {"float_array", "Name_array", "IDREF_array", "SIDREF_array"};

bool is_array(pugi::xml_node element) {
  return std::any_of(std::begin(kArrays), std::end(kArrays), [&](const char* name) { return is_named(element, name); });
}

}  // namespace

std::shared_ptr<const ColladaSource> ColladaSources::input(pugi::xml_node element, std::string_view semantic) {
  return of(input_of(element, std::string(semantic).c_str()));
}

std::shared_ptr<const ColladaSource> ColladaSources::of(pugi::xml_node input) {
  const pugi::xml_node element = document_.at(input.attribute("source").value(), {"source"});
  auto& known = known_[element.hash_value()];
  if (known != nullptr) return known;
  const auto read = std::make_shared<ColladaSource>();
  const pugi::xml_node accessor = element.child("technique_common").child("accessor");
  pugi::xml_node array = document_.at(accessor.attribute("source").value());
  if (!is_array(array)) array = {};  // some exporters name the source itself
  for (const char* name : kArrays) {
    if (!array) array = element.child(name);
  }
  if (is_named(array, "float_array")) {
    read_numbers(array, accessor, *read);
  } else if (array) {
    read->words = words_in(array.text().get());
    read->are_ids = is_named(array, "IDREF_array");
    read->word_count = whole_number(accessor.attribute("count"), read->words.size());
  }
  values_ += read->numbers.size() + read->words.size();
  require(values_ <= document_.size_bytes(), [] { return "its sources share arrays, and become too large"; });
  known = read;
  return known;
}

}  // namespace sinew::internal

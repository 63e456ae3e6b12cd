// Checks of the tables beside this file: relations between values of JSON, such as
//
//   skinned_bytes == 16 * skinned_vertices
//   0 < runs.*.draws <= 5
//   out has ["1,728 vertices", "576 triangles"]
#pragma once

#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace sinew::test {

/// What a check may name.
struct Named {
  nlohmann::json runs;  // by name
  std::string current;  // the one whose values need no name before them
  std::map<std::string, std::function<nlohmann::json(const std::vector<nlohmann::json>&)>> functions;
};

/// Why a check does not hold; empty: it holds. Relations: == != < <= > >= has lacks matches (a regular expression that
/// a part of the text matches), several in a row. Values: numbers, "texts", [lists], true, false, null, paths,
/// functions of `named` and size() sum() max() abs(), and + - * / % of them, + of texts too. A star in a path is every
/// element, and what is not in a report is that of its first run. Lists are compared and added element by element; one
/// value is compared with each element. A check without a relation is true or not. A value that is not there, and an
/// order of what has none, do not hold.
std::string why_not(std::string_view check, const Named& named);

}  // namespace sinew::test

// Options as rows of a table. A row is all that the parser, the help and the JSON report know of an option. Independent
// of the library that parses: commands/options.h hands rows to it.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "system/text.h"

namespace sinew::app {

using Json = nlohmann::ordered_json;

/// A value that words set.
struct Binding {
  /// What is wrong with the word; empty: the word was taken. A flag gets an empty word.
  std::function<std::string(const std::string& word)> set;
  std::function<Json()> json;                                             // the value as it is now
  enum class Words : uint8_t { kNone, kOne, kEach } words = Words::kOne;  // kEach: repeatable, one word each time
};

struct Option {
  std::string name;  // "--seed"; of files without a name what the help calls them: "FILE"
  std::string type;  // what the help shows as its value
  Binding value;
  std::string help;
  std::string json = "";  // its field in the report; empty: the report does not have it
  bool required = false;
  std::string brief = "";  // what the short help says; empty: only the long help has the option
  std::string group = "";  // the heading of the help that it is under
};

/// The first sentence of a help, up to ". " or "; ", with the default that ends it in brackets.
inline std::string brief_of(const std::string& help) {
  const size_t end = std::min({help.find(". "), help.find("; "), help.find(" ["), help.size()});
  const size_t other = help.ends_with(']') ? help.rfind(" [") : help.npos;
  return help.substr(0, end) + (other == help.npos ? "" : help.substr(other));
}

/// Adds options under one heading. Those in `common` are in the short help too: the first sentence of their help.
inline void append(const char* group, std::vector<Option> rows, std::span<const char* const> common,
                   std::vector<Option>& all) {
  for (Option& row : rows) {
    row.group = group;
    if (std::ranges::find(common, row.name) != common.end()) row.brief = brief_of(row.help);
    all.push_back(std::move(row));
  }
}

template <class T>
struct Unwrapped {
  using Type = T;
};
template <class T>
struct Unwrapped<std::optional<T>> {
  using Type = T;
};

template <class T>
Json json_or_null(const T& value) {
  return value;
}
template <class T>
Json json_or_null(const std::optional<T>& value) {
  return value ? Json(*value) : Json();
}

// What the bindings below refer to must outlive them.

/// A number from `min` to `max`; what is stored is that number times `unit`.
template <class Number, class Value>
Binding number(Value& value, Number min, Number max, Number unit = 1) {
  using Stored = typename Unwrapped<Value>::Type;
  const auto set = [=, &value](const std::string& word) -> std::string {
    const auto parsed = parse_number(word, min, max);
    if (!parsed) return "'" + word + "' is not a number from " + number_text(min) + " to " + number_text(max);
    const Number scaled = *parsed * unit;
    value = std::is_integral_v<Stored> && std::is_floating_point_v<Number> ? Stored(std::llround(double(scaled)))
                                                                           : Stored(scaled);
    return "";
  };
  return {set, [&value] { return json_or_null(value); }};
}

/// One of several words. In JSON the word, as a number where it is one.
template <class Value>
Binding choice(Value& value, std::vector<std::pair<std::string, typename Unwrapped<Value>::Type>> words) {
  const auto set = [=, &value](const std::string& word) -> std::string {
    std::string all;
    std::vector<std::string_view> names;
    for (const auto& [name, meaning] : words) {
      if (name == word) return value = meaning, "";
      all += (all.empty() ? "" : ",") + name;
      names.push_back(name);
    }
    return word + " not in {" + all + "}" + did_you_mean(names, word);
  };
  const auto json = [=, &value]() -> Json {
    for (const auto& [name, meaning] : words) {
      if (!(value == meaning)) continue;
      const auto as_number = parse_number(name, 0u, UINT32_MAX);
      return as_number ? Json(*as_number) : Json(name);
    }
    return {};
  };
  return {set, json};
}

/// The words on and off; true and false in JSON.
template <class Value>
Binding on_off(Value& value) {
  return {choice(value, {{"on", true}, {"off", false}}).set, [&value] { return json_or_null(value); }};
}

/// A text.
template <class Value>
Binding word(Value& value) {
  return {[&value](const std::string& word) { return value = word, ""; }, [&value] { return json_or_null(value); }};
}

/// Each time one more.
inline Binding words(std::vector<std::string>& value) {
  return {[&value](const std::string& word) { return value.push_back(word), ""; }, [&value] { return value; },
          Binding::Words::kEach};
}

/// Words between commas; `binding_of` gives each element its binding.
template <class Value, class BindingOf>
Binding list(std::vector<Value>& values, BindingOf binding_of) {
  const auto set = [=, &values](const std::string& all) {
    values.clear();
    for (const std::string& word : split_list(all)) {
      if (const std::string problem = binding_of(values.emplace_back()).set(word); !problem.empty()) return problem;
    }
    return std::string();
  };
  const auto json = [=, &values] {
    Json all = Json::array();
    for (Value& value : values) all.push_back(binding_of(value).json());
    return all;
  };
  return {set, json};
}

inline Binding flag(bool& value) {
  return {[&value](const std::string&) { return value = true, ""; }, [&value] { return value; }, Binding::Words::kNone};
}

/// A size in pixels such as 1280x720, each side from 16 to 16384.
inline Binding size(uint32_t& width, uint32_t& height) {
  const auto set = [&](const std::string& word) -> std::string {
    const size_t cross = word.find('x');
    const auto side = [&](size_t first, size_t count) {
      return first > word.size() ? std::nullopt : parse_number(word.substr(first, count), 16u, 16384u);
    };
    const auto parsed_width = side(0, cross), parsed_height = side(cross == word.npos ? cross : cross + 1, word.npos);
    if (!parsed_width || !parsed_height) return "'" + word + "' is not a size such as 1280x720";
    width = *parsed_width, height = *parsed_height;
    return "";
  };
  return {set, [&] { return Json::array({width, height}); }};
}

}  // namespace sinew::app

#include "checks.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <regex>
#include <sstream>
#include <stdexcept>

namespace sinew::test {
namespace {

using Values = nlohmann::json;

std::string shown(const Values& value) {
  const std::string text = value.dump(-1, ' ', false, Values::error_handler_t::replace);
  return text.size() > 600 ? text.substr(0, 600) + " ..." : text;
}

const Values& item(const Values& value, size_t index) { return value.is_array() ? value[index] : value; }

/// Of a pair in which one is a list: the number of elements. -1: two lists of different lengths.
ptrdiff_t common_size(const Values& a, const Values& b) {
  if (a.is_array() && b.is_array() && a.size() != b.size()) return -1;
  return ptrdiff_t(a.is_array() ? a.size() : b.size());
}

bool holds_for_texts(const std::string& a, const std::string& relation, const std::string& b) {
  if (relation == "has") return a.find(b) != a.npos;
  if (relation == "lacks") return a.find(b) == a.npos;
  return relation == "matches" && std::regex_search(a, std::regex(b));
}

bool holds(const Values& a, const std::string& relation, const Values& b) {
  if (a.is_array() || b.is_array()) {
    const ptrdiff_t count = common_size(a, b);
    if (count <= 0) return count == 0 && relation == "==" && a == b;
    for (size_t i = 0; i < size_t(count); ++i) {
      if (!holds(item(a, i), relation, item(b, i))) return false;
    }
    return true;
  }
  if (relation == "==") return a == b;
  if (relation == "!=") return a != b;
  if (a.is_string() && b.is_string()) return holds_for_texts(a, relation, b);
  if (!a.is_number() || !b.is_number()) return false;
  if (relation == "<") return a < b;
  if (relation == "<=") return a <= b;
  if (relation == ">") return a > b;
  return relation == ">=" && a >= b;
}

Values combined(const Values& a, char sign, const Values& b) {
  if (a.is_array() || b.is_array()) {
    const ptrdiff_t count = common_size(a, b);
    if (count < 0) throw std::runtime_error("lists of different lengths: " + shown(a) + " and " + shown(b));
    Values all = Values::array();
    for (size_t i = 0; i < size_t(count); ++i) all.push_back(combined(item(a, i), sign, item(b, i)));
    return all;
  }
  if (a.is_string() && b.is_string() && sign == '+') return a.get<std::string>() + b.get<std::string>();
  if (a.is_string() && b.is_number_integer() && sign == '+') return a.get<std::string>() + b.dump();
  if (!a.is_number() || !b.is_number()) throw std::runtime_error("no numbers: " + shown(a) + " and " + shown(b));
  const double left = a, right = b;
  if (sign == '+') return left + right;
  if (sign == '-') return left - right;
  if (sign == '*') return left * right;
  return sign == '/' ? left / right : std::fmod(left, right);
}

Values at(const Values& value, const std::vector<std::string>& path, size_t index) {
  if (index == path.size()) return value;
  const std::string& step = path[index];
  if (step == "*") {
    Values all = Values::array();
    for (const Values& element : value) all.push_back(at(element, path, index + 1));
    return all;
  }
  if (value.is_object() && !value.contains(step) && value.contains("runs")) return at(value["runs"][0], path, index);
  if (!value.is_array()) return at(value.at(step), path, index + 1);
  return at(step == "last" ? value.back() : value.at(std::stoul(step)), path, index + 1);
}

/// The sum, the largest, the number of elements or the absolute value.
Values built_in(const std::string& name, const Values& value) {
  if (name == "size") return value.size();
  if (name == "abs") return std::abs(value.get<double>());
  double sum = 0, largest = -INFINITY;
  for (const Values& element : value) sum += element.get<double>(), largest = std::max(largest, element.get<double>());
  if (name == "sum") return sum;
  if (name == "max") return largest;
  throw std::runtime_error("no function " + name);
}

class Reader {
 public:
  Reader(std::string_view text, const Named& named) : rest_(text), named_(named) {}

  std::string why_not() {
    Values left = sum();
    std::string sign = relation(), why;
    if (sign.empty() && left != true) why = "it is " + shown(left);
    while (!sign.empty()) {
      Values right = sum();
      if (!holds(left, sign, right)) why += shown(left) + " " + sign + " " + shown(right) + " does not hold\n";
      left = std::move(right);
      sign = relation();
    }
    if (!rest_.empty()) throw std::runtime_error("not understood: " + std::string(rest_));
    return why;
  }

 private:
  void skip_spaces() { rest_.remove_prefix(std::min(rest_.find_first_not_of(' '), rest_.size())); }

  bool take(std::string_view word) {
    skip_spaces();
    if (!rest_.starts_with(word)) return false;
    rest_.remove_prefix(word.size());
    return true;
  }

  void expect(std::string_view word) {
    if (!take(word)) throw std::runtime_error("no '" + std::string(word) + "' before: " + std::string(rest_));
  }

  std::string relation() {
    for (const char* each : {"==", "!=", "<=", ">=", "<", ">", "has ", "lacks ", "matches "}) {
      if (!take(each)) continue;
      const std::string found = each;
      return found.substr(0, found.find(' '));
    }
    return "";
  }

  Values sum() {
    Values left = product();
    for (;;) {
      const char sign = take("+") ? '+' : take("-") ? '-' : ' ';
      if (sign == ' ') return left;
      left = combined(left, sign, product());
    }
  }

  Values product() {
    Values left = term();
    for (;;) {
      const char sign = take("*") ? '*' : take("/") ? '/' : take("%") ? '%' : ' ';
      if (sign == ' ') return left;
      left = combined(left, sign, term());
    }
  }

  Values term() {
    if (take("(")) {
      Values inner = sum();
      expect(")");
      return inner;
    }
    if (take("[")) return list("]");
    if (take("-")) return combined(0, '-', term());
    if (take("\"")) return quoted();
    if (!rest_.empty() && std::isdigit(uint8_t(rest_.front()))) return number();
    return named_value();
  }

  std::vector<Values> list(std::string_view end) {
    std::vector<Values> all;
    while (!take(end)) {
      if (!all.empty()) expect(",");
      all.push_back(sum());
    }
    return all;
  }

  /// As JSON has it: \n and \u001b.
  Values quoted() {
    size_t end = 0;
    while (end < rest_.size() && rest_[end] != '"') end += rest_[end] == '\\' ? 2 : 1;
    const std::string text = "\"" + std::string(rest_.substr(0, end)) + "\"";
    rest_.remove_prefix(std::min(end + 1, rest_.size()));
    return Values::parse(text);
  }

  Values number() {
    size_t end = 1;
    while (end < rest_.size() &&
           (std::isalnum(uint8_t(rest_[end])) || rest_[end] == '.' || (rest_[end] == '-' && rest_[end - 1] == 'e'))) {
      ++end;
    }
    const std::string digits(rest_.substr(0, end));
    rest_.remove_prefix(end);
    return Values::parse(digits);
  }

  Values named_value() {
    size_t end = 0;
    while (end < rest_.size() && (std::isalnum(uint8_t(rest_[end])) || rest_[end] == '_' || rest_[end] == '.' ||
                                  (rest_[end] == '*' && end > 0 && rest_[end - 1] == '.'))) {
      ++end;
    }
    const std::string name(rest_.substr(0, end));
    rest_.remove_prefix(end);
    if (name.empty()) throw std::runtime_error("no value before: " + std::string(rest_));
    if (name == "true" || name == "false") return name == "true";
    if (name == "null") return nullptr;
    if (!rest_.starts_with("(")) return of_path(name);
    expect("(");
    const std::vector<Values> arguments = list(")");
    const auto found = named_.functions.find(name);
    return found != named_.functions.end() ? found->second(arguments) : built_in(name, arguments.at(0));
  }

  Values of_path(const std::string& name) {
    std::vector<std::string> path;
    std::istringstream steps(name);
    for (std::string step; std::getline(steps, step, '.');) path.push_back(step);
    if (!named_.runs.contains(path[0])) path.insert(path.begin(), named_.current);
    return at(named_.runs, path, 0);
  }

  std::string_view rest_;
  const Named& named_;
};

}  // namespace

std::string why_not(std::string_view check, const Named& named) {
  try {
    return Reader(check, named).why_not();
  } catch (const std::exception& error) {
    return error.what();
  }
}

}  // namespace sinew::test

// The program as users run it: the tables (*.rows) beside this file say what is run, and what must hold then. A line is
//
//   let NAME = WORDS               {NAME} in later lines is WORDS
//   case Suite.Name                begins a test
//   needs device                   skips the test without a device
//   needs FILE, needs @PROGRAM     the same without a file, or where a program's exit code is not 0
//   file NAME                      writes the lines after it that begin with | to the folder of the test, {dir}
//   make NAME                      writes a character, {dir}/NAME.sinew: made_files.h
//   sh COMMAND                     runs a shell in that folder
//   each NAME : A ; B ;; C         does the lines until `done` for A and B, and for C in the long run
//   LABEL $ VARIABLE=VALUE WORDS   runs sinew, whose exit code is 0; other checks call the run LABEL
//   LABEL $2 WORDS => TEXT ; TEXT  the same with exit code 2: one line on standard error has all TEXTs, standard output
//                                  nothing ($2+: it may have something), and {json} and {png} are not written
//   if CHECK                       leaves out the rest of the test where CHECK does not hold
//   CHECK ; CHECK                  of the values of the last run: checks.h
//
// What comes before the first case is for all. A first word of @PROGRAM runs another program; a word such as >FILE
// makes a shell run it. {json} and {png} are files of the run: the values of a run are those of its JSON, and out, err
// and picture. Blanks inside a path do not separate words. A line ends with \ where the next goes on. Of what is only
// for a device it is asked whether there is one after something else was found wrong.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <regex>
#include <sstream>

#include "checks.h"
#include "child.h"
#include "long_run.h"
#include "made_files.h"
#include "picture.h"

namespace sinew::test {
namespace {

struct TableLine {
  int number = 0;
  std::string text;
};
using Lines = std::vector<TableLine>;
using Variables = std::map<std::string, std::string>;

struct TableCase {
  std::string suite, name, file;
  Variables variables;
  Lines lines;
};

std::string trimmed(const std::string& text) {
  const size_t begin = text.find_first_not_of(' ');
  return begin == text.npos ? "" : text.substr(begin, text.find_last_not_of(' ') + 1 - begin);
}

std::vector<std::string> parts(std::string text, const std::string& between) {
  std::vector<std::string> all;
  for (size_t end; (end = text.find(between)) != text.npos; text.erase(0, end + between.size()))
    all.push_back(trimmed(text.substr(0, end)));
  all.push_back(trimmed(text));
  return all;
}

std::string replaced(std::string text, const std::string& what, const std::string& by) {
  for (size_t at = 0; (at = text.find(what, at)) != text.npos; at += by.size()) text.replace(at, what.size(), by);
  return text;
}

/// `blank` stands for each blank of a path: of a variable that begins with /.
std::string expanded(const std::string& text, const Variables& variables, const std::string& blank = " ") {
  static const std::regex kName(R"(\{(\w+)\})");
  std::string rest = text, done;
  for (std::smatch found; std::regex_search(rest, found, kName); rest = found.suffix()) {
    const std::string& value = variables.at(found[1]);
    done += found.prefix().str();
    done += value.starts_with("/") ? replaced(value, " ", blank) : expanded(value, variables, blank);
  }
  return done + rest;
}

constexpr const char* kPathBlank = "\x7f";
constexpr const char* kShellBlank = "\\ ";

/// Words between spaces. One in single quotes may have spaces, and what JSON writes with a backslash.
std::vector<std::string> words_of_row(const std::string& line) {
  std::vector<std::string> words;
  static const std::regex kWord(R"('([^']*)'|(\S+))");
  for (std::sregex_iterator found(line.begin(), line.end(), kWord), end; found != end; ++found) {
    const bool quoted = (*found)[1].matched;
    std::string word = found->str();
    if (quoted) word = nlohmann::json::parse("\"" + (*found)[1].str() + "\"");
    words.push_back(replaced(word, kPathBlank, " "));
  }
  return words;
}

/// let NAME = WORDS
void let(const std::string& line, Variables& variables) {
  const size_t equals = line.find(" = ");
  variables[trimmed(line.substr(4, equals - 4))] = trimmed(line.substr(equals + 3));
}

/// The fastest instruction set of this CPU that the library uses, as the compiler's runtime detects it.
std::string fastest_instruction_set() {
#if defined(__x86_64__)
  __builtin_cpu_init();
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq") &&
      __builtin_cpu_supports("avx512bw"))
    return "avx3";
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return "avx2";
  return __builtin_cpu_supports("sse4.2") ? "sse4" : "scalar";
#else
  return "neon";
#endif
}

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr const char* kSanitized = "true";
#else
constexpr const char* kSanitized = "false";
#endif

/// Of the cores that this process may use: a container or taskset may leave it fewer than the machine has.
std::string core_count() { return std::to_string(std::clamp(std::atoi(run({"nproc"}).out.c_str()), 1, 256)); }

Variables usual_variables() {
  return {{"cores", core_count()},
          {"instructions", fastest_instruction_set()},
          {"sanitized", kSanitized},
          {"asan", std::getenv("ASAN_OPTIONS") ? std::getenv("ASAN_OPTIONS") : ""},
          {"simulator", SINEW_SIMULATOR_DIR},
          {"character", kCharacter},
          {"source", SINEW_SOURCE_DIR},
          {"shared", SINEW_SHARED_DIR},
          {"sinew", program()},
          {"worker", SINEW_IMPORT_WORKER},
          {"library", SINEW_PRINTING_LIBRARY},
          // Root may read every file.
          {"other_user", geteuid() == 0 ? "setpriv --reuid=65534 --regid=65534 --clear-groups" : "env"}};
}

class CaseRun {
 public:
  explicit CaseRun(const TableCase& table) : table_(table), variables_(table.variables) {
    variables_["dir"] = folder_.path("").substr(0, folder_.path("").size() - 1);
    named_.functions = {
        {"lines", [](const auto& texts) { return text_of(texts, 0).size() - without_ends(text_of(texts, 0)).size(); }},
        {"indices", [](const auto& values) { return indices_of(values.at(0)); }},
        {"read", [this](const auto& texts) { return test::read(folder_.path(text_of(texts, 0))); }},
        {"exists", [this](const auto& texts) { return std::filesystem::exists(folder_.path(text_of(texts, 0))); }},
        {"colors", [](const auto& texts) { return color_count(read_png(text_of(texts, 0))); }},
        {"pixels", [](const auto& texts) { return size_of(read_png(text_of(texts, 0))); }},
        {"is_whole", [this](const auto& texts) { return is_whole(folder_.path(text_of(texts, 0))); }},
        {"share", [](const auto& texts) { return between(texts).share; }},
        {"mean", [](const auto& texts) { return between(texts).mean; }},
        {"same", [](const auto& t) { return read_png(text_of(t, 0)).rgba == read_png(text_of(t, 1)).rgba; }}};
  }

  void run() { do_lines(table_.lines); }
  const std::string& why_skipped() const { return skipped_; }

 private:
  static std::string text_of(const std::vector<nlohmann::json>& values, size_t index) {
    return values.at(index).get<std::string>();
  }
  static nlohmann::json size_of(const Picture& picture) { return {picture.width, picture.height}; }
  /// Whether a file is not there, or JSON.
  static bool is_whole(const std::string& path) {
    return !std::filesystem::exists(path) || nlohmann::json::accept(test::read(path));
  }
  static nlohmann::json indices_of(const nlohmann::json& list) {
    nlohmann::json indices = nlohmann::json::array();
    for (size_t i = 0; i < list.size(); ++i) indices.push_back(i);
    return indices;
  }
  static std::string without_ends(std::string text) {
    std::erase(text, '\n');
    return text;
  }
  static Difference between(const std::vector<nlohmann::json>& paths) {
    return difference(read_png(text_of(paths, 0)), read_png(text_of(paths, 1)));
  }

  void fail(const std::string& why) {
    if (needs_device_ && !has_device()) skipped_ = "NO VULKAN DEVICE";
    if (skipped_.empty()) ADD_FAILURE_AT(table_.file.c_str(), line_->number) << why;
  }

  void do_lines(std::span<const TableLine> lines) {
    for (size_t i = 0; i < lines.size() && skipped_.empty(); ++i) {
      line_ = &lines[i];
      const std::string& text = line_->text;
      if (text.starts_with("each ")) {
        const size_t count = lines_of_loop(lines.subspan(i + 1));
        repeat(text.substr(5), lines.subspan(i + 1, count));
        i += count + 1;
      } else if (text.starts_with("file ")) {
        std::string content;
        for (; i + 1 < lines.size() && lines[i + 1].text.starts_with("|"); ++i)
          content += lines[i + 1].text.substr(1) + "\n";
        write(folder_.path(text.substr(5)), content);
      } else {
        do_line(text);
      }
    }
  }

  /// Those before its `done`, or all.
  static size_t lines_of_loop(std::span<const TableLine> lines) {
    int depth = 1;
    for (size_t i = 0; i < lines.size(); ++i) {
      depth += lines[i].text.starts_with("each ") - (lines[i].text == "done");
      if (depth == 0) return i;
    }
    return lines.size();
  }

  /// NAME : A ; B ;; C
  void repeat(const std::string& row, std::span<const TableLine> lines) {
    const std::vector<std::string> name = parts(row, " : "), when = parts(name.at(1), ";;");
    std::vector<std::string> values = parts(when[0], ";");
    if (when.size() > 1 && is_long_run()) std::ranges::copy(parts(when[1], ";"), std::back_inserter(values));
    for (const std::string& value : values) {
      variables_[name[0]] = value;
      do_lines(lines);
    }
  }

  void do_line(const std::string& text) {
    static const std::regex kRun(R"((?:([\w{}]+) )?\$(\d*)(\+?)( .*)?)");
    std::smatch run;
    if (text.starts_with("let ")) {
      let(text, variables_);
    } else if (text.starts_with("needs ")) {
      need(text.substr(6));
    } else if (text.starts_with("make ")) {
      make_character_file(text.substr(5), folder_.path(text.substr(5) + ".sinew"));
    } else if (text.starts_with("sh ")) {
      const std::string in_folder =
          "cd '" + folder_.path("") + "' && " + expanded(text.substr(3), variables_, kShellBlank);
      const Outcome done = test::run({"sh", "-ec", in_folder});
      if (done.exit_code != 0) fail(done.err);
    } else if (text.starts_with("if ")) {
      if (!holds(text.substr(3)).empty()) skipped_ = "NOT ON THIS DEVICE: " + text;
    } else if (std::regex_match(text, run, kRun)) {
      start(run[1].matched ? expanded(run[1], variables_) : "run", run[2].length() ? std::stoi(run[2]) : 0,
            run[3].length() > 0, run[4]);
    } else {
      for (const std::string& check : parts(text, " ; ")) {
        if (const std::string why = holds(check); !why.empty()) fail(check + "\n" + why);
      }
    }
  }

  void need(const std::string& what) {
    if (what == "device") {
      needs_device_ = true;
    } else if (what.starts_with("@") ? test::run(words_of(what.substr(1))).exit_code != 0
                                     : !std::filesystem::exists(expanded(what, variables_))) {
      skipped_ = "NEEDS " + expanded(what, variables_);
    }
  }

  std::string holds(const std::string& check) {
    named_.runs[named_.current]["files"] = folder_.files();
    return why_not(expanded(check, variables_), named_);
  }

  void start(const std::string& label, int exit_code, bool may_print, const std::string& row) {
    variables_["json"] = folder_.path(label + ".json"), variables_["png"] = folder_.path(label + ".png");
    const std::vector<std::string> sides = parts(row, " => ");
    for (const char* name : {"json", "png"}) std::filesystem::remove(variables_[name]);
    const Outcome outcome = run_row(words_of(sides[0]));
    named_.current = label;
    nlohmann::json& values = named_.runs[label] = nlohmann::json::object();
    const std::string report = test::read(variables_["json"]);
    if (exit_code == 0 && !report.empty()) values = nlohmann::json::parse(report, nullptr, false);
    values["out"] = outcome.out, values["err"] = outcome.err, values["picture"] = variables_["png"];
    const std::string errors = without_warnings(outcome.err);
    const std::string shown = expanded(sides[0], variables_) + "\n" + outcome.err + outcome.out;
    if (outcome.exit_code != exit_code) return fail("exit code " + std::to_string(outcome.exit_code) + "\n" + shown);
    if (exit_code == 0) return;
    const bool one_line = std::ranges::count(errors, '\n') == 1 && errors.starts_with("sinew");
    const bool is_clean = (outcome.out.empty() || may_print) && !std::filesystem::exists(variables_["json"]) &&
                          !std::filesystem::exists(variables_["png"]);
    if (!one_line || !is_clean) fail("not one line alone\n" + shown);
    for (const std::string& words :
         sides.size() > 1 ? parts(expanded(sides[1], variables_), " ; ") : std::vector<std::string>()) {
      if (errors.find(words) == errors.npos) fail("not said: " + words + "\n" + shown);
    }
  }

  std::vector<std::string> words_of(const std::string& row) const {
    return words_of_row(expanded(row, variables_, kPathBlank));
  }

  static Outcome run_row(std::vector<std::string> words) {
    Environment environment;
    while (!words.empty() && std::regex_match(words[0], std::regex("[A-Z][A-Z_]*=.*"))) {
      const size_t end = words[0].find('=');
      environment[words[0].substr(0, end)] = words[0].substr(end + 1);
      words.erase(words.begin());
    }
    if (!words.empty() && words[0].starts_with("@")) {
      words[0].erase(0, 1);
    } else {
      words.insert(words.begin(), program());
    }
    if (std::ranges::none_of(words, [](const std::string& word) { return word.find('>') != word.npos; }))
      return test::run(words, environment);
    std::string line = "exec";
    for (const std::string& word : words) line += " " + replaced(word, " ", kShellBlank);
    return test::run({"sh", "-c", line}, environment);
  }

  const TableCase& table_;
  const Folder folder_;
  Variables variables_;
  Named named_{{{"none", nlohmann::json::object()}}, "none", {}};
  const TableLine* line_ = nullptr;
  bool needs_device_ = false;
  std::string skipped_;
};

class TableTest : public ::testing::Test {
 public:
  explicit TableTest(const TableCase& table) : table_(table) {}

  void TestBody() override {
    CaseRun run(table_);
    run.run();
    if (!run.why_skipped().empty()) GTEST_SKIP() << run.why_skipped();
  }

 private:
  TableCase table_;
};

/// Without comments and empty lines.
Lines table_lines(const std::string& path) {
  Lines lines;
  std::istringstream text(read(path));
  bool goes_on = false;
  int number = 0;
  for (std::string line; std::getline(text, line);) {
    ++number;
    const std::string part = trimmed(line);
    if (!goes_on && (part.empty() || part.starts_with("#"))) continue;
    if (!goes_on) lines.push_back({number, ""});
    goes_on = part.ends_with("\\");
    lines.back().text += goes_on ? part.substr(0, part.size() - 1) : part;
  }
  return lines;
}

std::vector<TableCase> table_cases(const std::string& path) {
  std::vector<TableCase> cases;
  Variables variables = usual_variables();
  Lines first;
  for (const TableLine& line : table_lines(path)) {
    if (line.text.starts_with("let ") && cases.empty()) {
      let(line.text, variables);
    } else if (line.text.starts_with("case ")) {
      const std::vector<std::string> names = parts(line.text.substr(5), ".");
      cases.push_back({names.at(0), names.at(1), path, variables, first});
    } else if (cases.empty()) {
      first.push_back(line);
    } else {
      cases.at(cases.size() - 1).lines.push_back(line);
    }
  }
  return cases;
}

bool register_cases() {
  for (const char* name : {"bake", "crowd", "info", "isolated", "lost", "output", "pose", "startup", "usage", "view"}) {
    const auto cases = table_cases(SINEW_SOURCE_DIR "/tests/app/commands/" + std::string(name) + ".rows");
    if (cases.empty()) return false;
    for (const TableCase& table : cases) {
      ::testing::RegisterTest(table.suite.c_str(), table.name.c_str(), nullptr, nullptr, table.file.c_str(),
                              table.lines.at(0).number - 1,
                              [table]() -> ::testing::Test* { return new TableTest(table); });
    }
  }
  return true;
}

const bool kRegistered = register_cases();

TEST(Checks, HoldOrSayWhyNot) {
  EXPECT_TRUE(kRegistered) << "a table is not there";
  const Named named{{{"a", {{"n", 3}, {"list", {1, 2, 3}}, {"none", nullptr}, {"yes", true}, {"text", "a b"}}},
                     {"b", {{"runs", {{{"n", 4}}, {{"n", 5}}}}}}},
                    "a",
                    {}};
  const std::string holding =
      R"(n == 3 ; n != 4 ; 2 < n <= 3 ; n * 2 + 1 == 7 ; 7 - n - 1 == n ; -n < 0 ; list == [1, 2, n] ; )"
      R"(sum(list) == 6 ; max(list) == 3 ; size(list) == 3 ; abs(1 - n) == 2 ; list.last == 3 ; list.0 == 1 ; )"
      R"(0 < list < 4 ; b.runs.*.n == [4, 5] ; b.runs.*.n > list.0 ; b.runs.*.n * 2 == [8, 10] ; none == null ; )"
      R"(yes ; text == "a b" ; text has ["a", "b"] ; text lacks "c" ; text matches "^a.b$" ; "a" + " b" == text ; )"
      R"(10 % n == 1 ; [] == [] ; 1e-2 < 0.1 ; (1 + 2) * 2 == 6 ; n == 3.0)";
  const std::string failing =
      R"(n == 4 ; n != 3 ; 2 < n < 3 ; list == [1, 2] ; list == [1, 2, 4] ; list < 3 ; b.runs.*.n == 4 ; none == 0 ; )"
      R"(none < 1 ; none >= 0 ; absent == null ; b.runs.2.n == 4 ; n ; text has ["a", "c"] ; text lacks "a" ; )"
      R"(text matches "^b" ; text < 5 ; yes == 1 ; [] < 1 ; n == 3 4 ; n == ; f(n) == 1 ; )"
      R"(b.runs.*.n + list == [5, 7] ; none + 1 == 1 ; n is 3 ; list != [1, 5, 6])";
  for (const std::string& check : parts(holding, " ; ")) EXPECT_EQ(why_not(check, named), "") << check;
  for (const std::string& check : parts(failing, " ; ")) EXPECT_NE(why_not(check, named), "") << check;
}

}  // namespace
}  // namespace sinew::test

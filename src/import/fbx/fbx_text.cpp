// The text form of FBX: `Name: value, value { Name: ... }`. Lists may go on in the next line after or before a comma.
#include <algorithm>

#include "asset/plain_text.h"
#include "failure.h"
#include "fbx/fbx_record.h"

namespace sinew::internal {
namespace {

constexpr size_t kMaxSingleValues = 16;  // longer lists of numbers stay text

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_of_number(char c) {
  return (c >= '0' && c <= '9') || c == '-' || c == '+' || c == '.' || c == '#' || c == '(' || c == ')';
}
bool is_of_word(char c) { return is_letter(c) || is_of_number(c) || c == '_' || c == '|' || c == '*'; }

class TextParser {
 public:
  explicit TextParser(std::string_view file) : file_(file) {
    if (file_.starts_with("\xef\xbb\xbf")) at_ = 3;
  }

  FbxDocument parse() {
    FbxDocument document(file_.size());
    skip_space();
    while (at_ < file_.size()) {
      document.records.push_back(parse_record(0));
      skip_space();
    }
    return document;
  }

 private:
  [[noreturn]] void fail_here(const std::string& what) const {
    const auto line = std::count(file_.begin(), file_.begin() + ptrdiff_t(std::min(at_, file_.size())), '\n') + 1;
    fail("in line " + std::to_string(line) + " " + what);
  }

  char here() const { return at_ < file_.size() ? file_[at_] : '\0'; }

  /// Skips space, line ends and comments.
  void skip_space() {
    while (at_ < file_.size()) {
      if (is_space(file_[at_])) {
        ++at_;
      } else if (file_[at_] == ';') {
        while (at_ < file_.size() && file_[at_] != '\n') ++at_;
      } else {
        return;
      }
    }
  }

  std::string_view take_word() {
    const size_t begin = at_;
    while (at_ < file_.size() && is_of_word(file_[at_])) ++at_;
    return file_.substr(begin, at_ - begin);
  }

  FbxRecord parse_record(int depth) {
    if (depth >= kMaxFbxDepth) fail_here("records are nested too deeply");
    FbxRecord record;
    record.name = take_word();
    skip_space();
    if (record.name.empty() || here() != ':') fail_here("there is no name with a colon where a record begins");
    ++at_;
    parse_values(record);
    if (here() != '{') return record;
    ++at_;
    for (skip_space(); here() != '}'; skip_space()) {
      if (at_ >= file_.size()) fail_here("a closing brace is missing: the file is cut off");
      record.children.push_back(parse_record(depth + 1));
    }
    ++at_;
    return record;
  }

  /// Whether a record without values is followed by another: the next word has a colon.
  bool at_next_record() const {
    size_t at = at_;
    while (at < file_.size() && is_of_word(file_[at])) ++at;
    while (at < file_.size() && (file_[at] == ' ' || file_[at] == '\t')) ++at;
    return at > at_ && at < file_.size() && file_[at] == ':';
  }

  void parse_values(FbxRecord& record) {
    skip_space();
    if (here() == '\0' || here() == '{' || here() == '}' || at_next_record()) return;
    const size_t begin = at_;
    bool numbers_only = true;  // and not yet tried to keep the list as text
    for (;;) {
      skip_space();
      if (here() != ',') {
        const FbxValue value = parse_value();
        numbers_only = numbers_only && value.kind == FbxValue::Kind::kNumberText;
        record.values.push_back(value);
        if (numbers_only && record.values.size() > kMaxSingleValues) {
          if (keep_as_text(begin, record)) return;
          numbers_only = false;
        }
      }
      skip_space();
      if (here() != ',') return;
      ++at_;
      skip_space();
      if (here() == '{' || here() == '}' || here() == '\0') return;  // a comma after the last value
    }
  }

  /// Replaces the record's values by one with all numbers from `begin` to the end of the list. Returns false if there
  /// is anything else than numbers in the list.
  bool keep_as_text(size_t begin, FbxRecord& record) {
    size_t at = at_, end = at_;
    bool after_comma = false;
    for (; at < file_.size(); ++at) {
      const char c = file_[at];
      if (is_space(c)) continue;
      if (c == ',') {
        after_comma = true;
      } else if (is_of_number(c) || c == 'e' || c == 'E') {
        if (!after_comma && at != end) break;  // the next record
        after_comma = false;
        end = at + 1;
      } else if (c != '}' && (after_comma || at == end)) {
        return false;  // a word in the list
      } else {
        break;
      }
    }
    FbxValue value;
    value.kind = FbxValue::Kind::kArrayText;
    value.bytes = file_.substr(begin, end - begin);
    record.values.assign(1, value);
    at_ = at;
    return true;
  }

  FbxValue parse_value() {
    FbxValue value;
    value.kind = FbxValue::Kind::kText;
    if (here() == '"') {
      const size_t end = file_.find('"', at_ + 1);
      if (end == file_.npos) fail_here("a quotation mark is missing: the file is cut off");
      value.bytes = file_.substr(at_ + 1, end - at_ - 1);
      at_ = end + 1;
      return value;
    }
    const char first = here();
    value.bytes = take_word();
    if (value.bytes.empty()) fail_here("there is no value");
    if (is_of_number(first)) value.kind = FbxValue::Kind::kNumberText;
    return value;
  }

  std::string_view file_;
  size_t at_ = 0;
};

/// The version in FBXHeaderExtension, else in the first comment: "; FBX 6.1.0 project file".
uint32_t version_of(const FbxDocument& document, std::string_view file) {
  if (const FbxRecord* header = document.find("FBXHeaderExtension")) {
    if (const FbxRecord* version = header->child("FBXVersion")) return uint32_t(version->integer(0));
  }
  const size_t at = file.substr(0, 256).find("FBX ");
  if (at == file.npos || at + 7 > file.size()) return 0;
  const auto digit = [&](size_t i) { return file[i] >= '0' && file[i] <= '9' ? uint32_t(file[i] - '0') : 0u; };
  return 1000 * digit(at + 4) + 100 * digit(at + 6);
}

}  // namespace

FbxDocument parse_text_fbx(std::string_view file) {
  FbxDocument document = TextParser(file).parse();
  document.is_text = true;
  document.version = version_of(document, file);
  return document;
}

}  // namespace sinew::internal

#include "assimp/x_text.h"

#include <array>
#include <charconv>
#include <cmath>
#include <optional>
#include <string>
#include <string_view>

#include "asset/plain_text.h"

namespace sinew::internal {
namespace {

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }
bool is_separator(char c) { return c == ';' || c == ','; }
bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-' || c == '.';
}

class XText {
 public:
  explicit XText(std::string_view text) : text_(text) {}

  std::string rewritten() && {
    while (at_ < text_.size()) copy_token();
    return std::move(out_);
  }

 private:
  /// The end of what begins at `begin` and ends with `last`, `last` included.
  size_t after(char last, size_t begin) const {
    const size_t end = text_.find(last, begin);
    return end == text_.npos ? text_.size() : end + 1;
  }

  /// The end of a comment, a string, or an id at `begin`; `begin` where there is none.
  size_t after_verbatim(size_t begin) const {
    const char c = text_[begin];
    if (c == '#' || text_.substr(begin, 2) == "//") return after('\n', begin);
    if (c == '"') return after('"', begin + 1);
    return c == '<' ? after('>', begin) : begin;
  }

  void copy_to(size_t end) {
    out_ += text_.substr(at_, end - at_);
    at_ = end;
  }

  void copy_token() {
    if (const size_t end = after_verbatim(at_); end > at_) return copy_to(end);
    if (!is_word(text_[at_])) {
      const bool is_comma = text_[at_] == ',';
      copy_to(at_ + 1);
      if (is_comma) out_ += ' ';
      return;
    }
    size_t end = at_;
    while (end < text_.size() && is_word(text_[end])) ++end;
    const std::string_view word = text_.substr(at_, end - at_);
    copy_to(end);
    if (word == "template") return copy_to(after('}', at_));
    if (word == "Frame") name_frame();
    if (word == "AnimationKey") rewrite_block(&XText::rotation_keys);
    if (word == "SkinWeights") rewrite_block(&XText::weights);
  }

  /// Past blanks and comments.
  size_t next_of(size_t at) const {
    while (at < text_.size()) {
      if (is_space(text_[at]))
        ++at;
      else if (text_[at] == '#' || text_.substr(at, 2) == "//")
        at = after('\n', at);
      else
        break;
    }
    return at;
  }

  void name_frame() {
    const size_t next = next_of(at_);
    if (next < text_.size() && text_[next] == '{') out_ += " node_" + std::to_string(frames_++) + " ";
  }

  // The numbers of a block, wherever its separators are.

  std::optional<double> number() {
    size_t at = cursor_;
    for (size_t next = at; at < text_.size(); at = next) {
      next = next_of(at);
      if (next == at && is_separator(text_[at])) ++next;
      if (next == at) break;
    }
    double value = 0;
    const auto read = std::from_chars(text_.data() + at, text_.data() + text_.size(), value);
    if (read.ec != std::errc()) return {};
    cursor_ = size_t(read.ptr - text_.data());
    return value;
  }

  /// Writes what `rewrite` makes of the block after its brace. What it cannot read stays as it is.
  void rewrite_block(bool (XText::*rewrite)(std::string&)) {
    const size_t brace = text_.find('{', at_);
    if (brace == text_.npos) return;
    copy_to(brace + 1);
    cursor_ = at_;
    std::string made;
    if (!(this->*rewrite)(made)) return;
    out_ += made;
    at_ = cursor_;
  }

  static std::string text_of(double value) {
    const std::string text = number_text(value, 9);
    return text.find_first_of(".en") == text.npos ? text + ".0" : text;
  }

  /// A list of rotations: 0; COUNT; then TICK; 4; W, X, Y, Z;;
  bool rotation_keys(std::string& made) {
    if (number() != 0.0) return false;
    const std::optional<double> count = number();
    if (!count || !(*count >= 0) || *count > double(text_.size())) return false;
    made = " 0; " + std::to_string(size_t(*count)) + ";";
    for (size_t key = 0; key < size_t(*count); ++key) {
      const std::optional<double> tick = number();
      if (!tick || number() != 4.0) return false;
      std::array<double, 4> q{};
      for (double& part : q) {
        const std::optional<double> value = number();
        if (!value) return false;
        part = *value;
      }
      const double size = std::hypot(std::hypot(q[0], q[1]), std::hypot(q[2], q[3]));
      made += std::string(key > 0 ? "," : "") + "\n" + number_text(*tick, 12) + ";4;";
      for (size_t i = 0; i < 4; ++i) made += (i > 0 ? ", " : "") + text_of(size > 0 ? q[i] / size : q[i]);
      made += ";;";
    }
    made += ";";
    while (cursor_ < text_.size() && (is_space(text_[cursor_]) || is_separator(text_[cursor_]))) ++cursor_;
    return true;
  }

  /// "NAME"; 0; and then the matrix, without the separators of the lists that are empty.
  bool weights(std::string& made) {
    const size_t name = next_of(cursor_);
    if (name >= text_.size() || text_[name] != '"') return false;
    cursor_ = after('"', name + 1);
    made = std::string(text_.substr(name, cursor_ - name)) + ";";
    if (number() != 0.0) return false;
    made += " 0; ";
    while (cursor_ < text_.size() && (is_space(text_[cursor_]) || is_separator(text_[cursor_]))) ++cursor_;
    return true;
  }

  std::string_view text_;
  size_t at_ = 0, cursor_ = 0;
  std::string out_;
  uint32_t frames_ = 0;
};

}  // namespace

std::vector<uint8_t> x_text_for_assimp(std::span<const uint8_t> file) {
  const std::string_view text(reinterpret_cast<const char*>(file.data()), file.size());
  constexpr std::string_view kHeader = "xof 0303txt 0032";
  if (!text.starts_with("xof ") || text.substr(8, 4) != "txt ") return {file.begin(), file.end()};
  const size_t header = std::min(kHeader.size(), text.size());
  const std::string rewritten = std::string(text.substr(0, header)) + XText(text.substr(header)).rewritten();
  return {rewritten.begin(), rewritten.end()};
}

}  // namespace sinew::internal

#include "assimp/x_text.h"

#include <array>
#include <cmath>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "asset/plain_text.h"
#include "asset/read_number.h"
#include "sinew/asset/math.h"

namespace sinew::internal {
namespace {

bool is_separator(char c) { return c == ';' || c == ','; }
bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-' || c == '.';
}

class XText {
 public:
  explicit XText(std::string_view text) : text_(text) {}

  std::string rewritten() && {
    while (at_ < text_.size()) copy_token();
    if (!has_frames_) add_frames();
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
      if (text_[at_] == '{') learn_reference();
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
    if (word == "FrameTransformMatrix") rewrite_block(&XText::matrix);
    if (word == "AnimationKey") rewrite_block(&XText::keys);
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
    has_frames_ = true;
    const size_t next = next_of(at_);
    if (next < text_.size() && text_[next] == '{') out_ += " node_" + std::to_string(frames_++) + " ";
  }

  /// "{ NAME }", with a brace at `at_`: an Animation names the frame that it moves so.
  void learn_reference() {
    const size_t begin = next_of(at_ + 1);
    size_t end = begin;
    const auto ends = [](char c) { return is_space(c) || is_separator(c) || c == '{' || c == '}'; };
    while (end < text_.size() && !ends(text_[end])) ++end;
    const size_t close = next_of(end);
    if (end > begin && close < text_.size() && text_[close] == '}')
      references_.emplace(text_.substr(begin, end - begin));
  }

  /// A file of clips alone may have no frames: Assimp refuses it.
  void add_frames() {
    for (const std::string& name : references_) out_ += "\nFrame " + name + " {}\n";
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
    const auto read = read_number(text_.data() + at, text_.data() + text_.size(), value);
    if (read.ec != std::errc()) return {};
    cursor_ = size_t(read.ptr - text_.data());
    return value;
  }

  /// Writes what `rewrite` makes of the block after its brace. What it cannot read stays as it is.
  void rewrite_block(bool (XText::*rewrite)(std::string&)) {
    size_t brace = next_of(at_);
    while (brace < text_.size() && is_word(text_[brace])) ++brace;  // a name
    brace = next_of(brace);
    if (brace >= text_.size() || text_[brace] != '{') return;
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

  void skip_separators() {
    while (cursor_ < text_.size() && (is_space(text_[cursor_]) || is_separator(text_[cursor_]))) ++cursor_;
  }

  template <size_t count>
  bool numbers(std::array<double, count>& values) {
    for (double& value : values) {
      const std::optional<double> read = number();
      if (!read) return false;
      value = *read;
    }
    return true;
  }

  static std::string list_of(std::span<const double> values) {
    std::string text;
    for (const double value : values) text += (text.empty() ? "" : ", ") + text_of(value);
    return text;
  }

  /// 16 numbers with any separators: some exporters write semicolons between them.
  bool matrix(std::string& made) {
    std::array<double, 16> values{};
    if (!numbers(values)) return false;
    made = " " + list_of(values) + ";; ";
    skip_separators();
    return true;
  }

  /// KIND; COUNT; then TICK; WIDTH; NUMBERS;; for each key.
  bool keys(std::string& made) {
    const std::optional<double> kind = number(), count = number();
    if (!kind || !count || !(*count >= 0) || *count > double(text_.size())) return false;
    const bool has_keys = *kind == 0 ? rotations(size_t(*count), made)
                                     : (*kind == 3 || *kind == 4) && mirrored_matrices(size_t(*count), made);
    skip_separators();
    return has_keys;
  }

  /// Appends a key to the list of one kind.
  static void add_key(double tick, std::span<const double> values, std::string& list) {
    list += std::string(list.empty() ? "" : ",") + "\n" + number_text(tick, 12) + ";" + std::to_string(values.size()) +
            ";" + list_of(values) + ";;";
  }

  bool rotations(size_t count, std::string& made) {
    std::string list;
    for (size_t key = 0; key < count; ++key) {
      const std::optional<double> tick = number();
      std::array<double, 4> q{};
      if (!tick || number() != 4.0 || !numbers(q)) return false;
      const double size = std::hypot(std::hypot(q[0], q[1]), std::hypot(q[2], q[3]));
      for (double& part : q) part = size > 0 ? part / size : part;
      add_key(*tick, q, list);
    }
    made = " 0; " + std::to_string(count) + ";" + list + ";";
    return true;
  }

  /// Matrices become scales, rotations and translations, if one of them mirrors: Assimp loses that. Their rows are the
  /// columns of Matrix3x4; the rotations of the format turn the other way.
  bool mirrored_matrices(size_t count, std::string& made) {
    std::vector<std::pair<double, Matrix3x4d>> keys;
    bool is_mirrored = false;
    for (size_t key = 0; key < count; ++key) {
      const std::optional<double> tick = number();
      std::array<double, 16> n{};
      if (!tick || number() != 16.0 || !numbers(n)) return false;
      keys.push_back({*tick, {{{n[0], n[4], n[8], n[12]}, {n[1], n[5], n[9], n[13]}, {n[2], n[6], n[10], n[14]}}}});
      is_mirrored = is_mirrored || determinant(keys.back().second) < 0;
    }
    if (!is_mirrored) return false;
    std::string rotations, scales, translations;
    for (const auto& [tick, matrix] : keys) {
      const Transform t = to_transform(matrix);
      const Quat q = t.rotation;
      add_key(tick, std::array<double, 4>{q.w, -q.x, -q.y, -q.z}, rotations);
      add_key(tick, std::array<double, 3>{t.scale.x, t.scale.y, t.scale.z}, scales);
      add_key(tick, std::array<double, 3>{matrix.m[0][3], matrix.m[1][3], matrix.m[2][3]}, translations);
    }
    const std::string begin = std::to_string(count) + ";";
    made = " 0; " + begin + rotations + ";\n}\nAnimationKey { 1; " + begin + scales + ";\n}\nAnimationKey { 2; " +
           begin + translations + ";\n";
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
    skip_separators();
    return true;
  }

  std::string_view text_;
  size_t at_ = 0, cursor_ = 0;
  std::string out_;
  uint32_t frames_ = 0;  // that had no name
  bool has_frames_ = false;
  std::set<std::string> references_;
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

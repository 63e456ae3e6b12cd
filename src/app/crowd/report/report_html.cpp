#include "crowd/report/report_html.h"

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

#include "system/output.h"

namespace sinew::app {
namespace {

constexpr std::string_view kPage =
#include "report_page.inc"
    ;
constexpr std::string_view kPlace = "id=\"reports\">[]<";  // where the page has its reports: between the angle brackets

std::string base64(std::string_view bytes) {
  constexpr char kDigits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  for (size_t i = 0; i < bytes.size(); i += 3) {
    uint32_t bits = 0;
    for (size_t k = 0; k < 3; ++k) bits = bits << 8 | (i + k < bytes.size() ? uint8_t(bytes[i + k]) : 0);
    for (size_t k = 0; k < 4; ++k) text += i + k <= bytes.size() ? kDigits[bits >> (18 - 6 * k) & 63] : '=';
  }
  return text;
}

/// JSON inside of a script element. The page's parser reads "</script", and "<!--" with "<script", as ends and begins
/// of elements, so that a name could end the element or keep it open. JSON has these characters in strings only, where
/// it may write them as escapes.
std::string without_tags(std::string_view json) {
  constexpr std::pair<std::string_view, std::string_view> kEscapes[] = {
      {"<", "\\u003c"}, {">", "\\u003e"}, {"&", "\\u0026"}, {"\xe2\x80\xa8", "\\u2028"}, {"\xe2\x80\xa9", "\\u2029"}};
  std::string escaped;
  while (!json.empty()) {
    const auto* const found = std::find_if(std::begin(kEscapes), std::end(kEscapes),
                                           [&](const auto& escape) { return json.starts_with(escape.first); });
    const bool plain = found == std::end(kEscapes);
    escaped += plain ? json.substr(0, 1) : found->second;
    json.remove_prefix(plain ? 1 : found->first.size());
  }
  return escaped;
}

/// A word of a command, quoted for a shell or not, with the name of its file instead of a path.
std::string without_folders(const std::string& word) {
  const size_t quoted = word.starts_with('\'') ? 1 : 0;
  const size_t equals = word.compare(quoted, 2, "--") == 0 ? word.find('=') : word.npos;
  const size_t begin = equals == word.npos ? quoted : equals + 1;
  const size_t name_end = word.find_last_not_of("/'");
  const size_t slash = name_end == word.npos ? word.npos : word.rfind('/', name_end);
  if (slash == word.npos || slash < begin) return word;
  return word.substr(0, begin) + word.substr(slash + 1);
}

/// The command as others can give it: without this machine's folders.
std::string shared_command(const std::string& command) {
  std::string line, word;
  bool is_quoted = false, is_escaped = false, is_first = true;
  for (const char letter : command + " ") {
    if (letter == '\'' && !is_escaped) is_quoted = !is_quoted;
    is_escaped = letter == '\\' && !is_quoted;
    if (letter != ' ' || is_quoted) {
      word += letter;
      continue;
    }
    line += is_first ? "sinew" : " " + without_folders(word);
    word.clear(), is_first = false;
  }
  return line;
}

Json pictures_json(std::span<const ReportPicture> pictures) {
  Json shown = Json::array();
  for (const ReportPicture& picture : pictures) {
    const std::string jpeg = encode_jpeg(picture.width, picture.height, picture.rgba);
    shown.push_back({{"title", picture.title},
                     {"width", picture.width},
                     {"height", picture.height},
                     {"data", "data:image/jpeg;base64," + base64(jpeg)}});
  }
  return shown;
}

}  // namespace

std::string to_html(Json report, const PageParts& parts) {
  if (report.contains("command")) report["command"] = shared_command(report["command"].get<std::string>());
  Json entry = {
      {"name", "Sinew crowd benchmark"}, {"report", std::move(report)}, {"pictures", pictures_json(parts.pictures)}};
  if (parts.comparison) entry["comparison"] = to_json(*parts.comparison, without_folders(parts.old_name));
  const std::string json = Json::array({entry}).dump(-1, ' ', false, Json::error_handler_t::replace);
  std::string page(kPage);
  const size_t at = page.find(kPlace) + kPlace.size() - 3;
  return page.replace(at, 2, without_tags(json));
}

}  // namespace sinew::app

#include "crowd/report/report_html.h"

#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

#include "system/output.h"
#include "system/platform.h"
#include "system/process.h"
#include "system/text.h"

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
  std::string escaped;
  for (const char letter : json)
    escaped += letter == '<' || letter == '>' || letter == '&' ? text("\\u%04x", letter) : std::string(1, letter);
  return escaped;
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
  if (report.contains("command")) report["command"] = shared_command(command_words());
  Json entry = {
      {"name", "Sinew crowd benchmark"}, {"report", std::move(report)}, {"pictures", pictures_json(parts.pictures)}};
  if (parts.comparison) entry["comparison"] = to_json(*parts.comparison, without_folders(parts.old_name));
  const std::string json = Json::array({entry}).dump(-1, ' ', true, Json::error_handler_t::replace);
  std::string page(kPage);
  const size_t at = page.find(kPlace) + kPlace.size() - 3;
  return page.replace(at, 2, without_tags(json));
}

}  // namespace sinew::app

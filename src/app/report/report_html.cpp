#include "report/report_html.h"

#include <nlohmann/json.hpp>
#include <string_view>

#include "system/write_file.h"

namespace sinew::app {
namespace {

using Json = nlohmann::ordered_json;

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

/// JSON inside of a script element: "</" would end it.
std::string without_tags(std::string json) {
  for (size_t at = 0; (at = json.find("</", at)) != json.npos; at += 3) json.replace(at, 2, "<\\/");
  return json;
}

}  // namespace

std::string to_html(const Report& report, std::span<const ReportPicture> pictures) {
  Json shown = Json::array();
  for (const ReportPicture& picture : pictures) {
    const std::string jpeg = encode_jpeg(picture.width, picture.height, picture.rgba);
    shown.push_back({{"title", picture.title}, {"data", "data:image/jpeg;base64," + base64(jpeg)}});
  }
  const Json entry = {
      {"name", "Sinew crowd benchmark"}, {"report", Json::parse(to_json(report))}, {"pictures", std::move(shown)}};
  std::string page(kPage);
  const size_t at = page.find(kPlace) + kPlace.size() - 3;
  return page.replace(at, 2, without_tags(Json::array({entry}).dump()));
}

}  // namespace sinew::app

// The report as one HTML file that needs nothing else: html/report.html with the JSON and pictures inside. Its script
// draws the tables and plots.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "crowd/report/report.h"

namespace sinew::app {

struct ReportPicture {
  std::string title;
  uint32_t width = 0, height = 0;
  std::vector<uint8_t> rgba;  // rows from the top
};

std::string to_html(const Report& report, std::span<const ReportPicture> pictures);

}  // namespace sinew::app

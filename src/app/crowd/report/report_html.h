// The report as one HTML file that needs nothing else: html/report.html with the JSON and pictures inside. Its script
// draws the tables and plots.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "crowd/report/comparison.h"

namespace sinew::app {

struct ReportPicture {
  std::string title;  // what is seen
  uint32_t width = 0, height = 0;
  std::vector<uint8_t> rgba;  // rows from the top
};

/// What a page shows besides the report.
struct PageParts {
  std::span<const ReportPicture> pictures = {};
  const ReportComparison* comparison = nullptr;
  std::string old_name = "";  // what the comparison is with
};

/// `report`: its JSON. The page has this process's command, and `old_name`, without folders.
std::string to_html(Json report, const PageParts& parts);

}  // namespace sinew::app

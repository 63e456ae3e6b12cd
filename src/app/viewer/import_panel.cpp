// The panel of what import did to the file: what was lost, repaired and computed, and its warnings.
#include <imgui.h>

#include "system/text.h"
#include "tools/character_info.h"
#include "viewer/panels.h"
#include "window/controls.h"

namespace sinew::app {

std::string import_title(const ImportReport& report) {
  size_t count = 0;
  for (const ImportGroup& group : import_groups(report)) count += group.is_fact ? 0 : group.items.size();
  return count == 0 ? "Import" : text("Import (%zu)", count);
}

void draw_import_panel(const ImportReport& report) {
  const std::vector<ImportGroup> groups = import_groups(report);
  if (groups.empty()) add_text("Nothing had to be repaired, computed or dropped.");
  for (const ImportGroup& group : groups) {
    if (!add_section(group.name)) continue;
    for (const std::string& item : group.items) {
      ImGui::Bullet();
      add_text(printable(item), "import item");
    }
  }
}

}  // namespace sinew::app

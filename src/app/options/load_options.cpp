#include "options/load_options.h"

namespace sinew::app {

LoadOptions default_load() {
  LoadOptions options;
  options.isolated = true;
  options.import.normal_map_tangents = true;  // they are drawn with them
  return options;
}

std::vector<Option> option_rows(LoadOptions& o) {
  return {
      {"--animation", "FILE", words(o.import.animation_files),
       "Add the clips of this file, matched by joint name; repeatable"},
      {"--retarget", "", flag(o.retarget),
       "Match joints of --animation without prefixes of their names, and move them relative to the rest poses; the "
       "root's translation is scaled by height"},
      {"--isolate", "on|off", on_off(o.isolated),
       "Import in a separate process, so that a malformed file cannot crash this one [on]"},
      {"--verbose", "", flag(o.verbose),
       "Print what holds of the import process's sandbox, and what libraries print in it"},
      {"--import-seconds", "SECONDS", number(o.isolation.seconds, 1.0, 1e6),
       "Limit on an isolated import's processor time [4, plus 0.25 for each MiB of the files]"},
      {"--import-memory", "MIB", number(o.isolation.memory_bytes, uint64_t(16), uint64_t(1) << 24, uint64_t(1) << 20),
       "Limit on an isolated import's memory, in MiB [960, or 30 times the files where that is more]"},
  };
}

Option scale_row(std::optional<float>& scale) {
  return {"--interface-scale", "PERCENT", number(scale, 50.0, 400.0, 0.01),
          "Size of letters and controls [that of the display]"};
}

Option blend_row(LoadOptions& o) {
  return {"--blend", "linear|dual-quaternion",
          choice(o.blend, {{"linear", Blend::kLinear}, {"dual-quaternion", Blend::kDualQuaternion}}),
          "Blend the influences of vertices as matrices, or as dual quaternions: those keep the volume of joints that "
          "bend or twist far [as the file says]"};
}

}  // namespace sinew::app

// Import, in libraries that were built with it.
#include "sinew/c/import.h"

#include <vector>

#include "character.h"

#ifdef SINEW_C_IMPORT
#include "import_options.h"
#include "sinew/import/lod.h"
#endif

namespace sinew::c {
namespace {

#ifdef SINEW_C_IMPORT

CharacterFile import_file(const std::string& path, const SinewImportOptions& given) {
  const ImportOptions options = import_options(given);
  if (given.isolated != 0) return take(import_isolated(path, options, isolation_options(given)));
  ImportReport report;
  Character character = take(load_character(path, options, &report));
  return {std::move(character), {}, std::move(report)};
}

void make_coarse_levels(CharacterContent& content, std::span<const float> shares) {
  LodOptions options;
  if (!shares.empty()) options.triangle_shares.assign(shares.begin(), shares.end());
  std::vector<ModelLevel> levels = take(make_levels(content.character.mesh, {}, options));
  content.coarse_levels.clear();
  for (ModelLevel& level : levels) content.coarse_levels.emplace_back(std::move(level));
}

#else

[[noreturn]] void refuse_import() {
  refuse_unsupported("this library was built without import; load .sinew files (sinew bake writes them)");
}
CharacterFile import_file(const std::string&, const SinewImportOptions&) { refuse_import(); }
void make_coarse_levels(CharacterContent&, std::span<const float>) { refuse_import(); }

#endif

}  // namespace
}  // namespace sinew::c

using namespace sinew::c;

SinewResult sinew_character_import(const char* path, const SinewImportOptions* options, SinewCharacter** out,
                                   SinewError* error) {
  return call(error, __func__, [&] {
    required(out, "out") = nullptr;
    *out = make_character(import_file(&required(path, "path"), read_optional(options, "options")));
  });
}

SinewResult sinew_character_make_levels(SinewCharacter* character, const float* triangle_shares, uint32_t count,
                                        SinewError* error) {
  return call(error, __func__,
              [&] { make_coarse_levels(changeable(character), array(triangle_shares, count, "triangle_shares")); });
}

// Files mean the same in every locale of the host: "37.5" is not 37 where the comma separates decimals.
#include <gtest/gtest.h>

#include <clocale>
#include <cstdlib>
#include <string>

#include "collada_file.h"
#include "gltf_file.h"
#include "posing.h"
#include "sinew/import/import.h"

namespace sinew::test {
namespace {

/// Sets the numeric locale of this process to one with a decimal comma, until the end.
class GermanNumbers {
 public:
  /// Compiles the locale into `folder`. The system need not have it installed, only its definition.
  explicit GermanNumbers(const TemporaryFolder& folder) : before_(std::setlocale(LC_NUMERIC, nullptr)) {
    const std::string compile =
        "localedef --no-archive -i de_DE -f UTF-8 " + folder.path("de_DE.UTF-8") + " 2>/dev/null";
    if (std::system(compile.c_str()) != 0) return;
    setenv("LOCPATH", folder.path(".").c_str(), 1);
    is_set_ = std::setlocale(LC_NUMERIC, "de_DE.UTF-8") != nullptr;
  }
  ~GermanNumbers() {
    std::setlocale(LC_NUMERIC, before_.c_str());
    unsetenv("LOCPATH");
  }
  bool is_set() const { return is_set_ && std::strtod("37.5", nullptr) == 37; }

 private:
  std::string before_;
  bool is_set_ = false;
};

/// A material whose opacity Assimp reads with strtod().
constexpr const char* kMaterial =
    "<library_effects><effect id=\"e\"><profile_COMMON><technique sid=\"t\"><lambert><diffuse><color>0.5 0.25 0.125 1"
    "</color></diffuse><transparent opaque=\"A_ONE\"><color>1 1 1 "
    "1</color></transparent><transparency><float>0.75</float>"
    "</transparency></lambert></technique></profile_COMMON></effect></library_effects><library_materials>"
    "<material id=\"M\"><instance_effect url=\"#e\"/></material></library_materials>";

Result<Character> load(const TemporaryFolder& folder) {
  const std::string node =
      "<node id=\"j\"><translate sid=\"t\">0.5 1.25 0</translate><instance_geometry url=\"#mesh\"><bind_material>"
      "<technique_common><instance_material symbol=\"M\" target=\"#M\"/></technique_common></bind_material>"
      "</instance_geometry></node>";
  return load_character(folder.write(
      "a.dae", collada_file(node, kMaterial + collada_animations({{"j/t.X", "0.25 1.75", "0.125 37.5"}}))));
}

TEST(LocaleTest, ADecimalCommaOfTheHostChangesNothing) {
  const TemporaryFolder folder;
  const Character plain = must(load(folder));
  const GermanNumbers german(folder);
  if (!german.is_set()) GTEST_SKIP() << "NO LOCALE with a decimal comma: install locales and localedef";
  const Character character = must(load(folder));
  EXPECT_EQ(std::strtod("37.5", nullptr), 37) << "the host's locale is as it was";
  EXPECT_EQ(character.clips.at(0).start_seconds, 0.25f);
  EXPECT_EQ(character.clips.at(0).end_seconds, 1.75f);
  EXPECT_EQ(pose(character, 0, 1.75f).positions.at(0).x, pose(plain, 0, 1.75f).positions.at(0).x);
  EXPECT_EQ(pose(character).positions.at(0).y, 1.25f);
  EXPECT_EQ(character.materials.at(0).base_color.w, plain.materials.at(0).base_color.w);
  EXPECT_EQ(plain.materials.at(0).base_color.w, 0.75f);
}

}  // namespace
}  // namespace sinew::test

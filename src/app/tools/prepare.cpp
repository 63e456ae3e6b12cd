// A program of the build: makes a prepared file of one of our own characters. scene/prepared.h says what that is.
// usage: sinew_prepare FOLDER CHARACTER [CLIPS...]
#include <cstdio>
#include <filesystem>
#include <string>
#include <vector>

#include "scene/prepared.h"
#include "sinew/runtime/thread_pool.h"
#include "system/cache.h"
#include "system/paths.h"

namespace {

using namespace sinew::app;

sinew::Status run(const std::filesystem::path& folder, const std::string& path, const std::vector<std::string>& clips) {
  LoadOptions options;
  options.import.normal_map_tangents = true;  // as default_load()
  options.import.animation_files = clips;
  sinew::ThreadPool pool;
  const auto file = prepare(path, options, pool.parallel_for());
  if (!file) return file.error();
  std::filesystem::create_directories(folder);
  const std::string name = prepared_name(path, options);
  if (sinew::Status written = write_character_file(utf8_of(folder / path_of(name)), *file); !written) return written;
  remove_oldest(folder, name.substr(0, name.find('-')), 1);
  return {};
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) return 2;
  const sinew::Status made = run(argv[1], argv[2], {argv + 3, argv + argc});
  if (!made) std::fprintf(stderr, "sinew_prepare: %s\n", made.error().message.c_str());
  return made ? 0 : 1;
}

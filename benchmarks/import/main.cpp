// sinew_bench_import: the time to load a character: import from its file, import in a process of its own, and reading
// its `.sinew`, with and without a bake. The files are the built-in character, the models of the shared folder and
// large models that are written first, or the files on the command line. All files are in the page cache.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <string>
#include <vector>

#include "files.h"
#include "large.h"
#include "sinew/animation/bake.h"
#include "sinew/asset/character_file.h"
#include "sinew/import/import.h"

namespace sinew {
namespace {

namespace fs = std::filesystem;

/// A model and the paths of its two `.sinew` files: `plain` without a bake, `baked` with one.
struct Subject {
  std::string name, path, plain, baked;
};

std::vector<std::string> files_at_hand() {
  std::vector<std::string> files = {SINEW_SOURCE_DIR "/assets/character.glb"};
  std::error_code absent;
  for (const auto& entry : fs::recursive_directory_iterator(SINEW_SHARED_DIR "/models", absent)) {
    const std::string type = entry.path().extension();
    if (type == ".glb" || type == ".gltf" || type == ".fbx") files.push_back(entry.path());
  }
  std::sort(files.begin() + 1, files.end());
  return files;
}

/// Writes the model's two `.sinew` files. `number` makes their names unique.
Status prepare(const test::TemporaryFolder& folder, size_t number, Subject& subject) {
  CharacterFile file;
  ImportReport report;
  Result<Character> character = load_character(subject.path, {}, &report);
  if (!character) return character.error();
  file.character = std::move(*character);
  file.report = std::move(report);
  subject.plain = folder.path(std::to_string(number) + ".plain.sinew");
  subject.baked = folder.path(std::to_string(number) + ".sinew");
  if (Status written = write_character_file(subject.plain, file); !written) return written;
  Result<BakedCharacter> baked = bake(file.character);
  if (!baked) return baked.error();
  file.baked = std::move(*baked);
  return write_character_file(subject.baked, file);
}

template <class Load>
void run(benchmark::State& state, const std::string& path, Load load) {
  for (auto _ : state) {
    auto loaded = load(path);
    if (!loaded) state.SkipWithError(loaded.error().message.c_str());
    benchmark::DoNotOptimize(loaded);
  }
  state.SetBytesProcessed(int64_t(state.iterations()) * int64_t(fs::file_size(path)));
}

void add_rows(const Subject& subject) {
  const auto add = [&](const char* way, const std::string& path, auto load) {
    benchmark::RegisterBenchmark((subject.name + "/" + way).c_str(),
                                 [path, load](benchmark::State& state) { run(state, path, load); })
        ->Unit(benchmark::kMillisecond)
        ->UseRealTime();
  };
  add("import", subject.path, [](const std::string& path) { return load_character(path); });
  add("isolated", subject.path, [](const std::string& path) {
    IsolationOptions isolation;
    isolation.program = SINEW_IMPORT_WORKER;
    return import_isolated(path, {}, isolation);
  });
  add("sinew_plain", subject.plain, [](const std::string& path) { return load_character_file(path); });
  add("sinew_baked", subject.baked, [](const std::string& path) { return load_character_file(path); });
}

}  // namespace
}  // namespace sinew

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  std::vector<std::string> files(argv + 1, argv + argc);
  const sinew::test::TemporaryFolder folder;
  if (files.empty()) {
    files = sinew::files_at_hand();
    if (auto large = sinew::write_large_models(folder.path("")))
      files.insert(files.end(), large->begin(), large->end());
  }
  for (size_t i = 0; i < files.size(); ++i) {
    sinew::Subject subject{std::filesystem::path(files[i]).filename(), files[i], "", ""};
    if (const sinew::Status ready = sinew::prepare(folder, i, subject); !ready) {
      std::fprintf(stderr, "left out: %s\n", ready.error().message.c_str());
      continue;
    }
    sinew::add_rows(subject);
  }
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}

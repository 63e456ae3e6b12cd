#include "scene/load.h"

#include <algorithm>
#include <cstdio>
#include <iterator>
#include <utility>

#include "sinew/animation/retarget.h"
#include "system/text.h"

namespace sinew::app {

std::vector<std::string> input_files(const std::string& model, const LoadOptions& options) {
  std::vector<std::string> files = options.import.animation_files;
  files.push_back(model);
  return files;
}

namespace {

/// Prints a line for each line of an import's log, at once: other models may be loaded at the same time.
void print_log(const std::string& log) {
  std::string lines;
  for (size_t begin = 0; begin < log.size();) {
    const size_t end = log.find('\n', begin);
    lines += "Import worker: " + log.substr(begin, end - begin) + "\n";
    begin = end == log.npos ? end : end + 1;
  }
  std::fputs(lines.c_str(), stderr);
}

Result<CharacterFile> load_isolated(const std::string& path, const LoadOptions& options) {
  std::string log;
  IsolationOptions isolation = options.isolation;
  if (options.verbose) isolation.log = &log;
  Result<CharacterFile> file = import_isolated(path, options.import, isolation);
  print_log(log);
  return file;
}

Result<CharacterFile> load_as_is(const std::string& path, const LoadOptions& options) {
  const ImportOptions& import = options.import;
  if (is_character_file(path) && import.animation_files.empty() && import.max_influences == 0 && !import.tangents) {
    return load_character_file(path);
  }
  if (options.isolated) return load_isolated(path, options);
  ImportReport report;
  Result<Character> character = load_character(path, import, &report);
  if (!character) return character.error();
  return CharacterFile{std::move(*character), {}, std::move(report)};
}

Result<CharacterFile> load_and_retarget(const std::string& path, LoadOptions options) {
  const std::vector<std::string> animations = std::exchange(options.import.animation_files, {});
  options.isolation.bake.reset();
  Result<CharacterFile> file = load_as_is(path, options);
  if (!file) return file;
  options.import = {};
  options.import.allow_no_mesh = true;
  for (const std::string& from : animations) {
    const Result<CharacterFile> animation = load_as_is(from, options);
    if (!animation) return animation.error();
    if (Status added = add_retargeted_clips(*animation, from, *file); !added) return added.error();
  }
  return file;
}

std::string quoted(const std::string& name) { return "'" + printable(name) + "'"; }

/// Every joint of both skeletons, once. Returns how many of `from` move nothing.
size_t report_joints(const Skeleton& from, const Skeleton& to, const std::vector<JointPair>& pairs,
                     std::vector<std::string>& lines) {
  std::vector<bool> moves(from.joint_count()), is_moved(to.joint_count());
  for (const JointPair& pair : pairs) {
    moves[pair.from] = is_moved[pair.to] = true;
    lines.push_back(quoted(from.joint_names[pair.from]) + " moves " + quoted(to.joint_names[pair.to]));
  }
  for (uint32_t j = 0; j < moves.size(); ++j) {
    if (!moves[j]) lines.push_back(quoted(from.joint_names[j]) + " moves nothing");
  }
  for (uint32_t j = 0; j < is_moved.size(); ++j) {
    if (!is_moved[j]) lines.push_back("nothing moves " + quoted(to.joint_names[j]));
  }
  return moves.size() - pairs.size();
}

}  // namespace

Result<CharacterFile> load_file(const std::string& path, const LoadOptions& options) {
  const bool retargets = options.retarget && !options.import.animation_files.empty();
  Result<CharacterFile> file = retargets ? load_and_retarget(path, options) : load_as_is(path, options);
  if (!file || !options.blend || file->character.mesh.blend == *options.blend) return file;
  file->character.mesh.blend = *options.blend;
  for (ModelLevel& level : file->levels) level.mesh.blend = *options.blend;
  file->bounds.reset();  // they are of the other way of blending
  return file;
}

Status add_retargeted_clips(const CharacterFile& animation, const std::string& path, CharacterFile& file) {
  const auto refused = [&](const Error& error) { return Error{error.code, quoted(path) + ": " + error.message}; };
  const Skeleton &from = animation.character.skeleton, &to = file.character.skeleton;
  const auto pairs = pair_joints(from, to);
  if (!pairs) return refused(pairs.error());
  if (!file.report) file.report.emplace();
  if (animation.character.clips.empty()) file.report->warnings.push_back(quoted(path) + " has no clip");
  Result<std::vector<Clip>> moved = retarget_clips(animation.character, file.character, *pairs);
  if (!moved) return refused(moved.error());
  std::move(moved->begin(), moved->end(), std::back_inserter(file.character.clips));
  file.report->clips = uint32_t(file.character.clips.size());
  if (const size_t idle = report_joints(from, to, *pairs, file.report->retargeted); idle > 0) {
    file.report->warnings.push_back(text("%s: %zu of its %u joints move nothing (sinew info --joints lists them)",
                                         quoted(path).c_str(), idle, from.joint_count()));
  }
  file.baked.reset(), file.bounds.reset();                                              // they lack the clips
  if (std::ranges::any_of(file.levels, &ModelLevel::has_palette)) file.levels.clear();  // so do their bakes
  return {};
}

}  // namespace sinew::app

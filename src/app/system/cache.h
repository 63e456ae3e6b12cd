// What the program keeps from one run to the next: levels of detail, prepared characters, compiled pipelines, measured
// bandwidths. All of it is in `$XDG_CACHE_HOME/sinew`, else in `~/.cache/sinew` or `%LOCALAPPDATA%\sinew`; a path that
// is not absolute does not count. Nothing in there is needed or trusted: files that are missing, damaged or of another
// version are made again, where nothing can be written nothing is kept, and anyone may delete them at any time. With
// `SINEW_CACHE=off` in the environment nothing is read and nothing written. All calls may run in parallel, in several
// processes too.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sinew::app {

/// Two sums over words, multiplied by odd numbers. For names and damage, not against an attacker.
class ContentHash {
 public:
  void add(uint64_t word);
  void add(std::span<const std::byte> bytes);
  void add(std::string_view text) { add(std::as_bytes(std::span(text))); }
  /// 32 hexadecimal digits.
  std::string digits() const;

 private:
  uint64_t a_ = 0x9e3779b97f4a7c15, b_ = 0xbf58476d1ce4e5b9;
};

/// Whether `SINEW_CACHE=off` is set.
bool is_cache_off();

/// Empty: nothing is kept.
std::filesystem::path cache_folder();

/// A file of the folder, which is made if it is missing. A name is what the file is of, "-" and a hash of all that its
/// content depends on. Empty: nothing is kept. For content that checks itself, such as `.sinew` files.
std::filesystem::path cache_path(const std::string& name);

/// Bytes that keep() wrote, with a checksum around them. Nothing: there are none, or not those.
std::optional<std::vector<std::byte>> read_kept(const std::string& name);

/// A reader finds the old file or the whole new one.
void keep(const std::string& name, std::span<const std::byte> bytes);

/// Of the files in a folder whose names begin with `prefix` and "-" the newest remain.
void remove_oldest(const std::filesystem::path& folder, const std::string& prefix, size_t remaining);

}  // namespace sinew::app

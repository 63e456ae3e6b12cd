#include "system/cache.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstring>
#include <system_error>
#include <utility>

#include "asset/file.h"
#include "system/paths.h"
#include "system/platform.h"

namespace sinew::app {
namespace {

/// Before the bytes of a kept file.
struct Header {
  std::array<char, 16> magic = {'s', 'i', 'n', 'e', 'w', ' ', 'k', 'e', 'p', 't', ' ', '1'};
  std::array<char, 32> hash{};  // of name and bytes
};

/// The name is part of the hash: a file that was renamed holds something else.
Header header_of(const std::string& name, std::span<const std::byte> bytes) {
  ContentHash hash;
  hash.add(name);
  hash.add(bytes);
  Header header;
  std::ranges::copy(hash.digits(), header.hash.begin());
  return header;
}

/// An absolute path of the environment; empty: there is none.
std::filesystem::path folder_of(const char* variable) {
  const std::filesystem::path path = path_of(environment_value(variable));
  return path.is_absolute() ? path : std::filesystem::path();
}

}  // namespace

bool is_cache_off() { return environment_value("SINEW_CACHE") == "off"; }

void ContentHash::add(uint64_t word) {
  a_ = (a_ ^ word) * 0x9fb21c651e98df25, b_ = (b_ + word) * 0xc2b2ae3d27d4eb4f;
  a_ ^= a_ >> 32, b_ ^= b_ >> 29;
}

void ContentHash::add(std::span<const std::byte> bytes) {
  add(uint64_t(bytes.size()));
  for (size_t i = 0; i < bytes.size(); i += 8) {
    uint64_t word = 0;
    std::memcpy(&word, bytes.data() + i, std::min<size_t>(8, bytes.size() - i));
    add(word);
  }
}

std::string ContentHash::digits() const {
  char text[40];
  std::snprintf(text, sizeof(text), "%016llx%016llx", (unsigned long long)a_, (unsigned long long)b_);
  return text;
}

std::filesystem::path cache_folder() {
  if (is_cache_off()) return {};
  if (const std::filesystem::path cache = folder_of("XDG_CACHE_HOME"); !cache.empty()) return cache / "sinew";
  const std::filesystem::path folder = user_cache_folder();
  return folder.empty() ? folder : folder / "sinew";
}

std::filesystem::path cache_path(const std::string& name) {
  const std::filesystem::path folder = cache_folder();
  if (folder.empty()) return {};
  std::error_code error;  // writing will fail too, and nothing is kept
  std::filesystem::create_directories(folder, error);
  return folder / name;
}

std::optional<std::vector<std::byte>> read_kept(const std::string& name) {
  const std::filesystem::path path = cache_path(name);
  if (path.empty()) return {};
  const auto file = internal::read_file(utf8_of(path));
  if (!file || file->bytes().size() < sizeof(Header)) return {};
  const std::span<const std::byte> bytes = file->bytes().subspan(sizeof(Header));
  const Header header = header_of(name, bytes);
  if (std::memcmp(&header, file->bytes().data(), sizeof header) != 0) return {};
  return std::vector<std::byte>(bytes.begin(), bytes.end());
}

void keep(const std::string& name, std::span<const std::byte> bytes) {
  const std::filesystem::path path = cache_path(name);
  if (path.empty()) return;
  const Header header = header_of(name, bytes);
  std::vector<std::byte> file(sizeof header + bytes.size());
  std::memcpy(file.data(), &header, sizeof header);
  std::ranges::copy(bytes, file.begin() + sizeof header);
  (void)internal::write_file(utf8_of(path), file);
}

void remove_oldest(const std::filesystem::path& folder, const std::string& prefix, size_t remaining) {
  std::vector<std::pair<std::filesystem::file_time_type, std::filesystem::path>> files;
  std::error_code error;
  for (std::filesystem::directory_iterator i(folder, error), end; !error && i != end; i.increment(error)) {
    if (utf8_of(i->path().filename()).starts_with(prefix + "-"))
      files.emplace_back(i->last_write_time(error), i->path());
  }
  std::sort(files.begin(), files.end());
  for (size_t i = 0; i + remaining < files.size(); ++i) std::filesystem::remove(files[i].second, error);
}

}  // namespace sinew::app

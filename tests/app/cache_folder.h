// A cache of its own for a test.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "child.h"

namespace sinew::test {}
namespace sinew::app::test {
using namespace sinew::test;  // in sinew::app, test:: is both

/// Sets XDG_CACHE_HOME to a new folder while it lives.
class CacheFolder {
 public:
  CacheFolder() {
    if (const char* old = std::getenv("XDG_CACHE_HOME")) old_ = old;
    setenv("XDG_CACHE_HOME", folder_.path("cache").c_str(), 1);
  }
  CacheFolder(const CacheFolder&) = delete;
  ~CacheFolder() { old_ ? setenv("XDG_CACHE_HOME", old_->c_str(), 1) : unsetenv("XDG_CACHE_HOME"); }

  std::string path(const std::string& name) const { return folder_.path("cache/sinew/" + name); }

  std::vector<std::filesystem::path> files() const {
    std::vector<std::filesystem::path> found;
    std::error_code error;
    for (std::filesystem::directory_iterator i(path(""), error), end; !error && i != end; i.increment(error))
      found.push_back(i->path());
    return found;
  }

 private:
  sinew::test::Folder folder_;
  std::optional<std::string> old_;
};

}  // namespace sinew::app::test

// Running the built program as a user would: a child process, with what it wrote and how it ended.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace sinew::test {

struct Outcome {
  int exit_code = -1;  // -1: a signal ended it; -2: it ran too long and was killed
  std::string out, err;
};

/// The parent's environment with these set; an empty value unsets.
using Environment = std::map<std::string, std::string>;

/// Runs a program, found by PATH where it has no slash, and waits for it. Standard input is empty.
Outcome run(const std::vector<std::string>& command, const Environment& environment = {}, int timeout_seconds = 120);

/// Runs `sinew` with these arguments.
Outcome sinew(const std::vector<std::string>& arguments, const Environment& environment = {});

/// A process that runs until this goes out of scope. What it writes goes to the two files.
class Background {
 public:
  Background(const std::vector<std::string>& command, const Environment& environment, const std::string& out,
             const std::string& err);
  Background(const Background&) = delete;
  ~Background();
  bool running();

 private:
  int pid_ = -1;
};

/// An empty folder that goes with everything in it at the end of the scope.
class Folder {
 public:
  Folder();
  Folder(const Folder&) = delete;
  ~Folder();
  std::string path(const std::string& name) const { return path_ + "/" + name; }
  std::vector<std::string> files() const;  // names, sorted

 private:
  std::string path_;
};

std::string read(const std::string& path);
void write(const std::string& path, const std::string& bytes);

/// A file of ../shared, by its path there; empty where that folder is absent.
std::string shared(const std::string& path);

/// True where a Vulkan device will do; says so loudly, once, where none will.
bool has_device();

#define SINEW_SKIP_WITHOUT_DEVICE() \
  if (!sinew::test::has_device()) GTEST_SKIP() << "NO VULKAN DEVICE: nothing about the GPU was tested here"
#define SINEW_SKIP_WITHOUT(path) \
  if ((path).empty()) GTEST_SKIP() << "NO SHARED FOLDER (" SINEW_SHARED_DIR "): real models were not tested here"

}  // namespace sinew::test

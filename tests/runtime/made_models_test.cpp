// The models that the build made are what this build makes of their files.
#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>

#include "made_models.h"
#include "sinew/import/model.h"

namespace sinew::test {
namespace {

std::string bytes_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void expect_same(const Result<SharedModel>& made, const std::string& name) {
  ASSERT_TRUE(made) << made.error().message;
  const std::string path = ::testing::TempDir() + "sinew_again_" + name;
  ASSERT_TRUE(write_model_file(path, **made));
  EXPECT_TRUE(bytes_of(path) == bytes_of(SINEW_MADE_MODELS "/" + name)) << name;
  std::remove(path.c_str());
}

TEST(MadeModels, AreWhatLoadModelMakes) {
  expect_same(make_plain_model(), "plain.sinew");
  expect_same(make_built_in_model(), "built_in.sinew");
  expect_same(make_dressed_model(), "dressed.sinew");
}

}  // namespace
}  // namespace sinew::test

// The border of the C interface: each exception becomes a result and a true message.
#include "c/border.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <functional>
#include <stdexcept>
#include <system_error>
#include <vector>

namespace sinew::c {
namespace {

struct Reported {
  SinewResult result;
  std::string message;
};

Reported report_of(const std::function<void()>& body) {
  SinewError error = {};
  error.size = sizeof error;
  const SinewResult result = call(&error, "sinew_try", body);
  EXPECT_EQ(error.result, result);
  return {result, error.message};
}

void expect_report(const std::function<void()>& body, SinewResult result, const std::string& message) {
  const Reported reported = report_of(body);
  EXPECT_EQ(reported.result, result) << reported.message;
  EXPECT_EQ(reported.message, message);
}

TEST(Border, MemoryThatRunsOutIsSaidAsSuch) {
  expect_report([] { throw std::bad_alloc(); }, SINEW_OUT_OF_MEMORY, "out of memory");
  expect_report([] { std::vector<char>().reserve(~size_t(0)); }, SINEW_OUT_OF_MEMORY,
                "sinew_try: more elements than memory can hold");
}

TEST(Border, AnErrorOfTheSystemIsNotSaidToBeMemory) {
  const Reported reported = report_of([] { (void)std::filesystem::file_size("/no/such/file"); });
  EXPECT_EQ(reported.result, SINEW_UNREADABLE);
  EXPECT_NE(reported.message.find("/no/such/file"), reported.message.npos) << reported.message;
  EXPECT_NE(reported.message.find("No such file"), reported.message.npos) << reported.message;
  const auto code = std::make_error_code(std::errc::permission_denied);
  EXPECT_EQ(report_of([=] { throw std::system_error(code); }).result, SINEW_UNREADABLE);
}

TEST(Border, AnyOtherExceptionIsSaidWithItsOwnWords) {
  expect_report([] { throw std::out_of_range("joint 7 of 3"); }, SINEW_INVALID_DATA, "sinew_try: joint 7 of 3");
  expect_report([] { throw 7; }, SINEW_INVALID_DATA, "sinew_try: an exception of unknown type");
}

struct Sizes {
  uint32_t size, known, later;
};

TEST(Border, WrittenStructsKeepTheirSizeAndHaveZerosForLaterVersions) {
  const Sizes known = {8, 5, 6};
  Sizes given = {sizeof given, 7, 7};
  write_struct(&known, 8, alignof(Sizes), &given, "out");
  EXPECT_EQ(given.size, sizeof given);
  EXPECT_EQ(given.known, 5u);
  EXPECT_EQ(given.later, 0u);
  given = {8, 7, 7};
  write_struct(&known, sizeof known, alignof(Sizes), &given, "out");
  EXPECT_EQ(given.later, 7u) << "an earlier version ends before it";
}

TEST(Border, ARefusalKeepsItsResult) {
  expect_report([] { refuse("path is null"); }, SINEW_INVALID_ARGUMENT, "sinew_try: path is null");
  expect_report([] { check(Error{ErrorCode::kDeviceLost, "gone"}); }, SINEW_DEVICE_LOST, "gone");
  expect_report([] {}, SINEW_OK, "");
}

}  // namespace
}  // namespace sinew::c

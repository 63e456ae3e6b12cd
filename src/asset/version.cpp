#include "sinew/version.h"

#include <string>

#include "exceptions.h"

namespace sinew {

using namespace internal;
namespace {

constexpr uint32_t kMajor = 1000000, kMinor = 1000;

/// Versions of one series are compatible.
uint32_t series_of(uint32_t version) { return version / (version < kMajor ? kMinor : kMajor); }

std::string text_of(uint32_t version) {
  return std::to_string(version / kMajor) + "." + std::to_string(version % kMajor / kMinor) + "." +
         std::to_string(version % kMinor);
}

}  // namespace

uint32_t version() { return SINEW_VERSION; }

Status check_version(uint32_t of_headers) SINEW_TRY {
  // A series below 1.0 is its minor version, which may equal a major version.
  const bool same_kind = (of_headers < kMajor) == (version() < kMajor);
  if (same_kind && series_of(of_headers) == series_of(version())) return {};
  return Error{ErrorCode::kUnsupported, "this program was compiled with the headers of Sinew " + text_of(of_headers) +
                                            ", but the library is " + text_of(version())};
}
SINEW_CATCH_BAD_ALLOC(return out_of_memory();)

}  // namespace sinew

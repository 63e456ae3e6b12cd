// libFuzzer: any bytes read as COLLADA become a character or an error.
#include "file_fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace sinew;
  test::read_fuzzed_file(size, [&](const internal::Folder& folder, internal::Wanted wanted, ImportReport& report) {
    return internal::read_collada_scene({data, data + size}, folder, wanted, report);
  });
  return 0;
}

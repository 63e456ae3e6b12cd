// libFuzzer: any bytes read as COLLADA become a character or an error.
#include "file_fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  sinew::test::read_fuzzed_file(data, size, [](const uint8_t* bytes, size_t count, auto&... others) {
    return sinew::internal::read_collada_scene({bytes, bytes + count}, others...);
  });
  return 0;
}

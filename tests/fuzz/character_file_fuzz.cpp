// libFuzzer: decoding any bytes as a `.sinew` reads nothing outside them. An accepted file is valid and can be encoded
// again.
#include <cstdlib>

#include "../asset/example_character.h"
#include "sinew/asset/character_file.h"

namespace {

void expect(bool holds) {
  if (!holds) std::abort();
}

void decode(const sinew::internal::FileBytes& file) {
  const auto decoded = sinew::decode_character(file.bytes());
  if (!decoded) return;
  expect(bool(validate(*decoded)));
  const auto again = sinew::encode_character(*decoded);
  expect(bool(again) && again->size() <= file.bytes().size());
}

/// A small file with data of every kind. It is encoded here, so that it follows changes of the format.
const std::vector<std::byte>& example() {
  static const std::vector<std::byte> bytes = *sinew::encode_character(sinew::test::example_file_with_levels());
  return bytes;
}

/// The example with bytes changed by the input. Each change takes three bytes: two for the position, one for the value.
sinew::internal::FileBytes patched(const uint8_t* data, size_t size) {
  sinew::internal::FileBytes file = sinew::test::aligned(example());
  for (size_t i = 0; i + 3 <= size; i += 3) {
    file.bytes()[(data[i] + data[i + 1] * 256u) % file.bytes().size()] = std::byte(data[i + 2]);
  }
  sinew::test::seal(file);  // so that damage reaches the code behind the checksum
  return file;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  decode(sinew::test::aligned(std::as_bytes(std::span(data, size))));
  decode(patched(data, size));
  return 0;
}

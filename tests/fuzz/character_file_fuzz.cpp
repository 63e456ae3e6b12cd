// libFuzzer: decoding any bytes as a `.sinew` reads nothing outside them. An accepted file is valid and can be encoded
// again.
#include <cstdlib>
#include <cstring>

#include "../asset/example_character.h"
#include "archive.h"
#include "asset/file.h"
#include "sinew/asset/character_file.h"

namespace {

/// Writes the matching checksum, so that damage reaches the code behind the checksum.
void seal(std::span<std::byte> file) {
  const uint64_t checksum = sinew::internal::checksum_of(file);
  std::memcpy(file.data() + sinew::internal::kChecksumOffset, &checksum, sizeof(checksum));
}

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
  sinew::internal::FileBytes file = *sinew::internal::FileBytes::allocate(example().size());
  std::copy(example().begin(), example().end(), file.bytes().begin());
  for (size_t i = 0; i + 3 <= size; i += 3) {
    file.bytes()[(data[i] + data[i + 1] * 256u) % file.bytes().size()] = std::byte(data[i + 2]);
  }
  seal(file.bytes());
  return file;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  const auto* bytes = reinterpret_cast<const std::byte*>(data);
  sinew::internal::FileBytes plain = *sinew::internal::FileBytes::allocate(size);
  std::copy(bytes, bytes + size, plain.bytes().begin());
  decode(plain);
  decode(patched(data, size));
  return 0;
}

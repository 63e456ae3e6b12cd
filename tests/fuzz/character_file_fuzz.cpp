// libFuzzer: whatever bytes are taken for a `.sinew`, nothing is read outside them, and what is accepted is valid and
// comes out of another encoding as it was.
#include <cstdlib>
#include <cstring>

#include "../asset/example_character.h"
#include "asset/file.h"
#include "checksum.h"
#include "sinew/asset/character_file.h"

namespace {

/// Gives it the checksum that such a file would have: damage must get past that to be of interest.
void seal(std::span<std::byte> file) {
  const uint64_t checksum = sinew::checksum_of(file);
  std::memcpy(file.data() + sinew::kChecksumOffset, &checksum, sizeof(checksum));
}

void expect(bool holds) {
  if (!holds) std::abort();
}

void decode(const sinew::FileBytes& file) {
  const auto decoded = sinew::decode_character(file.bytes());
  if (!decoded) return;
  expect(bool(validate(decoded->character)));
  expect(!decoded->baked || validate(*decoded->baked));
  const auto again = sinew::encode_character(*decoded);
  expect(bool(again) && again->size() <= file.bytes().size());
}

/// A small file that has one of everything; made anew, for it must not be kept as bytes that grow old.
const std::vector<std::byte>& example() {
  static const std::vector<std::byte> bytes = *sinew::encode_character(sinew::test::example_file());
  return bytes;
}

/// The example, changed as the input says: three bytes each for where (two) and what.
sinew::FileBytes patched(const uint8_t* data, size_t size) {
  sinew::FileBytes file = *sinew::FileBytes::allocate(example().size());
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
  sinew::FileBytes plain = *sinew::FileBytes::allocate(size);
  std::copy(bytes, bytes + size, plain.bytes().begin());
  decode(plain);
  decode(patched(data, size));
  return 0;
}

#include "border.h"

#include <algorithm>
#include <exception>
#include <new>
#include <stdexcept>
#include <string_view>
#include <system_error>

#include "sinew/version.h"

namespace sinew::c {
namespace {

// Larger sizes are those of structs that were not initialized.
constexpr uint32_t kMaxStructBytes = 4096;

// Structs of versions before this one end where `message` begins at the earliest.
constexpr uint32_t kMinErrorBytes = offsetof(SinewError, message) + 1;

static_assert(SINEW_C_VERSION == SINEW_VERSION);
static_assert(int(ErrorCode::kInvalidArgument) + 1 == SINEW_INVALID_ARGUMENT);
static_assert(int(ErrorCode::kNotFound) + 1 == SINEW_NOT_FOUND);
static_assert(int(ErrorCode::kUnreadable) + 1 == SINEW_UNREADABLE);
static_assert(int(ErrorCode::kInvalidData) + 1 == SINEW_INVALID_DATA);
static_assert(int(ErrorCode::kUnsupported) + 1 == SINEW_UNSUPPORTED);
static_assert(int(ErrorCode::kOutOfMemory) + 1 == SINEW_OUT_OF_MEMORY);
static_assert(int(ErrorCode::kDeviceLost) + 1 == SINEW_DEVICE_LOST);
static_assert(int(ErrorCode::kDeviceFailure) + 1 == SINEW_DEVICE_FAILURE);

using Parts = std::span<const std::string_view>;

constexpr std::string_view kDots = " ... ";

/// Whether byte `at` of the text continues a character of several bytes.
bool continues_character(Parts parts, size_t at) {
  for (const std::string_view part : parts) {
    if (at < part.size()) return (static_cast<unsigned char>(part[at]) & 0xc0) == 0x80;
    at -= part.size();
  }
  return false;
}

/// Bytes [0, head) and [tail, length) of a text that is written.
struct Cut {
  size_t head = 0, tail = 0;
};

/// The bytes of a text that fit, dots included where it is too long. No character is split: in UTF-8 it has at most 3
/// bytes after its first.
Cut fit(Parts parts, size_t length, size_t room) {
  if (length <= room) return {length, length};
  const bool dots = room > kDots.size();
  const size_t half = dots ? (room - kDots.size()) / 2 : room;
  Cut cut{half, dots ? length - (room - kDots.size() - half) : length};
  for (int i = 0; i < 3 && cut.head > 0 && continues_character(parts, cut.head); ++i) --cut.head;
  for (int i = 0; i < 3 && continues_character(parts, cut.tail); ++i) ++cut.tail;
  return cut;
}

/// Writes `parts`, one after the other, and a 0. Where they do not fit, dots take the place of the middle.
void write_text(Parts parts, std::span<char> out) {
  size_t length = 0;
  for (const std::string_view part : parts) length += part.size();
  const auto [head, tail] = fit(parts, length, out.size() - 1);
  size_t at = 0, written = 0;
  for (const std::string_view part : parts) {
    for (const char letter : part) {
      if (at == head && tail < length) written += kDots.copy(out.data() + written, kDots.size());
      if (at < head || at >= tail) out[written++] = letter;
      ++at;
    }
  }
  out[written] = 0;
}

SinewResult fill(SinewError* out, SinewResult result, int32_t vk_result, Parts parts) {
  if (out == nullptr || out->size < kMinErrorBytes) return result;
  out->result = result;
  out->vk_result = vk_result;
  const size_t message_bytes = std::min<size_t>(out->size - offsetof(SinewError, message), sizeof out->message);
  write_text(parts, std::span(out->message, message_bytes));
  return result;
}

/// The size that a struct begins with.
uint32_t size_of_struct(const void* given, size_t known_size, size_t alignment, const char* name) {
  uint32_t size = 0;
  std::memcpy(&size, given, sizeof size);
  if (size >= alignment && size <= kMaxStructBytes && size % alignment == 0) return size;
  refuse(std::string(name) + ": its size is " + std::to_string(size) + "; a struct begins with its size in bytes, in " +
         "this version " + std::to_string(known_size));
}

}  // namespace

void refuse(std::string message) { throw Refusal{{ErrorCode::kInvalidArgument, std::move(message)}, true}; }
void refuse_unsupported(std::string message) { throw Refusal{{ErrorCode::kUnsupported, std::move(message)}, true}; }

SinewResult report(SinewError* out, const char* function, const Refusal& refusal) noexcept {
  const std::string_view parts[] = {refusal.of_argument ? function : "", refusal.of_argument ? ": " : "",
                                    refusal.error.message};
  return fill(out, SinewResult(int(refusal.error.code) + 1), refusal.error.vk_result, parts);
}

SinewResult report_exception(SinewError* out, const char* function) noexcept {
  const auto fill_with = [&](SinewResult result, const char* what) {
    const std::string_view parts[] = {function, ": ", what};
    return fill(out, result, 0, parts);
  };
  try {
    throw;
  } catch (const std::bad_alloc&) {
    const std::string_view parts[] = {"out of memory"};
    return fill(out, SINEW_OUT_OF_MEMORY, 0, parts);
  } catch (const std::length_error&) {
    return fill_with(SINEW_OUT_OF_MEMORY, "more elements than memory can hold");
  } catch (const std::system_error& error) {
    return fill_with(SINEW_UNREADABLE, error.what());
  } catch (const std::exception& error) {
    return fill_with(SINEW_INVALID_DATA, error.what());
  } catch (...) {
    return fill_with(SINEW_INVALID_DATA, "an exception of unknown type");
  }
}

SinewResult report_success(SinewError* out) noexcept { return fill(out, SINEW_OK, 0, {}); }

void read_struct(const void* given, void* known, size_t known_size, size_t alignment, const char* name) {
  const uint32_t size = size_of_struct(given, known_size, alignment, name);
  const auto* bytes = static_cast<const unsigned char*>(given);
  for (size_t i = known_size; i < size; ++i) {
    if (bytes[i] == 0) continue;
    refuse_unsupported(std::string(name) + ": byte " + std::to_string(i) + " of " + std::to_string(size) +
                       " is not 0; this version of the library knows only " + std::to_string(known_size));
  }
  std::memcpy(known, given, std::min<size_t>(size, known_size));
}

void write_struct(const void* known, size_t known_size, size_t alignment, void* given, const char* name) {
  const uint32_t size = size_of_struct(given, known_size, alignment, name);
  const size_t copied = std::min<size_t>(size, known_size);
  auto* bytes = static_cast<unsigned char*>(given);
  std::memcpy(bytes + sizeof size, static_cast<const unsigned char*>(known) + sizeof size, copied - sizeof size);
  std::memset(bytes + copied, 0, size - copied);
}

}  // namespace sinew::c

using namespace sinew::c;

uint32_t sinew_version() { return sinew::version(); }

SinewResult sinew_check_version(uint32_t of_header, SinewError* error) {
  return call(error, __func__, [&] { check(sinew::check_version(of_header)); });
}

#include "record/animated_png.h"

#include <stb_image_write.h>
#include <zlib.h>

#include <algorithm>
#include <string_view>

#include "system/output.h"
#include "system/text.h"

namespace sinew::app {
namespace {

constexpr uint32_t kMaxSide = 16384;
constexpr uint64_t kMaxPngBytes = uint64_t(4) << 30;
constexpr size_t kPixelBytes = 4;
constexpr size_t kDataOffset = 33;  // of the chunk IDAT in a PNG that has only IHDR before it

using Frame = std::vector<uint8_t>;

// --- chunks ---

/// The low `size` bytes of a number, the highest first, as PNG stores numbers.
void append_number(std::string& bytes, uint32_t value, uint32_t size = 4) {
  while (size-- > 0) bytes += char(value >> (8 * size) & 0xff);
}

uint32_t number_at(const std::string& bytes, size_t offset) {
  uint32_t value = 0;
  for (size_t i = 0; i < 4; ++i) value = value << 8 | uint8_t(bytes[offset + i]);
  return value;
}

void append_chunk(std::string& png, std::string_view type, std::string_view data) {
  append_number(png, uint32_t(data.size()));
  const size_t start = png.size();
  png += type;
  png += data;
  const auto* checked = reinterpret_cast<const Bytef*>(png.data() + start);
  append_number(png, uint32_t(crc32_z(0, checked, png.size() - start)));
}

std::string animation_control(size_t frame_count, bool loop_forever) {
  std::string data;
  append_number(data, uint32_t(frame_count));
  append_number(data, loop_forever ? 0 : 1);  // plays; 0 means without end
  return data;
}

// --- pixels ---

struct Region {
  uint32_t x = 0, y = 0, width = 0, height = 0;
};

/// The rectangle around the pixels that differ. One pixel where none does: a frame may not be empty.
Region changed_region(const Frame& before, const Frame& now, const AnimatedPngInfo& info) {
  uint32_t left = info.width, right = 0, top = info.height, bottom = 0;
  const size_t row_bytes = info.width * kPixelBytes;
  for (uint32_t y = 0; y < info.height; ++y) {
    const auto row = now.begin() + std::ptrdiff_t(y * row_bytes), end = row + std::ptrdiff_t(row_bytes);
    const auto first = std::mismatch(row, end, before.begin() + std::ptrdiff_t(y * row_bytes)).first;
    if (first == end) continue;
    const auto last = std::mismatch(std::reverse_iterator(end), std::reverse_iterator(first),
                                    std::reverse_iterator(before.begin() + std::ptrdiff_t((y + 1) * row_bytes)));
    left = std::min(left, uint32_t(size_t(first - row) / kPixelBytes));
    right = std::max(right, uint32_t(size_t(last.first.base() - 1 - row) / kPixelBytes) + 1);
    top = std::min(top, y), bottom = y + 1;
  }
  return bottom == 0 ? Region{0, 0, 1, 1} : Region{left, top, right - left, bottom - top};
}

/// A region as an ordinary PNG; empty where it cannot be encoded.
std::string encode_region(const Frame& frame, const Region& region, uint32_t frame_width) {
  const auto append = [](void* png, void* data, int size) {
    static_cast<std::string*>(png)->append(static_cast<const char*>(data), size_t(size));
  };
  const int stride = int(frame_width * kPixelBytes);
  const uint8_t* first = frame.data() + (size_t(region.y) * frame_width + region.x) * kPixelBytes;
  std::string png;
  stbi_write_png_to_func(append, &png, int(region.width), int(region.height), int(kPixelBytes), first, stride);
  return png;
}

// --- frames ---

std::string frame_control(uint32_t sequence, const Region& region, const AnimatedPngInfo& info) {
  std::string data;
  for (const uint32_t value : {sequence, region.width, region.height, region.x, region.y}) append_number(data, value);
  append_number(data, info.delay_numerator, 2);
  append_number(data, info.delay_denominator, 2);
  append_number(data, 0, 2);  // the frame stays for the next one, and replaces the pixels of its region
  return data;
}

Error refuse(std::string message) { return {ErrorCode::kInvalidArgument, std::move(message)}; }

Status check(std::span<const Frame> frames, const AnimatedPngInfo& info) {
  const std::string size = text("%ux%u pixels", info.width, info.height);
  if (frames.empty()) return refuse("an animation needs a frame");
  if (info.delay_numerator == 0 || info.delay_denominator == 0) return refuse("a frame must be shown for some time");
  if (info.width == 0 || info.height == 0 || info.width > kMaxSide || info.height > kMaxSide)
    return refuse(text("frames of %s; each side must be from 1 to %u", size.c_str(), kMaxSide));
  const uint64_t frame_bytes = uint64_t(info.width) * info.height * kPixelBytes;
  if (frames.size() > kMaxPngBytes / frame_bytes)
    return refuse(text("%zu frames of %s are more than 4 GiB", frames.size(), size.c_str()));
  for (size_t i = 0; i < frames.size(); ++i) {
    if (frames[i].size() == frame_bytes) continue;
    return refuse(text("frame %zu of %zu has %zu bytes, not the %llu of %s", i + 1, frames.size(), frames[i].size(),
                       static_cast<unsigned long long>(frame_bytes), size.c_str()));
  }
  return {};
}

}  // namespace

Result<std::string> encode_animated_png(std::span<const std::vector<uint8_t>> rgba_frames,
                                        const AnimatedPngInfo& info) {
  if (Status valid = check(rgba_frames, info); !valid) return valid.error();
  std::string png;
  uint32_t sequence = 0;  // of the chunks fcTL and fdAT together
  for (size_t i = 0; i < rgba_frames.size(); ++i) {
    const Region region =
        i == 0 ? Region{0, 0, info.width, info.height} : changed_region(rgba_frames[i - 1], rgba_frames[i], info);
    const std::string picture = encode_region(rgba_frames[i], region, info.width);
    if (picture.empty()) return Error{ErrorCode::kOutOfMemory, "out of memory"};
    if (i == 0) {  // an ordinary PNG begins the same way
      png = picture.substr(0, kDataOffset);
      append_chunk(png, "acTL", animation_control(rgba_frames.size(), info.loop_forever));
    }
    append_chunk(png, "fcTL", frame_control(sequence++, region, info));
    std::string data;
    if (i > 0) append_number(data, sequence++);
    data += std::string_view(picture).substr(kDataOffset + 8, number_at(picture, kDataOffset));
    append_chunk(png, i == 0 ? "IDAT" : "fdAT", data);
  }
  append_chunk(png, "IEND", "");
  return png;
}

Status write_animated_png(const std::string& path, std::span<const std::vector<uint8_t>> rgba_frames,
                          const AnimatedPngInfo& info) {
  const auto png = encode_animated_png(rgba_frames, info);
  if (!png) return Error{png.error().code, "cannot write " + path + ": " + png.error().message};
  return write_file(path, *png);
}

}  // namespace sinew::app

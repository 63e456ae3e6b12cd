#include "report/animated_png.h"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <string_view>

#include "system/text.h"
#include "system/write_file.h"

namespace sinew::app {
namespace {

constexpr uint32_t kMaxSide = 16384;  // a compressed frame fits into one chunk, which has less than 2 GiB
constexpr uint64_t kMaxBytes = uint64_t(4) << 30;
constexpr size_t kPixelBytes = 4;
constexpr int kCompression = 4;  // zlib's level; 6 takes twice as long for files that are a tenth smaller

using Frame = std::vector<uint8_t>;

// --- chunks ---

/// The low `size` bytes of a number, the highest first, as PNG stores numbers.
void append_number(std::string& bytes, uint32_t value, uint32_t size = 4) {
  while (size-- > 0) bytes += char(value >> (8 * size) & 0xff);
}

void append_chunk(std::string& png, std::string_view type, std::string_view data) {
  append_number(png, uint32_t(data.size()));
  const size_t start = png.size();
  png += type;
  png += data;
  const auto* checked = reinterpret_cast<const Bytef*>(png.data() + start);
  append_number(png, uint32_t(crc32_z(0, checked, png.size() - start)));
}

std::string image_header(const AnimatedPngInfo& info) {
  std::string data;
  append_number(data, info.width);
  append_number(data, info.height);
  for (const uint8_t byte : {8, 6, 0, 0, 0}) data += char(byte);  // 8 bits, RGBA; not interlaced
  return data;
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

/// The predictor of PNG's filter 4. Source: Paeth, "Image File Compression Made Easy", Graphics Gems II, 1991.
int paeth(int left, int above, int corner) {
  const int estimate = left + above - corner;
  const int to_left = std::abs(estimate - left), to_above = std::abs(estimate - above);
  const int to_corner = std::abs(estimate - corner);
  if (to_left <= to_above && to_left <= to_corner) return left;
  return to_above <= to_corner ? above : corner;
}

template <int kFilter>
int predict(int left, int above, int corner) {
  if constexpr (kFilter == 1) return left;
  if constexpr (kFilter == 2) return above;
  if constexpr (kFilter == 3) return (left + above) / 2;
  if constexpr (kFilter == 4) return paeth(left, above, corner);
  return 0;
}

/// A row as one filter stores it: differences from the prediction.
struct FilteredRow {
  std::string bytes;  // the number of the filter, then the differences
  uint64_t cost = 0;  // sum of the differences' sizes; a row of small differences compresses well
};

template <int kFilter>
void filter(std::span<const uint8_t> row, std::span<const uint8_t> above, FilteredRow& filtered) {
  filtered.bytes.resize(row.size() + 1);
  filtered.bytes[0] = char(kFilter);
  filtered.cost = 0;
  for (size_t i = 0; i < row.size(); ++i) {
    const bool first = i < kPixelBytes;
    const int left = first ? 0 : row[i - kPixelBytes], corner = first ? 0 : above[i - kPixelBytes];
    const auto difference = uint8_t(row[i] - predict<kFilter>(left, above[i], corner));
    filtered.bytes[i + 1] = char(difference);
    filtered.cost += uint64_t(std::abs(int(int8_t(difference))));
  }
}

/// The rows of a region, each by the filter that leaves the smallest differences.
std::string filter_rows(const Frame& frame, const Region& region, uint32_t frame_width) {
  const size_t row_bytes = region.width * kPixelBytes;
  const Frame black(row_bytes);  // above the first row
  std::span<const uint8_t> above = black;
  std::array<FilteredRow, 5> filtered;
  std::string rows;
  rows.reserve((row_bytes + 1) * region.height);
  for (uint32_t y = region.y; y < region.y + region.height; ++y) {
    const auto row = std::span(frame).subspan((size_t(y) * frame_width + region.x) * kPixelBytes, row_bytes);
    filter<0>(row, above, filtered[0]);
    filter<1>(row, above, filtered[1]);
    filter<2>(row, above, filtered[2]);
    filter<3>(row, above, filtered[3]);
    filter<4>(row, above, filtered[4]);
    const auto cheaper = [](const FilteredRow& a, const FilteredRow& b) { return a.cost < b.cost; };
    rows += std::min_element(filtered.begin(), filtered.end(), cheaper)->bytes;
    above = row;
  }
  return rows;
}

/// Appends the zlib stream of `bytes`. False where memory runs out.
bool append_compressed(std::string& data, const std::string& bytes) {
  const size_t start = data.size();
  uLongf size = compressBound(bytes.size());
  data.resize(start + size);
  const auto* source = reinterpret_cast<const Bytef*>(bytes.data());
  if (compress2(reinterpret_cast<Bytef*>(data.data() + start), &size, source, bytes.size(), kCompression) != Z_OK)
    return false;
  data.resize(start + size);
  return true;
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
  if (frames.size() > kMaxBytes / frame_bytes)
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
  std::string png = "\x89PNG\r\n\x1a\n";
  append_chunk(png, "IHDR", image_header(info));
  append_chunk(png, "acTL", animation_control(rgba_frames.size(), info.loop_forever));
  uint32_t sequence = 0;  // of the chunks fcTL and fdAT together
  for (size_t i = 0; i < rgba_frames.size(); ++i) {
    const Region region =
        i == 0 ? Region{0, 0, info.width, info.height} : changed_region(rgba_frames[i - 1], rgba_frames[i], info);
    append_chunk(png, "fcTL", frame_control(sequence++, region, info));
    std::string data;
    if (i > 0) append_number(data, sequence++);
    if (!append_compressed(data, filter_rows(rgba_frames[i], region, info.width)))
      return Error{ErrorCode::kOutOfMemory, "out of memory"};
    append_chunk(png, i == 0 ? "IDAT" : "fdAT", data);  // the first frame is the picture of an ordinary PNG
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

// Animated PNG: every chunk is read back by a reader of its own, and every frame is decoded and compared.
#include "record/animated_png.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <zlib.h>

#include <algorithm>
#include <cstdlib>
#include <stdexcept>

#include "child.h"
#include "picture.h"

namespace sinew::app {
namespace {

using test::Folder;
using test::read;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

using Frame = std::vector<uint8_t>;

struct Chunk {
  std::string type, data;
};

uint32_t number(const std::string& bytes, size_t offset, size_t size = 4) {
  uint32_t value = 0;
  for (size_t i = 0; i < size; ++i) value = value << 8 | uint8_t(bytes.at(offset + i));
  return value;
}

std::vector<Chunk> chunks_of(const std::string& png) {
  std::vector<Chunk> chunks;
  EXPECT_EQ(png.substr(0, 8), "\x89PNG\r\n\x1a\n");
  for (size_t offset = 8; offset < png.size();) {
    const uint32_t size = number(png, offset);
    Chunk chunk{png.substr(offset + 4, 4), png.substr(offset + 8, size)};
    const std::string checked = chunk.type + chunk.data;
    EXPECT_EQ(number(png, offset + 8 + size),
              crc32(0, reinterpret_cast<const Bytef*>(checked.data()), uInt(checked.size())));
    chunks.push_back(std::move(chunk));
    offset += 12 + size;
  }
  return chunks;
}

std::string types_of(const std::vector<Chunk>& chunks) {
  std::string types;
  for (const Chunk& chunk : chunks) types += (types.empty() ? "" : " ") + chunk.type;
  return types;
}

std::string inflate_all(const std::string& data, size_t size) {
  std::string bytes(size, 0);
  uLongf inflated = size;
  if (uncompress(reinterpret_cast<Bytef*>(bytes.data()), &inflated, reinterpret_cast<const Bytef*>(data.data()),
                 data.size()) != Z_OK ||
      inflated != size)
    throw std::runtime_error("not a zlib stream of " + std::to_string(size) + " bytes");
  return bytes;
}

/// The filters of PNG, undone as the specification describes them.
Frame unfilter(const std::string& rows, size_t row_bytes) {
  Frame pixels(rows.size() / (row_bytes + 1) * row_bytes);
  for (size_t i = 0; i < pixels.size(); ++i) {
    const size_t y = i / row_bytes, x = i % row_bytes, at = y * (row_bytes + 1);
    const int a = x < 4 ? 0 : pixels[i - 4], b = y == 0 ? 0 : pixels[i - row_bytes];
    const int c = x < 4 || y == 0 ? 0 : pixels[i - row_bytes - 4], p = a + b - c;
    const int pa = std::abs(p - a), pb = std::abs(p - b), pc = std::abs(p - c);
    const int predictions[] = {0, a, b, (a + b) / 2, pa <= pb && pa <= pc ? a : pb <= pc ? b : c};
    pixels[i] = uint8_t(rows[at + 1 + x] + predictions[uint8_t(rows.at(at)) % 5]);
  }
  return pixels;
}

struct Decoded {
  std::vector<Frame> frames;
  std::vector<uint32_t> sequence;        // of all chunks that have a number
  std::vector<std::string> sizes;        // of each frame's rectangle, as "width x height"
  std::vector<uint32_t> delays;          // numerator << 16 | denominator
  uint32_t frame_count = 0, plays = 99;  // as stated
};

/// Plays an APNG: each frame replaces the pixels of its rectangle.
Decoded decode(const std::string& png, size_t width, size_t height) {
  Decoded decoded;
  Frame canvas(width * height * 4);
  size_t w = 0, h = 0, left = 0, top = 0;
  for (const Chunk& chunk : chunks_of(png)) {
    if (chunk.type == "acTL") decoded.frame_count = number(chunk.data, 0), decoded.plays = number(chunk.data, 4);
    if (chunk.type == "fcTL" || chunk.type == "fdAT") decoded.sequence.push_back(number(chunk.data, 0));
    if (chunk.type == "fcTL") {
      w = number(chunk.data, 4), h = number(chunk.data, 8), left = number(chunk.data, 12), top = number(chunk.data, 16);
      decoded.sizes.push_back(std::to_string(w) + "x" + std::to_string(h));
      decoded.delays.push_back(number(chunk.data, 20));
      EXPECT_EQ(number(chunk.data, 24, 2), 0u);  // keep the frame; replace pixels
    }
    if (chunk.type != "IDAT" && chunk.type != "fdAT") continue;
    const std::string data = chunk.data.substr(chunk.type == "fdAT" ? 4 : 0);
    const Frame pixels = unfilter(inflate_all(data, (w * 4 + 1) * h), w * 4);
    for (size_t y = 0; y < h; ++y) std::copy_n(&pixels[y * w * 4], w * 4, &canvas.at(((top + y) * width + left) * 4));
    decoded.frames.push_back(canvas);
  }
  return decoded;
}

/// Pictures with smooth parts, noise and a square that moves: each filter is the best one for some row.
std::vector<Frame> moving_square(size_t width, size_t height, size_t count) {
  std::vector<Frame> frames;
  for (size_t frame = 0; frame < count; ++frame) {
    Frame& pixels = frames.emplace_back(width * height * 4);
    uint32_t noise = 1;
    for (size_t i = 0; i < pixels.size(); ++i) {
      const size_t x = i / 4 % width, y = i / 4 / width;
      noise = noise * 1664525 + 1013904223;
      const bool inside = x >= 3 + frame && x < 8 + frame && y >= 5 + 2 * frame && y < 9 + 2 * frame;
      pixels[i] = inside ? uint8_t(200 + i % 4) : y > 20 ? uint8_t(noise >> 24) : uint8_t(x * y / 2 + y * (i % 4));
    }
  }
  return frames;
}

TEST(AnimatedPng, EveryPixelOfEveryFrameIsKept) {
  const std::vector<Frame> frames = moving_square(40, 30, 6);
  const auto png = encode_animated_png(frames, {40, 30, 1, 24});
  ASSERT_TRUE(png) << png.error().message;
  const Decoded decoded = decode(*png, 40, 30);
  ASSERT_EQ(decoded.frames.size(), 6u);
  for (size_t i = 0; i < 6; ++i) EXPECT_EQ(decoded.frames[i], frames[i]) << i;
}

TEST(AnimatedPng, ChunksAreInOrderAndStateTheAnimation) {
  const std::vector<Frame> frames = moving_square(40, 30, 3);
  const std::string png = *encode_animated_png(frames, {40, 30, 1, 24});
  const std::vector<Chunk> chunks = chunks_of(png);
  EXPECT_EQ(types_of(chunks), "IHDR acTL fcTL IDAT fcTL fdAT fcTL fdAT IEND");
  EXPECT_EQ(chunks[0].data, std::string("\0\0\0\x28\0\0\0\x1e\x08\x06\0\0\0", 13));
  const Decoded decoded = decode(png, 40, 30);
  EXPECT_EQ(decoded.frame_count, 3u);
  EXPECT_EQ(decoded.plays, 0u) << "0 means without end";
  EXPECT_THAT(decoded.sequence, ElementsAre(0, 1, 2, 3, 4));
  EXPECT_THAT(decoded.delays, ElementsAre(1 << 16 | 24, 1 << 16 | 24, 1 << 16 | 24));
  EXPECT_EQ(decode(*encode_animated_png(frames, {40, 30, 1, 24, false}), 40, 30).plays, 1u);
}

TEST(AnimatedPng, LaterFramesHaveOnlyWhatChanged) {
  std::vector<Frame> frames(4, Frame(20 * 10 * 4, 50));
  frames[1][(3 * 20 + 5) * 4 + 2] = 51;  // x 5, y 3
  frames[2] = frames[1];
  frames[2][(1 * 20 + 7) * 4] = 49, frames[2][(6 * 20 + 2) * 4 + 3] = 0;
  frames[3] = frames[2];
  const Decoded decoded = decode(*encode_animated_png(frames, {20, 10}), 20, 10);
  EXPECT_THAT(decoded.sizes, ElementsAre("20x10", "1x1", "6x6", "1x1"));
  EXPECT_EQ(decoded.frames, frames);
}

TEST(AnimatedPng, OrdinaryReadersShowTheFirstFrame) {
  const Folder folder;
  const std::vector<Frame> frames = moving_square(33, 27, 3);
  ASSERT_TRUE(write_animated_png(folder.path("a.png"), frames, {33, 27}));
  const test::Picture picture = test::read_png(folder.path("a.png"));
  EXPECT_EQ(picture.width, 33);
  EXPECT_EQ(picture.height, 27);
  EXPECT_EQ(picture.rgba, frames[0]);
  EXPECT_EQ(read(folder.path("a.png")), *encode_animated_png(frames, {33, 27}));
  EXPECT_THAT(folder.files(), ElementsAre("a.png"));
}

TEST(AnimatedPng, SmoothPicturesAreSmall) {
  Frame ramp;
  for (int y = 0; y < 100; ++y) {
    for (int x = 0; x < 100; ++x) ramp.insert(ramp.end(), {uint8_t(x), uint8_t(y), uint8_t(x + y), 255});
  }
  const auto png = encode_animated_png(std::vector<Frame>{ramp}, {100, 100});
  EXPECT_LT(png->size(), 1000u) << "of 40,000 bytes of pixels";
}

TEST(AnimatedPng, FramesThatDoNotFitAreRefused) {
  const auto fault = [](const std::vector<Frame>& frames, const AnimatedPngInfo& info) {
    const auto png = encode_animated_png(frames, info);
    return png ? "" : png.error().message;
  };
  const Frame small(8 * 4 * 4), other(8 * 4 * 3);
  EXPECT_EQ(fault({small, small}, {8, 4}), "");
  EXPECT_EQ(fault({}, {8, 4}), "an animation needs a frame");
  EXPECT_EQ(fault({small, other}, {8, 4}), "frame 2 of 2 has 96 bytes, not the 128 of 8x4 pixels");
  EXPECT_THAT(fault({small}, {0, 4}), HasSubstr("each side must be from 1 to 16384"));
  EXPECT_THAT(fault({small}, {8, 16385}), HasSubstr("each side must be from 1 to 16384"));
  EXPECT_EQ(fault(std::vector<Frame>(5), {16384, 16384}), "5 frames of 16384x16384 pixels are more than 4 GiB");
  EXPECT_THAT(fault(std::vector<Frame>(4), {16384, 16384}), HasSubstr("frame 1 of 4 has 0 bytes"));
  EXPECT_THAT(fault({small}, {8, 4, 0, 30}), HasSubstr("shown for some time"));
  EXPECT_THAT(fault({small}, {8, 4, 1, 0}), HasSubstr("shown for some time"));
}

TEST(AnimatedPng, FailureWritesNothing) {
  const Folder folder;
  const Status status = write_animated_png(folder.path("a.png"), {}, {8, 4});
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().message, "cannot write " + folder.path("a.png") + ": an animation needs a frame");
  EXPECT_FALSE(write_animated_png(folder.path("no/a.png"), std::vector<Frame>{Frame(8 * 4 * 4)}, {8, 4}));
  EXPECT_TRUE(folder.files().empty());
}

}  // namespace
}  // namespace sinew::app

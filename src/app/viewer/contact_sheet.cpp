#include "viewer/contact_sheet.h"

#include <algorithm>
#include <cmath>

#include "system/text.h"

namespace sinew::app {
namespace {

constexpr uint32_t kMaxColumns = 8, kMaxSide = 16384;
constexpr uint32_t kGap = 4;     // pixels between two pictures
constexpr uint8_t kGray = 0x77;  // about half as bright as white to the eye
constexpr double kShape = 16.0 / 9;
constexpr size_t kPixelBytes = 4;

/// The length of pictures in a row or column, with the gaps between them.
uint64_t length_of(uint64_t count, uint64_t side) { return count * side + (count - 1) * kGap; }

size_t rows_for(size_t count, uint32_t columns) { return (count + columns - 1) / columns; }

/// Of two equally good numbers of columns, the smaller one.
uint32_t choose_columns(size_t count, uint32_t width, uint32_t height) {
  const auto distance = [&](uint32_t columns) {
    const double shape = double(length_of(columns, width)) / double(length_of(rows_for(count, columns), height));
    return std::abs(std::log(shape / kShape));
  };
  uint32_t best = 1;
  for (uint32_t columns = 2; columns <= std::min<size_t>(count, kMaxColumns); ++columns) {
    if (distance(columns) < distance(best)) best = columns;
  }
  return best;
}

Error refuse(std::string message) { return {ErrorCode::kInvalidArgument, std::move(message)}; }

/// Copies a picture to the cell with this number, counted row by row.
void place(const std::vector<uint8_t>& picture, size_t cell, uint32_t width, uint32_t height, ContactSheet& sheet) {
  const size_t left = cell % sheet.columns * (width + kGap), top = cell / sheet.columns * (height + kGap);
  const size_t row_bytes = width * kPixelBytes;
  for (size_t y = 0; y < height; ++y) {
    std::copy_n(picture.begin() + std::ptrdiff_t(y * row_bytes), row_bytes,
                sheet.rgba.begin() + std::ptrdiff_t(((top + y) * sheet.width + left) * kPixelBytes));
  }
}

}  // namespace

Status check_contact_sheet(size_t count, uint32_t width, uint32_t height) {
  if (count == 0 || width == 0 || height == 0) return refuse("a contact sheet needs a picture");
  const uint32_t columns = choose_columns(count, width, height);
  if (length_of(columns, width) <= kMaxSide && length_of(rows_for(count, columns), height) <= kMaxSide) return {};
  return refuse(text("a contact sheet of %zu pictures of %ux%u pixels has a side above %u pixels", count, width, height,
                     kMaxSide));
}

Result<ContactSheet> make_contact_sheet(std::span<const std::vector<uint8_t>> rgba_pictures, uint32_t width,
                                        uint32_t height) {
  if (Status fits = check_contact_sheet(rgba_pictures.size(), width, height); !fits) return fits.error();
  for (size_t i = 0; i < rgba_pictures.size(); ++i) {
    if (rgba_pictures[i].size() != size_t(width) * height * kPixelBytes)
      return refuse(text("picture %zu of %zu is not of %ux%u pixels", i + 1, rgba_pictures.size(), width, height));
  }
  ContactSheet sheet;
  sheet.columns = choose_columns(rgba_pictures.size(), width, height);
  sheet.rows = uint32_t(rows_for(rgba_pictures.size(), sheet.columns));
  sheet.width = uint32_t(length_of(sheet.columns, width)), sheet.height = uint32_t(length_of(sheet.rows, height));
  sheet.rgba.assign(size_t(sheet.width) * sheet.height * kPixelBytes, kGray);
  for (size_t alpha = 3; alpha < sheet.rgba.size(); alpha += kPixelBytes) sheet.rgba[alpha] = 255;
  for (size_t i = 0; i < rgba_pictures.size(); ++i) place(rgba_pictures[i], i, width, height, sheet);
  return sheet;
}

}  // namespace sinew::app

// Standard output and standard error: what people read, and what programs read.
#pragma once

#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>

#include "sinew/asset/result.h"

namespace sinew::app {

/// Opens those of descriptors 0 to 2 that are closed, so that no file of the program gets their number. Output to a
/// closed standard output then fails; so does output above the limit on the size of files, in place of a signal that
/// would end the program. Call it first in main().
void reserve_standard_streams();

/// Where print() writes.
enum class PrintTo : uint8_t {
  kOutput,   // standard output
  kError,    // standard error, where a file goes to standard output
  kNothing,  // nowhere: --quiet; it stays so
};
void set_print(PrintTo where);

/// Writes what people read, and flushes it. Fails where the stream is full, closed or not writable.
Status print(std::string_view text);

/// Writes the content of a file to standard output, as print() does.
Status write_output(std::string_view bytes);

/// Writes a line to standard error, after the word WARNING; with --quiet too.
void warn(std::string_view line);

/// Whether `stream` is a terminal that shows colors and neither NO_COLOR nor TERM=dumb forbids them.
bool shows_colors(FILE* stream);

/// A heading in bold letters, if standard output shows colors.
std::string emphasized(const std::string& heading);

}  // namespace sinew::app

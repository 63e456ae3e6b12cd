// What the system says about this process.
#pragma once

#include <cstdint>
#include <filesystem>

namespace sinew::internal {

/// The path of the shared library that contains this code, or of the program. POSIX: of a program it is argv[0],
/// which may be relative: then it is of no use.
std::filesystem::path path_of_this_code();

/// While it lives, C functions of this thread read numbers with a decimal point, whatever the locale of the host is:
/// strtod() reads 37 from "37.5" in a German one. Parsers of formats use such functions. Other threads are not
/// affected.
class DecimalPoint {
 public:
  DecimalPoint();
  ~DecimalPoint();
  DecimalPoint(const DecimalPoint&) = delete;
  DecimalPoint& operator=(const DecimalPoint&) = delete;

 private:
  struct Locale;
  Locale* locale_;  // null: the system did not allow it
};

/// True if this much memory could be allocated now. Reserves nothing.
bool can_allocate(uint64_t bytes);

}  // namespace sinew::internal

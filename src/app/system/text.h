// How the program words its figures.
#pragma once

#include <cstdint>
#include <string>

namespace sinew::app {

/// As printf writes it.
[[gnu::format(printf, 1, 2)]] std::string text(const char* format, ...);

/// `name` on one line: control characters, which files may hold to fool a terminal, become '?'.
std::string printable(std::string name);

/// 1,234,567
std::string grouped(uint64_t value);

/// Three significant digits, as "0.0123", "31.2" or "1,234"; "-" for what is not finite.
std::string rounded(double value);

}  // namespace sinew::app

// Text and numbers as the program prints them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sinew::app {

/// Formats as printf does.
[[gnu::format(printf, 1, 2)]] std::string text(const char* format, ...);

/// `name` on one line of valid UTF-8. Control characters become '?', because a file may use them to deceive a terminal.
std::string printable(const std::string& name);

/// ASCII letters in lower case.
std::string lower(std::string_view word);

/// Whether `text` has `part` in it, whatever the case of ASCII letters.
bool contains_any_case(std::string_view text, std::string_view part);

/// The words between the commas of a list such as "0,0.2,0.4": at least one, which may be empty.
std::vector<std::string> split_list(std::string_view list);

/// 1234567 as "1,234,567".
std::string grouped(uint64_t value);

/// Three significant digits, as "0.0123", "31.2" or "1,234"; or two: "0.012", "31" or "1,200". "-" for infinity and
/// NaN.
std::string rounded(double value, int digits = 3);

/// An error in millimeters with four decimals; from 1e6 on, or not finite, with four digits: "0.0543", "1.118e+37".
std::string millimeters(double value);

}  // namespace sinew::app

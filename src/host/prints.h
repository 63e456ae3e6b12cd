// SINEW_PRINTS(FORMAT, FIRST) marks a function that formats like printf(): compilers then check its arguments. FORMAT
// and FIRST are the positions of the format and of its first value, from 1; in a member function `this` is 1.
#pragma once

#if defined(__MINGW32__) && !defined(__clang__)
#define SINEW_PRINTS(format_number, first_value) [[gnu::format(gnu_printf, format_number, first_value)]]
#elif defined(__GNUC__)
#define SINEW_PRINTS(format_number, first_value) [[gnu::format(printf, format_number, first_value)]]
#else
#define SINEW_PRINTS(format_number, first_value)
#endif

// SINEW_PRINTS(FORMAT, FIRST): compilers compare a format of printf() with its values. The numbers are those of the
// parameters, counted from 1; of a member, `this` is the first.
#pragma once

#if defined(__MINGW32__) && !defined(__clang__)
#define SINEW_PRINTS(format_number, first_value) [[gnu::format(gnu_printf, format_number, first_value)]]
#elif defined(__GNUC__)
#define SINEW_PRINTS(format_number, first_value) [[gnu::format(printf, format_number, first_value)]]
#else
#define SINEW_PRINTS(format_number, first_value)
#endif

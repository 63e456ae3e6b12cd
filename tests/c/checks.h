// What the checks of bad input share.
#ifndef CHECKS_H
#define CHECKS_H

#include "device.h"
#include "sinew/c/sinew.h"

extern SinewError error;
extern int failures, checks;

/// A call must return `expected`, with `part` in a message of one line.
void expect_at(int line, SinewResult got, SinewResult expected, const char* part);
#define EXPECT(result, expected, part) expect_at(__LINE__, result, expected, part)
#define INVALID(result, part) EXPECT(result, SINEW_INVALID_ARGUMENT, part)
#define OK(result) EXPECT(result, SINEW_OK, "")

void must_be(int line, int condition, const char* text);
#define MUST(condition) must_be(__LINE__, condition, #condition)

void check_animation_input(const char* path);
void check_skinner(const Device* device);

#endif

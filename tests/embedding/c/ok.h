// Ends a program at the first call of the library that fails.
#ifndef OK_H
#define OK_H

#include <stdio.h>
#include <stdlib.h>

#include "sinew/c/sinew.h"

static SinewError error = {.size = sizeof(SinewError)};  // of the last call that failed

static inline void ok(SinewResult result) {
  if (result == SINEW_OK) return;
  fprintf(stderr, "%d: %s\n", (int)result, error.message);
  exit(1);
}

#endif

#include "sinew/asset/result.h"

#include <cstdio>
#include <cstdlib>

namespace sinew::internal {

void end_unchecked_read(const Error* error) {
  if (error != nullptr) {
    std::fprintf(stderr, "sinew: a failed call was not checked before its value was read: %s\n",
                 error->message.c_str());
  } else {
    std::fprintf(stderr, "sinew: error() was called, and the call had succeeded\n");
  }
  std::abort();
}

}  // namespace sinew::internal

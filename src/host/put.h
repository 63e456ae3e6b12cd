// What was made goes to its place, or its error to the caller.
#pragma once

#include <utility>

#include "sinew/asset/result.h"

namespace host {

template <class T, class Place>
sinew::Status put(sinew::Result<T> made, Place& place) {
  if (!made) return made.error();
  place = std::move(*made);
  return {};
}

}  // namespace host

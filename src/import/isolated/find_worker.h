// Where the import worker is.
#pragma once

#include <string>

#include "sinew/asset/result.h"

namespace sinew::internal {

/// The path of the import worker: `named`, unless it is empty. Else the worker is looked for in the folder of the
/// shared library or program that contains this code, then in the folder of the running program. Fails with kUnreadable
/// if it is in neither; the message names both paths. PATH and the current folder are not searched.
Result<std::string> find_worker(const std::string& named);

}  // namespace sinew::internal

// The command line and the messages of the import worker. import_isolated() writes the command line, `sinew-import`
// reads it; nothing else does, so it may change in any version.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "sinew/api.h"
#include "sinew/asset/baked_character.h"
#include "sinew/asset/result.h"
#include "sinew/import/import.h"

namespace sinew::internal {

/// The name of the worker's file.
#ifdef _WIN32
inline constexpr const char* kWorkerName = "sinew-import.exe";
#else
inline constexpr const char* kWorkerName = "sinew-import";
#endif
/// The worker's error line, on its standard error, begins with this.
inline constexpr const char* kErrorMark = "sinew-import: ";
/// While it bakes, the worker writes lines to its standard error that begin with this. The part of the work that is
/// done follows, from 0 to 1: 0 when the import is done and the bake begins.
inline constexpr const char* kBakingMark = "sinew-import bakes ";
/// The worker's line about its sandbox, on its standard error before it opens a file, begins with this.
inline constexpr const char* kSandboxMark = "sinew-import sandbox: ";

/// What the worker may use from its start. Neither is 0.
struct WorkerLimits {
  uint64_t seconds = 0;    // of processor time
  uint64_t mebibytes = 0;  // that it may allocate; its result may have half of that
};

/// What the worker is to do. It imports a character, bakes its clips if `bakes`, and writes the `.sinew` file to what
/// is its standard output at its start. What libraries print to standard output then goes to standard error. Exit
/// codes: 0; 1 and an error line if it refuses the file; 2 and an error line for a wrong command.
struct WorkerCommand {
  std::string path;
  ImportOptions import;
  bool bakes = false;
  BakeOptions bake;
  WorkerLimits import_limits, total_limits;  // until the import is done, and from then on; equal if nothing is baked
};

/// The arguments for the worker, without its own path.
SINEW_API std::vector<std::string> arguments_of(const WorkerCommand& command);

/// Reads what arguments_of() gave. Fails with kInvalidArgument for anything else, missing limits included; the message
/// names the argument.
SINEW_API Result<WorkerCommand> parse_arguments(std::span<const char* const> arguments);

}  // namespace sinew::internal

// What a model gets besides what its file has: sockets, masks and wearables, as a JSON file lists them.
#pragma once

#include <string>
#include <vector>

#include "scene/load.h"
#include "sinew/asset/result.h"
#include "sinew/import/model.h"

namespace sinew::app {

struct ModelAdditions {
  std::vector<SocketOptions> sockets;
  std::vector<MaskOptions> masks;
  std::vector<WearableOptions> wearables;  // WearableOptions::from is set by load_wearables()
  std::vector<std::string> from;           // the path of each wearable's file; empty: it is made of parts of the model
};

/// Reads the list. Its fields are those of SocketOptions, MaskOptions and WearableOptions: {"sockets": [], "masks": [],
/// "wearables": []}. Matrices are lists of 12 numbers, row by row. "from" is a file, relative to the folder of the
/// list. Errors: kNotFound, kUnreadable, kInvalidData; the message names the file and the item.
Result<ModelAdditions> read_additions(const std::string& path);

/// Loads the files of wearables, each once, without animation files. Errors as from load_file().
Status load_wearables(const LoadOptions& options, ModelAdditions& additions);

}  // namespace sinew::app

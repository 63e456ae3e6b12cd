// Making of models: a character file becomes everything that is made once from it. sinew/asset/model.h has the result.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "sinew/api.h"
#include "sinew/asset/model.h"
#include "sinew/asset/parallel.h"
#include "sinew/import/import.h"
#include "sinew/import/lod.h"

namespace sinew {

/// A socket to be made: a name, the joint that it follows, and its offset from the joint: in the joint's own axes and
/// in the units of the file, also with convert_space. A joint that moves no vertex gets its palette entry here.
struct SocketOptions {
  std::string name, joint;
  Matrix3x4 joint_from_socket = {};
};

/// A mask to be made: factor 1 for these joints and all below them, 0 for all others; or the other way round.
struct MaskOptions {
  std::string name;
  std::vector<std::string> joints;
  bool inverted = false;
};

/// A wearable to be made: parts of the file itself, which leave the body, or another character.
struct WearableOptions {
  std::string name, choice;  // see Wearable
  /// Names of parts, MeshPart::name: of the file, or of `from`, of which none means all.
  std::vector<std::string> parts = {};
  /// Another character. Its joints that move vertices are found in the file by name, and vertices keep their places
  /// relative to them: the skeletons may differ in all else, not in the units of a joint. Materials and images join
  /// those of the file. Morph targets are left out.
  std::shared_ptr<const Character> from = {};
  /// With `from`, for a thing without joints: the joint of the file that it follows, and where in its axes it is.
  std::string joint = {};
  Matrix3x4 joint_from_wearable = {};
};

/// How a model is made.
struct ModelOptions {
  /// True: model space becomes meters, with y up and the front towards +z; the origin stays where the file has it.
  /// False: it stays that of the file.
  bool convert_space = true;
  /// Above 0: the model is scaled so that its rest pose has this extent along its longest axis, in units of model
  /// space. For files that are in centimeters and do not say so.
  float size = 0;
  BakeOptions bake = {};
  LodOptions levels = {};  // no shares, and small_levels = false: no levels of detail
  std::vector<SocketOptions> sockets = {};
  std::vector<MaskOptions> masks = {};
  std::vector<WearableOptions> wearables = {};
  BakeProgress progress = {};
  ParallelFor parallel_for = {};  // measures levels of detail on the host's threads, for seconds: give it others than
                                  // those of a crowd that is drawn meanwhile
};

/// Makes what `file` lacks of a whole model: converts its space, makes sockets, masks and wearables, orders the
/// vertices for skinning, bakes the clips, measures bounds, makes levels of detail. A joint of a wearable that moves no
/// vertex gets its palette entry as that of a socket does. Bounds contain all wearables; they are made for all levels
/// of detail, as coarse as the error of the level allows, and follow the joints that a level kept. What the file has is
/// kept, unless space, size or a socket change what it was made of: a whole model in the space that is asked for stays
/// as it is. Sockets, masks and wearables are found by name: those that the file lacks are added behind its own. The
/// file gets a report if it has none; what could not be made is a warning there. Takes some seconds, of which levels of
/// detail need most: write_model_file() keeps them. Calls may run in parallel. Errors: kInvalidArgument (options; a
/// joint that is not there), kInvalidData, kUnsupported (as from bake(); too many palette entries), kOutOfMemory; then
/// `file` may have changed in part.
SINEW_API Status complete_file(CharacterFile& file, const ModelOptions& options = {});

/// Adds wearables to what a file holds, for all levels of detail that it has, and makes nothing else. Its bounds are
/// dropped: measure_bounds() takes the wearables too. Bake and levels stay, unless parts leave the body or a joint
/// needs a palette entry: then they are dropped as well. A wearable that the file has is not made again. Errors as
/// above, and `file` may have changed in part.
SINEW_API Status add_wearables(CharacterFile& file, std::span<const WearableOptions> wearables);

/// Makes a model of what a file holds: complete_file(), then to_model().
SINEW_API Result<SharedModel> make_model(CharacterFile file, const ModelOptions& options = {});

/// Reads a file, then make_model(). `sinew bake` writes the same model. A `.sinew` file is read as it is, unless
/// `import` names animation files, limits influences or asks for tangents of all vertices: where it holds a whole
/// model in the space that is asked for, nothing is made again. Errors: those of both; the message names the file. Use
/// import_isolated() and make_model() for files that you do not trust.
SINEW_API Result<SharedModel> load_model(const std::string& path, const ModelOptions& options = {},
                                         const ImportOptions& import = {});

}  // namespace sinew

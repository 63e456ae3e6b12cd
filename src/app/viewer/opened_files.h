// Characters on the screen, or in a picture: the viewer as the options have it, and what draws it.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "viewer/drawing.h"
#include "viewer/load_files.h"
#include "viewer/view_options.h"
#include "viewer/viewer.h"

namespace sinew::app {

struct OpenedFiles {
  OpenedFiles(const ViewOptions& of_files, std::vector<Model> models) : options(of_files), viewer(std::move(models)) {}

  ViewOptions options;
  Viewer viewer;
  std::unique_ptr<ViewDrawing> drawing;  // after viewer: it ends first
};

/// The viewer of files that are loaded, without a drawing. Waits until they are. Errors: those of loading; kNotFound
/// for a clip or joint that the options name.
Result<std::unique_ptr<OpenedFiles>> take_files(FileLoading& loading);

/// A viewer with ground and sky only, for the time until files are loaded.
std::unique_ptr<OpenedFiles> no_files(const ViewOptions& options);

/// Makes the drawing for the window or, without one, for pictures. May take seconds. `interface` must outlive it.
Status prepare_drawing(GraphicsContext& graphics, Interface& interface, OpenedFiles& opened);

/// The scale of letters that the options or else the window ask for.
float interface_scale(const ViewOptions& options, const GraphicsContext& graphics);

/// The names of files, as far as they have place in the title of a window: "knight.glb, horse.glb - Sinew".
std::string window_title(std::span<const std::string> files);

/// A line on standard error, for people.
void note(const std::string& line);

}  // namespace sinew::app

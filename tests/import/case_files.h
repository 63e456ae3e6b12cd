// Cases: a small file as a person would write it, and what import must make of it, in a JSON object. A case is a folder
// below tests/import/cases with model.* and expect.json, which has one object or a list of them; or a row of a table
// there: what it changes in a base file.
//
// Tables of glTF, NAME.json: {"base": "two_joints.gltf", "cases": [{"name": ..., "set": {...}, ...}]}
//   base     the file in the folder bases; a row may name another one
//   set      by JSON pointers: values, or null where something is removed; "-" appends to an array
//   then     the same, in the file that is made of it, which has accessors and buffer views
// glTF may have values where they are used: {"VEC3": [0, 0, 0]} or {"u8n VEC4": [...]}, i8 to u32, n for normalized, is
// an accessor, so is one with "values"; {"bytes": "P6 1 1 255\n..."} or {"base64": ...} a buffer view. "nan", "inf" and
// "-inf" are numbers. A channel {"node": 1, "path": "scale", "keys": [[time, values...], ...]} has a sampler then.
// Each is read as text and as GLB.
//
// Tables of text files, NAME.EXTENSION.cases: the base, in which lines may begin with an @word, then the cases: "==
// name", what it says in JSON, and for some of these words the lines that come in the place of theirs, which else are
// what follows the word in the base.
//
// What a case may say:
//   files            by name, what lies beside the model: a text, {"base64": ...}, or glTF {"base": ..., "set": {...}}
//   animation_files  which of them are ImportOptions::animation_files
//   options          other options
//   needs_case       true: where the file system takes names for one that differ in the case of letters, it is left out
//   refused, code    parts of the message of the refusal, and its ErrorCode; nothing else is said then
//   warnings         all lines of the report, in their order; absent: there are none
//   poses            a list of: "clip" (its name), "seconds", or the rest pose without; "at": the positions;
//                    "normals"; "within": a share of the diagonal, 1e-5 if it is absent
//   all others       are facts_of(): what is said of them must match
// Arrays match arrays as long as they are, and objects their elements {"2": 5}, or their "size". Texts that begin with
// "..." are part of what they match. Numbers are near, within 1e-5 of the larger of 1 and them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "gltf_file.h"
#include "sinew/asset/character.h"
#include "sinew/import/import.h"

namespace sinew::test {

struct Case {
  std::string name;
  std::string file;  // "model.fbx"; of a folder its path
  std::string text;  // of the file, unless it is glTF or of a folder
  std::optional<GltfFile> gltf;
  Json row;  // all that the case says
};

/// The cases of a table, NAME.json or NAME.fbx.cases.
std::vector<Case> read_cases(const std::string& path);

/// The folders with expect.json below a folder.
std::vector<Case> folders_of_cases(const std::string& folder);

/// Writes the model and what lies beside it. Returns the path of the model.
std::string write_case(const Case& one, const TemporaryFolder& folder, bool is_binary = false);

/// What an import gave: joints, parents, weights (of each vertex its joints with their weights), parts, positions,
/// normals, tangents, uvs, second_uvs, colors, indices, targets, materials, images, clips, space, blend, report.
Json facts_of(const Character& character, const ImportReport& report);

/// Where `actual` is not as expected, a line; empty where it is.
std::string mismatch(const Json& expected, const Json& actual, double tolerance = 1e-5, const std::string& place = {});

}  // namespace sinew::test

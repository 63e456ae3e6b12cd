// The library's stages as scopes in a host's profiler. Empty by default: nothing is compiled in.
//
// A header of the host defines SINEW_PROFILE_SCOPE; the CMake variable SINEW_PROFILE_HEADER is its path when the
// libraries are built. docs/embedding.md has it for Tracy.
// Scopes are: sinew load, sinew bake, sinew plan, sinew evaluate, sinew add_mesh, sinew prepare_mesh, sinew
// begin_frame, sinew prepare, sinew record. They open and close on the thread that calls.
#pragma once

#ifdef SINEW_PROFILE_HEADER
#include SINEW_PROFILE_HEADER
#endif

/// A scope from here to the end of the block. `name` is a string literal.
#ifndef SINEW_PROFILE_SCOPE
#define SINEW_PROFILE_SCOPE(name)
#endif

// Preloaded into the import worker: Assimp then prints while it reads a file, whichever version it is.
#include <dlfcn.h>

#include <cstdio>

extern "C" {

// Assimp::Importer::ReadFile(const char*, unsigned), which calls the one of the library.
const void* _ZN6Assimp8Importer8ReadFileEPKcj(void* importer, const char* file, unsigned flags) {
  std::puts("a library printed this to standard output");
  std::fflush(stdout);
  std::fputs("a library printed this to standard error\n", stderr);
  using ReadFile = const void* (*)(void*, const char*, unsigned);
  return reinterpret_cast<ReadFile>(dlsym(RTLD_NEXT, __func__))(importer, file, flags);
}
}
